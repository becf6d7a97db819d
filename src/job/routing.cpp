#include "planner/job/routing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "planner/core/ceil_div.hpp"
#include "planner/core/real.hpp"
#include "planner/core/usage.hpp"
#include "planner/job/fabric.hpp"
#include "planner/job/free_gpus.hpp"
#include "planner/job/routed.hpp"
#include "planner/network/routing/occupancy.hpp"
#include "planner/network/routing/unequal.hpp"
#include "planner/network/topologies/topologies.hpp"

namespace planner::job {

namespace {

constexpr std::size_t kLoadBins = 16;

/// A job that its share of all racks does not hold.
void state_tight_racks(const RoutedFabric& fabric, const RoutedJob& job, RoutingResult& result) {
  if (fabric.tiers.empty()) return;
  const std::int64_t racks = ceil_div(fabric.gpus, fabric.tiers.front().unit_gpus);
  const std::int64_t slots = racks * rack_slots(fabric, job);
  if (job.gpus <= slots) return;
  result.assumptions.push_back(fmt::format(
      "a share of {:g} of every rack is {} GPUs in all: the job takes more of each, as many GPUs "
      "as it has",
      job.rack_share, slots));
}

/// Whether the network has what is said to fail, and something is left of it.
void check_fault(const RoutingSettings& asked, const RoutedFabric& fabric) {
  if (asked.channels && !asked.fail) usage_error("--port-down goes with --fail");
  if (!asked.fail) return;
  const Fault& fault = *asked.fail;
  switch (fault.kind) {
    case FaultKind::uplink:
      if (fault.count > 0) check_failures(fault, fabric.tiers.empty() ? 0 : fabric.tiers[0].links);
      return;
    case FaultKind::aggregation:
      check_failures(fault, fabric.tiers.empty() ? 0 : fabric.tiers.front().switches_above);
      return;
    case FaultKind::core:
      if (fabric.tiers.size() < 2) usage_error("--fail core: the network has no core");
      check_failures(fault, fabric.tiers[1].switches_above);
      return;
    case FaultKind::plane:
      if (fabric.planes < 2) {
        usage_error("--fail plane: the network has one plane, without which nothing is sent");
      }
      [[fallthrough]];
    case FaultKind::nic_link:
    case FaultKind::tor:
      if (fabric.ports_per_card < 2) {
        usage_error(fmt::format("--fail {}: cards have one port, and without it the job ends",
                                name_of(fault.kind)),
                    "failures that end a job are those of --rates");
      }
  }
}

/// Whether the job has a part of some unit only, and so of its uplinks.
bool shares_units(const RoutedFabric& fabric, const RoutedJob& job) {
  for (std::size_t tier = 0; tier < fabric.tiers.size(); ++tier) {
    const std::vector<std::int64_t> units = occupied_units(fabric, job, tier);
    const bool part = std::any_of(units.begin(), units.end(), [&](std::int64_t gpus) {
      return gpus < fabric.tiers[tier].unit_gpus;
    });
    if (part && units.size() > 1) return true;
  }
  return false;
}

std::string fault_in_words(const Fault& fault, Channels channels) {
  const bool one_card = fault.kind == FaultKind::nic_link || fault.kind == FaultKind::tor;
  return fmt::format("{}{} is down all the time{}", text_of(fault),
                     fault.kind == FaultKind::aggregation ? " of each pod" : "",
                     !one_card ? ""
                     : channels == Channels::fixed
                         ? ": the other ports of its cards carry their bytes"
                         : ": all ports of a node carry its bytes, over the HB domain");
}

void state_job(const RoutingSettings& asked, const JobOnNetwork& on, const RoutedFabric& fabric,
               const RoutedJob& job, RoutingResult& result) {
  result.assumptions.push_back(
      "all of the job's groups send at once, and the slowest sets the pace");
  if (!asked.peers) result.assumptions.push_back("an all-to-all sends to 1 remote rank at a time");
  if (result.placement == Placement::partial) {
    result.assumptions.push_back("the rest of every rack belongs to other jobs, as busy");
    state_tight_racks(fabric, job, result);
  } else if (!asked.uplinks && shares_units(fabric, job)) {
    result.assumptions.push_back(
        "the rest of racks, pods and zones belongs to other jobs, as busy (--uplink-use alone: "
        "idle)");
  }
  state_whole_nodes(asked, on, fabric, result);
  if (asked.fail && asked.fail->count > 0) {
    result.assumptions.push_back(fault_in_words(*asked.fail, job.channels));
  }
  if (result.placement == Placement::random) {
    result.assumptions.push_back("the job's nodes are dealt out over all racks and pods alike");
  }
  if (result.placement == Placement::pp_across_pods) {
    result.assumptions.push_back("only pipeline transfers cross the core (HPN paper, § 7)");
  }
  if (!fabric.zones || fabric.zones->zones < 2) return;
  result.assumptions.push_back(
      !fabric.zones->links ? "links between zones not known (the paper gives no number): left out"
      : fabric.zones->links == 0
          ? "no links between zones: what the job sends there is left out"
          : "one pair of nodes talks between zones unless --placement says otherwise");
}

}  // namespace

Routing resolved(const RoutingSettings& asked) {
  Routing routing;
  routing.scheme = asked.scheme.value_or(RoutingScheme::ecmp);
  routing.qps = asked.qps.value_or(1);
  routing.entropy = asked.entropy;
  routing.striping = asked.striping.value_or(Striping::fixed);
  routing.efficiency = asked.efficiency.value_or(1);
  routing.quantile = asked.quantile.value_or(0.99);
  const bool partial = asked.placement == Placement::partial;
  if (asked.rack_share && !partial) usage_error("--rack-share goes with --placement partial");
  const bool pins = routing.scheme == RoutingScheme::pin;
  if (partial && pins) routing.slices = asked.rack_share.value_or(RoutedJob{}.rack_share);
  const bool planned =
      routing.scheme == RoutingScheme::c4p || routing.scheme == RoutingScheme::spray;
  if (asked.efficiency && !planned) {
    usage_error("--path-efficiency has no meaning for " + std::string{name_of(routing.scheme)},
                "it is the goodput of c4p and spray");
  }
  if (routing.striping == Striping::adaptive) {
    if (!hashes(routing.scheme)) {
      usage_error(fmt::format("--striping has no meaning for {}", name_of(routing.scheme)),
                  "it deals bytes out over hashed queue pairs");
    }
    if (routing.distinct_paths() <= 1) {
      usage_error("--striping adaptive: all bytes of a pair have one path",
                  "ecmp-qp with --qps 4 gives it more");
    }
  }
  return routing;
}

void check_failures(const Fault& fault, std::int64_t links) {
  if (fault.count < links) return;
  if (links == 0) {
    usage_error(
        fmt::format("--fail {}: the network is one tier of switches, with no links between "
                    "them",
                    text_of(fault)));
  }
  usage_error(fmt::format("--fail {}: {} cannot fail and leave a path, there {} {}", text_of(fault),
                          fault.count, links == 1 ? "is" : "are", links),
              fmt::format("at most {}", links - 1));
}

namespace {

/// @param known  of the result's routing
void fill_stages(const std::vector<LinkStage>& stages, StageSlowdowns& known,
                 RoutingResult& result) {
  // Of the links; what striping makes of it is in the slowdown.
  Routing unstriped = result.routing;
  unstriped.striping = Striping::fixed;
  StageSlowdowns of_unstriped(unstriped);
  const bool striped = result.routing.striping != Striping::fixed;
  StageSlowdowns& of_links = striped ? of_unstriped : known;
  for (const LinkStage& stage : stages) {
    const LoadDistribution ratio = of_links.max_mean_ratio(stage);
    const double alone = known.of(stage).at_least(1).mean();
    result.stages.push_back({.stage = stage,
                             .mmr_mean = ratio.mean(),
                             .mmr_quantile = ratio.quantile(result.routing.quantile),
                             .slowdown_mean = alone});
    if (stage.receive_port) result.receive_port_slowdown = alone;
  }
  result.slowdown = slowdown(stages, known);
  const std::optional<std::size_t> slowest = binding(stages, known);
  if (slowest) result.binding = stages[*slowest].name;
  // The picture is that of links; the two ports of a card make none.
  const std::size_t shown = slowest && !stages[*slowest].receive_port ? *slowest : 0;
  if (stages.empty() || stages[shown].receive_port) return;
  result.link_load_stage = stages[shown].name;
  const LinkStage& stage = stages[shown];
  if (stage.sizes.empty()) result.link_load = link_load(stage, result.routing, kLoadBins);
  const RoutingScheme scheme = result.routing.scheme;
  if (!hashes(scheme) || scheme == RoutingScheme::dual_plane || stage.links < 2 ||
      !stage.sizes.empty())
    return;
  for (const double most : {2.0, 1.5, 1.25}) {
    result.qps_needed.emplace_back(most, qps_needed(stage.flows, stage.links, stage.groups, most));
  }
}

}  // namespace

void fill_stages(const std::vector<LinkStage>& stages, RoutingResult& result) {
  StageSlowdowns known(result.routing);
  fill_stages(stages, known, result);
}

namespace {

/// How the largest load of hashed flows was found.
std::string largest_load_by(const RoutingResult& result) {
  bool form = false;
  for (const auto& [stage, mean, quantile, slowdown] : result.stages) {
    const double flows = static_cast<double>(stage.flows) * result.routing.distinct_paths();
    if (!stage.sizes.empty() && flows > static_cast<double>(kMostEnumeratedFlows)) {
      return "largest load by the closed form for flows of different sizes, which takes many flows "
             "per link";
    }
    form = form || flows > static_cast<double>(kMostExactLoad * stage.links);
  }
  return form ? "largest load by the closed form, within 0.1 %" : "largest load exact";
}

}  // namespace

void state_routing(const RoutingSettings& asked, RoutingResult& result) {
  const Routing& routing = result.routing;
  if (!asked.scheme) result.assumptions.push_back("scheme ecmp, not given");
  if (!asked.qps) result.assumptions.push_back("1 queue pair per pair of ports, not given");
  if (!asked.entropy && routing.qps > 1) {
    const bool all = routing.distinct_paths() > 1;
    result.assumptions.push_back(all ? "the hash tells all queue pairs of a pair apart"
                                     : "the hash does not read the queue pair: all of a pair "
                                       "share one path");
  }
  if (routing.striping == Striping::adaptive) {
    result.assumptions.push_back(
        "adaptive striping by a closed form: up to 12 % too low with 4 queue pairs per link, "
        "within 4 % from 8 on; link loads are those of fixed striping");
  }
  if (hashes(routing.scheme)) {
    result.assumptions.push_back(largest_load_by(result));
    result.assumptions.push_back(asked.same_hash.value_or(false)
                                     ? "all tiers hash alike"
                                     : "tiers hash independently of each other");
  }
}

namespace {

/// A job on the links of its network, and how it is routed.
struct RoutedOn {
  RoutedFabric fabric;
  RoutedJob job;
  Routing routing;
  std::shared_ptr<StageSlowdowns> known;  ///< of it

