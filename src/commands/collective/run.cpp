#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "planner/commands/collective/collective.hpp"
#include "planner/commands/options/fit.hpp"
#include "planner/commands/options/slice.hpp"
#include "planner/commands/parts/job_network.hpp"
#include "planner/commands/values/value_range.hpp"
#include "planner/core/real.hpp"
#include "planner/core/usage.hpp"
#include "planner/job/evidence.hpp"
#include "planner/network/routing/routing.hpp"
#include "planner/perf/calibrated/certainty.hpp"
#include "planner/perf/hfreduce/hfreduce.hpp"

namespace planner::commands {

namespace {

using Algorithm = CollectiveAlgorithm;
using R = CollectiveRequest;

constexpr std::size_t kMostSizes = 200;

/// All that --algorithm may name for a kind.
std::vector<Algorithm> algorithms_for(CollectiveKind kind) {
  const auto of_gpus = algorithms_of(kind);
  std::vector<Algorithm> algorithms{of_gpus.begin(), of_gpus.end()};
  if (kind == CollectiveKind::all_reduce) algorithms.push_back(Algorithm::hfreduce);
  return algorithms;
}

bool does(CollectiveKind kind, Algorithm algorithm) {
  const auto known = algorithms_for(kind);
  return std::find(known.begin(), known.end(), algorithm) != known.end();
}

/// Refuses what contradicts itself whatever the machine.
void check(const R& request) {
  if (!request.kind) {
    usage_error("--kind is missing",
                "all-gather, reduce-scatter, all-reduce, all-to-all, broadcast or point-to-point");
  }
  if (request.sizes.empty()) usage_error("--bytes is missing", "like --bytes 1GiB");
  if (!request.gpus) usage_error("--gpus is missing");
  const std::string_view kind = name_of(*request.kind);
  if (request.in_switch != InSwitchReduction{} && !does(*request.kind, Algorithm::in_switch)) {
    usage_error(fmt::format("--in-switch-reduction has no meaning for {}", kind));
  }
  if (!request.algorithm || does(*request.kind, *request.algorithm)) return;
  std::vector<std::string_view> names;
  for (const Algorithm known : algorithms_for(*request.kind)) names.push_back(name_of(known));
  usage_error(fmt::format("--algorithm {} does no {}", name_of(*request.algorithm), kind),
              fmt::format("those that do: {}", fmt::join(names, ", ")));
}

/// Whether --algorithm in-switch stands for wherever switches may reduce.
bool assumes_switches(const R& request) {
  return request.algorithm == Algorithm::in_switch && request.in_switch == InSwitchReduction{};
}

/// Refuses what the machine cannot do.
void check_machine(const R& request, const job::CollectiveJob& job) {
  if (job.in_switch.hb && job.system.hb_switches_reduce == false) {
    usage_error(
        fmt::format("--in-switch-reduction {}: the HB domains of {} have no switches that "
                    "reduce (hb_switches_reduce)",
                    name_of(job.in_switch), job.system.name));
  }
  if (!request.algorithm || job.gpus == 1) return;
  if (*request.algorithm == Algorithm::in_switch && !reaches_switch(job.group(), job.in_switch)) {
    usage_error("no link of these GPUs has a switch that may reduce",
                "--in-switch-reduction both, or more GPUs");
  }
  if (job.is_out_of_reach(*request.algorithm)) {
    usage_error(fmt::format("--algorithm {} needs a network that joins any two GPUs",
                            name_of(*request.algorithm)),
                request.reach == NetworkReach::rail_only
                    ? "--algorithm hierarchical forwards inside the HB domain, or leave "
                      "--network-reach rail-only out"
                    : "--algorithm hierarchical forwards inside the HB domain");
  }
}

/// What the user should know about the machine before trusting the times.
void warn_about_machine(const R& request, const std::optional<Node>& node,
                        const job::CollectiveJob& job, std::vector<std::string>& warnings) {
  const System& system = job.system;
  const CollectiveGroup group = job.group();
  if (group.hb > 1 && job.hb() < system.hb_bandwidth) {
    warnings.push_back(fmt::format(
        "inside an HB domain {} have {:.4g} of the {:.4g} GB/s of a GPU to each other",
        job.kind == CollectiveKind::point_to_point ? std::string("two GPUs")
                                                   : fmt::format("{:g} GPUs", group.fullest().hb),
        job.hb().in(units::GBps), system.hb_bandwidth.in(units::GBps)));
  }
  const double fewest = group.emptiest().hb;
  if (group.net > 1 && fewest < real(system.hb_domain)) {
    warnings.push_back(fmt::format(
        "{} GPUs do not fill {:g} HB domains of {}: {} has {:g} GPUs, and traffic leaves it over "
        "as many cards",
        job.gpus, group.net, system.hb_domain, fewest < group.hb ? "the emptiest" : "each",
        fewest));
  }
  if (job.in_switch.hb && !system.hb_switches_reduce) {
    warnings.push_back(fmt::format(
        "whether the HB switches of {} reduce is not known; taken as so (hb_switches_reduce)",
        system.name));
  }
  if (job.kind == CollectiveKind::point_to_point && group.hb > 1 && group.net > 1) {
    warnings.emplace_back("the two GPUs are taken to be of one rail, in different HB domains");
    if (request.routing.how.scheme) {
      warnings.emplace_back(
          "its slowdown is that of all GPUs at once, each to the HB domain next to its own; p2p of "
          "planner routing is each to its counterpart in the other half of the job");
    }
  }
  if (request.machine.hb_domain || !node || system.hb_domain >= node->accelerators) return;
  warnings.push_back(
      fmt::format("a node of {} has {} GPUs in HB domains of {}: beyond its domain a GPU gets what "
                  "the tightest link up to the {} it shares leaves it; planner hfreduce shows "
                  "what bounds NCCL and HFReduce there",
                  system.name, node->accelerators, system.hb_domain,
                  node->nics == 1 ? "NIC" : fmt::format("{} NICs", node->nics)));
}

/// Why the CPUs of the system's nodes cannot do this all-reduce; empty where they can.
std::string obstacle_to_hfreduce(const MachineChoice& machine, const job::CollectiveJob& job,
                                 const std::optional<Node>& node) {
  if (!node) return fmt::format("system {} names no node", job.system.name);
  const std::string missing = missing_reduce_figures(*node);
  if (!missing.empty()) return fmt::format("node {} does not say {}", node->name, missing);
  if (machine.hb_domain || machine.hb_bandwidth_GBps || machine.network_bandwidth_GBps) {
    return fmt::format("the options change links that node {} describes", node->name);
  }
  if (job.gpus % node->accelerators != 0) {
    return fmt::format("{} GPUs do not fill nodes of {}", job.gpus, node->accelerators);
  }
  if (node->nics == 0 && job.gpus > node->accelerators) {
    return fmt::format("node {} has no NICs", node->name);
  }
  return {};
}

/// The node whose CPUs can do the all-reduce, if they can.
std::optional<Node> reducing_node(const R& request, const job::CollectiveJob& job,
                                  const std::optional<Node>& node) {
  if (job.kind != CollectiveKind::all_reduce || job.gpus == 1) return std::nullopt;
  const std::string obstacle = obstacle_to_hfreduce(request.machine, job, node);
  if (obstacle.empty()) return node;
  if (request.algorithm == Algorithm::hfreduce) {
    usage_error("--algorithm hfreduce: " + obstacle,
                "whole nodes whose file has their PCIe layout: --system fire-flyer-2; planner "
                "hfreduce changes parts of a node");
  }
  return std::nullopt;
}

TimedCollective told(const job::CollectiveJob& job, Bytes size, const TimedAlgorithm& one) {
  TimedCollective timed{.algorithm = one.method.algorithm,
                        .protocol = one.method.protocol,
                        .of_library = one.of_library,
                        .time = one.time,
                        .slowdown = job.slowdown()};
  const BytesPerSecond left = job.network();
  if (left < job.system.network_bandwidth && one.of_library) timed.network = left;
  const Seconds total = one.time.total();
  if (!(total > Seconds{})) return timed;
  timed.algorithm_bandwidth = algorithm_bandwidth(size, total);
  timed.bus_bandwidth = bus_bandwidth(job.kind, size, job.group().ranks(), total);
  return timed;
}

CollectiveSize told(const job::CollectiveJob& job, const job::TimedSize& timed) {
  CollectiveSize size{.size = timed.size, .bound = timed.bound};
  for (const TimedAlgorithm& one : timed.algorithms) {
    size.algorithms.push_back(told(job, timed.size, one));
  }
  if (!size.algorithms.empty()) size.used = size.algorithms[timed.chosen];
  return size;
}

/// That no run on the machine was measured, or no collective by itself, as on TPUs, whose runs are
/// in the fit of plans; nothing: some were.
std::optional<std::string> unmeasured(const job::CollectiveJob& job,
                                      const catalog::Catalog& catalog) {
  const std::optional<Evidence> evidence =
      job::evidence_of_machine(job.system, catalog.load_calibration(kShippedCalibration));
  if (!evidence) return std::nullopt;
  const bool tpu = evidence->generation == Generation::tpu;
  if (evidence->measured() && !tpu) return std::nullopt;
  std::string subject = job::unmeasured_subject(*evidence);
  if (evidence->measured()) {
    subject = fmt::format("no collective was measured by itself on {}", evidence->accelerator);
  } else if (evidence->missed) {
    subject = fmt::format("no figure of its links rests on a run on {}", evidence->accelerator);
  }
  return fmt::format("{}; latencies and efficiencies are those of {}, and times may be far off",
                     subject, job.library.title);
}

/// What --routing makes of the network that --topology describes.
void route(const R& request, const catalog::Catalog& catalog, job::CollectiveJob& job,
           CollectiveInputs& inputs, std::vector<std::string>& warnings) {
  const job::FabricChoice& choice = request.fabric;
  const bool fabric = choice.topology || choice.radix || choice.port_gbps || !choice.inputs.empty();
  if (!request.routing.how.scheme) {
    if (fabric) usage_error("the options of the network need --routing", "--routing ecmp");
    const bool asked = request.routing.how != RoutingSettings{} || request.routing.cluster_gpus;
    if (asked) usage_error("the options of routing need --routing", "--routing ecmp");
    return;
  }
  const job::JobOnNetwork on = network_of_job(
      choice, request.routing.cluster_gpus, job.system, job.gpus,
      static_cast<std::int64_t>(job.group().fullest().hb), catalog, inputs.assumed, warnings);
  job.system.network_bandwidth = on.nominal;
  job.routing = job::route_job(request.routing.how, on).factors;
  if (job::rails_apart(on.design) > 1) job.reach = inputs.reach = NetworkReach::rail_only;
  inputs.topology = on.name;
  inputs.routing = request.routing.how.scheme;
}

OptionOf<R> algorithm_option(OptionInfo info) {
  info.choices.push_back(info.fallback);
  for (const Algorithm algorithm : kAlgorithms) {
    info.choices.emplace_back(name_of(algorithm));
  }
  return of_member<R>(info, &R::algorithm,
                      [info](std::string_view text, R& request) -> std::optional<std::string> {
                        request.algorithm = value_named(text, kAlgorithms);
                        if (!request.algorithm && text != info.fallback)
                          return not_among(info.choices, text);
                        return std::nullopt;
                      });
}

/// Of the collective itself.
std::vector<OptionOf<R>> collective_options() {
  constexpr const char* kGroup = "The collective";
  return {
      choice({"kind", "NAME", "all-gather, reduce-scatter, all-reduce, all-to-all, …", kGroup},
             &R::kind, kCollectiveKinds),
      of_member<R>(
          {"bytes", "SIZE", "of the buffer nccl-tests name: 1GiB, 256MB; 1KiB:16GiB:x4", kGroup},
          &R::sizes,
          [](std::string_view text, R& request) {
            return store(parse_sizes(text), request.sizes);
          }),
      algorithm_option({.name = "algorithm",
                        .value = "NAME",
                        .help = "ring, tree, hierarchical, …; auto: the fastest",
                        .group = kGroup,
                        .fallback = "auto"}),
      choice({.name = kInSwitchOption,
              .value = "WHERE",
              .help = "hb, network or both",
              .group = kGroup,
              .fallback = "none"},
             &R::in_switch, kInSwitchReductions),
      choice({.name = "network-reach", .value = "WHO", .group = kGroup, .fallback = "any-to-any"},
             &R::reach, kNetworkReaches),
      text({.name = kLibraryOption,
            .value = "NAME|FILE",
            .help = "latencies, efficiencies; or ideal",
            .group = kGroup,
            .fallback = kDefaultLibrary,
            .assumed = true},
           &R::library)};
}

std::vector<OptionOf<R>> options() {
  return joined<R>({
      collective_options(),
      in(&R::machine, system_options()),
      {integer({"gpus", "N", "GPUs in all", kWhat}, &R::gpus, 1, kMostGpus)},
      in(&R::machine, link_options()),
      in(&R::fabric, fabric_options()),
      in(&R::routing, routing_options(RoutingUse::plans)),
      in(&R::transport, transport_options()),
      {turn_on({"explain", "", "show each formula with its numbers", kAnswer}, &R::explain)},
  });
}

std::vector<std::string> assumed_by(const R& request) {
  std::vector<std::string> assumed = assumed_of(system_options(), request.machine);
  for (std::string& name : assumed_of(collective_options(), request)) {
    assumed.push_back(std::move(name));
  }
  if (assumes_switches(request)) assumed.emplace_back(kInSwitchOption);
  return assumed;
}

/// The lines of a sweep: one for each size.
std::vector<SweepLine> lines(const CollectiveAnswer& answer) {
  std::vector<SweepLine> all;
  for (const CollectiveSize& size : answer.sizes) {
    SweepLine& line = all.emplace_back();
    if (answer.sizes.size() > 1) line.part = present::number(size.size.si());
    line.figures = {{"time_s", "time (s)", present::number(size.used.time.total().si())}};
    const auto& bus = size.used.bus_bandwidth;
    line.figures.push_back({"bus_bandwidth_GBps", "bus bandwidth (GB/s)",
                            bus ? present::number(bus->in(units::GBps)) : present::none()});
    const bool measured = !answer.inputs.unmeasured;
    line.figures.push_back(
        {"measured", "run measured",
         present::said(present::count(measured ? 1 : 0), measured ? "yes" : "no"), 1});
  }
  return all;
}

}  // namespace

Parsed<std::vector<Bytes>> parse_sizes(std::string_view text) {
  if (!is_range(text)) {
    const Parsed<double> one = parse_bytes(text);
    if (!one.value) return {.value = {}, .error = one.error};
    return {.value = {{Bytes{*one.value}}}, .error = {}};
  }
  const auto read = [](std::string_view size) { return parse_bytes(size).value; };
  const auto range = parse_range(text, read, kMostSizes, "1KiB:16GiB:x4");
  if (!range.value) return {.value = {}, .error = range.error};
  std::vector<Bytes> sizes;
  for (const double size : *range.value) sizes.emplace_back(std::round(size));
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return {.value = std::move(sizes), .error = {}};
}

CollectiveAnswer time_collective(const CollectiveRequest& request, Context& context) {
  check(request);
  job::CollectiveJob job{
      .kind = *request.kind,
      .system = machine_of(request.machine, context.catalog),
      .gpus = *request.gpus,
      .library = context.catalog.load_collectives(request.library.value_or(kDefaultLibrary)),
      .in_switch = request.in_switch,
      .reach = request.reach,
      .asked = request.algorithm};
  if (assumes_switches(request)) {
    job.in_switch = {.hb = job.system.hb_switches_reduce.value_or(true), .network = true};
  }
  take_slices(fmt::format("--gpus {}", job.gpus), job.gpus, job.system, context.warnings);
  std::optional<Node> node;
  if (job.system.node) node = context.catalog.load_node(*job.system.node);
  warn_about_machine(request, node, job, context.warnings);
  job.reducing_node = reducing_node(request, job, node);

  CollectiveAnswer answer{.inputs = {.kind = job.kind,
                                     .gpus = job.gpus,
                                     .system = job.system.name,
                                     .system_title = job.system.title,
                                     .hb_domain = job.system.hb_domain,
                                     .hb_bandwidth = job.system.hb_bandwidth,
                                     .network_bandwidth = job.system.network_bandwidth,
                                     .reach = job.reach,
                                     .in_switch = job.in_switch,
                                     .library = job.library.name,
                                     .library_title = job.library.title,
                                     .asked = job.asked,
                                     .assumed = assumed_by(request)},
                          .group = job.group()};
  answer.inputs.unmeasured = unmeasured(job, context.catalog);
  route(request, context.catalog, job, answer.inputs, context.warnings);
  check_machine(request, job);
  job.transport = transport_of(request.transport);
  if (job.transport) {
    answer.inputs.transport_limit = job.transport->limit(job.system.network_bandwidth);
    answer.inputs.enough_buffer = job.transport->enough_buffer(job.system.network_bandwidth);
  }
  std::vector<job::TimedSize> sizes;
  for (const Bytes size : request.sizes) {
    sizes.push_back(timed(job, size));
    answer.sizes.push_back(told(job, sizes.back()));
  }
  if (sizes.front().algorithms.empty() && job.gpus > 1) {
    usage_error(
        fmt::format("library {} has no algorithm for {}", job.library.name, name_of(job.kind)),
        "--algorithm names one");
  }
  if (request.explain) answer.formulas = explained(job, sizes.front());
  return answer;
}

Command collective() {
  return erased(CommandOf<CollectiveRequest, CollectiveAnswer>{
      .name = "collective",
      .summary = "time of one collective by every algorithm",
      .options = options(),
      .run = time_collective,
      .fields = collective_fields,
      .view = collective_view,
      .lines = lines,
      .part = "bytes"});
}

}  // namespace planner::commands
