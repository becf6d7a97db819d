#include "planner/report/result_schemas.hpp"
#include "planner/report/shape.hpp"

namespace planner::result_schemas {

using namespace shape;

Json forecast() {
  const Json days = object({{"ideal", figure()},
                            {"without_failures", figure()},
                            {"mean", figure()},
                            {"p50", figure()},
                            {"p95", figure()}});
  const Json cost = object({{"ideal", figure()},
                            {"mean", figure()},
                            {"p95", figure()},
                            {"mean_range", range_of(figure())}});
  return object(
      {{"iteration_time_s", or_null(object({{"ideal", figure()}, {"routed", figure()}}))},
       {"days", or_null(days)},
       {"lost_days", or_null(map_of(figure()))},
       {"cost_per_run_usd", or_null(cost)},
       {"routing", or_null(see("result_routing"))},
       {"reliability", or_null(with(reliability(), {{"inputs", see("inputs_reliability")}}))}});
}

}  // namespace planner::result_schemas
