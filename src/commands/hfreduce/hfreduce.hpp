#pragma once

#include <optional>
#include <string>
#include <vector>

#include "planner/commands/command.hpp"
#include "planner/job/hfreduce.hpp"
#include "planner/perf/model/storage.hpp"

namespace planner::commands {

struct HfReduceRequest {
  std::optional<std::string> model, node, system, storage;
  std::optional<std::int64_t> gpus, pp, groups, nics, pcie_generation, pcie_switch, microbatches;
  std::optional<Precision> precision;
  bool nvlink_pairs = false, memcpy_h2d = false, genoa_memory = false;
  std::optional<double> host_memory_GBps, host_bridge_GBps, zone_bandwidth_GBps;
  std::optional<double> message_MiB, step_latency_us, compute_time_s, kernel_share_pct;
};

inline constexpr const char* kStepLatencyOption = "step-latency";

struct HfReduceInputs {
  std::string node, node_title{};
  bool pcie_switches = false;  ///< GPUs share ports of the CPU
  NodeChange change{};         ///< parts that were exchanged
  std::optional<std::int64_t> gpus{};
  std::int64_t pp = 1, groups = 1;
  bool nvlink_pairs = false, memcpy_h2d = false;
  std::optional<BytesPerSecond> zone_bandwidth{};  ///< of the whole link, if there are zones
  Bytes message{};
  Seconds step_latency{};
  std::optional<std::string> storage{};  ///< name
  std::optional<job::ReducedRun> run{};
  std::vector<std::string> assumed{};      ///< options that the user did not give
  std::vector<std::string> assumptions{};  ///< of the bounds, in words
};

struct ReduceStorage {
  std::string system, title{};
  StorageRates rates{};
  std::optional<BytesPerSecond> measured_read{};  ///< of the whole system
  std::optional<CheckpointTime> checkpoint{};     ///< of a model
};

/// One change of the node and what it does.
struct ReduceWhatIf {
  std::string name, flag, assumes;
  double memory_operations = 0;
  BytesPerSecond bandwidth{};
  double gain = 0;
  ReduceResource bottleneck{};
  std::optional<BytesPerSecond> nccl{};
  bool pcie_switches = false;
};

struct HfReduceAnswer {
  HfReduceInputs inputs;
  std::optional<std::int64_t> nodes{}, reducing_nodes{};
  HfReduceBounds bounds{};
  std::optional<BytesPerSecond> nccl{};
  std::vector<MeasuredReduce> measured{};
  std::vector<ReduceWhatIf> what_ifs{};
  std::vector<job::ReduceScale> scaling{};
  std::optional<job::ReduceTraining> training{};
  std::optional<ReduceStorage> storage{};
};

HfReduceAnswer bound_reduce(const HfReduceRequest& request, Context& context);
const json::FieldTable<HfReduceAnswer>& hfreduce_fields();
present::Document hfreduce_view(const HfReduceAnswer& answer);

/// `planner hfreduce`: what bounds an all-reduce by the CPUs of PCIe nodes.
Command hfreduce();

}  // namespace planner::commands
