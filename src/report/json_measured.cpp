#include "planner/report/json_measured.hpp"

#include <nlohmann/json.hpp>

#include "planner/report/json_calibrate.hpp"

namespace planner {

namespace {

using Json = nlohmann::ordered_json;

Json to_json(const std::map<std::string, ErrorSummary>& summaries) {
  Json json = Json::object();
  for (const auto& [name, summary] : summaries) json[name] = to_json(summary);
  return json;
}

Json to_json(const RankStatistics& rank) {
  return {{"groups", rank.groups},
          {"mean_regret_pct", 100 * rank.mean_regret},
          {"within_5_pct", 100 * rank.within_5_pct},
          {"kendall_tau", rank.kendall_tau}};
}

Json to_json(const Coverage& intervals) {
  return {{"rows", intervals.rows},
          {"held_pct", intervals.rows > 0 ? Json(100 * intervals.held) : Json(nullptr)}};
}

/// Seconds, or GB as files of measured runs have them.
Json to_json(const ValidatedRow& row, double unit) {
  if (!row.skipped.empty()) return {{"id", row.id}, {"skipped", row.skipped}};
  return {{"id", row.id},
          {"measured", row.measured / unit},
          {"predicted", row.predicted / unit},
          {"error_pct", 100 * row.error()}};
}

}  // namespace

Json to_json(const ErrorSummary& summary) {
  return {{"count", summary.count},
          {"median_abs_pct", 100 * summary.median},
          {"mean_abs_pct", 100 * summary.mean},
          {"p90_abs_pct", 100 * summary.p90},
          {"max_abs_pct", 100 * summary.max},
          {"bias_pct", 100 * summary.bias}};
}

Json to_json(const MeasuredResult& result) {
  const Validation& all = result.validation;
  const bool memory = all.what == Validated::memory;
  Json json{{"quantity", memory ? "peak memory of a GPU" : "iteration time"},
            {"unit", memory ? "GB" : "s"},
            {"data", result.data ? Json(*result.data) : Json(nullptr)},
            {"calibration", result.calibration},
            {"left_out", result.leave_out ? Json(name_of(*result.leave_out)) : Json(nullptr)},
            {"total", to_json(all.total)},
            {"core", to_json(all.core)},
            {"moe_core", to_json(all.moe_core)},
            {"by_source", to_json(all.by_source)},
            {"without_suspects", to_json(all.without_suspects)}};
  if (memory) {
    json["sources_of_3_rows_or_more"] = to_json(all.larger_sources);
    json["by_metric"] = Json::object();
    for (const auto& [metric, summary] : all.by_metric) {
      json["by_metric"][name_of(metric)] = to_json(summary);
    }
  } else {
    json["rank"] = to_json(all.rank);
    json["intervals"] = {{"share_pct", 100 * kIntervalShare},
                         {"dense", to_json(all.dense_intervals)},
                         {"mixtures_of_experts", to_json(all.moe_intervals)}};
  }
  json["rows"] = Json::array();
  for (const ValidatedRow& row : all.rows) {
    json["rows"].push_back(to_json(row, memory ? 1e9 : 1.0));
  }
  return json;
}

}  // namespace planner
