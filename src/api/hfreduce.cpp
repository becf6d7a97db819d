#include <fmt/format.h>

#include <algorithm>

#include "planner/api/commands.hpp"
#include "planner/core/real.hpp"

namespace planner {

namespace {

constexpr const char* kDefaultNode = "fire-flyer-2";
constexpr double kDefaultMessageMiB = 186;       // as measured, Fire-Flyer AI-HPC §IV-B
constexpr std::int64_t kDefaultMostNodes = 180;  // 1,440 GPUs, as measured there
constexpr Bytes kMiB = 1024 * 1024 * units::byte;

[[noreturn]] void infeasible(std::string message, std::string hint) {
  throw InfeasibleError(
      Diagnostic{.code = "infeasible", .message = std::move(message), .hint = std::move(hint)});
}

/// Refuses a node whose tightest bound may not be known.
void require_figures(const Node& node) {
  const std::string missing = missing_reduce_figures(node);
  if (missing.empty()) return;
  throw InputError(Diagnostic{
      .code = "unknown-figure",
      .message =
          fmt::format("node {} does not say {}, which bound its all-reduce", node.name, missing),
      .hint = fmt::format("give a node file that does: planner show node {}", kDefaultNode)});
}

std::optional<BytesPerSecond> gbps(std::optional<double> number) {
  if (!number) return std::nullopt;
  return *number * units::GBps;
}

NodeChange asked_change(const HfReduceRequest& asked, const Node& node) {
  if (asked.genoa_memory && asked.host_memory_GBps) {
    usage_error("--genoa-memory and --host-memory exclude each other");
  }
  if (asked.genoa_memory && !genoa_memory(node)) {
    usage_error(
        fmt::format("--genoa-memory: node {} does not say host_memory_peak_GBps", node.name),
        "give the practical bandwidth: --host-memory GB/s");
  }
  if (asked.pcie_generation && !node.pcie_generation) {
    usage_error(fmt::format("--pcie: node {} does not say its pcie_generation", node.name));
  }
  if (asked.pcie_switch && node.accelerators % *asked.pcie_switch != 0) {
    infeasible(fmt::format("--pcie-switch {} does not divide the node's {} GPUs",
                           *asked.pcie_switch, node.accelerators),
               {});
  }
  return {.nics = asked.nics,
          .host_memory = gbps(asked.host_memory_GBps),
          .genoa_memory = asked.genoa_memory,
          .host_bridge = gbps(asked.host_bridge_GBps),
          .pcie_generation = asked.pcie_generation,
          .gpus_per_switch = asked.pcie_switch};
}

/// The multiple of `whole` that is nearest to `gpus`, at least one.
std::int64_t nearest_multiple(std::int64_t gpus, std::int64_t whole) {
  const std::int64_t below = gpus / whole * whole;
  return below == 0 || gpus - below > below + whole - gpus ? below + whole : below;
}

/// Nodes of the job, and of them those that reduce together: the replicas of a pipeline stage.
void count_nodes(const Request& request, HfReduceResult& result) {
  if (request.pp.size() > 1) usage_error("--pp takes one value here");
  if (!request.pp.empty()) result.pp = request.pp.front();
  if (result.zone_bandwidth)
    result.options.zone_bandwidth = *result.zone_bandwidth / real(result.pp);
  if (!request.gpus) {
    if (result.pp > 1) usage_error("--pp needs --gpus");
    return;
  }
  // The GPUs of a node are replicas of one stage (Fire-Flyer AI-HPC §V-B2).
  const std::int64_t per_node = result.node.accelerators;
  const std::int64_t whole = per_node * result.pp;
  if (*request.gpus % whole != 0) {
    infeasible(
        fmt::format("--gpus {}: {} GPUs per node{} take a multiple of {}", *request.gpus, per_node,
                    result.pp > 1 ? fmt::format(" and --pp {}", result.pp) : "", whole),
        fmt::format("closest: {} GPUs", nearest_multiple(*request.gpus, whole)));
  }
  result.gpus = request.gpus;
  result.nodes = *request.gpus / per_node;
  result.options.nodes = *request.gpus / whole;
}

/// Several nodes reduce over their NICs.
void require_network(const HfReduceResult& result) {
  if (result.node.nics > 0 || result.options.nodes == 1) return;
  throw InputError(
      Diagnostic{.code = "no-network",
                 .message = fmt::format("node {} has no NICs: it reduces alone", result.node.name),
                 .hint = fmt::format("--gpus {}, or --nics N", result.node.accelerators)});
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

/// What the bounds take for granted.
std::vector<std::string> assumptions_of(const HfReduceResult& result, std::int64_t built_nics) {
  std::vector<std::string> list;
  if (!result.node.pcie->gpus_per_switch) {
    list.emplace_back(
        "a NIC has a root port of its own, which is not bounded: the host bridge's rate is "
        "measured "
        "on GPUs' ports (Fire-Flyer §IV-D3), and the NIC's moves more with NVLink bridges (§IV-C)");
    if (result.node.nics > built_nics) list.emplace_back("there are root ports for the added NICs");
  }
  if (result.zone_bandwidth && result.pp > 1) {
    list.push_back(fmt::format(
        "the all-reduces of all {} pipeline stages cross the zones and share their link",
        result.pp));
  }
  return list;
}

HfReduceScale at_scale(const HfReduceResult& result, std::int64_t nodes) {
  HfReduceOptions options = result.options;
  options.nodes = nodes;
  return {.nodes = nodes,
          .reduce = reduce_at(result.node, options, nodes, result.message, result.step_latency),
          .nccl = nccl_ring(result.node, options)};
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

LibraryOverlap waits(OverlapInputs inputs, BytesPerSecond bandwidth, Seconds compute) {
  inputs.bandwidth = bandwidth;
  const Overlap overlap = overlapped(inputs);
  return {.bandwidth = bandwidth, .overlap = overlap, .iteration = compute + overlap.exposed};
}

HfReduceTraining training(const Request& request, const TransformerSpec& model,
                          const HfReduceResult& result, double parameters) {
  const HfReduceRequest& asked = request.hfreduce;
  HfReduceTraining training{.model = model.name,
                            .parameters = parameters,
                            .precision = request.precision.value_or(Precision::bf16),
                            .microbatches = asked.microbatches.value_or(1),
                            .nccl_kernel_share = asked.kernel_share_pct.value_or(0) / 100,
                            .compute = *asked.compute_time_s * units::second};
  training.gradients = stage_gradients(parameters, gradient_bytes(training.precision), result.pp);
  // Gradients become ready in the backward of the last micro-batch.
  training.inputs = {.backward = kBackwardShare * training.compute / real(training.microbatches),
                     .gradients = training.gradients,
                     .buckets = gradient_buckets(model, result.pp)};
  training.hfreduce = waits(training.inputs,
                            reduce_at(result.node, result.options, *result.options.nodes,
                                      training.gradients, result.step_latency)
                                .bandwidth,
                            training.compute);
  if (result.nccl) {
    OverlapInputs inputs = training.inputs;
    inputs.kernel_share = training.nccl_kernel_share;
    training.nccl = waits(inputs, *result.nccl, training.compute);
  }
  return training;
}

/// What a model adds: the checkpoint on the storage, and an iteration of a given compute time.
void add_model(const Request& request, const catalog::Catalog& catalog, HfReduceResult& result) {
  const TransformerSpec model = catalog.load_model(*request.model).spec;
  if (result.pp > model.layers) {
    infeasible(fmt::format("--pp {}: {} has {} layers", result.pp, model.name, model.layers),
               fmt::format("--pp {} or less", model.layers));
  }
  const double parameters = total_parameters(model);
  if (result.storage) {
    result.storage->checkpoint =
        checkpoint_time(parameters, *result.nodes, result.storage->system, result.node);
  }
  if (request.hfreduce.compute_time_s) {
    result.training = training(request, model, result, parameters);
  }
}

void check_training_flags(const Request& request) {
  const HfReduceRequest& asked = request.hfreduce;
  if (request.model && !request.gpus) usage_error("--model needs --gpus");
  if (asked.compute_time_s && !request.model) usage_error("--compute-time needs --model");
  const bool of_overlap = asked.kernel_share_pct || asked.microbatches || request.precision;
  if (of_overlap && !asked.compute_time_s) {
    usage_error("--precision, --microbatches and --kernel-share need --compute-time");
  }
}

void name_assumptions(const Request& request, HfReduceResult& result) {
  const auto assume = [&](bool given, const char* option) {
    if (!given) result.assumed.emplace_back(option);
  };
  assume(request.hfreduce.node.has_value(), "node");
  assume(request.hfreduce.message_MiB.has_value(), "message");
  assume(request.hfreduce.step_latency_us.has_value(), "step-latency");
  if (!result.training) return;
  assume(request.precision.has_value(), "precision");
  assume(request.hfreduce.microbatches.has_value(), "microbatches");
  assume(request.hfreduce.kernel_share_pct.has_value(), "kernel-share");
}

}  // namespace

std::string missing_reduce_figures(const Node& node) {
  std::string missing;
  const auto need = [&](bool there, const char* key) {
    if (!there) missing += (missing.empty() ? "\"" : ", \"") + std::string{key} + "\"";
  };
  need(node.pcie.has_value(), "pcie");
  need(node.host_memory_bandwidth.has_value(), "host_memory_bandwidth_GBps");
  need(node.numa_nodes.has_value(), "numa_nodes");
  need(!node.pcie || node.pcie->host_bridge_bandwidth, "pcie.host_bridge_bandwidth_GBps");
  return missing;
}

Response hfreduce(const Request& request, const catalog::Catalog& catalog) {
  const HfReduceRequest& asked = request.hfreduce;
  Response response{.command = Command::hfreduce};
  check_training_flags(request);
  const Node built = catalog.load_node(asked.node.value_or(kDefaultNode));
  require_figures(built);
  HfReduceResult result{
      .change = asked_change(asked, built),
      .options = {.nvlink_pairs = asked.nvlink_pairs, .memcpy_h2d = asked.memcpy_h2d},
      .message = asked.message_MiB.value_or(kDefaultMessageMiB) * kMiB,
      .step_latency = asked.step_latency_us ? *asked.step_latency_us * units::us : kTreeStepLatency,
      .zone_bandwidth = gbps(asked.zone_bandwidth_GBps)};
  result.node = changed(built, result.change);
  count_nodes(request, result);
  require_network(result);
  check_pairs(built, result, response.warnings);
  result.bounds = hfreduce_bounds(result.node, result.options);
  result.nccl = nccl_ring(result.node, result.options);
  result.what_ifs = what_ifs(built, result.change, result.options);
  result.scaling = scaling(result);

  const std::optional<std::string> storage = asked.storage ? asked.storage : built.storage;
  if (storage) {
    const StorageSystem system = catalog.load_storage(*storage);
    result.storage = HfReduceStorage{.system = system,
                                     .rates = storage_rates(system, result.node, result.nodes)};
  }
  if (request.model) add_model(request, catalog, result);
  name_assumptions(request, result);
  result.assumptions = assumptions_of(result, built.nics);
  response.result = std::move(result);
  return response;
}

}  // namespace planner
