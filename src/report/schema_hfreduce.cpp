#include "planner/report/result_schemas.hpp"
#include "planner/report/shape.hpp"

namespace planner::result_schemas {

namespace {

using namespace shape;

Json memory_operations() {
  return object({{"d2h_writes", figure()},
                 {"reduce_reads", figure()},
                 {"reduce_writes", figure()},
                 {"network_reads", figure()},
                 {"network_writes", figure()},
                 {"h2d_reads", figure()},
                 {"total", figure()}});
}

Json scaling() {
  return object({{"message_bytes", figure()},
                 {"rows", list_of(object({{"nodes", count()},
                                          {"gpus", count()},
                                          {"tree_depth", count()},
                                          {"chunks", figure()},
                                          {"time_s", figure()},
                                          {"bandwidth_GBps", figure()},
                                          {"nccl_GBps", or_null(figure())}}))}});
}

Json training() {
  const Json library = object({{"bandwidth_GBps", figure()},
                               {"communication_s", figure()},
                               {"exposed_s", figure()},
                               {"iteration_time_s", figure()}});
  return object({{"model", word()},
                 {"parameters", figure()},
                 {"gradient_bytes", figure()},
                 {"buckets", figure()},
                 {"compute_time_s", figure()},
                 {"overlapped_backward_s", figure()},
                 {"hfreduce", library},
                 {"nccl", or_null(library)}});
}

Json storage() {
  const Json rate = object({{"bandwidth_GBps", figure()},
                            {"bottleneck", word()},
                            {"bounds_GBps", map_of(or_null(figure()))}});
  const Json checkpoint = object({{"bytes", figure()},
                                  {"device_to_host_s", figure()},
                                  {"save_s", figure()},
                                  {"save_at_measured_rate_s", or_null(figure())},
                                  {"interval_share_pct", or_null(figure())}});
  return object({{"system", word()},
                 {"ssds", count()},
                 {"usable_bytes", figure()},
                 {"read", rate},
                 {"write", rate},
                 {"measured_read_GBps", or_null(figure())},
                 {"checkpoint", or_null(checkpoint)}});
}

}  // namespace

Json hfreduce_inputs() {
  const Json changes = object({{"nics", or_null(count())},
                               {"host_memory_GBps", or_null(figure())},
                               {"genoa_memory", flag()},
                               {"host_bridge_GBps", or_null(figure())},
                               {"pcie_generation", or_null(count())},
                               {"gpus_per_switch", or_null(count())}});
  return with(object({{"node", word()},
                      {"changes", changes},
                      {"gpus", or_null(count())},
                      {"pp", count()},
                      {"nvlink_pairs", flag()},
                      {"h2d", one_of_words({"memcpy", "gdrcopy"})},
                      {"zone_bandwidth_GBps", or_null(figure())},
                      {"message_bytes", figure()},
                      {"step_latency_us", figure()},
                      {"storage", or_null(word())},
                      {"assumed", list_of(word())},
                      {"assumptions", list_of(word())}}),
              Json::object(),
              {{"model", word()},
               {"compute_time_s", figure()},
               {"precision", word()},
               {"microbatches", count()},
               {"nccl_kernel_share_pct", figure()}});
}

Json hfreduce() {
  return object(
      {{"node", word()},
       {"gpus", or_null(count())},
       {"nodes", or_null(count())},
       {"reducing_nodes", or_null(count())},
       {"memory_operations", memory_operations()},
       {"bounds_GBps", map_of(or_null(figure()))},
       {"bandwidth_GBps", figure()},
       {"bottleneck", word()},
       {"next_bound", or_null(word())},
       {"nccl_GBps", or_null(figure())},
       {"measured", list_of(object({{"library", word()},
                                    {"nvlink_pairs", flag()},
                                    {"low_GBps", figure()},
                                    {"high_GBps", or_null(figure())}}))},
       {"gains", list_of(object(
                     {{"lifted", word()}, {"bandwidth_GBps", figure()}, {"gain_pct", figure()}}))},
       {"what_ifs", list_of(object({{"name", word()},
                                    {"flag", word()},
                                    {"assumes", or_null(word())},
                                    {"memory_operations", figure()},
                                    {"bandwidth_GBps", figure()},
                                    {"gain_pct", figure()},
                                    {"bottleneck", word()},
                                    {"nccl_GBps", or_null(figure())}}))},
       {"scaling", scaling()},
       {"training", or_null(training())},
       {"storage", or_null(storage())}});
}

}  // namespace planner::result_schemas
