#include "planner/commands/plans/communication.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "planner/json/answer_fields.hpp"
#include "planner/present/text.hpp"

namespace planner::commands {

namespace {

using namespace present;

bool sends(const CommunicationTime& time) {
  return time.all > Seconds{};
}

CommunicationTime sum_of(const CommunicationTimes& times) {
  CommunicationTime sum;
  for (const CommunicationAxis& axis : kCommunicationAxes) {
    sum.all += (times.*axis.time).all;
    sum.exposed += (times.*axis.time).exposed;
  }
  return sum;
}

const json::FieldTable<CommunicationTime>& axis_table() {
  using C = CommunicationTime;
  using namespace json;
  static const json::FieldTable<C> kTable{
      .type = "communication_of_axis",
      .doc = "in one iteration, of the slowest stage",
      .fields = {required("all_s", &C::all, measure(units::second), "whether or not it shows"),
                 required("exposed_s", &C::exposed, measure(units::second),
                          "that nothing hides; it is among breakdown_s"),
                 shown<C, double>(
                     "exposed_share", [](const C& c) { return c.exposed_share(); }, figure(),
                     "of all; above 1 where it slows the work beside it too")},
      .open = true};
  return kTable;
}

}  // namespace

const json::FieldTable<CommunicationTimes>& communication_fields() {
  using C = CommunicationTimes;
  using namespace json;
  static const json::FieldTable<C> kTable = [] {
    json::FieldTable<C> table{.type = "communication",
                              .doc = "what each axis communicates, and how much of that shows",
                              .open = true};
    for (const CommunicationAxis& axis : kCommunicationAxes) {
      Field<C> field =
          required(std::string{axis.key}, axis.time, object(axis_table()), std::string{axis.words});
      field.required = false;
      table.fields.push_back(
          when([at = axis.time](const C& times) { return sends(times.*at); }, std::move(field)));
    }
    table.fields.push_back(
        when([](const C& times) { return sends(sum_of(times)); },
             shown<C, CommunicationTime>("total", sum_of, object(axis_table()), "of all axes")));
    return table;
  }();
  return kTable;
}

const json::FieldTable<BalancedNetwork>& balanced_network_fields() {
  using B = BalancedNetwork;
  using namespace json;
  static const json::FieldTable<B> kTable{
      .type = "balanced",
      .doc = "the same plan where all groups get the full bandwidth of the network, S = 1",
      .fields = {required("iteration_time_s", &B::iteration, measure(units::second),
                          "of one iteration"),
                 required("communication", &B::communication, object(communication_fields()),
                          "by axis")},
      .open = true};
  return kTable;
}

void add_communication(const Plan& plan, Seconds exposed_network, Document& document) {
  const auto cells = [&](const CommunicationTime& time, std::vector<Cell>& row) {
    row.push_back(present::time(time.all));
    row.push_back(present::time(time.exposed));
    row.push_back(share(time.exposed_share()));
  };
  Table table{.header = {"", "all", "exposed", "share"}};
  if (plan.balanced) {
    for (const char* name : {"all, S=1", "exposed, S=1", "share, S=1"}) {
      table.header.emplace_back(name);
    }
  }
  const auto add = [&](std::string_view name, auto time_of) {
    const CommunicationTime time = time_of(plan.communication);
    if (!sends(time)) return;
    std::vector<Cell> row{words(std::string{name})};
    cells(time, row);
    if (plan.balanced) cells(time_of(plan.balanced->communication), row);
    table.add(std::move(row));
  };
  for (const CommunicationAxis& axis : kCommunicationAxes) {
    add(axis.words, [&](const CommunicationTimes& times) { return times.*axis.time; });
  }
  if (table.rows.empty()) return;
  if (table.rows.size() > 1) add("all of them", sum_of);
  const std::string shares = fmt::format(
      "Of an iteration {:.1f} % is communication that nothing hides; {:.1f} % would go "
      "if bytes took no time on the network.",
      100 * (sum_of(plan.communication).exposed / plan.time.total()),
      100 * (exposed_network / plan.time.total()));
  const Section heading{"Communication, and what of it shows"};
  if (!plan.balanced) {
    document.detail(heading);
    document.detail(std::move(table));
    document.detail(Text{shares});
    return;
  }
  document.add(heading);
  document.add(std::move(table));
  document.add(Text{shares});
  const Seconds time = plan.time.total(), balanced = plan.balanced->iteration;
  document.add(Text{
      fmt::format("On a network of full bandwidth (S = 1) an iteration takes {}, {:.1f} % less.",
                  duration(balanced), 100 * (1 - balanced / time))});
}

}  // namespace planner::commands