  [[nodiscard]] std::shared_ptr<const JobSlowdowns> slowdowns() const {
    return std::make_shared<const JobSlowdowns>(known, fabric, job);
  }
  [[nodiscard]] RoutingFactors factors_with(std::optional<Fault> fault) const {
    RoutedOn other = *this;
    other.job.fault = fault;
    return routing_factors(other.slowdowns());
  }
  /// On average while one port of a card is down; nothing: cards have one.
  [[nodiscard]] std::optional<RoutingFactors> card_down() const {
    if (fabric.ports_per_card < 2) return std::nullopt;
    return factors_with(Fault{.kind = FaultKind::nic_link});
  }
  /// On average with nothing failed; nothing: nothing has.
  [[nodiscard]] std::optional<RoutingFactors> whole() const {
    return job.fault ? std::optional(factors_with(std::nullopt)) : std::nullopt;
  }
  /// GPUs beyond which only pipelines may reach, where the network has so many.
  [[nodiscard]] std::optional<std::int64_t> stage_limit() const {
    const bool only_p2p = job.placement == Placement::pp_across_pods && fabric.tiers.size() > 1;
    return only_p2p ? std::optional(fabric.tiers[1].unit_gpus) : std::nullopt;
  }
};

/// @param known  of the same settings; null: none was asked for so far
RoutedOn routed_on(const RoutingSettings& asked, const JobOnNetwork& on,
                   std::shared_ptr<StageSlowdowns> known = nullptr) {
  const auto fabric = fabric_of_job(on);
  if (!fabric) throw InputError(no_routing(on));
  const bool zoned = fabric->zones.has_value();
  RoutedJob job{
      .gpus = on.job_gpus,
      .placement = asked.placement.value_or(zoned ? Placement::zone_pair : Placement::whole),
      .rack_share = asked.rack_share.value_or(RoutedJob{}.rack_share),
      .peers = asked.peers.value_or(1),
      .fault = asked.fail,
      .channels = asked.channels.value_or(Channels::fixed),
      .uplinks = asked.uplinks.value_or(UplinkUse::shared),
      .same_hash = asked.same_hash.value_or(false),
      .in_leaf = asked.in_leaf};
  if (job.placement == Placement::zone_pair && !zoned) {
    usage_error("--placement zone-pair is that of a two-zone-fat-tree");
  }
  check_fault(asked, *fabric);
  take_free_gpus(asked, on, job);
  Routing routing = resolved(asked);
  if (routing.scheme == RoutingScheme::dual_plane) {
    if (on.count.planes < 2) {
      usage_error("dual-plane: the cluster's network has one plane");
    }
    // The tiers are those of one plane already.
    routing.scheme = RoutingScheme::ecmp_qp;
  }
  if (!known) known = std::make_shared<StageSlowdowns>(routing);
  return {*fabric, std::move(job), routing, std::move(known)};
}

}  // namespace

RoutedNetwork RoutedNetworks::of(const JobOnNetwork& on) {
  const RoutedOn routed = routed_on(asked_, on, known_);
  known_ = routed.known;
  return {.factors = routing_factors(routed.slowdowns()),
          .card_down = routed.card_down(),
          .whole = routed.whole(),
          .broken = broken_pairs(routed.fabric, asked_.fail),
          .stage_limit = routed.stage_limit(),
          .rails_apart = rails_apart(on.design)};
}

RoutingResult route_job(const RoutingSettings& asked, const JobOnNetwork& on,
                        std::shared_ptr<StageSlowdowns> known) {
  RoutedOn routed = routed_on(asked, on, std::move(known));
  const RoutedFabric& fabric = routed.fabric;
  RoutedJob& job = routed.job;
  RoutingResult result{.cluster = on.name,
                       .routing = routed.routing,
                       .placement = job.placement,
                       .nominal = on.nominal,
                       .fault = asked.fail};
  if (asked.free_gpus) result.taken = occupied_units(fabric, job, fabric.tiers.size() - 1);
  const auto slowdowns = routed.slowdowns();
  result.on_links = slowdowns;
  result.collectives = route(*slowdowns);
  const RoutedCollective& widest = result.collectives.back();
  const auto tiers = static_cast<std::size_t>(widest.scope);
  const bool only_p2p = job.placement == Placement::pp_across_pods && tiers > 1;
  const TrafficPattern pattern = only_p2p ? TrafficPattern::p2p : TrafficPattern::all_rings;
  result.traffic = fmt::format("{}, {}", name_of(pattern), name_of(widest.scope));
  fill_stages(slowdowns->stages(pattern, widest.gpus, tiers), *routed.known, result);
  result.routing.scheme = asked.scheme.value_or(RoutingScheme::ecmp);
  result.factors = routing_factors(slowdowns);
  result.unlucky = routing_factors(slowdowns, &Slowdown::p95);
  if (only_p2p) result.stage_limit = routed.stage_limit();
  state_job(asked, on, fabric, job, result);
  state_routing(asked, result);
  result.card_down = routed.card_down();
  result.whole = routed.whole();
  result.broken = broken_pairs(fabric, asked.fail);
  job.fault.reset();
  result.balanced = routing_factors(
      std::make_shared<const JobSlowdowns>(fabric, job, Routing{.scheme = RoutingScheme::spray}));
  return result;
}

void relate_to_measured(const Calibration& constants, const JobOnNetwork& on,
                        RoutingResult& result) {
  const RoutingFactors measured = route_job(*constants.routing, on).factors;
  result.factors = relative(result.factors, measured);
  result.unlucky = relative(result.unlucky, measured);
  result.balanced = relative(result.balanced, measured);
  if (result.whole) result.whole = relative(*result.whole, measured);
  if (result.card_down) result.card_down = relative(*result.card_down, measured);
  result.assumptions.push_back(fmt::format(
      "slowdowns in the timing are against {}, by which the runs of calibration {} were routed",
      name_of(*constants.routing->scheme), constants.name));
}

}  // namespace planner::job
