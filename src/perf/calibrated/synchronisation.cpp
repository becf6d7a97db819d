// Data parallelism: what is synchronised, over which ranks, and the optimizer.
#include "planner/perf/calibrated/synchronisation.hpp"

#include <algorithm>

#include "planner/core/real.hpp"
#include "planner/perf/calibrated/calibrated.hpp"
#include "planner/perf/calibrated/explanation.hpp"
#include "planner/perf/calibrated/gradient_sync.hpp"
#include "planner/perf/model/sharding.hpp"

namespace planner::inline perf {

Calibrated::Synchronisation Calibrated::synchronisation(const Strategy& strategy) const {
  Synchronisation sync = reductions(strategy, shared_parameters(strategy));
  if (strategy.pp.total() > 1) add_sends(strategy, sync);
  return sync;
}

void Calibrated::add_micro_batch_reductions(const Strategy& strategy,
                                            const SharedParameters& shared, const Shards& shards,
                                            Synchronisation& sync) const {
  const Replicas& all = shared.replicas;
  const double P_d = shared.dense.parameters, P_e = shared.experts.parameters;
  const double g = software_.gradient_reduce_bytes;
  const ShardPlacement at_d = dense_shards(strategy);
  const ShardPlacement at_e = expert_shards(strategy, shards.experts, all.experts_in_domain);
  const SharedParameters::Way near = way(domains_of_shards(strategy));
  const double gathers = software_.reshard_after_forward ? 2 : 1;
  const RanksOnLinks over_d = ranks_on(near, shards.dense, at_d.sharing, all.dense_apart);
  const RanksOnLinks over_e =
      ranks_on(shared.experts.way, shards.experts, at_e.sharing, all.experts_apart);
  if (software_.stack == SoftwareClass::eager) {
    const auto ring = [&](double parameters, double of, double xi, const Links& by) {
      return of == 1 ? Seconds{} : kFlatRing(parameters, gathers, g, of > xi ? by.net : by.hb);
    };
    sync.per_micro = kFlatRings(ring(P_d, shards.dense, at_d.sharing, over_d.links),
                                ring(P_e, shards.experts, at_e.sharing, over_e.links));
  } else {
    sync.per_micro =
        kGathersAndReductions(gathers, collective(P_d * 2, over_d), collective(P_d * g, over_d),
                              collective(P_e * 2, over_e), collective(P_e * g, over_e));
  }
  const double copies = real(strategy.replicas());
  if (!(copies > 1)) return;
  const auto half = [&](const SharedParameters::Among& of, double shard, const ShardPlacement& at,
                        const RankStrides& apart) {
    return collective(kOfShard(of.parameters, shard, g),
                      ranks_on(of.way, copies, at.replicas, replicas_apart(apart, shard, at)));
  };
  sync.replicas = kAllReduces(half(shared.dense, shards.dense, at_d, all.dense_apart),
                              half(shared.experts, shards.experts, at_e, all.experts_apart));
}

Calibrated::Synchronisation Calibrated::reductions(const Strategy& strategy,
                                                   const SharedParameters& shared) const {
  const Replicas& all = shared.replicas;
  const double n_d = all.dense, n_e = all.experts;
  const double P_d = shared.dense.parameters, P_e = shared.experts.parameters;
  const double g = software_.gradient_reduce_bytes;

  Synchronisation sync{.zero3 = strategy.zero == 3};
  double shard_d = strategy.zero > 0 ? n_d : 1, shard_e = strategy.zero > 0 ? n_e : 1;
  if (sync.zero3) {
    const Shards shards = zero3_shards(strategy, n_d, n_e);
    shard_d = shards.dense;
    shard_e = shards.experts;
    add_micro_batch_reductions(strategy, shared, shards, sync);
  } else {
    Seconds reductions_d = shared.dense.reduction, gathers_d = shared.dense.gather;
    const std::int64_t near = zero1_ranks(software_, strategy);
    if (real(near) < n_d) {
      shard_d = real(near);
      const ShardPlacement at = dense_shards(strategy, near);
      const RanksOnLinks in_group =
          ranks_on(way(domains_of_shards(strategy, near)), shard_d, at.sharing, all.dense_apart);
      const RanksOnLinks between = ranks_on(shared.dense.way, n_d / shard_d, at.replicas,
                                            replicas_apart(all.dense_apart, shard_d, at));
      reductions_d =
          kInGroups(collective(P_d * g, in_group), collective(kOfShard(P_d, shard_d, g), between));
      gathers_d = collective(P_d * 2, in_group);
    }
    const Seconds reductions_e = shared.experts.reduction;
    Seconds gathers_e = shared.experts.gather;
    if (strategy.zero == 0) {  // sums of gradients in the place of weights
      gathers_d = reductions_d;
      gathers_e = reductions_e;
    }
    sync.gradients = kGradients(reductions_d, gathers_d, reductions_e, gathers_e);
    sync.growth =
        kGrowth(constant(Constant::dp_growth), domains_of_stage(strategy), sync.gradients);
    if (gathers_apart(software_)) {
      sync.gradients = kDenseAndExperts(reductions_d, reductions_e);
      sync.gathers = kDenseAndExperts(gathers_d, gathers_e);
    }
    choose_sum(strategy, P_d, P_e, sync);
    // A pipeline has no turn for that between its micro-batches: Megatron-LM and DeepSpeed reduce
    // once a step there.
    if (strategy.zero == 2 && strategy.pp.total() == 1) {
      sync.per_micro = kDenseAndExperts(reductions_d, reductions_e);
    }
  }
  // Where weights and gradients are not sharded, all of them are passed over.
  const double sharded = kSharded(P_d, shard_d, P_e, shard_e);
  sync.optimizer =
      kOptimizer(sharded, sync.zero3 ? sharded : kDenseAndExperts(P_d, P_e), rates_.hbm);
  if (n_d * n_e > 1 && !sync.by) sync.by = GradientSync::nccl;
  return sync;
}

Seconds Calibrated::shown(const Synchronisation& sync, Seconds stage, const Pipeline& on) const {
  const double passes = on.v > 1 ? kPasses(on.p, on.v) : 1;
  const Seconds sends = sends_of_node(sync, on);
  const auto last = [&](Seconds communication) {
    if (!(sends > Seconds{})) {
      return kBehindPasses(communication, stack_.dp_exposed, passes, stage);
    }
    return kBehindPassesAndSends(communication, stack_.dp_exposed, passes, stage,
                                 kBusyWithSends(on.v, sends, stage));
  };
  Seconds at_the_end =
      sync.zero3 ? last(sync.replicas) : kSync(last(sync.gradients), sync.gathers, sync.growth);
  if (sync.by_hfreduce) at_the_end = std::min(at_the_end, last(*sync.by_hfreduce));
  if (!sync.zero3 && !(sync.per_micro > Seconds{})) return at_the_end;
  const double micros = sync.zero3 ? on.m : on.m - 1;
  return kSync(kInStep(micros, stage, sync.per_micro, stack_.fsdp_exposed), at_the_end);
}

void CalibratedExplanation::add_parameters() {
  const bool moe = shape_.L_moe > 0;
  const auto with_further = [&](const Text& layers) {
    return grouped(p_ == 1 ? layers + "mtp"_t : layers);
  };
  const Text of_moe = moe ? with_further("L_moe"_t) : Text{0};
  const Text of_dense = moe ? "L_dense"_t : with_further("L_dense"_t);
  const auto dense = [&](const auto&... tables) {
    tell(kDenseParameters, of_moe, of_dense, "W_attn"_t, "W_expert"_t, "shared"_t, "W_mlp"_t, "p"_t,
         "t"_t, "V"_t, "h"_t, tables...);
  };
  if (p_ == 1 && shape_.untied) {
    dense(2);
  } else {
    dense();
  }
  tell(kExpertParameters, of_moe, "p"_t, "W_expert"_t, "E"_t, "ep"_t * "etp"_t);
}

CalibratedExplanation::Ranks CalibratedExplanation::add_group(const std::string& group,
                                                              double ranks, double in_domain,
                                                              const RankStrides& apart,
                                                              const GroupFlows& across) {
  const CollectiveGroup placed = group_of(ranks, in_domain);
  const double x = placed.hb, y = placed.net;
  const Text hb = inside(group, x, apart.inside);
  if (host_ && y > 1) {
    const Text n = given("y_" + group, "ranks of the group, in one ring", "placement", ranks);
    const HostTier::Load load = host_->load(placed_ranks(ranks, in_domain, apart));
    return {
        .x = 1, .y = n, .shared_links = tightest_link(group, load, across, std::nullopt), .hb = hb};
  }
  return {.x = given("x_" + group, "ranks of the group in an HB domain", "placement", x),
          .y = given("y_" + group, "HB domains of the group", "placement", y),
          .hb = hb};
}

Text CalibratedExplanation::add_collective(std::string_view symbol, std::string_view meaning,
                                           const Text& data, const Ranks& over,
                                           const Text& network) {
  return tell(kLogarithmicAllGather.named(symbol, meaning), data, over.x, over.y, over.hb,
              over.shared_links.value_or(network),
              kDoublingLatency(over.x * over.y, constant(Constant::network_latency)));
}

Text CalibratedExplanation::add_experts_collective(std::string_view symbol,
                                                   std::string_view meaning, const Text& data,
                                                   const Ranks& over) {
  if (shape_.L_moe > 0) return add_collective(symbol, meaning, data, over, nic_of_experts());
  return tell_as({}, kLogarithmicAllGather.named(symbol, meaning), 0);
}

Text CalibratedExplanation::nic_of_dp() {
  return nic("dp", domains_of_replicas(strategy_));
}

Text CalibratedExplanation::nic_of_experts() {
  const GroupFlows across = domains_of_expert_replicas(strategy_);
  return across == domains_of_replicas(strategy_) ? nic_of_dp() : nic("edp", across);
}

void CalibratedExplanation::add_synchronisation() {
  add_parameters();
  if (strategy_.zero == 3) {
    add_zero3();
  } else {
    add_gradients();
  }
  const Text sharded = kSharded("P_d"_t, "shard_d"_t, "P_e"_t, "shard_e"_t);
  tell(kOptimizer, sharded, strategy_.zero == 3 ? sharded : kDenseAndExperts("P_d"_t, "P_e"_t),
       "BW"_t);
}

void CalibratedExplanation::add_zero3() {
  const Replicas n = replicas(real(workload_.gpus), strategy_, domain_);
  const Shards shards = zero3_shards(strategy_, n.dense, n.experts);
  const bool hybrid = strategy_.replicas() > 1;
  const char* const sharded_by = hybrid ? "--shard-ranks" : "ZeRO 3";
  given("shard_d", "ranks that share dense parameters", sharded_by, shards.dense);
  given("shard_e", "ranks that share experts, with as many replicas", sharded_by, shards.experts);
  add_micro_batch_collectives(shards, n);
  const Text in_step = collectives_in_step("m"_t, "t_micro"_t);
  if (!hybrid) {
    tell(kSyncOfZero3, in_step);
    return;
  }
  const Text replicas_cost = add_replicas(shards, n);
  tell(kSyncOfZero3, in_step, behind_passes(replicas_cost));
}

void CalibratedExplanation::add_micro_batch_collectives(const Shards& shards, const Replicas& n) {
  const ShardPlacement at_d = dense_shards(strategy_);
  const ShardPlacement at_e = expert_shards(strategy_, shards.experts, n.experts_in_domain);
  const Text near =
      strategy_.replicas() > 1 ? nic("shard", domains_of_shards(strategy_)) : nic_of_dp();
  const GroupFlows near_domains = domains_of_shards(strategy_);
  const GroupFlows of_experts = domains_of_expert_replicas(strategy_);
  const Text gathers{workload_.software.reshard_after_forward ? 2.0 : 1.0};
  if (workload_.software.stack == SoftwareClass::eager) {
    const auto ring = [&](const Text& parameters, const Ranks& over, double of, double in_domain,
                          const Text& network) {
      if (of == 1) return Text{0};
      const Text way = of > in_domain ? over.shared_links.value_or(network) : over.hb;
      return kFlatRing(parameters, gathers, "g"_t, way);
    };
    const auto over = [&](const char* group, double of, double in_domain, const RankStrides& apart,
                          const GroupFlows& across) {
      if (host_) return add_group(group, of, in_domain, apart, across);
      return Ranks{.x = 1, .y = 1, .hb = inside(group, group_of(of, in_domain).hb, apart.inside)};
    };
    const Ranks d = over("d", shards.dense, at_d.sharing, n.dense_apart, near_domains);
    const Ranks e = over("e", shards.experts, at_e.sharing, n.experts_apart, of_experts);
    const Text dense = ring("P_d"_t, d, shards.dense, at_d.sharing, near);
    const bool experts = shards.experts > at_e.sharing && shape_.L_moe > 0;
    tell(kFlatRings, dense,
         ring("P_e"_t, e, shards.experts, at_e.sharing, experts ? nic_of_experts() : "nvl"_t));
    return;
  }
  const Ranks d = add_group("d", shards.dense, at_d.sharing, n.dense_apart, near_domains);
  const Ranks e = add_group("e", shards.experts, at_e.sharing, n.experts_apart, of_experts);
  const Text AG_d = add_collective("AG_d", "gather of dense weights", "P_d"_t * 2, d, near);
  const Text RS_d =
      add_collective("RS_d", "reduction of their gradients", "P_d"_t * "g"_t, d, near);
  const Text AG_e = add_experts_collective("AG_e", "gather of experts", "P_e"_t * 2, e);
  const Text RS_e =
      add_experts_collective("RS_e", "reduction of their gradients", "P_e"_t * "g"_t, e);
  tell(kGathersAndReductions, gathers, AG_d, RS_d, AG_e, RS_e);
}

Text CalibratedExplanation::add_replicas(const Shards& shards, const Replicas& n) {
  const double copies = real(strategy_.replicas());
  const Ranks r = add_group("r", copies, dense_shards(strategy_).replicas,
                            replicas_apart(n.dense_apart, shards.dense, dense_shards(strategy_)),
                            domains_of_replicas(strategy_));
  const Text dense = add_collective("AR_r", "half an all-reduce between the replicas",
                                    kOfShard("P_d"_t, "shard_d"_t, "g"_t), r, nic_of_dp());
  if (shape_.L_moe == 0) return kAllReduces(dense);
  const ShardPlacement at_e = expert_shards(strategy_, shards.experts, n.experts_in_domain);
  const Text experts = add_experts_collective(
      "AR_q", "half of the experts'", kOfShard("P_e"_t, "shard_e"_t, "g"_t),
      add_group("q", copies, at_e.replicas, replicas_apart(n.experts_apart, shards.experts, at_e),
                domains_of_expert_replicas(strategy_)));
  return kAllReduces(dense, experts);
}

Text CalibratedExplanation::collectives_in_step(const Text& micros, const Text& per_micro) {
  const std::optional<Constant> which = fsdp_exposed_constant(workload_.software.stack);
  const Text share = which ? constant(*which) : Text{kGatheredAhead};
  return kInStep(micros, "t_stage"_t, per_micro, share);
}

Text CalibratedExplanation::behind_passes(const Text& communication) {
  const Text passes = v_ > 1 ? tell(kPasses, "p"_t, "v"_t) : tell_as({}, kPasses, 1);
  const std::optional<Constant> which = dp_exposed_constant(workload_.software);
  const Text share = which ? constant(*which) : Text{1};
  const bool beside = host_ && strategy_.pp.net > 1 && shares_nics_in_pipeline();
  if (!beside) return kBehindPasses(communication, share, passes, "t_stage"_t);
  const Text busy = tell(kBusyWithSends, "v"_t, "t_node"_t, "t_stage"_t);
  return kBehindPassesAndSends(communication, share, passes, "t_stage"_t, busy);
}

void CalibratedExplanation::add_gradients() {
  const Replicas n = replicas(real(workload_.gpus), strategy_, domain_);
  const bool sharded = strategy_.zero > 0, sums = strategy_.zero == 0;
  const std::int64_t near = zero1_ranks(workload_.software, strategy_);
  const bool groups = real(near) < n.dense;
  given("shard_d", "ranks that share dense optimizer states",
        groups ? "--zero1-shard-gpus" : "ZeRO", sharded ? real(near) : 1);
  given("shard_e", "ranks that share experts' optimizer states", "ZeRO", sharded ? n.experts : 1);
  const Text each = sums ? "g"_t : Text{2};
  if (sync_by_ == GradientSync::hfreduce) {
    tell(kSync, behind_passes(add_hfreduce(each)));
    return;
  }
  const ShardPlacement at =
      groups ? dense_shards(strategy_, near) : ShardPlacement{.sharing = n.dense_in_domain};
  const GroupFlows of_dense = domains_of_replicas(strategy_);
  const Ranks d = add_group("d", groups ? real(near) : n.dense, at.sharing, n.dense_apart,
                            groups ? domains_of_shards(strategy_, near) : of_dense);
  const Ranks e = add_group("e", n.experts, n.experts_in_domain, n.experts_apart,
                            domains_of_expert_replicas(strategy_));
  const Text net_d = groups ? nic("shard", domains_of_shards(strategy_, near)) : nic_of_dp();
  const Text in_group =
      add_collective("RS_d", "reduction of dense gradients", "P_d"_t * "g"_t, d, net_d);
  Text RS_d = in_group;
  if (groups) {
    const Ranks between = add_group("r", n.dense / real(near), at.replicas,
                                    replicas_apart(n.dense_apart, real(near), at), of_dense);
    RS_d = kInGroups(in_group,
                     add_collective("AR_r", "half an all-reduce between the groups",
                                    kOfShard("P_d"_t, "shard_d"_t, "g"_t), between, nic_of_dp()));
  }
  const Text AG_d = add_collective(
      "AG_d", sums ? "gather of their sums" : "gather of dense weights", "P_d"_t * each, d, net_d);
  const Text RS_e =
      add_experts_collective("RS_e", "reduction of experts' gradients", "P_e"_t * "g"_t, e);
  const Text AG_e = add_experts_collective(
      "AG_e", sums ? "gather of their sums" : "gather of experts", "P_e"_t * each, e);
  const Text all = kGradients(RS_d, AG_d, RS_e, AG_e);
  const Text domains =
      given("y", "HB domains that a stage spans", "placement", domains_of_stage(strategy_));
  const Text growth = tell(kGrowth, constant(Constant::dp_growth), domains, all);
  const bool apart = gathers_apart(workload_.software);
  const Text last = behind_passes(apart ? kDenseAndExperts(RS_d, RS_e) : all);
  const Text gathers = apart ? kDenseAndExperts(AG_d, AG_e) : Text{0};
  if (strategy_.zero == 2 && p_ == 1) {
    tell(kSync, last, gathers, growth,
         collectives_in_step("m"_t - 1, kDenseAndExperts(RS_d, RS_e)));
  } else {
    tell(kSync, last, gathers, growth);
  }
}

}  // namespace planner::perf
