#include "planner/reliability/goodput.hpp"
#include "planner/report/result_schemas.hpp"
#include "planner/report/shape.hpp"

namespace planner::result_schemas {

namespace {

using namespace shape;

Json component() {
  return object({{"component", word()},
                 {"action", word()},
                 {"mttf_h", or_null(figure())},
                 {"failures_per_30_days", figure()},
                 {"share_of_crashes", or_null(figure())}});
}

Json waste() {
  Json shares = Json::object();
  for (const WasteCause& cause : kWasteCauses) shares[std::string{cause.name}] = figure();
  return object(shares);
}

Json days() {
  return object(
      {{"ideal", figure()},
       {"mean", figure()},
       {"p50", figure()},
       {"p95", figure()},
       {"distribution", list_of(object({{"days", figure()}, {"probability", figure()}}))}});
}

Json improve_next() {
  return object({{"steps", list_of(object({{"step", word()},
                                           {"takes_s", figure()},
                                           {"availability_per_second", figure()},
                                           {"availability_of_a_tenth_less", figure()}}))},
                 {"failures", list_of(object({{"component", word()},
                                              {"availability_of_a_tenth_fewer", figure()}}))}});
}

Json cost() {
  return object({{"per_failure_usd", figure()},
                 {"ideal_run_usd", or_null(figure())},
                 {"mean_run_usd", or_null(figure())},
                 {"p95_run_usd", or_null(figure())}});
}

}  // namespace

Json reliability_inputs() {
  const Json spares = object({{"spares", count()},
                              {"pools", count()},
                              {"repair_h", or_null(figure())},
                              {"crews", or_null(count())},
                              {"repair_visits_days", or_null(figure())}});
  return object({{"rates", see("rates")},
                 {"counts", object({{"gpus", figure()},
                                    {"nodes", figure()},
                                    {"nics", figure()},
                                    {"links", figure()},
                                    {"switches", figure()}})},
                 {"tor", one_of(kAccessLinks)},
                 {"checkpoint_stall_s", figure()},
                 {"checkpoint_durable_s", figure()},
                 {"restart_s", figure()},
                 {"recovery_can_fail", flag()},
                 {"spares", or_null(spares)},
                 {"assumed", list_of(word())}});
}

Json reliability() {
  const Json intervals = object({{"optimal", figure()}, {"young", figure()}, {"daly", figure()}});
  return object({{"mttf_h", or_null(figure())},
                 {"wall_between_failures_h", or_null(figure())},
                 {"by_component", list_of(component())},
                 {"checkpoint_interval_s", or_null(figure())},
                 {"advised_intervals_s", or_null(intervals)},
                 {"recovery_s", figure()},
                 {"availability", figure()},
                 {"waste", waste()},
                 {"failures_per_30_days", figure()},
                 {"failures_expected", or_null(figure())},
                 {"days", or_null(days())},
                 {"p_spares_ok", or_null(figure())},
                 {"spares_for_99_percent", or_null(count())},
                 {"improve_next", improve_next()},
                 {"availability_by_interval",
                  list_of(object({{"interval_s", figure()}, {"availability", figure()}}))}},
                {{"cost", cost()}});
}

}  // namespace planner::result_schemas
