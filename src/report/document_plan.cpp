#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "planner/domain/plan_parts.hpp"
#include "planner/present/text.hpp"
#include "planner/report/document.hpp"
#include "planner/report/lost_causes.hpp"

// `optimize` and `estimate`.
namespace planner {

namespace {

const Json& best_of(const Json& answer) {
  const Json& best = at(answer, {"result", "best"});
  return best.is_null() ? needed(answer, {"result"}) : best;
}

Json scaled(const Json& json, std::initializer_list<std::string_view> path, double divisor) {
  const std::optional<double> value = number(json, path);
  return value ? Json(*value / divisor) : Json(nullptr);
}

/// Whether any of the plans says how sure its time is.
bool have_intervals(const Json& plans) {
  return std::any_of(plans.begin(), plans.end(), [](const Json& plan) {
    return at(plan, {"iteration_time_interval_s"}).is_object();
  });
}

DataTable strategies(const Json& plans, const char* title = "Strategies, best first") {
  DataTable table{.title = title,
                  .header = {"rank",
                             "tp",
                             "pp",
                             "dp",
                             "tp in HB domain",
                             "pp in HB domain",
                             "dp in HB domain",
                             "interleave",
                             "micro-batch",
                             "recompute",
                             "ZeRO",
                             "sequence parallel",
                             "iteration (s)",
                             "memory (GB)",
                             "MFU (%)",
                             "tokens/s",
                             "cp",
                             "ep",
                             "expert tp",
                             "cp in HB domain",
                             "ep in HB domain",
                             "schedule",
                             "shard ranks"}};
  std::int64_t rank = 0;
  for (const Json& plan : plans) {
    const Json& strategy = needed(plan, {"strategy"});
    const Json& placement = at(strategy, {"placement"});
    table.rows.push_back({++rank,
                          at(strategy, {"tp"}),
                          at(strategy, {"pp"}),
                          at(strategy, {"dp"}),
                          at(placement, {"tp_hb"}),
                          at(placement, {"pp_hb"}),
                          at(placement, {"dp_hb"}),
                          at(strategy, {"interleave"}),
                          at(strategy, {"micro_batch"}),
                          at(strategy, {"recompute"}),
                          at(strategy, {"zero"}),
                          at(strategy, {"sequence_parallel"}),
                          needed(plan, {"iteration_time_s"}),
                          scaled(plan, {"memory", "total_bytes"}, 1e9),
                          scaled(plan, {"mfu"}, 0.01),
                          at(plan, {"tokens_per_s"}),
                          at(strategy, {"cp"}),
                          at(strategy, {"ep"}),
                          at(strategy, {"expert_tp"}),
                          at(placement, {"cp_hb"}),
                          at(placement, {"ep_hb"}),
                          at(strategy, {"schedule"}),
                          at(strategy, {"shard_ranks"})});
  }
  if (!have_intervals(plans)) return table;
  constexpr std::ptrdiff_t kAfterTime = 13;
  table.header.insert(table.header.begin() + kAfterTime, {"interval from (s)", "interval to (s)"});
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const Json& interval = at(plans[i], {"iteration_time_interval_s"});
    table.rows[i].insert(table.rows[i].begin() + kAfterTime,
                         {at(interval, {"low"}), at(interval, {"high"})});
  }
  return table;
}

/// To be read: without the axes that no strategy uses.
DataTable used_axes(DataTable table) {
  for (const char* axis :
       {"cp", "ep", "expert tp", "cp in HB domain", "ep in HB domain", "shard ranks"}) {
    const auto found = std::find(table.header.begin(), table.header.end(), axis);
    const auto column = found - table.header.begin();
    const auto used = [&](const std::vector<Json>& row) {
      const Json& degree = row[static_cast<std::size_t>(column)];
      return !degree.is_null() && degree != 1;
    };
    if (std::any_of(table.rows.begin(), table.rows.end(), used)) continue;
    table.header.erase(found);
    for (std::vector<Json>& row : table.rows) row.erase(row.begin() + column);
  }
  return table;
}

/// A row for each of the parts that the plan has.
template <class Parts>
void add_parts(const Json& of_plan, const Parts& parts, const std::string& unit, double divisor,
               double whole, DataTable& table) {
  for (const auto& part : parts) {
    const auto value = number(of_plan, {part.key});
    if (!value) continue;
    const double amount = *value / divisor;
    table.rows.push_back(
        {part.name, unit, amount, whole > 0 ? Json(100 * amount / whole) : Json(nullptr)});
  }
}

DataTable breakdown(const Json& plan) {
  DataTable table{.title = "Where time and memory go",
                  .header = {"part", "unit", "amount", "share (%)"}};
  const double time = number(plan, {"iteration_time_s"}).value_or(0);
  add_parts(needed(plan, {"breakdown_s"}), time_parts(), "s", 1, time, table);
  table.rows.push_back({"iteration", "s", needed(plan, {"iteration_time_s"}), 100});
  const double capacity = number(plan, {"memory", "capacity_bytes"}).value_or(0) / 1e9;
  add_parts(needed(plan, {"memory"}), memory_parts(), "GB", 1e9, capacity, table);
  const double used = number(plan, {"memory", "total_bytes"}).value_or(0) / 1e9;
  table.rows.push_back(
      {"memory in all", "GB", used, capacity > 0 ? Json(100 * used / capacity) : Json(nullptr)});
  return table;
}

DataTable expected_table(const Json& expected) {
  DataTable table{.title = "What to expect", .header = {"figure", "unit", "value"}};
  const auto add = [&](const char* name, const char* unit, const Json& value) {
    if (!value.is_null()) table.rows.push_back({name, unit, value});
  };
  add("iteration, balanced links", "s", at(expected, {"iteration_time_s", "ideal"}));
  add("iteration", "s", at(expected, {"iteration_time_s", "routed"}));
  add("iteration, at most by the traffic class", "s",
      at(expected, {"iteration_time_s", "guaranteed"}));
  for (const char* days : {"ideal", "mean", "p50", "p95", "guaranteed"}) {
    add(days, "days", at(expected, {"days", days}));
  }
  for (const char* cost : {"ideal", "mean", "p95", "guaranteed"}) {
    add(cost, "USD", at(expected, {"cost_per_run_usd", cost}));
  }
  add("availability", "", at(expected, {"reliability", "availability"}));
  const Json& lost = at(expected, {"lost_days"});
  if (!lost.is_object()) return table;
  for (const auto& [cause, days] : lost.items()) {
    table.rows.push_back({"lost: " + cause_in_words(cause), "days", days});
  }
  return table;
}

std::string with_default(const std::string& text, const char* otherwise) {
  return text.empty() ? otherwise : text;
}

}  // namespace

