#include "planner/domain/routing.hpp"
#include "planner/report/result_schemas.hpp"
#include "planner/report/shape.hpp"

namespace planner::result_schemas {

namespace {

using namespace shape;

Json stage() {
  return object({{"name", word()},
                 {"F", count()},
                 {"L", count()},
                 {"rho", figure()},
                 {"gcd", count()},
                 {"groups", count()},
                 {"failed", count()},
                 {"mmr_mean", figure()},
                 {"mmr_q", figure()},
                 {"S_mean", figure()}});
}

Json routed_collective() {
  return object({{"collective", word()},
                 {"scope", word()},
                 {"gpus", count()},
                 {"S_mean", figure()},
                 {"S_q", figure()},
                 {"bottleneck_stage", or_null(word())}});
}

Json link_load() {
  return object({{"stage", or_null(word())},
                 {"bins", list_of(object({{"low_of_mean", figure()},
                                          {"high_of_mean", figure()},
                                          {"share", figure()}}))}});
}

}  // namespace

Json sharing() {
  return object({{"storage_share", figure()},
                 {"reads_share", figure()},
                 {"write_time_s", or_null(figure())},
                 {"writing_share", or_null(figure())},
                 {"S_writing", or_null(figure())},
                 {"S_mean", or_null(figure())},
                 {"S_guaranteed", or_null(figure())}});
}

Json routing() {
  return object({{"cluster", or_null(word())},
                 {"scheme", word()},
                 {"qps", count()},
                 {"distinct_paths", figure()},
                 {"striping", one_of(kStripings)},
                 {"placement", word()},
                 {"taken_gpus", or_null(list_of(count()))},
                 {"stage_limit_gpus", or_null(count())},
                 {"quantile", figure()},
                 {"traffic", word()},
                 {"stages", list_of(stage())},
                 {"rx_port_S", figure()},
                 {"S_mean", figure()},
                 {"S_q", figure()},
                 {"nominal_GBps", or_null(figure())},
                 {"effective_GBps", or_null(map_of(any_of({figure(), map_of(figure())})))},
                 {"bottleneck_stage", or_null(word())},
                 {"collectives", list_of(routed_collective())},
                 {"link_load", link_load()},
                 {"qps_needed", list_of(object({{"mmr", figure()}, {"qps", or_null(count())}}))},
                 {"sharing", or_null(sharing())},
                 {"assumptions", list_of(word())}});
}

}  // namespace planner::result_schemas
