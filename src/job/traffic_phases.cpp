#include <algorithm>

#include "planner/core/real.hpp"
#include "planner/job/traffic.hpp"
#include "planner/perf/calibrated/gradient_sync.hpp"
#include "planner/perf/calibrated/rates.hpp"
#include "planner/perf/collectives/double_tree.hpp"
#include "planner/perf/collectives/group.hpp"
#include "planner/perf/machine/host_tier.hpp"
#include "planner/perf/machine/outermost.hpp"
#include "planner/perf/model/sharding.hpp"

namespace planner::job {

namespace {

constexpr double kBytesPerValue = 2;  // 16-bit activations and weights

class Phases {
 public:
  Phases(const Workload& workload, const Strategy& strategy, std::optional<GradientSync> by)
      : workload_(workload),
        strategy_(strategy),
        by_cpus_(by == GradientSync::hfreduce),
        shape_(workload.model, workload),
        split_(shape_.split_over(t())),
        domain_(usable_hb_domain(workload.system.hb_domain, workload.gpus)),
        host_(calibrated() ? host_tier(workload.system, domain_) : std::nullopt),
        stages_in_{FlowKind::line, strategy.tp.hb * strategy.cp.hb * strategy.dp.hb,
                   strategy.pp.hb},
        stages_across_{FlowKind::line, domain_ * domains_of_pipeline(strategy).stride,
                       strategy.pp.net} {}

  std::vector<TrafficPhase> all() && {
    add_tensor();
    add_context();
    add_pipeline();
    add_data();
    add_experts();
    return std::move(phases_);
  }

  std::vector<SumByCpus> sums() && {
    add_data();
    add_experts();
    return std::move(sums_);
  }

 private:
  [[nodiscard]] double t() const { return real(strategy_.tp.total()); }
  [[nodiscard]] double c() const { return real(strategy_.cp.total()); }
  [[nodiscard]] double p() const { return real(strategy_.pp.total()); }
  /// Sequences of a data-parallel rank.
  [[nodiscard]] double samples() const {
    return real(workload_.run.global_batch) / real(strategy_.dp.total());
  }
  [[nodiscard]] double microbatches() const { return samples() / real(strategy_.micro_batch); }
  /// 16-bit hidden states of one sequence on one rank of context parallelism.
  [[nodiscard]] Bytes sample() const { return Bytes{kBytesPerValue * shape_.h * shape_.s / c()}; }
  [[nodiscard]] bool calibrated() const { return workload_.timing.calibrated(); }
  [[nodiscard]] bool recomputes() const { return strategy_.recompute == Recompute::full; }

  void add(TrafficType type, const GroupFlows& groups, Bytes sent,
           std::vector<Sending> sends = {}) {
    if (groups.ranks < 2 || !(sent > Bytes{})) return;
    const auto on = stages_that_send(type);
    if (!on.empty() && sends.empty()) sends = sendings(groups);
    std::vector<Sending> on_stages;
    for (const std::vector<RankPlace>& stage : on) {
      for (Sending one : sends) {
        for (const RankPlace& place : stage) add_place(one.who, place);
        on_stages.push_back(std::move(one));
      }
    }
    phases_.push_back({.type = type,
                       .groups = groups,
                       .sent = sent,
                       .sends = on.empty() ? std::move(sends) : std::move(on_stages)});
  }

  /// Vocabularies are on the first and the last stage; of others nothing: on all.
  [[nodiscard]] std::vector<std::vector<RankPlace>> stages_that_send(TrafficType type) const {
    if (type != TrafficType::vocabulary || p() == 1) return {};
    return {first_stage(stages_in_, stages_across_), last_stage(stages_in_, stages_across_)};
  }

  /// Of `data` on each rank, that all of them need: Eq. 1.
  void add_gathers(TrafficType type, const NestedRanks& ranks, Bytes data) {
    const double x = real(ranks.inside.ranks), y = real(ranks.across.ranks);
    add(type, ranks.inside, (x - 1) / x * data);
    add(type, ranks.across, (y - 1) / y * data / x);
  }

