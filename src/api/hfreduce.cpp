#include <fmt/format.h>

#include <algorithm>

#include "planner/api/commands.hpp"

namespace planner {

namespace {

constexpr const char* kDefaultNode = "fire-flyer-2";
constexpr double kDefaultMessageMiB = 186;       // as measured, Fire-Flyer AI-HPC §IV-B
constexpr std::int64_t kDefaultMostNodes = 180;  // 1,440 GPUs, as measured there
constexpr double kMiB = 1024 * 1024;

[[noreturn]] void infeasible(std::string message, std::string hint) {
  throw InfeasibleError(
      Diagnostic{.code = "infeasible", .message = std::move(message), .hint = std::move(hint)});
}

/// Without these, a bound that may be the tightest would be missing.
void require_figures(const Node& node) {
  std::string missing;
  const auto need = [&](bool there, const char* key) {
    if (!there) missing += (missing.empty() ? "\"" : ", \"") + std::string{key} + "\"";
  };
  need(node.pcie.has_value(), "pcie");
  need(node.host_memory_bandwidth.has_value(), "host_memory_bandwidth_GBps");
  need(node.numa_nodes.has_value(), "numa_nodes");
  need(!node.pcie || node.pcie->host_bridge_bandwidth, "pcie.host_bridge_bandwidth_GBps");
  if (missing.empty()) return;
  throw InputError(Diagnostic{
      .code = "unknown-figure",
      .message =
          fmt::format("node {} does not say {}, which bound its all-reduce", node.name, missing),
      .hint = fmt::format("give a node file that does: planner show node {}", kDefaultNode)});
}

bool is_given(const NodeChange& change) {
  return change.nics || change.host_memory || change.host_bridge || change.pcie_generation ||
         change.gpus_per_switch;
}

std::optional<BytesPerSecond> gbps(std::optional<double> number) {
  if (!number) return std::nullopt;
  return *number * units::GBps;
}

NodeChange asked_change(const Request& request, const Node& node) {
  if (request.genoa_memory && request.host_memory_GBps) {
    usage_error("--genoa-memory and --host-memory exclude each other");
  }
  NodeChange change{.nics = request.nics,
                    .host_memory = gbps(request.host_memory_GBps),
                    .host_bridge = gbps(request.host_bridge_GBps),
                    .pcie_generation = request.pcie_generation,
                    .gpus_per_switch = request.pcie_switch};
  if (request.genoa_memory) {
    change.host_memory = genoa_memory(node);
    if (!change.host_memory) {
      usage_error(
          fmt::format("--genoa-memory: node {} does not say host_memory_peak_GBps", node.name),
          "give the practical bandwidth: --host-memory GB/s");
    }
  }
  if (change.pcie_generation && !node.pcie_generation) {
    usage_error(fmt::format("--pcie: node {} does not say its pcie_generation", node.name));
  }
  if (change.gpus_per_switch && node.accelerators % *change.gpus_per_switch != 0) {
    infeasible(fmt::format("--pcie-switch {} does not divide the node's {} GPUs",
                           *change.gpus_per_switch, node.accelerators),
               {});
  }
  return change;
}

/// Nodes of the job, and of them those that reduce together: the replicas of a pipeline stage.
void count_nodes(const Request& request, HfReduceResult& result) {
  if (request.pp.size() > 1) usage_error("--pp takes one value here");
  if (!request.pp.empty()) result.pp = request.pp.front();
  if (!request.gpus) {
    if (result.pp > 1) usage_error("--pp needs --gpus");
    return;
  }
  // The GPUs of a node are replicas of one stage (Fire-Flyer AI-HPC §V-B2).
  const std::int64_t per_node = result.node.accelerators;
  const std::int64_t whole = per_node * result.pp;
  if (*request.gpus % whole != 0) {
    const std::int64_t closest = std::max(whole, *request.gpus / whole * whole);
    infeasible(
        fmt::format("--gpus {}: {} GPUs per node{} take a multiple of {}", *request.gpus, per_node,
                    result.pp > 1 ? fmt::format(" and --pp {}", result.pp) : "", whole),
        fmt::format("closest: {} GPUs", closest));
  }
  result.gpus = request.gpus;
  result.nodes = *request.gpus / per_node;
  result.options.nodes = *request.gpus / whole;
}

void check_pairs(const Node& node, HfReduceResult& result, std::vector<std::string>& warnings) {
  if (!result.options.nvlink_pairs) return;
  if (!node.nvlink_bridges) {
    throw InputError(Diagnostic{
        .code = "unknown-figure",
        .message = fmt::format("--nvlink-pairs: node {} has no \"nvlink_bridges\"", node.name),
        .hint = "add them to a node file: planner schema node"});
  }
  if (node.nvlink_bridges->across_numa || result.options.memcpy_h2d) return;
  warnings.push_back(
      "whether NVLink bridges join GPUs of different NUMA nodes is not known; taken as so, which "
      "is the looser bound (nvlink_bridges.across_numa)");
}

/// GPUs of one all-reduce.
std::optional<std::int64_t> reducing_gpus(const HfReduceResult& result) {
  if (!result.options.nodes) return std::nullopt;
  return *result.options.nodes * result.node.accelerators;
}

HfReduceScale at_scale(const HfReduceResult& result, std::int64_t nodes) {
  HfReduceOptions options = result.options;
  options.nodes = nodes;
  const BytesPerSecond bandwidth = hfreduce_bounds(result.node, options).bandwidth;
  return {.nodes = nodes,
          .reduce = pipelined_reduce(result.message, nodes, bandwidth, result.step_latency),
          .nccl = nccl_ring(result.node, nodes * result.node.accelerators)};
}

/// Powers of two up to the nodes that reduce together, and these.
std::vector<HfReduceScale> scaling(const HfReduceResult& result) {
  const std::int64_t most = result.options.nodes.value_or(kDefaultMostNodes);
  std::vector<HfReduceScale> rows;
  for (std::int64_t nodes = 1; nodes < most; nodes *= 2) rows.push_back(at_scale(result, nodes));
  rows.push_back(at_scale(result, most));
  return rows;
}

/// Bytes of one gradient in the formats that HFReduce adds (§IV-D1).
double gradient_bytes(Precision precision) {
  switch (precision) {
    case Precision::fp32:
    case Precision::tf32:
      return 4;
    case Precision::fp16:
    case Precision::bf16:
      return 2;
    case Precision::fp8:
      return 1;
    case Precision::fp4:
      break;
  }
  usage_error("--precision fp4: HFReduce adds fp32, fp16, bf16 and fp8");
}

LibraryOverlap waits(OverlapInputs inputs, const PipelinedReduce& reduce, Seconds compute) {
  inputs.bandwidth = reduce.bandwidth;
  const Overlap overlap = overlapped(inputs);
  return {.reduce = reduce, .overlap = overlap, .iteration = compute + overlap.exposed};
}

HfReduceTraining training(const Request& request, const TransformerSpec& model,
                          const HfReduceResult& result, double parameters) {
  const double per_gradient = gradient_bytes(request.precision.value_or(Precision::bf16));
  HfReduceTraining training{
      .model = model.name,
      .parameters = parameters,
      .gradients = parameters * per_gradient / static_cast<double>(result.pp) * units::byte,
      .nccl_kernel_share = request.kernel_share_pct.value_or(0) / 100,
      .compute = *request.compute_time_s * units::second};
  // Gradients become ready in the backward of the last micro-batch, two thirds of its time.
  training.inputs = {.backward = 2.0 / 3 * training.compute /
                                 static_cast<double>(request.microbatches.value_or(1)),
                     .gradients = training.gradients,
                     .buckets = std::max<std::int64_t>(1, model.layers / result.pp)};
  training.hfreduce = waits(training.inputs,
                            pipelined_reduce(training.gradients, *result.options.nodes,
                                             result.bounds.bandwidth, result.step_latency),
                            training.compute);
  if (result.nccl) {
    OverlapInputs inputs = training.inputs;
    inputs.kernel_share = training.nccl_kernel_share;
    training.nccl =
        waits(inputs, {.time = training.gradients / *result.nccl, .bandwidth = *result.nccl},
              training.compute);
  }
  return training;
}

void check_training_flags(const Request& request) {
  if (request.model && !request.gpus) usage_error("--model needs --gpus");
  if (request.compute_time_s && !request.model) usage_error("--compute-time needs --model");
  const bool of_overlap = request.kernel_share_pct || request.microbatches || request.precision;
  if (of_overlap && !request.compute_time_s) {
    usage_error("--precision, --microbatches and --kernel-share need --compute-time");
  }
}

void name_assumptions(const Request& request, HfReduceResult& result) {
  const auto assume = [&](bool given, const char* option) {
    if (!given) result.assumed.emplace_back(option);
  };
  assume(request.node.has_value(), "node");
  assume(request.message_MiB.has_value(), "message");
  assume(request.step_latency_us.has_value(), "step-latency");
  if (!result.training) return;
  assume(request.precision.has_value(), "precision");
  assume(request.microbatches.has_value(), "microbatches");
  assume(request.kernel_share_pct.has_value(), "kernel-share");
}

}  // namespace

Response hfreduce(const Request& request, const io::Catalog& catalog) {
  Response response{.command = Command::hfreduce};
  check_training_flags(request);
  const Node node = catalog.load_node(request.node.value_or(kDefaultNode));
  require_figures(node);
  const NodeChange change = asked_change(request, node);
  HfReduceResult result{
      .node = changed(node, change),
      .as_built = !is_given(change),
      .options = {.nvlink_pairs = request.nvlink_pairs,
                  .memcpy_h2d = request.memcpy_h2d,
                  .zone_bandwidth = gbps(request.zone_bandwidth_GBps)},
      .message = request.message_MiB.value_or(kDefaultMessageMiB) * kMiB * units::byte,
      .step_latency =
          request.step_latency_us ? *request.step_latency_us * units::us : kTreeStepLatency};
  count_nodes(request, result);
  check_pairs(node, result, response.warnings);
  result.bounds = hfreduce_bounds(result.node, result.options);
  result.nccl = nccl_ring(result.node, reducing_gpus(result));
  result.what_ifs = what_ifs(result.node, result.options, reducing_gpus(result));
  result.scaling = scaling(result);

  const std::optional<std::string> storage = request.storage ? request.storage : node.storage;
  if (storage) {
    const StorageSystem system = catalog.load_storage(*storage);
    result.storage = HfReduceStorage{.system = system,
                                     .rates = storage_rates(system, result.node, result.nodes)};
  }
  if (request.model) {
    const io::LoadedModel model = catalog.load_model(*request.model);
    const std::int64_t sequence = model.spec.reference_run ? model.spec.reference_run->sequence : 0;
    const double parameters = total_parameters(model.spec, sequence);
    if (result.storage) {
      result.storage->checkpoint =
          checkpoint_time(parameters, *result.nodes, result.storage->system, result.node);
    }
    if (request.compute_time_s) result.training = training(request, model.spec, result, parameters);
  }
  name_assumptions(request, result);
  response.result = std::move(result);
  return response;
}

}  // namespace planner
