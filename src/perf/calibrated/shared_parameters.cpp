// Data parallelism: what is shared, among which ranks, and what they have of the links.
#include "planner/perf/calibrated/shared_parameters.hpp"

#include "planner/core/real.hpp"
#include "planner/perf/calibrated/calibrated.hpp"
#include "planner/perf/calibrated/synchronisation.hpp"
#include "planner/perf/collectives/group.hpp"
#include "planner/perf/model/sharding.hpp"

namespace planner::inline perf {

SharedParameters::Way Calibrated::way(const GroupFlows& across) const {
  return {across, {.hb = rates_.hb, .net = nic(across)}};
}

// Where GPUs share NICs, a library's rings go through all of them and leave each node once for each
// group.
RanksOnLinks Calibrated::ranks_on(const SharedParameters::Way& way, double n, double in_domain,
                                  const RankStrides& apart) const {
  const CollectiveGroup group = group_of(n, in_domain);
  const Seconds alpha{constant(Constant::network_latency)};
  RanksOnLinks ranks{.group = group, .latency = doubling_latency(group, alpha), .links = way.links};
  ranks.links.hb = inside(group.hb, apart.inside);
  if (host_ && group.net > 1) {
    ranks.group = {.hb = 1, .net = n};
    ranks.links.net = ring_beyond(placed_ranks(n, in_domain, apart), way.across);
  }
  return ranks;
}

GpuParameters gpu_parameters(const CalibratedShape& m, double t, double p, double experts_split) {
  const CalibratedShape::Enlarged split = m.split_over(t);
  // MTP's parameters are on the last stage.
  const double further = p == 1 ? m.mtp : 0;
  const double moe = m.L_moe > 0 ? m.L_moe + further : 0;
  const double dense = m.L_moe > 0 ? m.L_dense : m.L_dense + further;
  return {.dense = kDenseParameters(moe, dense, split.W_attn, m.W_expert, m.shared, m.W_mlp, p, t,
                                    split.V, m.h, p == 1 && m.untied ? 2 : 1),
          .experts = kExpertParameters(moe, p, m.W_expert, m.E, experts_split)};
}

SharedParameters Calibrated::shared_parameters(const Strategy& strategy) const {
  const auto [P_d, P_e] =
      gpu_parameters(shape_, real(strategy.tp.total()), real(strategy.pp.total()),
                     real(strategy.ep.total() * strategy.expert_tp));
  const double g = software_.gradient_reduce_bytes;
  SharedParameters shared{.replicas = replicas(N_, strategy, hb_domain_)};
  const Replicas& all = shared.replicas;
  const auto fill = [&](SharedParameters::Among& among, double parameters, double n,
                        double in_domain, const RankStrides& apart) {
    among.parameters = parameters;
    const RanksOnLinks ranks = ranks_on(among.way, n, in_domain, apart);
    among.reduction = collective(parameters * g, ranks);
    among.gather = collective(parameters * 2, ranks);
  };
  shared.dense.way = way(domains_of_replicas(strategy));
  fill(shared.dense, P_d, all.dense, all.dense_in_domain, all.dense_apart);
  const GroupFlows of_experts = domains_of_expert_replicas(strategy);
  const bool apart = shape_.L_moe > 0 && of_experts != shared.dense.way.across;
  shared.experts.way = apart ? way(of_experts) : shared.dense.way;
  fill(shared.experts, P_e, all.experts, all.experts_in_domain, all.experts_apart);
  return shared;
}

}  // namespace planner::perf