  /// HB domains between those of one stage.
  [[nodiscard]] std::int64_t stages_beside() const {
    return pipeline_outermost() ? 1 : strategy_.pp.net;
  }

  /// Gradients of `parameters` over such ranks: hierarchical, or where GPUs share NICs in one ring
  /// of all, or by the CPUs.
  void add_sums(TrafficType type, const NestedRanks& ranks, double parameters) {
    const Bytes data{parameters * bytes_of_parameter()};
    if (!host_ || strategy_.zero > 1) {
      add_gathers(type, ranks, data);
    } else if (!by_cpus_) {
      add_ring(type, ranks, data);
    } else {
      add_sums_by_cpus(type, data / 2, ranks);
    }
  }

  void add_ring(TrafficType type, const NestedRanks& ranks, Bytes data) {
    const double n = real(ranks.ranks());
    const Bytes sent = (n - 1) / n * data;
    if (ranks.in_line()) {
      add(type, ranks.line(), sent);
      return;
    }
    NestedRing ring = nested_ring(ranks);
    add(type, ranks.inside, sent, std::move(ring.inside));
    add(type, ranks.across, sent, std::move(ring.across));
  }

  void add_sums_by_cpus(TrafficType type, Bytes reduced, const NestedRanks& ranks) {
    if (ranks.ranks() < 2) return;
    const Node& node = *workload_.system.host;
    const HfReduceOptions on = reduction_on(node, ranks, domain_);
    sums_.push_back({type, reduced, on, stages_that_send(type)});
    if (on.nvlink_pairs) add(type, {FlowKind::ring, ranks.inside.stride, domain_}, reduced);
    const std::int64_t nodes = on.nodes.value_or(1);
    const GroupFlows tree{FlowKind::ring, std::max(node.accelerators, ranks.across.stride), nodes};
    if (workload_.gpus % tree.period() != 0) return;
    const double sent = busiest_in_double_tree(real(nodes)).sent * on.groups;
    const std::size_t before = phases_.size();
    add(type, tree, sent / real(node.accelerators) * reduced);
    if (phases_.size() > before) phases_.back().from_hosts = true;
  }

  [[nodiscard]] NestedRanks ring(std::int64_t stride_in, std::int64_t in, std::int64_t stride_out,
                                 std::int64_t out) const {
    return {.inside = {FlowKind::ring, stride_in, in},
            .across = {FlowKind::ring, domain_ * stride_out, out}};
  }

  void add_tensor() {
    const double dense = shape_.L_dense, moe = shape_.L_moe;
    const double all_reduces = 4 * dense + (shape_.shared > 0 ? 4 : 2) * moe;  // of a sequence
    const double again = recomputes() ? 1.5 : 1;
    add_gathers(TrafficType::tensor, ring(1, strategy_.tp.hb, 1, strategy_.tp.net),
                2 * again * all_reduces / p() * samples() * sample());
  }

  void add_context() {
    const double passes = recomputes() ? 4 : 3, width = split_.w_kv / t();
    const Bytes block{kBytesPerValue * shape_.s / c() * width};
    const Bytes ring_bytes = passes * samples() * shape_.L / p() * c() * block;
    add_gathers(TrafficType::context,
                ring(strategy_.tp.hb, strategy_.cp.hb, strategy_.tp.net, strategy_.cp.net),
                ring_bytes);
  }

  void add_pipeline() {
    const auto [in, out] = strategy_.pp;
    const double v = real(strategy_.interleave);
    const bool parts =
        calibrated() ? sends_parts(workload_.software, strategy_) : strategy_.sequence_parallel;
    const Bytes chunk = samples() * sample() / (parts ? t() : 1);
    add(TrafficType::pipeline, stages_in_, v * chunk);
    if (out == 1) {
      add(TrafficType::pipeline, around(stages_in_), (v - 1) * chunk);
      return;
    }
    const bool all = in == 1;  // ranks of a domain are on one stage
    add(TrafficType::pipeline, stages_across_, v * chunk,
        all ? std::vector<Sending>{} : joints(stages_in_, stages_across_));
    add(TrafficType::pipeline, around(stages_across_), (v - 1) * chunk,
        all ? std::vector<Sending>{} : joint_of_ends(stages_in_, stages_across_));
  }

