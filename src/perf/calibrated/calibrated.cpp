#include "planner/perf/calibrated/calibrated.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "planner/core/real.hpp"
#include "planner/perf/calibrated/certainty.hpp"
#include "planner/perf/calibrated/gradient_sync.hpp"

namespace planner::inline perf {

Calibrated::Calibrated(const Workload& workload)
    : timing_(workload.timing),
      shape_(workload.model, workload),
      rates_(workload),
      stack_(workload),
      software_(workload.software),
      network_(workload),
      outermost_(workload),
      rails_apart_(workload.rails_apart),
      hb_domain_(usable_hb_domain(workload.system.hb_domain, workload.gpus)),
      host_(host_tier(workload.system, hb_domain_)),
      reducer_(reducing_node(workload.system, hb_domain_)),
      network_bandwidth_(workload.system.network_bandwidth),
      N_(real(workload.gpus)),
      B_(real(workload.run.global_batch)),
      straggling_(straggling()),
      own_(own_factor(workload)),
      links_(workload.system, hb_domain_) {}

double Calibrated::share_of(const GroupFlows& across) const {
  return network_.of(on_gpus(across, hb_domain_));
}

BytesPerSecond Calibrated::inside(double ranks, std::int64_t apart, FlowKind kind) const {
  if (links_.alike()) return rates_.hb;
  return links_.share({kind, apart, std::lround(ranks)}) * rates_.hb;
}

BytesPerSecond Calibrated::nic(const GroupFlows& across) const {
  return share_of(across) * rates_.nic;
}

Prediction Calibrated::evaluate(const Strategy& strategy) const {
  const MicroBatch micro = micro_batch(strategy);
  const Pipeline on = pipeline(strategy);
  const Stage at = stage(on.p, micro);
  const Synchronisation sync = chosen(synchronisation(strategy), at.slowest, on);
  return {.time = time(micro, at, sync, on), .memory = memory(strategy, on), .sync_by = sync.by};
}

namespace {

using Sync = Calibrated::Synchronisation;

/// Whether no part takes longer.
bool never_slower(const Sync& a, const Sync& b) {
  constexpr std::array kParts{&Sync::gradients,
                              &Sync::gathers,
                              &Sync::growth,
                              &Sync::replicas,
                              &Sync::per_micro,
                              &Sync::optimizer,
                              &Sync::send_latency,
                              &Sync::send_per_sample,
                              &Sync::send_at_once_per_sample,
                              &Sync::sends_of_node_per_sample,
                              &Sync::around_per_sample,
                              &Sync::around_at_once_per_sample,
                              &Sync::around_of_node_per_sample};
  const bool sums = !b.by_hfreduce || (a.by_hfreduce && *a.by_hfreduce <= *b.by_hfreduce);
  return sums && std::all_of(kParts.begin(), kParts.end(),
                             [&](Seconds Sync::*part) { return a.*part <= b.*part; });
}

/// Of another one.
void set_sends(const Sync& of, Sync& sync) {
  for (Seconds Sync::*part :
       {&Sync::send_latency, &Sync::send_per_sample, &Sync::send_at_once_per_sample,
        &Sync::sends_of_node_per_sample, &Sync::around_per_sample, &Sync::around_at_once_per_sample,
        &Sync::around_of_node_per_sample}) {
    sync.*part = of.*part;
  }
}

}  // namespace

template <class PartOf>
auto Calibrated::in_each_order(Strategy strategy, PartOf&& part) const {
  using Part = decltype(part(strategy));
  strategy.outermost.reset();
  if (!outermost_.open(strategy)) return EachOrder<Part>{.first = part(strategy)};
  const auto with = [&](Outermost axis) {
    strategy.outermost = axis;
    return part(strategy);
  };
  EachOrder<Part> both{.first = with(Outermost::pipeline)};
  both.second = with(Outermost::data);
  return both;
}

Calibrated::SharedInEachOrder Calibrated::shared_in_each_order(const Strategy& strategy) const {
  return in_each_order(strategy, [&](const Strategy& at) { return shared_parameters(at); });
}

Calibrated::InEachOrder Calibrated::reductions_in_each_order(
    const Strategy& strategy, const SharedInEachOrder& shared) const {
  return in_each_order(strategy, [&](const Strategy& at) {
    return reductions(at, at.replicas_outermost() ? *shared.second : shared.first);
  });
}

Calibrated::EachOrder<LeastTied> Calibrated::least_tied(const Strategy& strategy,
                                                        const SharedInEachOrder& shared) const {
  return in_each_order(strategy, [&](const Strategy& at) {
    return least_tied(at, at.replicas_outermost() ? *shared.second : shared.first);
  });
}

Calibrated::InEachOrder Calibrated::sends_in_each_order(const Strategy& strategy) const {
  return in_each_order(strategy, [&](const Strategy& at) {
    Synchronisation sends;
    if (at.pp.total() > 1) add_sends(at, sends);
    return sends;
  });
}

Calibrated::Orders Calibrated::orders(Strategy strategy, const InEachOrder& reductions,
                                      const InEachOrder& sends) const {
  const auto whole = [](Synchronisation sync, const Synchronisation& of_sends) {
    set_sends(of_sends, sync);
    return sync;
  };
  strategy.outermost.reset();
  if (!reductions.second) return {.first = {strategy, whole(reductions.first, sends.first)}};
  strategy.outermost = Outermost::pipeline;
  const Ordered stages{strategy, whole(reductions.first, sends.first)};
  strategy.outermost = Outermost::data;
  const Ordered replicas{strategy, whole(*reductions.second, *sends.second)};
  if (never_slower(stages.sync, replicas.sync)) return {.first = stages};
  if (never_slower(replicas.sync, stages.sync)) return {.first = replicas};
  return {.first = stages, .second = replicas};
}

Strategy Calibrated::in_best_order(const Strategy& strategy) const {
  const Orders either = orders(strategy);
  if (!either.second) return either.first.strategy;
  const Seconds first = evaluate(either.first.strategy).time.total();
  const Seconds second = evaluate(either.second->strategy).time.total();
  return second < first ? either.second->strategy : either.first.strategy;
}

}  // namespace planner::perf
