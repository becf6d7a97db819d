#include "planner/network/routing/job_slowdowns.hpp"

#include <algorithm>
#include <cmath>

#include "planner/core/ceil_div.hpp"
#include "planner/core/real.hpp"
#include "planner/domain/cut.hpp"

namespace planner::inline network {

namespace {

constexpr double kNoFlow = 1e-9;

bool along_pipelines(FlowKind kind) {
  return kind == FlowKind::line || kind == FlowKind::wrap;
}

std::int64_t at_least_one(double value) {
  return std::max<std::int64_t>(1, std::llround(value));
}

/// The number of flows, which rounding alone keeps from being a whole one.
double without_rounding(double flows) {
  const double whole = std::round(flows);
  return std::abs(flows - whole) <= kNoFlow * std::max(1.0, whole) ? whole : flows;
}

/// Sends along a pipeline and around it are those of a ring, both ways.
GroupFlows loop_of(const GroupFlows& groups) {
  const bool around = groups.kind == FlowKind::wrap;
  return {around ? FlowKind::ring : groups.kind, groups.stride, groups.ranks, groups.one_in};
}
/// Flows of a group for each that all its GPUs would have one way.
double flows_each(const GroupFlows& groups) {
  return (groups.kind == FlowKind::wrap ? 2 : 1) / real(groups.one_in);
}

std::size_t hash_of(const GroupFlows& groups) {
  std::uint64_t h = static_cast<std::uint64_t>(groups.kind);
  for (const std::int64_t part : {groups.stride, groups.ranks, groups.one_in}) {
    h = (h ^ static_cast<std::uint64_t>(part)) * 0x9E3779B97F4A7C15ULL;
    h ^= h >> 32;
  }
  return static_cast<std::size_t>(h);
}

}  // namespace

struct JobSlowdowns::Known {
  GroupFlows groups;
  Slowdown slowdown;
  const Known* next = nullptr;
};

JobSlowdowns::JobSlowdowns(std::shared_ptr<StageSlowdowns> known, RoutedFabric fabric,
                           RoutedJob job)
    : fabric_(std::move(fabric)),
      job_(std::move(job)),
      stage_slowdowns_(std::move(known)),
      known_(kBuckets) {
  for (std::size_t tier = 0; tier < fabric_.tiers.size(); ++tier) {
    std::vector<Run>& runs = runs_.emplace_back();
    std::int64_t first = 0;
    for (const std::int64_t size : occupied_units(fabric_, job_, tier)) {
      if (runs.empty() || runs.back().size != size) runs.push_back({first, size, 0});
      ++runs.back().units;
      first += size;
    }
  }
}

JobSlowdowns::~JobSlowdowns() {
  for (const auto& bucket : known_) {
    const Known* one = bucket.load();
    while (one != nullptr) delete std::exchange(one, one->next);
  }
}

double JobSlowdowns::flows_of_card(const GroupFlows& groups) const {
  const std::int64_t node = std::min(fabric_.gpus_per_node, job_.gpus);
  const double cards = real(planner::ceil_div(node, fabric_.gpus_per_card));
  const double out = flows_each(groups) * cut(loop_of(groups), job_.gpus, node).busiest;
  return std::max(1.0, out / cards);
}

bool JobSlowdowns::crosses(const GroupFlows& groups, const FabricTier& tier) const {
  const bool inside_pods = job_.placement == Placement::pp_across_pods &&
                           &tier != &fabric_.tiers.front() && !along_pipelines(groups.kind);
  return groups.ranks > 1 && !inside_pods;
}

// Units are used from the first on, so that a job that uses all of them uses the last.
std::int64_t JobSlowdowns::gpus_there(std::size_t tier, std::int64_t unit) const {
  const std::int64_t of_unit = std::max<std::int64_t>(1, fabric_.tiers[tier].unit_gpus);
  const std::int64_t last = (fabric_.gpus - 1) / of_unit;
  if (unit != last || !job_.free_gpus.empty()) return of_unit;
  return fabric_.gpus - last * of_unit;
}

// Of a group of ranks on hosts in random order each hop may leave.
std::vector<JobSlowdowns::Leaving> JobSlowdowns::leaving_at_random(const GroupFlows& groups,
                                                                   std::size_t tier) const {
  const std::int64_t node = std::min(fabric_.gpus_per_node, job_.gpus);
  if (groups.period() <= node) return {};
  const std::int64_t hosts = planner::ceil_div(job_.gpus, node);
  // What all ranks send, per rank, of which a host keeps what stays inside it.
  const double each =
      flows_each(groups) * cut(loop_of(groups), job_.gpus, node).all / real(job_.gpus);
  std::vector<Leaving> found;
  for (const Run& run : runs_[tier]) {
    const double flows =
        each * real(run.size) * share_leaving_at_random(hosts, planner::ceil_div(run.size, node));
    if (flows > kNoFlow) found.push_back({flows, run.size, run.units, gpus_there(tier, 0)});
  }
  return found;
}

std::vector<JobSlowdowns::Leaving> JobSlowdowns::leaving(const GroupFlows& asked,
                                                         std::size_t tier) const {
  if (job_.placement == Placement::random) return leaving_at_random(asked, tier);
  const std::vector<Run>& runs = runs_[tier];
  const GroupFlows groups = loop_of(asked);
  std::vector<Leaving> found;
  const auto add = [&](double one_way, std::int64_t gpus, std::int64_t units, std::int64_t of) {
    const double flows = flows_each(asked) * one_way;
    const auto same = std::find_if(found.begin(), found.end(), [&](const Leaving& one) {
      return one.flows == flows && one.gpus == gpus && one.of == of;
    });
    if (same != found.end()) {
      same->units += units;
    } else if (flows > kNoFlow) {
      found.push_back({flows, gpus, units, of});
    }
  };
  const std::int64_t whole = gpus_there(tier, 0);
  // All alike but for a smaller last one: in closed form.
  const bool tail = runs.size() == 2 && runs[1].units == 1 && runs[1].size < runs[0].size;
  if (runs.size() == 1 || (tail && job_.gpus % groups.period() == 0)) {
    // The last unit has fewer of the job's GPUs, and so less of its uplinks.
    const double of_last = tail ? flows_out(groups, runs[1].first, job_.gpus) : 0;
    for (auto [flows, units] : units_cut(groups, job_.gpus, runs.front().size)) {
      if (of_last > kNoFlow && flows == of_last) --units;
      if (units > 0) add(flows, runs.front().size, units, whole);
    }
    if (tail) add(of_last, runs[1].size, 1, gpus_there(tier, runs.front().units));
    return found;
  }
  std::int64_t at = 0;
  for (const Run& run : runs) {
    for (std::int64_t unit = 0; unit < run.units; ++unit) {
      const std::int64_t first = run.first + unit * run.size;
      add(flows_out(groups, first, first + run.size), run.size, 1, gpus_there(tier, at++));
    }
  }
  return found;
}

double JobSlowdowns::share_of_uplinks(std::int64_t gpus, std::int64_t of) const {
  const bool shared = job_.uplinks == UplinkUse::shared;
  return shared ? std::min(1.0, real(gpus) / real(of)) : 1;
}

double JobSlowdowns::share_of_unit(std::size_t tier, std::int64_t unit, std::int64_t gpus) const {
  return share_of_uplinks(gpus, gpus_there(tier, unit));
}

LinkStage JobSlowdowns::uplinks(const GroupFlows& groups, std::size_t at, double of_card,
                                const Leaving& one) const {
  const auto& [flows, gpus, units, of] = one;
  const FabricTier& tier = fabric_.tiers[at];
  const bool bonded = bonded_at(at), rings = groups.kind != FlowKind::all_to_all;
  const double peers = rings ? 1 : std::min(real(job_.peers), real(groups.ranks - 1));
  const double ports = real(fabric_.ports_per_card) / tier.groups_of_unit;
  const double share = share_of_uplinks(gpus, of);
  const bool both_ways = groups.kind == FlowKind::wrap && groups.period() != 2 * gpus;
  const bool one_draw = job_.placement != Placement::random && !bonded && !both_ways &&
                        one_neighbour(loop_of(groups), gpus) &&
                        (at > 0 || tier.switches_above == tier.links);
  const double at_once = without_rounding(flows * ports * peers / share);
  return {.name = tier.name,
          .flows = at_least_one(at_once),
          .links = tier.links,
          .rho = tier.rho * flows * real(fabric_.gpus_per_card) /
                 (of_card * real(tier.unit_gpus) * share),
          .groups = at_least_one(std::ceil(real(units) * tier.groups_of_unit - kNoFlow)) *
                    (one_draw || bonded ? 1 : 2),
          .polarization = job_.same_hash ? tier.polarization : 1,
          .mean_flows = at_once};
}

// Down to a card with bonded ports any of the ToRs that hold them will do: one hash over the links
// of all.
void JobSlowdowns::add_up_and_down(LinkStage up, std::vector<LinkStage>& stages) const {
  const std::int64_t tors = fabric_.ports_per_card;
  LinkStage down = up;
  down.name += ", down";
  up.name += ", up";
  down.flows *= tors;
  down.mean_flows *= real(tors);
  down.links *= tors;
  down.groups = std::max<std::int64_t>(1, up.groups / tors);
  if (job_.fault && job_.fault->kind == FaultKind::aggregation) {
    // A switch above has links to each of these ToRs.
    down.failed *= tors;
    down.failed_groups = std::max<std::int64_t>(1, up.failed_groups / tors);
  } else {
    up.failed_groups = std::min<std::int64_t>(up.failed_groups, 1);
    down.failed_groups = 1;
  }
  stages.push_back(std::move(up));
  stages.push_back(std::move(down));
}

void JobSlowdowns::add_receive_ports(double receiving, std::vector<LinkStage>& stages) const {
  if (receiving <= 0) return;
  const std::int64_t cards = std::max<std::int64_t>(1, job_.gpus / fabric_.gpus_per_card);
  stages.push_back({.name = "receive port",
                    .flows = fabric_.ports_per_card,
                    .links = fabric_.ports_per_card,
                    .groups = std::min(cards, at_least_one(receiving)),
                    .receive_port = true});
}

void JobSlowdowns::add_stages(const GroupFlows& groups, std::size_t at, double of_card,
                              std::vector<LinkStage>& stages) const {
  if (!crosses(groups, fabric_.tiers[at])) return;
  double receiving = 0;
  const std::vector<Leaving> all = leaving(groups, at);
  const auto of_share = [&](const Leaving& one) {
    return one.flows / share_of_uplinks(one.gpus, one.of);
  };
  const auto most = std::max_element(
      all.begin(), all.end(),
      [&](const Leaving& a, const Leaving& b) { return of_share(a) < of_share(b); });
  for (auto one = all.begin(); one != all.end(); ++one) {
    LinkStage up = uplinks(groups, at, of_card, *one);
    set_failed(at, one == most, up);
    if (const auto beside = carried_by_rest(at, one == most, up)) stages.push_back(*beside);
    receiving += one->flows / of_card * real(one->units);
    if (bonded_at(at)) {
      add_up_and_down(std::move(up), stages);
    } else {
      stages.push_back(std::move(up));
    }
  }
  if (bonded_at(at)) add_receive_ports(receiving, stages);
}

std::vector<LinkStage> JobSlowdowns::stages(const GroupFlows& groups, std::size_t tiers) const {
  std::vector<LinkStage> stages;
  const double of_card = flows_of_card(groups);
  for (std::size_t tier = 0; tier < std::min(tiers, fabric_.tiers.size()); ++tier) {
    add_stages(groups, tier, of_card, stages);
  }
  add_cards(groups, stages);
  return stages;
}

void JobSlowdowns::add_cards(const GroupFlows& groups, std::vector<LinkStage>& stages) const {
  const std::int64_t node = std::min(fabric_.gpus_per_node, job_.gpus);
  const double left = slowdown_of_cards();
  if (left == 1 || !(cut(loop_of(groups), job_.gpus, node).all > 0)) return;
  stages.push_back({.name = "network card", .flows = 1, .links = 1, .rho = left});
}

std::vector<LinkStage> JobSlowdowns::stages(TrafficPattern pattern, std::int64_t gpus,
                                            std::size_t tiers) const {
  const GroupFlows groups = groups_of(pattern, gpus, fabric_.gpus_per_node);
  const bool in_tree =
      job_.placement == Placement::zone_pair && pattern == TrafficPattern::all_rings;
  const GroupFlows of_node = groups_of(TrafficPattern::ring, gpus, fabric_.gpus_per_node);
  std::vector<LinkStage> stages;
  const double of_card = flows_of_card(groups), of_node_card = flows_of_card(of_node);
  for (std::size_t tier = 0; tier < std::min(tiers, fabric_.tiers.size()); ++tier) {
    const bool pair = in_tree && fabric_.tiers[tier].between_zones;
    add_stages(pair ? of_node : groups, tier, pair ? of_node_card : of_card, stages);
  }
  add_cards(groups, stages);
  return stages;
}

Slowdown JobSlowdowns::of(const std::vector<LinkStage>& stages) const {
  return slowdown(stages, *stage_slowdowns_);
}

Slowdown JobSlowdowns::worked_out(const GroupFlows& groups, std::size_t tiers) const {
  return of(stages(groups, tiers));
}

const Slowdown& JobSlowdowns::of(const GroupFlows& groups) const {
  std::atomic<const Known*>& bucket = known_[hash_of(groups) % kBuckets];
  const Known* head = bucket.load(std::memory_order_acquire);
  for (const Known* one = head; one != nullptr; one = one->next) {
    if (one->groups == groups) return one->slowdown;
  }
  auto* const found = new Known{groups, worked_out(groups), head};
  while (!bucket.compare_exchange_weak(found->next, found, std::memory_order_acq_rel)) {
  }
  return found->slowdown;
}

GroupFlows groups_of(TrafficPattern pattern, std::int64_t gpus, std::int64_t node) {
  const std::int64_t stride = std::min(node, gpus), half = std::max<std::int64_t>(1, gpus / 2);
  switch (pattern) {
    case TrafficPattern::ring:
      return {FlowKind::ring, stride, gpus / stride};
    case TrafficPattern::all_rings:
      return {FlowKind::ring, half, gpus / half};
    case TrafficPattern::all_to_all:
      return {FlowKind::all_to_all, 1, gpus};
    case TrafficPattern::p2p:
      return {FlowKind::line, half, gpus / half};
  }
  return {};
}

std::string_view name_of(RoutingScope scope) {
  switch (scope) {
    case RoutingScope::leaf:
      return "leaf";
    case RoutingScope::pod:
      return "pod";
    case RoutingScope::cluster:
      return "cluster";
  }
  return "";
}

std::vector<RoutedCollective> route(const JobSlowdowns& job) {
  const RoutedFabric& fabric = job.fabric();
  std::vector<RoutedCollective> all;
  for (std::size_t tiers = 0; tiers <= fabric.tiers.size(); ++tiers) {
    std::vector<std::int64_t> units{job.job().gpus};
    if (tiers < fabric.tiers.size()) units = occupied_units(fabric, job.job(), tiers);
    const std::int64_t gpus = unbroken_gpus(fabric, job.job(), units);
    // No group is whole here that is not whole below.
    if (!all.empty() && gpus == all.back().gpus) continue;
    const auto scope = static_cast<RoutingScope>(tiers);
    for (const TrafficPattern pattern : kTrafficPatterns) {
      const bool kept_inside = scope == RoutingScope::cluster &&
                               job.job().placement == Placement::pp_across_pods &&
                               pattern != TrafficPattern::p2p;
      if (kept_inside) continue;
      const std::vector<LinkStage> stages = job.stages(pattern, gpus, tiers);
      const std::optional<std::size_t> slowest = binding(stages, *job.known());
      all.push_back({.pattern = pattern,
                     .scope = scope,
                     .gpus = gpus,
                     .slowdown = job.of(stages),
                     .binding = slowest ? stages[*slowest].name : ""});
    }
    if (units.size() == 1) break;
  }
  return all;
}

namespace {

class OfJob : public GroupSlowdowns {
 public:
  OfJob(std::shared_ptr<const JobSlowdowns> job, double Slowdown::*which)
      : job_(std::move(job)), which_(which) {}
  [[nodiscard]] double of(const GroupFlows& groups) const override {
    return groups.ranks < 2 ? 1 : job_->of(groups).*which_;
  }

 private:
  std::shared_ptr<const JobSlowdowns> job_;
  double Slowdown::*which_;
};

}  // namespace

RoutingFactors routing_factors(std::shared_ptr<const JobSlowdowns> job, double Slowdown::*which) {
  return RoutingFactors(std::make_shared<const OfJob>(std::move(job), which));
}

}  // namespace planner::network