  [[nodiscard]] static GroupFlows around(GroupFlows line) {
    line.kind = FlowKind::wrap;
    return line;
  }

  /// Bytes that a parameter has in a reduction and a gather, of an iteration.
  [[nodiscard]] double bytes_of_parameter() const {
    const double m = microbatches();
    const double g = real(gradient_bytes(workload_));
    switch (strategy_.zero) {
      case 0:
        return g + g;
      case 1:
        return g + kBytesPerValue;
      case 2:
        // With a pipeline once a step, see Calibrated; the closed form knows no other.
        return (calibrated() && strategy_.pp.total() == 1 ? m : 1) * g + kBytesPerValue;
      default:
        return m * (kBytesPerValue * (workload_.software.reshard_after_forward ? 2 : 1) + g);
    }
  }

  [[nodiscard]] bool pipeline_outermost() const { return !strategy_.replicas_outermost(); }

  /// Where data parallelism is outermost context parallelism is part of its groups' stride, as if
  /// it lay between them.
  [[nodiscard]] NestedRanks data_ranks() const {
    return ring(strategy_.tp.hb, strategy_.cp.hb * strategy_.dp.hb,
                strategy_.tp.net * stages_beside(), strategy_.cp.net * strategy_.dp.net);
  }

  /// Of parameters that `all` ranks have, `sharing` of them in an HB domain of the ranks that ZeRO
  /// 3 shards over; then the sum over the replicas.
  void add_sharded(TrafficType type, const NestedRanks& all, double parameters, std::int64_t shard,
                   std::int64_t sharing) {
    const std::int64_t replicas_in = std::max<std::int64_t>(1, all.inside.ranks / sharing);
    const std::int64_t far = shard / sharing;
    const NestedRanks sharers{.inside = {FlowKind::ring, all.inside.stride, sharing},
                              .across = {FlowKind::ring, all.across.stride, far}};
    const std::int64_t copies = all.ranks() / shard;
    const NestedRanks replicas{
        .inside = {FlowKind::ring, all.inside.stride * sharing, std::min(replicas_in, copies)},
        .across = {FlowKind::ring, all.across.stride * far,
                   copies / std::min(replicas_in, copies)}};
    add_gathers(type, sharers, Bytes{parameters * bytes_of_parameter()});
    const double g = real(gradient_bytes(workload_));
    add_gathers(type, replicas, Bytes{2 * parameters * g / real(shard)});
  }

  void add_synchronised(TrafficType type, double parameters) {
    const NestedRanks all = data_ranks();
    if (strategy_.zero == 3 && strategy_.replicas() > 1) {
      add_sharded(type, all, parameters, strategy_.ranks_per_replica(),
                  static_cast<std::int64_t>(dense_shards(strategy_).sharing));
    } else {
      add_sums(type, all, parameters);
    }
  }

  void add_data() {
    const double moe = shape_.L_moe, dense = shape_.L_dense;
    add_synchronised(TrafficType::data, (moe * (split_.W_attn + shape_.W_expert * shape_.shared) +
                                         dense * (split_.W_attn + shape_.W_mlp)) /
                                            (p() * t()));
    // On the first and the last stage one each; the only one has a tied table once.
    const double tables = p() == 1 && shape_.untied ? 2 : 1;
    add_synchronised(TrafficType::vocabulary, tables * split_.V * shape_.h / t());
  }

  void add_experts() {
    const std::int64_t etp = strategy_.expert_tp;
    const auto [x, y] = strategy_.ep;
    if (shape_.L_moe == 0) return;
    const std::int64_t in_domain = strategy_.tp.hb * strategy_.cp.hb * strategy_.dp.hb;
    const std::int64_t domains = strategy_.tp.net * strategy_.cp.net * strategy_.dp.net;
    const double parameters = shape_.L_moe / p() * shape_.W_expert * shape_.E / real(x * y * etp);
    add_sharded_experts(ring(etp * x, std::max<std::int64_t>(1, in_domain / (etp * x)),
                             y * stages_beside(), std::max<std::int64_t>(1, domains / y)),
                        parameters);
    add_dispatch(x, y, etp);
  }

