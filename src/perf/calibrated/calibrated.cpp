#include "planner/perf/calibrated/calibrated.hpp"

#include <algorithm>
#include <cmath>

#include "planner/core/ceil_div.hpp"
#include "planner/core/real.hpp"
#include "planner/perf/calibrated/overlap.hpp"
#include "planner/perf/collectives/group.hpp"
#include "planner/perf/model/degree_rules.hpp"
#include "planner/perf/model/partition.hpp"
#include "planner/perf/model/sharding.hpp"

namespace planner {

namespace {

/// Adam reads and writes master weights and both moments in fp32, reads the gradient and writes the
/// weights; what of it passes over unsharded weights and gradients.
constexpr double kAdamBytes = 30, kUnshardedBytes = 6;
/// Of the passes behind it, what of them can hide the last reduction of gradients (judged).
constexpr double kHidingShare = 0.8;

}  // namespace

Calibrated::Calibrated(const Workload& workload)
    : timing_(workload.timing),
      shape_(workload.model, workload),
      rates_(workload),
      stack_(workload),
      software_(workload.software),
      network_(workload),
      hb_domain_(usable_hb_domain(workload.system.hb_domain, workload.gpus)),
      N_(real(workload.gpus)),
      B_(real(workload.run.global_batch)),
      straggling_(constant(Constant::straggling) * std::log2(std::max(1.0, N_ / 8))) {}

BytesPerSecond Calibrated::nic(TrafficPattern pattern, std::int64_t domains) const {
  return network_.of(pattern, hb_domain_ * domains) * rates_.nic;
}

Calibrated::Pipeline Calibrated::pipeline(const Strategy& strategy) const {
  const double p = real(strategy.pp.total()), b = real(strategy.micro_batch);
  Pipeline on{.p = p,
              .b = b,
              .m = std::max(1.0, std::round(B_ / (real(strategy.dp.total()) * b))),
              .v = std::min(real(strategy.interleave), std::max(1.0, shape_.L / p))};
  const auto m = static_cast<std::int64_t>(on.m);
  const std::int64_t fed = micro_batches_at_once(software_, m);
  if (p > 1) on.flushes = real(ceil_div(m, fed));
  if (on.v > 1) on.group = real(interleaving_group(strategy.pp.total(), fed));
  if (p > 1 && strategy.interleave == 1) on.schedule = strategy.without_interleaving;
  return on;
}

// The last stage has the loss layer and the layers that predict further tokens besides its own.
Calibrated::Stage Calibrated::stage(double p, const MicroBatch& micro) const {
  const Seconds per = micro.layer.total(), all = (shape_.L + shape_.mtp) * per + micro.head;
  const auto make = [&](double layers, double heads) {
    return Stage{
        .layers = layers,
        .heads = heads,
        .slowest = layers * per + heads * micro.head,
        .all = all,
        .forward = layers * micro.layer.forward + heads * micro.logits,
        .weight_gradients = layers * micro.weight_gradients + heads * micro.logits,
        .others_weight_gradients =
            (shape_.L + shape_.mtp - layers) * micro.weight_gradients + (1 - heads) * micro.logits};
  };
  const Partition layers_of(shape_, p);
  const Stage last = make(layers_of(p - 1).all + shape_.mtp, 1), full = make(layers_of.most, 0);
  return p > 1 && full.slowest > last.slowest ? full : last;
}

Calibrated::Synchronisation Calibrated::synchronisation(const Strategy& strategy) const {
  using enum Constant;
  const double t = real(strategy.tp.total()), p = real(strategy.pp.total());
  const double cp = real(strategy.cp.total()), d = real(strategy.dp.total());
  const double experts_split = real(strategy.ep.total() * strategy.expert_tp);
  const CalibratedShape& m = shape_;
  const CalibratedShape::Enlarged split = m.split_over(t);
  const Seconds alpha{constant(network_latency)};

  // Parameters of a GPU of the first stage: dense, and experts. MTP's are on the last one.
  const double further = p == 1 ? m.mtp : 0;
  const double moe = m.L_moe > 0 ? m.L_moe + further : 0;
  const double dense = m.L_moe > 0 ? m.L_dense : m.L_dense + further;
  const double P_d =
      (moe * (split.W_attn + m.W_expert * m.shared) + dense * (split.W_attn + m.W_mlp)) / (p * t) +
      split.V * m.h / t * (p == 1 && m.untied ? 2 : 1);
  const double P_e = moe / p * m.W_expert * m.E / experts_split;

  const std::int64_t stride = strategy.tp.net * strategy.cp.net;  // domains between neighbours
  const Links links{.hb = rates_.hb, .net = nic(ring_pattern(stride), stride * strategy.dp.net)};
  struct Ranks {
    CollectiveGroup group;
    Seconds latency{};
    Links links;
  };
  const auto ranks_of = [&](double n, double xi, const Links& on) {  // n of which xi share a domain
    const CollectiveGroup group = group_of(n, xi);
    return Ranks{.group = group, .latency = doubling_latency(group, alpha), .links = on};
  };
  // Reduce-scatter or all-gather of D bytes.
  const auto collective = [&](double D, const Ranks& over) {
    if (D == 0) return Seconds{};  // no experts
    return logarithmic_all_gather(Bytes{D}, over.group, over.links, over.latency);
  };
  const double n_d = d * cp, n_e = std::max(1.0, N_ / (p * experts_split));
  const double xi_d = real(strategy.dp.hb * strategy.cp.hb);
  const double xi_e = xi_d * real(strategy.tp.hb) / real(strategy.ep.hb * strategy.expert_tp);
  const double g = software_.gradient_reduce_bytes;

  Synchronisation sync{.zero3 = strategy.zero == 3};
  double shard_d = strategy.zero > 0 ? n_d : 1, shard_e = strategy.zero > 0 ? n_e : 1;
  if (sync.zero3) {
    const Shards shards = zero3_shards(strategy, n_d, n_e);
    shard_d = shards.dense;
    shard_e = shards.experts;
    const ShardPlacement at_d = dense_shards(strategy);
    const ShardPlacement at_e = expert_shards(strategy, shard_e, xi_e);
    const Links near{.hb = rates_.hb, .net = nic(ring_pattern(stride), domains_of_shard(strategy))};
    const double gathers = software_.reshard_after_forward ? 2 : 1;
    if (software_.stack == SoftwareClass::eager) {
      // ZeRO-3 of 2021: flat rings of single parameters.
      const auto ring = [&](double parameters, double of, double xi, const Links& on) {
        if (of == 1) return Seconds{};
        return Bytes{parameters * (2 * gathers + g)} / (of > xi ? on.net : on.hb);
      };
      sync.per_micro =
          ring(P_d, shard_d, at_d.sharing, near) + ring(P_e, shard_e, at_e.sharing, links);
    } else {
      const Ranks over_d = ranks_of(shard_d, at_d.sharing, near);
      const Ranks over_e = ranks_of(shard_e, at_e.sharing, links);
      sync.per_micro = gathers * collective(P_d * 2, over_d) + collective(P_d * g, over_d) +
                       gathers * collective(P_e * 2, over_e) + collective(P_e * g, over_e);
    }
    const double replicas = real(strategy.replicas());
    const auto all_reduce = [&](double parameters, double shard, const ShardPlacement& at) {
      return 2 * collective(parameters / shard * g, ranks_of(replicas, at.replicas, links));
    };
    if (replicas > 1) {
      sync.replicas = all_reduce(P_d, shard_d, at_d) + all_reduce(P_e, shard_e, at_e);
    }
  } else {
    const Ranks over_d = ranks_of(n_d, xi_d, links), over_e = ranks_of(n_e, xi_e, links);
    const Seconds reductions_d = collective(P_d * g, over_d);
    const Seconds reductions_e = collective(P_e * g, over_e);
    // Sums of gradients, or weights.
    const Seconds gathers_d = strategy.zero == 0 ? reductions_d : collective(P_d * 2, over_d);
    const Seconds gathers_e = strategy.zero == 0 ? reductions_e : collective(P_e * 2, over_e);
    sync.gradients = reductions_d + gathers_d + reductions_e + gathers_e;
    if (strategy.zero == 2) sync.per_micro = reductions_d + reductions_e;
  }
  // Where weights and gradients are not sharded, all of them are passed over.
  const double sharded = P_d / shard_d + P_e / shard_e;
  sync.optimizer =
      Bytes{kAdamBytes * sharded + kUnshardedBytes * (sync.zero3 ? sharded : P_d + P_e)} /
      rates_.hbm;

  if (p > 1) {
    const double crossing = strategy.pp.net > 1 ? 1 / real(strategy.pp.hb) : 0;
    const Bytes sample{2 * m.s / cp * m.h / (sends_parts(software_, strategy) ? t : 1)};
    sync.send_latency = alpha;
    sync.send_per_sample =
        crossing * (sample / nic(TrafficPattern::p2p, stride * strategy.dp.net * strategy.pp.net)) +
        (1 - crossing) * (sample / rates_.hb);
  }
  return sync;
}

IterationBreakdown Calibrated::time(const MicroBatch& micro, const Stage& stage,
                                    const Synchronisation& sync, const Pipeline& on) const {
  using enum Constant;
  const auto [p, b, m, v, flushes, schedule, group] = on;
  const Seconds t_max = stage.slowest;
  const bool interleaved = v > 1;
  const double layers = m * stage.layers;

  IterationBreakdown time{
      .last_stage_compute = layers * micro.layer.compute,
      .last_stage_tp_communication = layers * micro.layer.tp,
      .loss_layer = (m * stage.heads) * micro.head,
      .cp_communication = layers * micro.layer.cp,
      .ep_communication = layers * micro.layer.ep,
      .host = layers * micro.layer.host,
      .optimizer = sync.optimizer,
  };
  if (p > 1) {
    const Seconds others = stage.all - t_max;
    const double following = on.at_once() - 1;  // micro-batches behind the first
    const bool twice = schedule == Schedule::zero_bubble_2p;
    if (twice || schedule == Schedule::zero_bubble_1p) {
      // Qi et al. 2023 (arXiv 2401.10241), Table 2: of the other stages' T_F + T_B + T_W nobody
      // waits for T_W, and in the place of one more (ZB-1p) or two (ZB-2p) stand weight gradients,
      // as far as a stage has forward passes ahead of its first backward pass, and can put its own
      // weight gradients behind its last.
      const Seconds T_W = stage.others_weight_gradients;
      const Seconds filled = std::min((twice ? 2 : 1) * T_W,
                                      following * std::min(stage.forward, stage.weight_gradients));
      time.bubble_compute = flushes * std::max(Seconds{}, others - T_W - filled);
    } else {
      // Narayanan et al. 2021, §2.2; never faster than one micro-batch takes through all stages.
      const Seconds causal = others - (interleaved ? 1 - 1 / v : 1) * following * t_max;
      time.bubble_compute = flushes * std::max(others / v, causal);
    }
    const Seconds send = sync.send_latency + b * sync.send_per_sample;
    const double share = interleaved ? constant(pp_exposed_interleaved) : 1;
    time.bubble_communication = flushes * 2 * (p - 1) * send;
    time.last_stage_pp_communication =
        m * exposed(2 * v * send, share, t_max) + m * v * stack_.handover;
  }
  // Collectives of every micro-batch run beside its work.
  const auto in_step = [&] {
    return longer_of_overlapping<2>(t_max, sync.per_micro) - t_max +
           stack_.fsdp_exposed * sync.per_micro;
  };
  // The last reduction hides behind what follows a chunk's last backward pass: passes of the other
  // chunks, or, with few micro-batches, waiting for those of other stages.
  const double passes = interleaved ? 1 + (p - 1) * (v - 1) / v : 1;
  const Seconds cover = kHidingShare * passes * t_max;
  if (sync.zero3) {
    time.sync = m * in_step() + exposed(sync.replicas, stack_.dp_exposed, cover);
  } else {
    time.sync = exposed(sync.gradients, stack_.dp_exposed, cover);
    if (sync.per_micro > Seconds{}) time.sync += (m - 1) * in_step();
  }
  time.straggling = straggling_ * (m * t_max + time.bubble_compute + time.bubble_communication +
                                   time.last_stage_pp_communication + time.sync);
  return time;
}

Prediction Calibrated::evaluate(const Strategy& strategy) const {
  const MicroBatch micro = micro_batch(strategy);
  const Pipeline on = pipeline(strategy);
  return {.time = time(micro, stage(on.p, micro), synchronisation(strategy), on),
          .memory = memory(strategy, on)};
}

}  // namespace planner
