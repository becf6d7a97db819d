#include "planner/search/least_gradients.hpp"

#include <algorithm>
#include <cmath>
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
          .far = measured_ ? 0 : between / rates_.nic.si(),
          .apart = in_domain == 1 && ranks > 1 ? 0.5 / (1 - 1 / ranks) : 0};
}

LeastGradients::OfColumn::OfColumn(const LeastGradients& gradients, const Column& column)
    : gradients_(&gradients),
      column_(column),
      parameters_(gpu_parameters(gradients.shape_, real(column.tp), real(column.pp),
                                 real(column.ep * column.expert_tp))) {
  const LeastGradients& of = gradients;
  const auto [P_d, P_e] = parameters_;
  const double P = P_d + P_e;
  const double n_d = real(column.dp * column.cp);
  const double n_e = std::max(1.0, real(of.gpus_ / column.pp) / real(column.ep * column.expert_tp));
  const double domains = std::max(1.0, real(of.gpus_) / real(column.pp * of.domain_));
  const double share = of.stack_.dp_exposed, growth = of.growth_ * doublings(domains);
  const auto step = [&](double sharded, double held) {
    return kSafely * of.own_ * kOptimizer(sharded, held, of.rates_.hbm).si();
  };
  const double wait = kSafely * of.waited_for_;
  const auto less = [&](double gathered, double stepped) {
    const double both = of.gradient_bytes_ + gathered;
    const double last = of.gathers_apart_ ? of.gradient_bytes_ : both;
    const double apart = of.gathers_apart_ ? gathered : 0;
    less_[ways_++] = {.of_traffic = wait * (share * last + apart + growth * both),
                      .step = step(stepped, P)};
    hidden_ = std::min(hidden_, wait * (1 - share) * last);
  };
  const double in_parts = kSharded(P_d, n_d, P_e, n_e);
  if (of.replicated_) less(of.gradient_bytes_, P);
  if (of.sharded_) less(kWeightBytes, in_parts);
  if (of.zero3_) step_ = step(in_parts, in_parts);
}

LeastGradients::Traffic LeastGradients::OfColumn::dense(std::int64_t tp_inside,
                                                        std::int64_t pp_inside) const {
  const std::int64_t domain = gradients_->domain_;
  const std::int64_t ranks = column_.dp * column_.cp, placed = tp_inside * pp_inside;
  if (column_.pp % pp_inside != 0 || domain % placed != 0) return kNever;
  const std::int64_t in_domain = domain / placed;
  if (ranks % in_domain != 0) return kNever;
  const double share =
      gradients_->most_share(column_.tp / tp_inside, ranks / in_domain, column_.pp / pp_inside);
  return gradients_->traffic(parameters_.dense, real(ranks), real(in_domain), share);
}

// Their ranks take the GPUs of a stage, in a domain and then in others, one after the other.
LeastGradients::Traffic LeastGradients::OfColumn::experts(std::int64_t ep_inside,
                                                          std::int64_t pp_inside) const {
  if (gradients_->shape_.L_moe == 0) return {};
  const std::int64_t of_stage = gradients_->gpus_ / column_.pp;
  const std::int64_t inside = gradients_->domain_ / pp_inside;
  if (column_.pp % pp_inside != 0 || of_stage % inside != 0) return kNever;
  const std::int64_t domains = of_stage / inside, apart = column_.ep / ep_inside;
  const std::int64_t split = ep_inside * column_.expert_tp;
  if (inside % split != 0 || domains % apart != 0) return kNever;
  const std::int64_t in_domain = inside / split, across = domains / apart;
  const double share =
      gradients_->most_share(apart, across, apart == 1 ? column_.pp / pp_inside : 1);
  return gradients_->traffic(parameters_.experts, real(in_domain * across), real(in_domain), share);
}

LeastGradients::Traffic LeastGradients::OfColumn::dense(std::int64_t tp_inside) const {
  Traffic least = kNever;
  for (const std::int64_t pp_inside : gradients_->domain_divisors_) {
    least = least.or_less(dense(tp_inside, pp_inside));
  }
  return least;
}

LeastGradients::Traffic LeastGradients::OfColumn::experts(std::int64_t ep_inside) const {
  Traffic least = kNever;
  for (const std::int64_t pp_inside : gradients_->domain_divisors_) {
    least = least.or_less(experts(ep_inside, pp_inside));
  }
  return least;
}

LeastGradients::OfIteration LeastGradients::OfColumn::iteration(const Strategy& placement) {
  const auto once = [&](std::vector<Known>& known, std::int64_t inside, auto&& of) -> Traffic {
    const std::int64_t pp_inside = placement.pp.hb;
    for (const Known& one : known) {
      if (one.inside == inside && one.pp_inside == pp_inside) return one.traffic;
    }
    return known.emplace_back(Known{inside, pp_inside, of(inside, pp_inside)}).traffic;
  };
  return iteration(
      once(dense_, placement.tp.hb, [&](auto tp, auto pp) { return dense(tp, pp); }),
      once(experts_, placement.ep.hb, [&](auto ep, auto pp) { return experts(ep, pp); }));
}

LeastGradients::OfIteration LeastGradients::OfColumn::iteration(const Traffic& dense,
                                                                const Traffic& experts) const {
  const LeastGradients& of = *gradients_;
  const double all = dense.all + experts.all;
  OfIteration least{.less = kInfinity,
                    .hidden = std::min(kInfinity, hidden_ * all),  // which may be no number
                    .step = step_,
                    .each_shown = of.stack_.fsdp_exposed,
                    .once_shown = of.stack_.dp_exposed};
  for (std::size_t i = 0; i < ways_; ++i) {
    least.less = std::min(least.less, less_[i].of_traffic * all + less_[i].step);
  }
  if (!of.zero3_) return least;
  const double wait = kSafely * of.waited_for_;
  const double each = wait * of.micro_bytes_, once = wait * 2 * of.gradient_bytes_;
  least.dense = {.each = each * dense.far, .once = once * dense.along, .least_each = dense.apart};
  least.experts = {.each = each * experts.along, .once = once * experts.along};
  return least;
}

// ZeRO 3 in parts moves P·(1/x - 1/s) along the network in every micro-batch, of s ranks that share
// a copy and x in a domain, and P·(1/s - 1/n) between the copies: of both together no less than
// P·(1/x - 1/n) at the cheaper of two prices, and of experts, of which there are as many copies,
// likewise. The prices are what cannot overlap, or, less what work hides, all. Beside a stage's
// work of t seconds collectives of e ≥ e₀ take √(t² + e²) - t, no less than that has for a tangent
// at e₀: e·e₀/h less t·(1 - t/h), with h = √(t² + e₀²).
double LeastGradients::OfIteration::with(double micros, double stage, double hides) const {
  const auto moved = [&](double of_each, double of_once) {
    return dense.at(micros * of_each, of_once) + experts.at(micros * of_each, of_once);
  };
  const double least = less + std::max(0.0, hidden - hides * stage);
  const double shown = moved(each_shown, once_shown);
  if (least <= shown + step) return least;
  const auto beside_work = [&](double each) {
    if (!(each > 0)) return shown;
    const double both = std::sqrt(stage * stage + each * each), price = each / both;
    const double hidden_beside = stage * price * each / (both + stage);
    return moved(price + each_shown, once_shown) - micros * hidden_beside;
  };
  const double sharded =
      std::max({beside_work(dense.least_each * dense.each), moved(each_shown, 1) - hides * stage,
                moved(1 + each_shown, once_shown) - micros * stage});
  return std::min(least, sharded + step);
}

}  // namespace planner::search
