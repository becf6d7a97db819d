#include <fmt/format.h>

#include "planner/present/text.hpp"
#include "planner/report/document.hpp"
#include "planner/report/lost_causes.hpp"

namespace planner {

namespace {

Json in_percent(const Json& json, std::initializer_list<std::string_view> path) {
  const std::optional<double> share = number(json, path);
  return share ? Json(100 * *share) : Json(nullptr);
}

DataTable summary(const Json& result) {
  DataTable table{.title = "Summary", .header = {"figure", "unit", "value"}};
  const auto add = [&](const char* name, const char* unit, const Json& value) {
    if (!value.is_null()) table.rows.push_back({name, unit, value});
  };
  add("availability", "%", in_percent(result, {"availability"}));
  add("mean time to failure", "h running", at(result, {"mttf_h"}));
  add("time between failures", "h", at(result, {"wall_between_failures_h"}));
  add("checkpoint interval", "s", at(result, {"checkpoint_interval_s"}));
  add("recovery", "s", at(result, {"recovery_s"}));
  add("failures in 30 days", "", at(result, {"failures_per_30_days"}));
  add("failures expected", "", at(result, {"failures_expected"}));
  for (const char* days : {"ideal", "mean", "p50", "p95"}) {
    add(days, "days", at(result, {"days", days}));
  }
  add("spares suffice", "%", in_percent(result, {"p_spares_ok"}));
  for (const char* cost : {"per_failure_usd", "ideal_run_usd", "mean_run_usd", "p95_run_usd"}) {
    add(cost, "USD", at(result, {"cost", cost}));
  }
  return table;
}

DataTable waste(const Json& result) {
  DataTable table{.title = "Time that does not advance the job", .header = {"cause", "% of time"}};
  for (const auto& [cause, share] : needed(result, {"waste"}).items()) {
    table.rows.push_back({cause_in_words(cause), 100 * share.get<double>()});
  }
  return table;
}

DataTable components(const Json& result) {
  DataTable table{
      .title = "What fails",
      .header = {"component", "action", "mean time to failure (h running)", "failures in 30 days"}};
  for (const Json& row : needed_array(result, {"by_component"})) {
    table.rows.push_back({at(row, {"component"}), at(row, {"action"}), at(row, {"mttf_h"}),
                          at(row, {"failures_per_30_days"})});
  }
  return table;
}

}  // namespace

DataTable improvement_table(const Json& result) {
  DataTable table{
      .title = "What to improve next",
      .header = {"step", "takes (s)", "a second less (points)", "a tenth less (points)"}};
  for (const Json& row : needed_array(result, {"improve_next", "steps"})) {
    table.rows.push_back({at(row, {"step"}), at(row, {"takes_s"}),
                          in_percent(row, {"availability_per_second"}),
                          in_percent(row, {"availability_of_a_tenth_less"})});
  }
  return table;
}

Document reliability_document(const Json& answer) {
  const Json& result = needed(answer, {"result"});
  const std::string rates = text(answer, {"inputs", "rates", "title"});
  Document document{.title =
                        fmt::format("{} GPUs with the failures of {}",
                                    grouped(static_cast<std::int64_t>(
                                        number(answer, {"inputs", "counts", "gpus"}).value_or(0))),
                                    rates)};
  document.tables = {summary(result), waste(result), components(result), improvement_table(result)};
  return document;
}

DataTable reliability_data(const Json& answer) {
  const Json& result = needed(answer, {"result"});
  DataTable table = summary(result);
  for (const auto& row : waste(result).rows) {
    table.rows.push_back({"waste: " + row[0].get<std::string>(), "%", row[1]});
  }
  return table;
}

}  // namespace planner
