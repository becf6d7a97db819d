#include "planner/report/result_schemas.hpp"
#include "planner/report/shape.hpp"

namespace planner::result_schemas {

namespace {

using namespace shape;

Json published() {
  const Json row = object({{"id", word()},
                           {"source", word()},
                           {"quantity", word()},
                           {"unit", word()},
                           {"kind", word()},
                           {"published", or_null(figure())},
                           {"ours", or_null(figure())},
                           {"tolerance", or_null(figure())},
                           {"reproduced", or_null(flag())},
                           {"note", word()}});
  return object({{"count", count()},
                 {"reproduced", count()},
                 {"not_checked", count()},
                 {"rows", list_of(row)}});
}

Json measured() {
  const Json errors = see("error_summary");
  const Json predicted = object(
      {{"id", word()}, {"measured", figure()}, {"predicted", figure()}, {"error_pct", figure()}});
  const Json skipped = object({{"id", word()}, {"skipped", word()}});
  const Json rank = object({{"groups", count()},
                            {"mean_regret_pct", figure()},
                            {"within_5_pct", figure()},
                            {"kendall_tau", figure()}});
  const Json held = object({{"rows", count()}, {"held_pct", or_null(figure())}});
  const Json intervals =
      object({{"share_pct", figure()}, {"dense", held}, {"mixtures_of_experts", held}});
  return object({{"quantity", word()},
                 {"unit", one_of_words({"s", "GB"})},
                 {"data", or_null(word())},
                 {"calibration", word()},
                 {"left_out", or_null(word())},
                 {"total", errors},
                 {"core", errors},
                 {"moe_core", errors},
                 {"by_source", map_of(errors)},
                 {"without_suspects", map_of(errors)},
                 {"rows", list_of(any_of({predicted, skipped}))}},
                {{"rank", rank},
                 {"intervals", intervals},
                 {"sources_of_3_rows_or_more", errors},
                 {"by_metric", map_of(errors)}});
}

}  // namespace

Json error_summary() {
  return object({{"count", count()},
                 {"median_abs_pct", figure()},
                 {"mean_abs_pct", figure()},
                 {"p90_abs_pct", figure()},
                 {"max_abs_pct", figure()},
                 {"bias_pct", figure()}});
}

Json validate() {
  return any_of({published(), measured()});
}

Json calibrate() {
  const Json part =
      object({{"rows", count()}, {"sources", count()}, {"fitted", see("error_summary")}});
  return object({{"data", list_of(word())},
                 {"expected", word()},
                 {"time", part},
                 {"memory", part},
                 {"intervals_hold_pct", object({{"dense", or_null(figure())},
                                                {"mixtures_of_experts", or_null(figure())}})},
                 {"calibration", see("calibration")}});
}

Json diff() {
  const Json value{{"type", {"null", "boolean", "number", "string"}}};
  return object({{"a", word()},
                 {"b", word()},
                 {"same", count()},
                 {"rows", list_of(object({{"section", word()},
                                          {"name", word()},
                                          {"a", value},
                                          {"b", value},
                                          {"difference", or_null(figure())},
                                          {"difference_pct", or_null(figure())}}))}});
}

}  // namespace planner::result_schemas
