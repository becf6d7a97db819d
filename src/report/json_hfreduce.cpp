#include "planner/report/json_hfreduce.hpp"

#include <nlohmann/json.hpp>

#include "planner/domain/names.hpp"
#include "planner/report/json_parts.hpp"

namespace planner {

namespace {

using Json = nlohmann::ordered_json;

Json gbps(BytesPerSecond bandwidth) {
  return bandwidth.in(units::GBps);
}

Json gbps(const std::optional<BytesPerSecond>& bandwidth) {
  return bandwidth ? gbps(*bandwidth) : Json(nullptr);
}

Json to_json(const MemoryOperations& operations) {
  return {{"d2h_writes", operations.d2h_writes},
          {"reduce_reads", operations.reduce_reads},
          {"reduce_writes", operations.reduce_writes},
          {"network_reads", operations.network_reads},
          {"network_writes", operations.network_writes},
          {"h2d_reads", operations.h2d_reads},
          {"total", operations.total()}};
}

Json bounds_json(const HfReduceBounds& bounds) {
  Json json = Json::object();
  for (const ReduceBound& bound : bounds.bounds) {
    json[std::string{name_of(bound.resource)}] = gbps(bound.bandwidth);
  }
  return json;
}

Json gains_json(const HfReduceBounds& bounds) {
  Json list = Json::array();
  for (const ReduceGain& gain : bounds.gains) {
    list.push_back({{"lifted", name_of(gain.lifted)},
                    {"bandwidth_GBps", gbps(gain.bandwidth)},
                    {"gain_pct", 100 * gain.gain}});
  }
  return list;
}

Json what_ifs_json(const HfReduceResult& result) {
  Json list = Json::array();
  for (const WhatIf& what_if : result.what_ifs) {
    const BytesPerSecond bandwidth = what_if.bounds.bandwidth;
    list.push_back({{"name", what_if.name},
                    {"flag", what_if.flag},
                    {"assumes", text_or_null(what_if.assumes)},
                    {"memory_operations", what_if.bounds.operations.total()},
                    {"bandwidth_GBps", gbps(bandwidth)},
                    {"gain_pct", 100 * (bandwidth / result.bounds.bandwidth - 1)},
                    {"bottleneck", name_of(what_if.bounds.bottleneck)},
                    {"nccl_GBps", gbps(what_if.nccl)}});
  }
  return list;
}

Json scaling_json(const HfReduceResult& result) {
  Json rows = Json::array();
  for (const HfReduceScale& row : result.scaling) {
    rows.push_back({{"nodes", row.nodes},
                    {"gpus", row.nodes * result.node.accelerators},
                    {"tree_depth", tree_depth(static_cast<double>(row.nodes))},
                    {"chunks", row.reduce.chunks},
                    {"time_s", row.reduce.time.si()},
                    {"bandwidth_GBps", gbps(row.reduce.bandwidth)},
                    {"nccl_GBps", gbps(row.nccl)}});
  }
  return {{"message_bytes", result.message.si()}, {"rows", rows}};
}

Json measured_json(const Node& node) {
  Json list = Json::array();
  for (const MeasuredReduce& measured : node.measured_reduce) {
    list.push_back({{"library", measured.library},
                    {"nvlink_pairs", measured.nvlink_pairs},
                    {"low_GBps", gbps(measured.low)},
                    {"high_GBps", gbps(measured.high)}});
  }
  return list;
}

Json to_json(const LibraryOverlap& library) {
  return {{"bandwidth_GBps", gbps(library.bandwidth)},
          {"communication_s", library.overlap.communication.si()},
          {"exposed_s", library.overlap.exposed.si()},
          {"iteration_time_s", library.iteration.si()}};
}

Json to_json(const HfReduceTraining& training) {
  return {{"model", training.model},
          {"compute_time_s", training.compute.si()},
          {"parameters", training.parameters},
          {"gradient_bytes", training.gradients.si()},
          {"buckets", training.inputs.buckets},
          {"overlapped_backward_s", training.inputs.backward.si()},
          {"hfreduce", to_json(training.hfreduce)},
          {"nccl", training.nccl ? to_json(*training.nccl) : Json(nullptr)}};
}

Json to_json(const StorageRate& rate) {
  Json bounds = Json::object();
  for (const StorageBound& bound : rate.bounds) {
    bounds[std::string{name_of(bound.resource)}] = gbps(bound.bandwidth);
  }
  return {{"bandwidth_GBps", gbps(rate.bandwidth)},
          {"bottleneck", name_of(rate.bottleneck)},
          {"bounds_GBps", bounds}};
}

Json to_json(const CheckpointTime& checkpoint) {
  return {{"bytes", checkpoint.size.si()},
          {"device_to_host_s", checkpoint.device_to_host.si()},
          {"save_s", checkpoint.save.si()},
          {"save_at_measured_rate_s", checkpoint.save_at_measured_rate
                                          ? Json(checkpoint.save_at_measured_rate->si())
                                          : Json(nullptr)},
          {"interval_share_pct",
           checkpoint.interval_share ? Json(100 * *checkpoint.interval_share) : Json(nullptr)}};
}

Json to_json(const HfReduceStorage& storage) {
  return {{"system", storage.system.name},
          {"ssds", storage.rates.ssds},
          {"usable_bytes", storage.rates.usable.si()},
          {"read", to_json(storage.rates.read)},
          {"write", to_json(storage.rates.write)},
          {"measured_read_GBps", gbps(storage.system.measured_read)},
          {"checkpoint", storage.checkpoint ? to_json(*storage.checkpoint) : Json(nullptr)}};
}

/// The parts that were exchanged; null: as built.
Json changes_json(const NodeChange& change) {
  return {{"nics", or_null(change.nics)},
          {"host_memory_GBps", gbps(change.host_memory)},
          {"genoa_memory", change.genoa_memory},
          {"host_bridge_GBps", gbps(change.host_bridge)},
          {"pcie_generation", or_null(change.pcie_generation)},
          {"gpus_per_switch", or_null(change.gpus_per_switch)}};
}

}  // namespace

Json inputs_json(const HfReduceResult& result) {
  Json json{{"node", result.node.name},
            {"changes", changes_json(result.change)},
            {"gpus", or_null(result.gpus)},
            {"pp", result.pp},
            {"nvlink_pairs", result.options.nvlink_pairs},
            {"h2d", result.options.memcpy_h2d ? "memcpy" : "gdrcopy"},
            {"zone_bandwidth_GBps", gbps(result.zone_bandwidth)},
            {"message_bytes", result.message.si()},
            {"step_latency_us", result.step_latency.in(units::us)},
            {"storage", result.storage ? Json(result.storage->system.name) : Json(nullptr)}};
  if (const auto& training = result.training) {
    json["model"] = training->model;
    json["compute_time_s"] = training->compute.si();
    json["precision"] = name_of(training->precision);
    json["microbatches"] = training->microbatches;
    json["nccl_kernel_share_pct"] = 100 * training->nccl_kernel_share;
  }
  json["assumed"] = result.assumed;
  json["assumptions"] = result.assumptions;
  return json;
}

Json to_json(const HfReduceResult& result) {
  const HfReduceBounds& bounds = result.bounds;
  return {{"node", result.node.name},
          {"gpus", or_null(result.gpus)},
          {"nodes", or_null(result.nodes)},
          {"reducing_nodes", or_null(result.options.nodes)},
          {"memory_operations", to_json(bounds.operations)},
          {"bounds_GBps", bounds_json(bounds)},
          {"bandwidth_GBps", gbps(bounds.bandwidth)},
          {"bottleneck", name_of(bounds.bottleneck)},
          {"next_bound", bounds.next ? Json(name_of(*bounds.next)) : Json(nullptr)},
          {"nccl_GBps", gbps(result.nccl)},
          {"measured", measured_json(result.node)},
          {"gains", gains_json(bounds)},
          {"what_ifs", what_ifs_json(result)},
          {"scaling", scaling_json(result)},
          {"training", result.training ? to_json(*result.training) : Json(nullptr)},
          {"storage", result.storage ? to_json(*result.storage) : Json(nullptr)}};
}

}  // namespace planner
