#pragma once

#include <cstdint>

#include "planner/domain/flows.hpp"
#include "planner/domain/run.hpp"
#include "planner/domain/strategy.hpp"

// How the axes of a strategy lie over HB domains, as groups of domains: strides and ranks count
// domains. Innermost is tensor parallelism, then context parallelism, then data parallelism and the
// pipeline, either of which may be outermost.
namespace planner::inline perf {

/// Ranks that hold the same dense parameters, those of context parallelism among them.
constexpr GroupFlows domains_of_replicas(const Strategy& s) {
  const std::int64_t between = s.replicas_outermost() ? s.pp.net : 1;
  return {FlowKind::ring, s.tp.net * between, s.cp.net * s.dp.net};
}
/// Of them, those that share one copy.
/// @param domains  that one copy is spread over
constexpr GroupFlows domains_of_copy(const Strategy& s, std::int64_t domains) {
  return {FlowKind::ring, domains_of_replicas(s).stride, domains};
}
/// Ranks that hold the same experts: their groups take the domains of a stage one after the other.
constexpr GroupFlows domains_of_expert_replicas(const Strategy& s) {
  if (s.ep.net == 1 && s.tp.net == 1) return domains_of_replicas(s);
  const std::int64_t stage = s.tp.net * s.cp.net * s.dp.net;
  return {FlowKind::ring, s.ep.net, stage / s.ep.net};
}
/// Stages that follow one another: of those in one domain the last sends to the next domain, and
/// the first to the one before.
constexpr GroupFlows domains_of_pipeline(const Strategy& s) {
  const std::int64_t replicas = s.replicas_outermost() ? 1 : s.dp.net;
  return {FlowKind::line, s.tp.net * s.cp.net * replicas, s.pp.net, s.pp.hb};
}
/// The same groups, with strides in GPUs.
constexpr GroupFlows on_gpus(GroupFlows domains, std::int64_t domain) {
  domains.stride *= domain;
  return domains;
}

/// Where stages or replicas can be what far parts of the network differ in, and it matters (minimum
/// cut: Gangidi et al. 2024, RDMA over Ethernet at Meta, § 3.3): the workload's routing says what
/// groups of ranks get, both axes leave HB domains, and no context or expert parallelism does,
/// whose ranks would no longer be neighbours.
class OutermostChoice {
 public:
  explicit OutermostChoice(const Workload& workload);
  [[nodiscard]] bool open(const Strategy& strategy) const;

 private:
  bool open_ = false, experts_ = false;
};

}  // namespace planner::perf
