#include "planner/search/least_gradients.hpp"

#include <algorithm>
#include <limits>

#include "planner/core/divisors.hpp"
#include "planner/core/real.hpp"
#include "planner/perf/calibrated/certainty.hpp"
#include "planner/perf/calibrated/gradient_sync.hpp"
#include "planner/perf/calibrated/shared_parameters.hpp"
#include "planner/perf/calibrated/straggling.hpp"
#include "planner/perf/calibrated/synchronisation.hpp"

namespace planner::inline search {

namespace {

constexpr double kSafely = 1 - 1e-9;  // leaves a bound room for rounding
constexpr double kWeightBytes = 2;

bool has(const std::vector<int>& stages, int stage) {
  return std::find(stages.begin(), stages.end(), stage) != stages.end();
}

}  // namespace

LeastGradients::LeastGradients(const Workload& workload, const std::vector<int>& zero)
    : shape_(workload.model, workload),
      rates_(workload),
      stack_(workload),
      network_(workload),
      domain_(usable_hb_domain(workload.system.hb_domain, workload.gpus)),
      gpus_(workload.gpus),
      either_order_(workload.routing && !workload.stage_limit),
      replicated_(has(zero, 0)),
      sharded_(has(zero, 1) || has(zero, 2)),
      zero3_(has(zero, 3)),
      gathers_apart_(perf::gathers_apart(workload.software)),
      measured_(workload.timing.constants().routing.has_value()),
      gradient_bytes_(workload.software.gradient_reduce_bytes),
      micro_bytes_((workload.software.reshard_after_forward ? 2 : 1) * kWeightBytes +
                   gradient_bytes_),
      growth_(workload.timing.constants()[Constant::dp_growth]),
      own_(own_factor(workload)) {
  const Software& software = workload.software;
  const System& system = workload.system;
  const bool by_cpus =
      software.gradient_sync != GradientSync::nccl && reducing_node(system, domain_);
  known_ = !host_tier(system, domain_) && !by_cpus && software.zero1_shard_gpus == 0 &&
           software.stack != SoftwareClass::eager;
  domain_divisors_ = divisors(domain_);
  waited_for_ =
      own_ * (1 + kStragglingShare(workload.timing.constants()[Constant::straggling], real(gpus_)));
}

double LeastGradients::most_share(std::int64_t stride, std::int64_t ranks,
                                  std::int64_t pipelines) const {
  if (ranks == 1) return 1;
  const auto share = [&](std::int64_t apart) {
    return network_.of(on_gpus({FlowKind::ring, apart, ranks}, domain_));
  };
  const double inner = share(stride);
  return either_order_ && pipelines > 1 ? std::max(inner, share(stride * pipelines)) : inner;
}

// The bytes on the wire of hierarchical collectives; their latency is left out.
LeastGradients::Traffic LeastGradients::traffic(double parameters, double ranks, double in_domain,
                                                double share) const {
  const double between = parameters * (1 / in_domain - 1 / ranks);
  const double along = between / (share * rates_.nic.si());
  return {.all = along + parameters * (1 - 1 / in_domain) / rates_.hb.si(),
          .along = along,
          .far = measured_ ? 0 : between / rates_.nic.si()};
}

GpuParameters LeastGradients::parameters(const Column& column) const {
  return gpu_parameters(shape_, real(column.tp), real(column.pp),
                        real(column.ep * column.expert_tp));
}

LeastGradients::Traffic LeastGradients::dense(const Column& column, double parameters,
                                              std::int64_t tp_inside,
                                              std::int64_t pp_inside) const {
  const std::int64_t ranks = column.dp * column.cp, placed = tp_inside * pp_inside;
  if (column.pp % pp_inside != 0 || domain_ % placed != 0) return kNever;
  const std::int64_t in_domain = domain_ / placed;
  if (ranks % in_domain != 0) return kNever;
  const double share = most_share(column.tp / tp_inside, ranks / in_domain, column.pp / pp_inside);
  return traffic(parameters, real(ranks), real(in_domain), share);
}

// Their ranks take the GPUs of a stage, in a domain and then in others, one after the other.
LeastGradients::Traffic LeastGradients::experts(const Column& column, double parameters,
                                                std::int64_t ep_inside,
                                                std::int64_t pp_inside) const {
  if (shape_.L_moe == 0) return {};
  const std::int64_t of_stage = gpus_ / column.pp, inside = domain_ / pp_inside;
  if (column.pp % pp_inside != 0 || of_stage % inside != 0) return kNever;
  const std::int64_t domains = of_stage / inside, apart = column.ep / ep_inside;
  const std::int64_t split = ep_inside * column.expert_tp;
  if (inside % split != 0 || domains % apart != 0) return kNever;
  const std::int64_t in_domain = inside / split, across = domains / apart;
  const double share = most_share(apart, across, apart == 1 ? column.pp / pp_inside : 1);
  return traffic(parameters, real(in_domain * across), real(in_domain), share);
}

LeastGradients::Traffic LeastGradients::dense(const Column& column, std::int64_t tp_inside) const {
  const double parameters = this->parameters(column).dense;
  Traffic least = kNever;
  for (const std::int64_t pp_inside : domain_divisors_) {
    least = least.or_less(dense(column, parameters, tp_inside, pp_inside));
  }
  return least;
}

LeastGradients::Traffic LeastGradients::experts(const Column& column,
                                                std::int64_t ep_inside) const {
  const double parameters = this->parameters(column).experts;
  Traffic least = kNever;
  for (const std::int64_t pp_inside : domain_divisors_) {
    least = least.or_less(experts(column, parameters, ep_inside, pp_inside));
  }
  return least;
}

LeastGradients::OfIteration LeastGradients::iteration(const Column& column,
                                                      const Strategy& placement) const {
  const auto [of_dense, of_experts] = parameters(column);
  return iteration(column, dense(column, of_dense, placement.tp.hb, placement.pp.hb),
                   experts(column, of_experts, placement.ep.hb, placement.pp.hb));
}

LeastGradients::OfIteration LeastGradients::iteration(const Column& column, const Traffic& dense,
                                                      const Traffic& experts) const {
  const auto [P_d, P_e] = parameters(column);
  const double n_d = real(column.dp * column.cp);
  const double n_e = std::max(1.0, real(gpus_ / column.pp) / real(column.ep * column.expert_tp));
  const double domains = std::max(1.0, real(gpus_) / real(column.pp * domain_));
  const double share = stack_.dp_exposed, growth = growth_ * doublings(domains);
  const double all = dense.all + experts.all;
  const auto step = [&](double sharded, double held) {
    return kSafely * own_ * kOptimizer(sharded, held, rates_.hbm).si();
  };
  OfIteration least{.less = kInfinity,
                    .hidden = kInfinity,
                    .step = kInfinity,
                    .each_shown = stack_.fsdp_exposed,
                    .once_shown = share};
  const double wait = kSafely * waited_for_;
  const auto less = [&](double gathered, double stepped) {
    const double both = gradient_bytes_ + gathered;
    const double last = gathers_apart_ ? gradient_bytes_ : both;
    const double apart = gathers_apart_ ? gathered : 0;
    least.less = std::min(
        least.less, wait * (share * last + apart + growth * both) * all + step(stepped, P_d + P_e));
    least.hidden = std::min(least.hidden, wait * (1 - share) * last * all);
  };
  const double in_parts = kSharded(P_d, n_d, P_e, n_e);
  if (replicated_) less(gradient_bytes_, P_d + P_e);
  if (sharded_) less(kWeightBytes, in_parts);
  if (!zero3_) return least;
  const double each = wait * micro_bytes_, once = wait * 2 * gradient_bytes_;
  least.dense = {.each = each * dense.far, .once = once * dense.along};
  least.experts = {.each = each * experts.along, .once = once * experts.along};
  least.step = step(in_parts, in_parts);
  return least;
}

// ZeRO 3 in parts moves P·(1/x - 1/s) along the network in every micro-batch, of s ranks that share
// a copy and x in a domain, and P·(1/s - 1/n) between the copies: of both together no less than
// P·(1/x - 1/n) at the cheaper of two prices, and of experts, of which there are as many copies,
// likewise. The prices are what cannot overlap, or, less what work hides, all.
double LeastGradients::OfIteration::with(double micros, double stage, double hides) const {
  const auto moved = [&](double of_each, double of_once) {
    const double each_price = micros * of_each;
    return std::min(each_price * dense.each, of_once * dense.once) +
           std::min(each_price * experts.each, of_once * experts.once);
  };
  const double least = less + std::max(0.0, hidden - hides * stage);
  if (step == kInfinity) return least;
  const double sharded =
      std::max({moved(each_shown, once_shown), moved(each_shown, 1) - hides * stage,
                moved(1 + each_shown, once_shown) - micros * stage});
  return std::min(least, sharded + step);
}

}  // namespace planner::search
