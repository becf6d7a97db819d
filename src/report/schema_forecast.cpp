#include "planner/report/result_schemas.hpp"
#include "planner/report/shape.hpp"

namespace planner::result_schemas {

using namespace shape;

Json forecast() {
  const Json days = object({{"ideal", figure()},
                            {"without_failures", figure()},
                            {"mean", figure()},
                            {"p50", figure()},
                            {"p95", figure()},
                            {"guaranteed", or_null(figure())}});
  const Json cost = object({{"ideal", figure()},
                            {"mean", figure()},
                            {"p95", figure()},
                            {"guaranteed", or_null(figure())},
                            {"mean_range", range_of(figure())},
                            {"at_least", flag()}});
  return object(
      {{"iteration_time_s",
        or_null(object(
            {{"ideal", figure()}, {"routed", figure()}, {"guaranteed", or_null(figure())}}))},
       {"days", or_null(days)},
       {"p95_varies", or_null(list_of(one_of_words({"failures", "hashed_paths"})))},
       {"lost_days", or_null(map_of(figure()))},
       {"cost_per_run_usd", or_null(cost)},
       {"routing", or_null(see("result_routing"))},
       {"sharing", or_null(sharing())},
       {"reliability", or_null(with(reliability(), {{"inputs", see("inputs_reliability")}}))}});
}

}  // namespace planner::result_schemas
