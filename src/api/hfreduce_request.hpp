#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace planner {

/// The options of `planner hfreduce` that no other command has.
struct HfReduceRequest {
  std::optional<std::string> node, storage;
  bool nvlink_pairs = false, memcpy_h2d = false, genoa_memory = false;
  std::optional<std::int64_t> nics, pcie_generation, pcie_switch, microbatches;
  std::optional<double> host_memory_GBps, host_bridge_GBps, zone_bandwidth_GBps;
  std::optional<double> message_MiB, step_latency_us, compute_time_s, kernel_share_pct;
};

}  // namespace planner
