#include "planner/job/verdict_turns.hpp"

#include <fmt/format.h>

#include <optional>

#include "planner/cost/capex.hpp"
#include "planner/job/fabric.hpp"
#include "planner/job/network_left.hpp"
#include "planner/network/topologies/topologies.hpp"
#include "planner/perf/collectives/collectives.hpp"

namespace planner::job {

namespace {

/// That times with and without routing do not compare.
std::optional<std::string> routing_turn(const std::vector<ClusterReport>& clusters) {
  const ClusterReport *plain = nullptr, *by_flows = nullptr;
  for (const ClusterReport& one : clusters) {
    if (!one.training) continue;
    const LinkLoad load = link_load(one.training->workload);
    if (load == LinkLoad::routed) by_flows = &one;
    // One that pays in full says more than one that has nothing to pay.
    if (load == LinkLoad::all_at_once || (load == LinkLoad::balanced && plain == nullptr)) {
      plain = &one;
    }
  }
  if (plain == nullptr || by_flows == nullptr) return std::nullopt;
  const bool in_full = link_load(plain->training->workload) == LinkLoad::all_at_once;
  return fmt::format(
      "{} is timed with routing, where flows meet {}, and {} without, where {}: ask both with the "
      "same --routing before comparing their times",
      by_flows->cluster.title,
      in_full ? "the oversubscription that is on their way" : "each other on their links",
      plain->cluster.title,
      in_full ? "all of them pay its in full" : "every link is perfectly balanced");
}

/// What of a plain all-to-all across rails the training time has in it.
std::string charged_of_all_to_all(const ClusterReport& cluster) {
  if (!cluster.training || !cluster.training->workload.model.moe) {
    return "mixtures of experts that send every copy of a token by itself across domains pay it";
  }
  const bool spread = cluster.training->plan.strategy.ep.net > 1;
  if (!spread) return "the plan's experts stay inside HB domains, and its time has nothing of it";
  if (cluster.training->workload.software.dispatcher == Dispatcher::alltoall) {
    return "the plan sends every copy of a token by itself, and the training time has that";
  }
  return "the plan sends a token once to each domain, along its rail, and copies it inside: its "
         "time has nothing of it";
}

/// Rail-only paper (arXiv 2307.12169), Appendix D: an all-to-all across rails is forwarded inside
/// the HB domain first. At the catalog's bandwidths, per direction. What the cluster's own plan is
/// charged of it: nothing where experts stay in HB domains, or where a token travels once to each
/// domain along its rail and is copied inside.
std::optional<std::string> all_to_all_turn(const ClusterReport& cluster) {
  if (rails_apart(cluster.cluster.fabric) == 1) return std::nullopt;
  const System& system = cluster.system;
  const std::int64_t x = usable_hb_domain(system.hb_domain, cluster.cluster.gpus);
  const std::int64_t y = cluster.cluster.gpus / x;
  if (x == 1 || y == 1) return std::nullopt;
  const Links links{.hb = system.hb_bandwidth, .net = system.network_bandwidth};
  const Bytes shard{1};
  const double slowdown =
      rail_only_all_to_all(shard, x, y, links) / full_bisection_all_to_all(shard, x, y, links) - 1;
  return fmt::format(
      "{}: an all-to-all over all GPUs takes {:.1f} % longer than with full "
      "bisection, because it is forwarded inside the HB domain (rail-only "
      "paper, Appendix D); {}",
      cluster.cluster.title, 100 * slowdown, charged_of_all_to_all(cluster));
}

/// How much dearer a network may get before it costs as much as the reference's.
std::optional<std::string> price_turn(const ClusterReport& one, const ClusterReport& reference) {
  const Total a = network_cost(one), b = network_cost(reference);
  const bool comparable = one.cost.currency == reference.cost.currency && !a.at_least() &&
                          !b.at_least() && a.amount.expected.in_cents() > 0 &&
                          b.amount.expected.in_cents() > 0;
  if (!comparable) return std::nullopt;
  const double factor = b.amount.expected.dollars() / a.amount.expected.dollars();
  if (factor <= 1) return std::nullopt;
  return fmt::format(
      "{}: its network stops being cheaper when its parts cost {:.2f} times "
      "what is assumed, with the other's prices unchanged",
      one.cluster.title, factor);
}

}  // namespace

Total network_cost(const ClusterReport& cluster) {
  return network_total(cluster.cost.categories).value_or(Total{.amount = {}, .missing = 1});
}

std::vector<std::string> price_turns(const std::vector<ClusterReport>& clusters) {
  std::vector<std::string> all;
  for (std::size_t i = 1; i < clusters.size(); ++i) {
    if (auto turn = price_turn(clusters[i], clusters.front())) all.push_back(*std::move(turn));
  }
  return all;
}

std::vector<std::string> network_turns(const std::vector<ClusterReport>& clusters) {
  std::vector<std::string> all;
  if (auto turn = routing_turn(clusters)) all.push_back(*std::move(turn));
  for (const ClusterReport& one : clusters) {
    if (auto turn = all_to_all_turn(one)) all.push_back(*std::move(turn));
    if (const auto tier = one.training ? tightest_tier(*one.training) : std::nullopt) {
      all.push_back(fmt::format("{}: {}", one.cluster.title, oversubscription(*tier)));
    }
  }
  return all;
}

}  // namespace planner::job