  void add_sharded_experts(const NestedRanks& all, double parameters) {
    const std::int64_t replicas = strategy_.zero == 3 ? strategy_.replicas() : 1;
    const std::int64_t shard = std::max<std::int64_t>(1, all.ranks() / replicas);
    if (replicas == 1) {
      add_sums(TrafficType::data, all, parameters);
      return;
    }
    const ShardPlacement at = expert_shards(strategy_, real(shard), real(all.inside.ranks));
    add_sharded(TrafficType::data, all, parameters, shard,
                std::clamp<std::int64_t>(static_cast<std::int64_t>(at.sharing), 1, shard));
  }

  /// One copy of a token per expert, or per domain and GPU that needs it.
  void add_dispatch(std::int64_t x, std::int64_t y, std::int64_t etp) {
    const double again = recomputes() ? 1.5 : 1, n = real(x) * real(y);
    const double element = (kBytesPerValue + real(workload_.software.dispatch_bytes)) / 2;
    const Bytes tokens = element / kBytesPerValue * sample() / t() * samples();
    const Bytes copy = 4 * again * shape_.L_moe / p() * tokens;
    const GroupFlows inside{FlowKind::all_to_all, etp, x};
    const GroupFlows across{FlowKind::all_to_all, domain_, y};
    const double k = shape_.k;
    const auto top_k = static_cast<std::int64_t>(k);
    double to_parts = k * (real(etp) - 1);  // all parts of an expert need its tokens
    if (workload_.software.dispatcher != Dispatcher::alltoall) {
      const double limit = real(workload_.software.expert_domain_limit);
      const double reached = limit > 0 ? std::min(real(y), limit) : real(y);
      const auto copies = [&](std::int64_t parts) {
        return kOneCopyInside(top_k, real(x), real(parts), real(x * parts), reached, shape_.E / n);
      };
      to_parts = copies(etp) - copies(1);
      add(TrafficType::expert, inside, copy * copies(1));
      add(TrafficType::expert, across,
          copy * kOneCopyBeyond(top_k, real(y), reached, shape_.E / real(y)));
    } else if (n > 1) {
      add(TrafficType::expert, inside, k * copy * ((real(x) - 1) / n));
      add(TrafficType::expert, across, k * copy * (real(x) * (real(y) - 1) / n));
      if (y > 1) {
        phases_.back().mixed_ranks = x;
        phases_.back().mixed_stride = etp;
      }
    }
    add(TrafficType::expert, {FlowKind::all_to_all, 1, etp}, to_parts * copy);
  }

  const Workload& workload_;
  const Strategy& strategy_;
  bool by_cpus_;
  CalibratedShape shape_;
  CalibratedShape::Enlarged split_;
  std::int64_t domain_;
  std::optional<HostTier> host_;          ///< where GPUs share NICs
  GroupFlows stages_in_, stages_across_;  ///< of an HB domain; domains
  std::vector<TrafficPhase> phases_;
  std::vector<SumByCpus> sums_;
};

}  // namespace

std::int64_t gradient_bytes(const Workload& workload) {
  return workload.timing.calibrated() ? workload.software.gradient_reduce_bytes
                                      : static_cast<std::int64_t>(kBytesPerValue);
}

std::vector<TrafficPhase> traffic_phases(const Workload& workload, const Strategy& strategy,
                                         std::optional<GradientSync> by) {
  return Phases(workload, strategy, by).all();
}

std::vector<SumByCpus> sums_by_cpus(const Workload& workload, const Strategy& strategy) {
  return Phases(workload, strategy, GradientSync::hfreduce).sums();
}

std::vector<TrafficPhase> traffic_phases(const Workload& workload, Strategy strategy,
                                         Outermost axis, std::optional<GradientSync> by) {
  strategy.outermost = axis;
  return traffic_phases(workload, strategy, by);
}

}  // namespace planner::job