Document plan_document(const Json& answer) {
  const Json& plan = best_of(answer);
  const Json& inputs = at(answer, {"inputs"});
  Document document{.title = fmt::format(
                        "{} on {} GPUs", with_default(text(inputs, {"model", "title"}), "A model"),
                        grouped(static_cast<std::int64_t>(number(inputs, {"gpus"}).value_or(0))))};
  const Json& ends = at(plan, {"iteration_time_interval_s"});
  const auto low = number(ends, {"low"}), high = number(ends, {"high"});
  const std::string interval =
      low && high ? " (" + interval_text(*low * units::second, *high * units::second) + ")" : "";
  document.paragraphs.push_back(
      fmt::format("{} s per iteration{}, MFU {} %, {} GB of {} GB on the fullest GPU.",
                  significant(number(plan, {"iteration_time_s"}).value_or(NAN)), interval,
                  significant(100 * number(plan, {"mfu"}).value_or(NAN)),
                  significant(number(plan, {"memory", "total_bytes"}).value_or(NAN) / 1e9),
                  significant(number(plan, {"memory", "capacity_bytes"}).value_or(NAN) / 1e9)));
  const Json& top = at(answer, {"result", "top"});
  document.tables.push_back(used_axes(strategies(top.is_array() ? top : Json::array({plan}))));
  const Json& front = at(answer, {"result", "pareto"});
  if (front.is_array()) {
    document.tables.push_back(used_axes(strategies(
        front, "Time against memory: no strategy is faster in as little, least memory first")));
  }
  document.tables.push_back(breakdown(plan));
  const Json& expected = at(answer, {"result", "expected"});
  if (expected.is_object()) document.tables.push_back(expected_table(expected));
  return document;
}

DataTable plan_data(const Json& answer) {
  const Json& top = at(answer, {"result", "top"});
  return top.is_array() ? strategies(top) : breakdown(best_of(answer));
}

}  // namespace planner
