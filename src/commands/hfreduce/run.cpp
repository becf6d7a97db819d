#include <fmt/format.h>

#include "planner/commands/hfreduce/hfreduce.hpp"
#include "planner/commands/options/machine.hpp"
#include "planner/core/real.hpp"
#include "planner/domain/names.hpp"

namespace planner::commands {

namespace {

using R = HfReduceRequest;

constexpr const char* kDefaultNode = "fire-flyer-2";
constexpr double kDefaultMessageMiB = 186;  // as measured, Fire-Flyer AI-HPC §IV-B
constexpr Bytes kMiB = 1024 * 1024 * units::byte;
constexpr std::int64_t kMostGpusOfNode = 1'000'000;

[[noreturn]] void infeasible(std::string message, std::string hint, bool closest = false) {
  throw InfeasibleError(Diagnostic{.code = "infeasible",
                                   .message = std::move(message),
                                   .hint = std::move(hint),
                                   .closest = closest});
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

NodeChange asked_change(const R& asked, const Node& node) {
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

/// All-reduces of a node, each of as many of its GPUs.
double groups_of(const R& request, bool pairs, const Node& node) {
  const std::int64_t groups = request.groups.value_or(1);
  if (node.accelerators % groups != 0) {
    infeasible(
        fmt::format("--groups {} does not divide the node's {} GPUs", groups, node.accelerators),
        {});
  }
  if (pairs && node.nvlink_bridges && node.accelerators / groups % node.nvlink_bridges->gpus != 0) {
    infeasible(fmt::format("--groups {} leaves no pairs of GPUs that sum together", groups),
               "leave --nvlink-pairs out");
  }
  return real(groups);
}

/// The multiple of `whole` that is nearest to `gpus`, at least one.
std::int64_t nearest_multiple(std::int64_t gpus, std::int64_t whole) {
  const std::int64_t below = gpus / whole * whole;
  return below == 0 || gpus - below > below + whole - gpus ? below + whole : below;
}

/// Nodes that reduce together: the replicas of a pipeline stage, since the GPUs of a node are
/// replicas of one stage (Fire-Flyer AI-HPC §V-B2).
std::optional<std::int64_t> reducing_nodes(const R& request, const job::ReduceJob& job) {
  if (!request.gpus) {
    if (job.pp > 1) usage_error("--pp needs --gpus");
    return std::nullopt;
  }
  const std::int64_t per_node = job.node.accelerators, whole = per_node * job.pp;
  if (*request.gpus % whole != 0) {
    infeasible(fmt::format("--gpus {}: {} GPUs per node{} take a multiple of {}", *request.gpus,
                           per_node, job.pp > 1 ? fmt::format(" and --pp {}", job.pp) : "", whole),
               fmt::format("closest: {} GPUs", nearest_multiple(*request.gpus, whole)), true);
  }
  return *request.gpus / whole;
}

/// Several nodes reduce over their NICs.
void require_network(const job::ReduceJob& job) {
  if (job.node.nics > 0 || job.options.nodes == 1) return;
  throw InputError(
      Diagnostic{.code = "no-network",
                 .message = fmt::format("node {} has no NICs: it reduces alone", job.node.name),
                 .hint = fmt::format("--gpus {}, or --nics N", job.node.accelerators)});
}

void check_pairs(const Node& node, const HfReduceOptions& options,
                 std::vector<std::string>& warnings) {
  if (!options.nvlink_pairs) return;
  if (!node.nvlink_bridges) {
    throw InputError(Diagnostic{
        .code = "unknown-figure",
        .message = fmt::format("--nvlink-pairs: node {} has no \"nvlink_bridges\"", node.name),
        .hint = "add them to a node file: planner schema node"});
  }
  if (node.nvlink_bridges->across_numa || options.memcpy_h2d) return;
  warnings.push_back(
      "whether NVLink bridges join GPUs of different NUMA nodes is not known; taken as so, which "
      "is the looser bound (nvlink_bridges.across_numa)");
}

/// The node that is asked for, by itself or as a system has it.
struct AskedNode {
  Node node;
  bool pairs = false;  ///< its bridges join the system's HB domains
};
AskedNode asked_node(const R& request, const catalog::Catalog& catalog) {
  if (!request.system) return {catalog.load_node(request.node.value_or(kDefaultNode))};
  if (request.node) usage_error("--system and --node exclude each other");
  const System system = catalog.load_system(*request.system);
  if (!system.node) {
    usage_error(fmt::format("--system {}: the system names no node", system.name),
                "--node with a node's file");
  }
  AskedNode asked{catalog.load_node(*system.node)};
  const auto& bridges = asked.node.nvlink_bridges;
  asked.pairs = bridges && bridges->gpus == system.hb_domain;
  return asked;
}

/// What the bounds take for granted.
std::vector<std::string> assumptions_of(const job::ReduceJob& job, std::int64_t built_nics) {
  std::vector<std::string> list;
  if (job.node.nvlink_bridges && !job.options.nvlink_pairs) {
    list.push_back(fmt::format(
        "GPUs do not reduce over NVLink bridges first; those of a system whose HB domains are {} "
        "bridged GPUs do (--system, or --nvlink-pairs), as collective and optimize count them",
        job.node.nvlink_bridges->gpus));
  }
  if (!job.node.pcie->gpus_per_switch) {
    list.emplace_back(
        "a NIC has a root port of its own, which is not bounded: the host bridge's rate is "
        "measured on GPUs' ports (Fire-Flyer §IV-D3), and the NIC's moves more with NVLink "
        "bridges (§IV-C)");
    if (job.node.nics > built_nics) list.emplace_back("there are root ports for the added NICs");
  }
  if (job.options.zone_bandwidth && job.pp > 1) {
    list.push_back(fmt::format(
        "the all-reduces of all {} pipeline stages cross the zones and share their link", job.pp));
  }
  return list;
}

void check_training_flags(const R& request) {
  if (request.model && !request.gpus) usage_error("--model needs --gpus");
  if (request.compute_time_s && !request.model) usage_error("--compute-time needs --model");
  const bool of_overlap = request.kernel_share_pct || request.microbatches || request.precision;
  if (of_overlap && !request.compute_time_s) {
    usage_error("--precision, --microbatches and --kernel-share need --compute-time");
  }
}

/// What a model adds: the checkpoint on the storage, and an iteration of a given compute time.
/// @param storage  null: the node has none
void add_model(const R& request, const job::ReduceJob& job, const StorageSystem* storage,
               const catalog::Catalog& catalog, HfReduceAnswer& answer) {
  const TransformerSpec model = catalog.load_model(*request.model).spec;
  if (job.pp > model.layers) {
    infeasible(fmt::format("--pp {}: {} has {} layers", job.pp, model.name, model.layers),
               fmt::format("--pp {} or less", model.layers));
  }
  if (storage != nullptr) {
    answer.storage->checkpoint =
        checkpoint_time(total_parameters(model), *answer.nodes, *storage, job.node);
  }
  if (!request.compute_time_s) return;
  answer.inputs.run =
      job::ReducedRun{.model = model.name,
                      .compute = *request.compute_time_s * units::second,
                      .precision = request.precision.value_or(Precision::bf16),
                      .microbatches = request.microbatches.value_or(1),
                      .nccl_kernel_share = request.kernel_share_pct.value_or(0) / 100};
  answer.training = train(job, model, *answer.inputs.run);
}

std::vector<std::string> assumed_by(const R& request) {
  std::vector<std::string> assumed;
  const auto assume = [&](bool given, const char* option) {
    if (!given) assumed.emplace_back(option);
  };
  assume(request.node || request.system, "node");
  assume(request.message_MiB.has_value(), "message");
  assume(request.step_latency_us.has_value(), kStepLatencyOption);
  if (!request.compute_time_s) return assumed;
  assume(request.precision.has_value(), "precision");
  assume(request.microbatches.has_value(), "microbatches");
  assume(request.kernel_share_pct.has_value(), "kernel-share");
  return assumed;
}

std::vector<ReduceWhatIf> told(const std::vector<WhatIf>& what_ifs, BytesPerSecond now) {
  std::vector<ReduceWhatIf> all;
  for (const WhatIf& one : what_ifs) {
    all.push_back({.name = one.name,
                   .flag = one.flag,
                   .assumes = one.assumes,
                   .memory_operations = one.bounds.operations.total(),
                   .bandwidth = one.bounds.bandwidth,
                   .gain = one.bounds.bandwidth / now - 1,
                   .bottleneck = one.bounds.bottleneck,
                   .nccl = one.nccl,
                   .pcie_switches = one.pcie_switches});
  }
  return all;
}

/// What the answer says of the request, but for the model's run.
HfReduceInputs inputs_of(const R& request, const job::ReduceJob& job, const NodeChange& change,
                         const Node& built) {
  return {.node = job.node.name,
          .node_title = job.node.title,
          .pcie_switches = job.node.pcie->gpus_per_switch.has_value(),
          .change = change,
          .gpus = request.gpus,
          .pp = job.pp,
          .groups = request.groups.value_or(1),
          .nvlink_pairs = job.options.nvlink_pairs,
          .memcpy_h2d = job.options.memcpy_h2d,
          .zone_bandwidth = gbps(request.zone_bandwidth_GBps),
          .message = job.message,
          .step_latency = job.step_latency,
          .assumed = assumed_by(request),
          .assumptions = assumptions_of(job, built.nics)};
}

std::vector<OptionOf<R>> options() {
  constexpr const char* kReduce = "The node and its all-reduce";
  const auto usual = [](OptionInfo info, std::string fallback) {
    info.fallback = std::move(fallback);
    return info;
  };
  return {
      text(usual({"node", "NAME|FILE", "planner list nodes", kReduce}, kDefaultNode), &R::node),
      text({"system", "NAME|FILE", "its node, with pairs where they are its HB domains", kReduce},
           &R::system),
      turn_on({"nvlink-pairs", "", "GPUs joined by NVLink bridges reduce first", kReduce},
              &R::nvlink_pairs),
      turn_on({"memcpy-h2d", "", "MemcpyAsync instead of GDRCopy back to the GPUs", kReduce},
              &R::memcpy_h2d),
      integer({"nics", "N", "NICs of the node", kReduce}, &R::nics, 1, kMostNics),
      positive({"host-memory", "GB/s", "practical bandwidth of host memory", kReduce},
               &R::host_memory_GBps, kMostBandwidthGBps),
      turn_on(
          {"genoa-memory", "", "24 channels of DDR5-4800, at the node's share of peak", kReduce},
          &R::genoa_memory),
      positive(
          {"host-bridge", "GB/s", "of one PCIe root port to the CPU, both directions", kReduce},
          &R::host_bridge_GBps, kMostBandwidthGBps),
      integer({"pcie", "GEN", "PCIe generation of the GPUs' slots", kReduce}, &R::pcie_generation,
              3, kNewestPcie),
      integer({"pcie-switch", "N", "PCIe switches, each with N GPUs and (without --nics) a NIC",
               kReduce},
              &R::pcie_switch, 1, kMostGpusOfNode),
      positive({"zone-bandwidth", "GB/s", "of the link between two network zones", kReduce},
               &R::zone_bandwidth_GBps, kMostBandwidthGBps),
      positive(usual({"message", "MIB", "all-reduced in the table by nodes", kReduce},
                     fmt::format("{:g}", kDefaultMessageMiB)),
               &R::message_MiB, 1e12),
      non_negative(usual({kStepLatencyOption, "US", "of one tree edge: NCCL's", kReduce},
                         fmt::format("{:g}", kTreeStepLatency.in(units::us))),
                   &R::step_latency_us, 1e9),
      positive({"compute-time", "S", "of an iteration: shows what all-reduce adds", kReduce},
               &R::compute_time_s, 1e9),
      integer(usual({"microbatches", "N", "of an iteration; the last overlaps", kReduce}, "1"),
              &R::microbatches, 1, kMostSequences),
      non_negative(
          usual({"kernel-share", "PCT", "of a GPU that NCCL's kernels take", kReduce}, "0"),
          &R::kernel_share_pct, 99),
      text({"storage", "NAME|FILE", "planner list storage (default: the node's)", kReduce},
           &R::storage),
      text({"model", "NAME|FILE", "a name (planner list models), or a JSON file", kWhat},
           &R::model),
      integer({"gpus", "N", "GPUs in all", kWhat}, &R::gpus, 1, kMostGpus),
      choice(usual({"precision", "NAME", "of the gradients", kWhat}, "bf16"), &R::precision,
             kPrecisions),
      integer({"pp", "N", "pipeline parallel degree", kReduce}, &R::pp, 1, kMostGpus),
      integer({"groups", "N", "sums side by side on a node: tensor parallel ranks", kReduce},
              &R::groups, 1, kMostGpusOfNode),
  };
}

/// The line of a sweep.
std::vector<SweepLine> lines(const HfReduceAnswer& answer) {
  const auto of = [](const std::optional<BytesPerSecond>& rate) {
    return rate ? present::number(rate->in(units::GBps)) : present::none();
  };
  SweepLine line{.figures = {{"bandwidth_GBps", "HFReduce (GB/s)", of(answer.bounds.bandwidth)},
                             {"nccl_GBps", "NCCL (GB/s)", of(answer.nccl)}}};
  if (const auto& training = answer.training) {
    const auto iteration = [](const job::LibraryOverlap& library) {
      return present::number(library.iteration.si());
    };
    line.figures.push_back(
        {"hfreduce_iteration_s", "iteration, HFReduce (s)", iteration(training->hfreduce)});
    line.figures.push_back({"nccl_iteration_s", "iteration, NCCL (s)",
                            training->nccl ? iteration(*training->nccl) : present::none()});
  }
  return {std::move(line)};
}

}  // namespace

HfReduceAnswer bound_reduce(const HfReduceRequest& request, Context& context) {
  check_training_flags(request);
  const auto [built, bridged] = asked_node(request, context.catalog);
  require_figures(built);
  const NodeChange change = asked_change(request, built);
  job::ReduceJob job{.node = changed(built, change),
                     .options = {.nvlink_pairs = request.nvlink_pairs || bridged,
                                 .memcpy_h2d = request.memcpy_h2d},
                     .pp = request.pp.value_or(1),
                     .message = request.message_MiB.value_or(kDefaultMessageMiB) * kMiB,
                     .step_latency = request.step_latency_us ? *request.step_latency_us * units::us
                                                             : kTreeStepLatency};
  if (const auto zones = gbps(request.zone_bandwidth_GBps)) {
    job.options.zone_bandwidth = *zones / real(job.pp);
  }
  job.options.groups = groups_of(request, job.options.nvlink_pairs, job.node);
  job.options.nodes = reducing_nodes(request, job);
  require_network(job);
  check_pairs(built, job.options, context.warnings);

  HfReduceAnswer answer{.inputs = inputs_of(request, job, change, built),
                        .reducing_nodes = job.options.nodes,
                        .bounds = hfreduce_bounds(job.node, job.options),
                        .nccl = nccl_ring(job.node, job.options),
                        .measured = job.node.measured_reduce,
                        .scaling = scaling(job)};
  if (request.gpus) answer.nodes = *request.gpus / job.node.accelerators;
  answer.what_ifs = told(what_ifs(built, change, job.options), answer.bounds.bandwidth);
  std::optional<StorageSystem> storage;
  if (const auto name = request.storage ? request.storage : built.storage) {
    storage = context.catalog.load_storage(*name);
    answer.inputs.storage = storage->name;
    answer.storage = ReduceStorage{.system = storage->name,
                                   .title = storage->title,
                                   .rates = storage_rates(*storage, job.node, answer.nodes),
                                   .measured_read = storage->measured_read};
  }
  if (request.model) {
    add_model(request, job, storage ? &*storage : nullptr, context.catalog, answer);
  }
  return answer;
}

Command hfreduce() {
  return erased(CommandOf<HfReduceRequest, HfReduceAnswer>{
      .name = "hfreduce",
      .summary = "what bounds an all-reduce by the CPUs of PCIe nodes",
      .options = options(),
      .run = bound_reduce,
      .fields = hfreduce_fields,
      .view = hfreduce_view,
      .lines = lines});
}

}  // namespace planner::commands
