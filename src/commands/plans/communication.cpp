#include "planner/commands/plans/communication.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "planner/present/text.hpp"

namespace planner::commands {

namespace {

using namespace present;

bool sends(const CommunicationTime& time) {
  return time.all > Seconds{};
}

const json::Table<CommunicationTime>& axis_table() {
  using C = CommunicationTime;
  using namespace json;
  static const json::Table<C> kTable{
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

const json::Table<CommunicationTimes>& communication_fields() {
  using C = CommunicationTimes;
  using namespace json;
  static const json::Table<C> kTable = [] {
    json::Table<C> table{.type = "communication",
                         .doc = "what each axis communicates, and how much of that shows",
                         .open = true};
    for (const CommunicationAxis& axis : kCommunicationAxes) {
      Field<C> field =
          required(std::string{axis.key}, axis.time, object(axis_table()), std::string{axis.words});
      field.required = false;
      table.fields.push_back(
          when([at = axis.time](const C& times) { return sends(times.*at); }, std::move(field)));
    }
    return table;
  }();
  return kTable;
}

const json::Table<BalancedNetwork>& balanced_network_fields() {
  using B = BalancedNetwork;
  using namespace json;
  static const json::Table<B> kTable{
      .type = "balanced",
      .doc = "the same plan where all groups get the full bandwidth of the network, S = 1",
      .fields = {required("iteration_time_s", &B::iteration, measure(units::second),
                          "of one iteration"),
                 required("communication", &B::communication, object(communication_fields()),
                          "by axis")},
      .open = true};
  return kTable;
}

void add_communication(const Plan& plan, Document& document) {
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
  for (const CommunicationAxis& axis : kCommunicationAxes) {
    const CommunicationTime& time = plan.communication.*axis.time;
    if (!sends(time)) continue;
    std::vector<Cell> row{words(std::string{axis.words})};
    cells(time, row);
    if (plan.balanced) cells(plan.balanced->communication.*axis.time, row);
    table.add(std::move(row));
  }
  if (table.rows.empty()) return;
  const Section heading{"Communication, and what of it shows"};
  if (!plan.balanced) {
    document.detail(heading);
    document.detail(std::move(table));
    return;
  }
  document.add(heading);
  document.add(std::move(table));
  const Seconds time = plan.time.total(), balanced = plan.balanced->iteration;
  document.add(
      Text{fmt::format("On a balanced network (S = 1) an iteration takes {}, {:.1f} % less.",
                       duration(balanced), 100 * (1 - balanced / time))});
}

}  // namespace planner::commands
