// Parts of an iteration that depend on fewer choices than all of it: what a search knows of many
// strategies at once.
#include <algorithm>
#include <limits>

#include "planner/core/real.hpp"
#include "planner/perf/calibrated/calibrated.hpp"
#include "planner/perf/calibrated/gradient_sync.hpp"
#include "planner/perf/calibrated/synchronisation.hpp"
#include "planner/perf/model/sharding.hpp"

namespace planner::inline perf {

namespace {

constexpr double kUnlimited = std::numeric_limits<double>::infinity();

}  // namespace

Seconds Calibrated::untied_time(const Stage& stage, const Pipeline& on) const {
  const Seconds waited = on.p > 1 ? bubble(stage, on) : Seconds{};
  return waited_for(on.m * stage.slowest + waited);
}

Seconds Calibrated::tied_time(const Synchronisation& sync, Seconds stage,
                              const Pipeline& on) const {
  return waited_for(shown(sync, stage, on));
}

Seconds Calibrated::sends_time(const Synchronisation& sync, Seconds stage,
                               const Pipeline& on) const {
  const ShownSends sends = shown_sends(sync, stage, on);
  return waited_for(sends.of_bubble + sends.of_stage);
}

// Work hides all but the shares that cannot overlap, as far as it lasts; see exposed() and kInStep.
// Where both the last reduction and collectives of every micro-batch have more, the larger is
// counted: all that a longer stage adds to m micro-batches is then never less than what it hides.
LeastTied Calibrated::least_tied(const Synchronisation& sync) const {
  const double share = stack_.dp_exposed;
  const Seconds last = sync.zero3 ? sync.replicas : sync.gradients;
  Seconds least = sync.zero3 ? share * last : share * last + sync.gathers + sync.growth;
  Seconds hidden = (1 - share) * last;
  if (sync.by_hfreduce) {
    least = std::min(least, share * *sync.by_hfreduce);
    hidden = std::min(hidden, (1 - share) * *sync.by_hfreduce);
  }
  const Seconds each = stack_.fsdp_exposed * sync.per_micro;
  if (sync.zero3) least = least + each;
  return {.with_one = waited_for(least) + own_ * sync.optimizer,
          .each = waited_for(each),
          .hidden = waited_for(hidden),
          .beside = waited_for(sync.per_micro),
          .beside_first = sync.zero3};
}

// The shards of ZeRO 3 come in many sizes, and what routing leaves of the links between the domains
// of each would have to be worked out: no groups have more than a NIC, and no message takes less
// than its bytes. Slowdowns over those of measured runs may be below 1. Nor do groups of some ranks
// lie better than in as few domains as hold them, or, where a NIC has more than the links inside,
// each rank in another.
LeastTied Calibrated::least_tied(const Strategy& strategy, const SharedParameters& shared) const {
  const bool known =
      strategy.zero == 3 && !host_ && links_.alike() && software_.stack != SoftwareClass::eager;
  if (!known) return least_tied(reductions(strategy, shared));
  const Replicas& all = shared.replicas;
  const Shards shards = zero3_shards(strategy, all.dense, all.experts);
  const double copies = real(strategy.replicas()), g = software_.gradient_reduce_bytes;
  const double each = (software_.reshard_after_forward ? 4 : 2) + g;
  const auto transfer = [&](double data, double ranks, double in_domain, BytesPerSecond net) {
    const bool apart = copies > 1 && net > rates_.hb;
    const CollectiveGroup of = group_of(ranks, apart ? 1 : in_domain);
    return kAllGatherTransfer(Bytes{data}, of.hb, of.net, rates_.hb, net);
  };
  Synchronisation sync{.zero3 = true};
  const auto add = [&](const SharedParameters::Among& of, double shard, double in_domain,
                       BytesPerSecond near) {
    if (of.parameters == 0) return;
    sync.per_micro = sync.per_micro + transfer(each * of.parameters, shard, in_domain, near);
    if (!(copies > 1)) return;
    sync.replicas = sync.replicas + 2 * transfer(kOfShard(of.parameters, shard, g), copies,
                                                 in_domain / shard, of.way.links.net);
  };
  const BytesPerSecond whole = shared.dense.way.links.net;
  const bool measured = timing_.constants().routing.has_value();
  const BytesPerSecond most = measured ? BytesPerSecond{kUnlimited} : rates_.nic;
  add(shared.dense, shards.dense, all.dense_in_domain, copies > 1 ? most : whole);
  add(shared.experts, shards.experts, all.experts_in_domain, shared.experts.way.links.net);
  const double sharded =
      kSharded(shared.dense.parameters, shards.dense, shared.experts.parameters, shards.experts);
  sync.optimizer = kOptimizer(sharded, sharded, rates_.hbm);
  return least_tied(sync);
}

}  // namespace planner::perf
