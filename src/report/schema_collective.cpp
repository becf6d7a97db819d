#include "planner/perf/collectives/bandwidth_bound.hpp"
#include "planner/report/result_schemas.hpp"
#include "planner/report/shape.hpp"

namespace planner::result_schemas {

namespace {

using namespace shape;

/// What holds of one algorithm and of the chosen one alike.
Json timing() {
  return {{"time_s", figure()},
          {"algorithm_bandwidth_GBps", or_null(figure())},
          {"bus_bandwidth_GBps", or_null(figure())},
          {"terms_s", object({{"launch", figure()},
                              {"hb_latency", figure()},
                              {"network_latency", figure()},
                              {"hb_transfer", figure()},
                              {"network_transfer", figure()},
                              {"pipeline_latency", figure()},
                              {"pipeline_transfer", figure()}})},
          {"latency_s", figure()},
          {"transfer_s", figure()},
          {"transfers_overlap", flag()}};
}

Json algorithm() {
  return with(object(timing()),
              {{"algorithm", word()}, {"protocol", word()}, {"of_library", flag()}});
}

Json size_timed() {
  Json size{{"bytes", figure()},
            {"algorithm", or_null(word())},
            {"protocol", or_null(word())},
            {"bound_time_s", or_null(figure())},
            {"time_over_bound", or_null(figure())},
            {"algorithms", list_of(algorithm())}};
  size.update(timing());
  return size;
}

}  // namespace

Json collective_inputs() {
  return object({{"kind", word()},
                 {"gpus", count()},
                 {"system", word()},
                 {"hb_domain", count()},
                 {"hb_bandwidth_GBps", figure()},
                 {"network_bandwidth_GBps", figure()},
                 {"network_reach", one_of(kNetworkReaches)},
                 {"in_switch_reduction", word()},
                 {"library", word()},
                 {"algorithm", word()},
                 {"assumed", list_of(word())}});
}

Json collective() {
  return object({{"kind", word()},
                 {"gpus", count()},
                 {"gpus_per_hb_domain", figure()},
                 {"hb_domains", count()},
                 {"sizes", list_of(object(size_timed()))},
                 {"formulas", list_of(object({{"algorithm", word()},
                                              {"definitions", map_of(word())},
                                              {"latency", word()},
                                              {"transfer", word()},
                                              {"values", map_of(figure())},
                                              {"source", word()}}))}});
}

}  // namespace planner::result_schemas
