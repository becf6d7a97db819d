#include <algorithm>
#include <cmath>

#include "planner/core/ceil_div.hpp"
#include "planner/core/real.hpp"
#include "planner/network/routing/job_slowdowns.hpp"

// What is down all the time while a job runs.
namespace planner::inline network {

namespace {

bool takes_one_port(FaultKind kind) {
  return kind == FaultKind::nic_link || kind == FaultKind::tor;
}

}  // namespace

std::int64_t JobSlowdowns::links_left(std::size_t tier) const {
  const FabricTier& of = fabric_.tiers[tier];
  if (!job_.fault) return of.links;
  const auto& [kind, count] = *job_.fault;
  if (tier == 0 && kind == FaultKind::uplink) return of.links - count;
  if (tier == 1 && kind == FaultKind::aggregation && !of.between_zones) {
    // Their links to the core are gone with the switches.
    return std::max<std::int64_t>(
        1, of.links - planner::ceil_div(of.links * count, of.switches_below));
  }
  const bool switches =
      (tier == 0 && kind == FaultKind::aggregation) || (tier == 1 && kind == FaultKind::core);
  return switches ? links_without_switches(of, count) : of.links;
}

double JobSlowdowns::share_left(std::size_t tier) const {
  const FabricTier& of = fabric_.tiers[tier];
  const double links = real(links_left(tier)) / real(of.links);
  if (!job_.fault) return links;
  // Of a unit's groups of links one goes with a ToR, and of all those of one plane with it.
  if (job_.fault->kind == FaultKind::plane) return 1 - 1 / real(fabric_.planes);
  const bool tor = tier == 0 && job_.fault->kind == FaultKind::tor && of.groups_of_unit > 1;
  return tor ? 1 - 1 / of.groups_of_unit : links;
}

bool JobSlowdowns::one_card_slow() const {
  return job_.fault && takes_one_port(job_.fault->kind) && job_.channels == Channels::fixed;
}

double JobSlowdowns::slowdown_of_cards() const {
  if (!job_.fault) return 1;
  const std::int64_t node = std::min(fabric_.gpus_per_node, job_.gpus);
  return network::slowdown_of_cards(job_.fault->kind, job_.channels, fabric_.ports_per_card,
                                    planner::ceil_div(node, fabric_.gpus_per_card));
}

// One leaf's uplinks are those of a unit whose links are busiest; of a switch above, every unit of
// its tree loses what leads there.
void JobSlowdowns::set_failed(std::size_t tier, bool most, LinkStage& stage) const {
  stage.failed = stage.links - links_left(tier);
  if (stage.failed == 0) return;
  if (job_.fault->kind != FaultKind::uplink) {
    stage.failed_groups = std::max<std::int64_t>(1, stage.groups / fabric_.trees);
  } else if (most) {
    stage.failed_groups = 2;
  } else {
    stage.failed = 0;
  }
}

// The bytes of a port that is down leave through those that are left: as many more on the links
// above them, which cards cannot fill faster than before.
std::optional<LinkStage> JobSlowdowns::carried_by_rest(std::size_t tier, bool most,
                                                       LinkStage& stage) const {
  if (!job_.fault) return std::nullopt;
  const double more = slowdown_of_cards();
  const auto carry = [more](LinkStage& on) {
    on.rho *= more;
    on.mean_flows *= more;
    on.flows = static_cast<std::int64_t>(std::ceil(real(on.flows) * more - 1e-9));
  };
  if (job_.fault->kind == FaultKind::plane) {
    carry(stage);
    const std::int64_t left = stage.groups - stage.groups / fabric_.planes;
    stage.groups = std::max<std::int64_t>(1, left);
    return std::nullopt;
  }
  if (job_.fault->kind != FaultKind::tor || tier != 0 || !most) return std::nullopt;
  LinkStage beside = stage;
  carry(beside);
  beside.groups = 1;
  return beside;
}

double slowdown_of_cards(FaultKind fault, Channels channels, std::int64_t ports,
                         std::int64_t cards_of_node) {
  const bool one_card = takes_one_port(fault);
  if (!one_card && fault != FaultKind::plane) return 1;
  // A plane that is down takes a port of every card, and none has more.
  const bool spread = one_card && channels == Channels::rebalanced;
  const double all = real(spread ? ports * cards_of_node : ports);
  return all / (all - 1);
}

}  // namespace planner::network
