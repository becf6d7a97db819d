#include "planner/perf/calibrated/gradient_sync.hpp"

#include <algorithm>
#include <cmath>

#include "planner/core/real.hpp"
#include "planner/perf/calibrated/calibrated.hpp"
#include "planner/perf/calibrated/explanation.hpp"
#include "planner/perf/collectives/group.hpp"
#include "planner/perf/collectives/pipelined_reduce.hpp"

namespace planner::inline perf {

namespace {

constexpr std::string_view kHfReduce = "arXiv 2408.14158 §IV";
constexpr Row kHfReduceSum{"AR", "sum of gradients by the CPUs", kHfReduce, kPipelined};

/// "host memory": the tightest of the bounds.
std::string words_of(ReduceResource resource) {
  std::string words{name_of(resource)};
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

/// The same with HFReduce.
Calibrated::Synchronisation summed_by_cpus(Calibrated::Synchronisation sync) {
  sync.gradients = *sync.by_hfreduce;
  sync.gathers = sync.growth = Seconds{};
  sync.by_hfreduce.reset();
  sync.by = GradientSync::hfreduce;
  return sync;
}

}  // namespace

// In the order th ch dh ph | tl cl dl pl, or pl before cl and dl where replicas are outermost; data
// and context parallelism are one axis, and experts' groups take a domain, then the domains of a
// stage, from the first on.
Replicas replicas(double gpus, const Strategy& s, std::int64_t domain) {
  const double experts_split = real(s.ep.total() * s.expert_tp);
  const double in_domain = real(s.dp.hb * s.cp.hb);
  const std::int64_t between = domain * (s.replicas_outermost() ? s.pp.net : 1);
  return {.dense = real(s.dp.total() * s.cp.total()),
          .experts = std::max(1.0, gpus / (real(s.pp.total()) * experts_split)),
          .dense_in_domain = in_domain,
          .experts_in_domain = in_domain * real(s.tp.hb) / real(s.ep.hb * s.expert_tp),
          .dense_apart = {s.tp.hb, s.tp.net * between},
          .experts_apart = {s.ep.hb * s.expert_tp, s.ep.net * between}};
}

NestedRanks placed_ranks(double ranks, double in_domain, const RankStrides& apart) {
  const CollectiveGroup group = group_of(ranks, in_domain);
  return {.inside = {FlowKind::ring, apart.inside, std::lround(group.hb)},
          .across = {FlowKind::ring, apart.across, std::lround(group.net)}};
}

RankStrides replicas_apart(const RankStrides& ranks, double shard, const ShardPlacement& at) {
  const double sharing = std::max(1.0, at.sharing);
  return ranks.every(std::lround(sharing), std::lround(shard / sharing));
}

std::optional<Node> reducing_node(const System& system, std::int64_t domain) {
  if (!system.host || domain >= system.host->accelerators) return std::nullopt;
  const bool known = missing_reduce_figures(*system.host).empty() && system.host->nics > 0;
  return known ? system.host : std::nullopt;
}

HfReduceOptions reduction_on(const Node& node, const NestedRanks& ranks, std::int64_t domain) {
  const double leaving = busiest_ring_out(ranks, node.accelerators);
  const double n = real(ranks.ranks()), gpus = real(node.accelerators);
  const double groups = leaving > 0 ? leaving : gpus / n;
  const bool bridged = node.nvlink_bridges && node.nvlink_bridges->gpus == domain;
  return {.nvlink_pairs = bridged && ranks.inside.ranks >= domain,
          .nodes = leaving > 0 ? static_cast<std::int64_t>(std::ceil(n * groups / gpus)) : 1,
          .groups = groups};
}

Seconds Calibrated::by_hfreduce(double bytes, const NestedRanks& ranks, double share) const {
  if (bytes == 0 || ranks.ranks() == 1) return {};
  HfReduceOptions options = reduction_on(*reducer_, ranks, hb_domain_);
  options.network_bandwidth = share * real(reducer_->accelerators) * network_bandwidth_;
  return reduce_at(*reducer_, options, *options.nodes, Bytes{bytes}, kTreeStepLatency).time;
}

void Calibrated::choose_sum(const Strategy& strategy, double P_d, double P_e,
                            Synchronisation& sync) const {
  const bool offered = reducer_ && software_.gradient_sync != GradientSync::nccl;
  if (!offered || !hfreduce_sums(strategy)) return;
  const Replicas all = replicas(N_, strategy, hb_domain_);
  if (all.dense * all.experts == 1) return;
  const double g = software_.gradient_reduce_bytes, gathered = strategy.zero == 0 ? g : 2;
  const Seconds hfreduce =
      by_hfreduce(kReducedBytes(P_d, g, gathered),
                  placed_ranks(all.dense, all.dense_in_domain, all.dense_apart),
                  share_of(domains_of_replicas(strategy))) +
      by_hfreduce(kReducedBytes(P_e, g, gathered),
                  placed_ranks(all.experts, all.experts_in_domain, all.experts_apart),
                  share_of(domains_of_expert_replicas(strategy)));
  sync.by_hfreduce = hfreduce;
  if (software_.gradient_sync == GradientSync::hfreduce) sync = summed_by_cpus(sync);
}

Calibrated::Synchronisation Calibrated::chosen(Synchronisation sync, Seconds stage,
                                               const Pipeline& on) const {
  if (!sync.by_hfreduce) return sync;
  const Synchronisation by_cpus = summed_by_cpus(sync);
  sync.by_hfreduce.reset();
  const Seconds shown_of_cpus = shown(by_cpus, stage, on),
                shown_of_library = shown(sync, stage, on);
  return shown_of_cpus < shown_of_library ? by_cpus : sync;
}

Text CalibratedExplanation::add_hfreduce(const std::string& group, std::string_view meaning,
                                         const Text& data, double bytes, const NestedRanks& ranks,
                                         const GroupFlows& across) {
  const System& system = workload_.system;
  HfReduceOptions options = reduction_on(*system.host, ranks, domain_);
  const double share = NetworkShares(workload_).of(on_gpus(across, domain_));
  options.network_bandwidth = share * real(system.host->accelerators) * system.network_bandwidth;
  const HfReduceBounds bounds = hfreduce_bounds(*system.host, options);
  const PipelinedReduce reduce =
      reduce_at(*system.host, options, *options.nodes, Bytes{bytes}, kTreeStepLatency);
  const std::string tightest = "planner hfreduce, bound by " + words_of(bounds.bottleneck);
  given("G_" + group, "such sums side by side on a node", "placement", options.groups);
  const Text steps = given("s_" + group, "steps of the pipeline over the nodes' double tree",
                           kHfReduce, real(reduce.steps));
  const Text chunks = given("k_" + group, "chunks that take the least time", "Sanders et al. 2009",
                            real(reduce.chunks));
  const Text rate = given("B_" + group, "bytes of a GPU's gradients summed a second", tightest,
                          reduce.step_rate.si(), "B/s");
  const Text alpha = "alpha_tree"_t;
  if (shown_.insert(alpha.str()).second) {
    given(alpha.str(), "of one step", "NCCL, tuning.cc", kTreeStepLatency.si(), "s");
  }
  return tell(Of{.suffix = "_" + group, .where = std::string{meaning}}, kHfReduceSum, chunks, steps,
              alpha, data / rate);
}

Text CalibratedExplanation::add_hfreduce(const Text& each) {
  const Replicas n = replicas(real(workload_.gpus), strategy_, domain_);
  const double g = workload_.software.gradient_reduce_bytes;
  const double gathered = strategy_.zero == 0 ? g : 2;
  const auto reduced = [&](const char* group, const char* meaning, const Text& parameters,
                           double ranks, double in_domain, const RankStrides& apart,
                           const GroupFlows& across) {
    if (ranks == 1) return Text{0};
    return add_hfreduce(group, meaning, kReducedBytes(parameters, "g"_t, each),
                        kReducedBytes(out_.value(parameters.str()), g, gathered),
                        placed_ranks(ranks, in_domain, apart), across);
  };
  Text dense = reduced("d", ", dense", "P_d"_t, n.dense, n.dense_in_domain, n.dense_apart,
                       domains_of_replicas(strategy_));
  if (shape_.L_moe == 0) return dense;
  return dense + reduced("e", ", experts", "P_e"_t, n.experts, n.experts_in_domain, n.experts_apart,
                         domains_of_expert_replicas(strategy_));
}

}  // namespace planner::perf
