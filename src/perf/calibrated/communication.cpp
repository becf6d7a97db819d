// What one micro-batch is for the links, in one layer and before overlap.
#include "planner/core/real.hpp"
#include "planner/perf/calibrated/calibrated.hpp"
#include "planner/perf/calibrated/explanation.hpp"
#include "planner/perf/calibrated/tokens.hpp"
#include "planner/perf/collectives/group.hpp"

namespace planner::inline perf {

namespace {

constexpr auto kHiddenStates = [](auto T, auto h) { return bytes(2 * T * h); };
constexpr Row kRing{"t_ring", "keys and values around the ring", "arXiv 2310.01889",
                    [](auto cp, auto T, auto w_kv, auto t, auto link, auto alpha) {
                      return (cp - 1) * (bytes(2 * T * w_kv / t) / link + alpha);
                    }};
constexpr Row kTokenBytes{"token_bytes", "dispatched or combined, the mean of both", kSheet,
                          [](auto dispatch_bytes, auto T, auto h, auto t) {
                            return bytes((2 + dispatch_bytes) / 2 * T * h / t);
                          },
                          "B"};

bool ring_stays_inside(const Strategy& strategy) {
  return strategy.tp.net == 1 && strategy.cp.net == 1;
}

// What leaves HB domains of so many GPUs. Tensor parallelism along the rails; context parallelism
// in one ring over all its ranks, of which those of a domain follow each other; experts' ranks take
// the domains one after the other.
GroupFlows tensor_parallel_flows(const Strategy& strategy, std::int64_t domain) {
  return {.kind = FlowKind::ring, .stride = domain, .ranks = strategy.tp.net};
}
GroupFlows context_parallel_flows(const Strategy& strategy, std::int64_t domain) {
  return {.kind = FlowKind::ring,
          .stride = domain * strategy.tp.net / strategy.cp.hb,
          .ranks = strategy.cp.total()};
}
GroupFlows expert_parallel_flows(const Strategy& strategy, std::int64_t domain) {
  return {.kind = FlowKind::all_to_all, .stride = domain, .ranks = strategy.ep.net};
}

// The same, of HB domains.
GroupFlows tensor_parallel_domains(const Strategy& strategy) {
  return {.kind = FlowKind::ring, .stride = 1, .ranks = strategy.tp.net};
}
GroupFlows context_parallel_domains(const Strategy& strategy) {
  return {.kind = FlowKind::ring, .stride = strategy.tp.net, .ranks = strategy.cp.net};
}
GroupFlows expert_parallel_domains(const Strategy& strategy) {
  return {.kind = FlowKind::all_to_all, .stride = 1, .ranks = strategy.ep.net};
}

}  // namespace

Links Calibrated::links_across(const GroupFlows& flows, const GroupFlows& across, double ranks,
                               std::int64_t apart) const {
  return {.hb = inside(ranks, apart, flows.kind), .net = beyond(flows, across)};
}

double Calibrated::tokens(const Strategy& strategy) const {
  return kTokens(real(strategy.micro_batch), shape_.s, real(strategy.cp.total()));
}

// Ring all-reduce (Thakur et al. 2005) inside the domain; beyond it only what leaves the domain
// crosses.
Seconds Calibrated::all_reduce(const Strategy& strategy) const {
  const double t = real(strategy.tp.total());
  if (t == 1) return {};
  return tensor_parallel_all_reduce(
      kHiddenStates(tokens(strategy), shape_.h), group_of(t, real(strategy.tp.hb)),
      links_across(tensor_parallel_flows(strategy, hb_domain_), tensor_parallel_domains(strategy),
                   real(strategy.tp.hb), 1),
      Seconds{constant(Constant::tp_latency)});
}

// Ring exchange of context parallelism: Liu et al. 2023 (arXiv 2310.01889).
Seconds Calibrated::ring(const Strategy& strategy) const {
  const double t = real(strategy.tp.total()), cp = real(strategy.cp.total());
  if (cp == 1) return {};
  const Links links =
      links_across(context_parallel_flows(strategy, hb_domain_), context_parallel_domains(strategy),
                   real(strategy.cp.hb), strategy.tp.hb);
  return kRing(cp, tokens(strategy), shape_.split_over(t).w_kv, t,
               ring_stays_inside(strategy) ? links.hb : links.net,
               Seconds{constant(Constant::tp_latency)});
}

// All-to-all that sends one copy of a token per distinct GPU or domain: DeepEP; Megatron-Core's
// sends k.
Seconds Calibrated::all_to_all(const Strategy& strategy) const {
  if (strategy.ep.total() * strategy.expert_tp == 1 || shape_.L_moe == 0) return {};
  ExpertRouting routing{.top_k = static_cast<std::int64_t>(shape_.k),
                        .experts = shape_.E,
                        .one_copy = software_.dispatcher != Dispatcher::alltoall,
                        .parts = real(strategy.expert_tp),
                        .rails_apart = rails_apart_};
  if (software_.expert_domain_limit > 0) {
    routing.most_domains = real(software_.expert_domain_limit);
  }
  const double inside_domain = real(strategy.ep.hb * strategy.expert_tp);
  return expert_all_to_all(kTokenBytes(real(software_.dispatch_bytes), tokens(strategy), shape_.h,
                                       real(strategy.tp.total())),
                           routing, {.hb = inside_domain, .net = real(strategy.ep.net)},
                           links_across(expert_parallel_flows(strategy, hb_domain_),
                                        expert_parallel_domains(strategy), inside_domain, 1));
}

bool CalibratedExplanation::exchanges_tokens() const {
  return shape_.L_moe > 0 && strategy_.ep.total() * strategy_.expert_tp > 1;
}

void CalibratedExplanation::add_layer_communication() {
  if (t_ > 1) {
    const Text data = kHiddenStates("T"_t, "h"_t);
    const Text hb = inside("tp", real(strategy_.tp.hb), 1);
    Text transfer = kInsideDomain(data, "t"_t, hb), ranks = "t"_t;
    if (strategy_.tp.net > 1) {
      const Text network = beyond("tp", tensor_parallel_flows(strategy_, domain_),
                                  tensor_parallel_domains(strategy_));
      transfer = kAlongRails(data, "t_h"_t, "t_l"_t, network) + kInsideDomain(data, "t_h"_t, hb);
      ranks = "t_h"_t * "t_l"_t;
    }
    tell(kTensorParallelAllReduce, transfer,
         kDoublingLatency(ranks, constant(Constant::tp_latency)));
  }
  if (cp_ > 1) {
    const Text link = ring_stays_inside(strategy_)
                          ? inside("cp", real(strategy_.cp.hb), strategy_.tp.hb)
                          : beyond("cp", context_parallel_flows(strategy_, domain_),
                                   context_parallel_domains(strategy_));
    tell(kRing, "cp"_t, "T"_t, "w_kv"_t, "t"_t, link, constant(Constant::tp_latency));
  }
  if (exchanges_tokens()) add_all_to_all();
}

void CalibratedExplanation::add_all_to_all() {
  const std::int64_t limit = workload_.software.expert_domain_limit;
  out_.input("dispatch_bytes", workload_.software.dispatch_bytes);
  out_.input("x_ep", real(strategy_.ep.hb));
  out_.input("y_ep", real(strategy_.ep.net));
  const Text hb =
      inside("ep", real(strategy_.ep.hb * strategy_.expert_tp), 1, FlowKind::all_to_all);
  const Text tokens = tell(kTokenBytes, "dispatch_bytes"_t, "T"_t, "h"_t, "t"_t);
  const Text link =
      beyond("ep", expert_parallel_flows(strategy_, domain_), expert_parallel_domains(strategy_));
  if (workload_.software.dispatcher == Dispatcher::alltoall) {
    if (workload_.rails_apart > 1) {
      const double places = real(strategy_.ep.hb);
      const double networks = networks_of(
          places, {.parts = real(strategy_.expert_tp), .rails_apart = workload_.rails_apart});
      const Text apart = networks == places
                             ? "x_ep"_t
                             : given("networks_ep", "that share no path, of a group in a domain",
                                     "--planes", networks);
      const Text beyond = tell(kCopiesBeyond, "k"_t, "y_ep"_t);
      const Text inside =
          tell(kForwardedInside, grouped(kCopiesInside("k"_t, "x_ep"_t, "y_ep"_t, "etp"_t)), beyond,
               apart);
      tell(kDispatch, inside, beyond, tokens, hb, link);
      return;
    }
    const Text inside = tell(kCopiesInside, "k"_t, "x_ep"_t, "y_ep"_t, "etp"_t);
    const Text beyond = tell(kCopiesBeyond, "k"_t, "y_ep"_t);
    tell(kDispatch, inside, beyond, tokens, hb, link);
    return;
  }
  Text reached = "y_ep"_t;
  if (limit > 0) {
    reached = lesser(reached, given("domain_limit", "HB domains of one token's experts",
                                    "--expert-domain-limit", real(limit)));
  }
  const Text inside = tell(kOneCopyInside, "k"_t, "x_ep"_t, "etp"_t, "x_ep"_t * "etp"_t, reached,
                           "E"_t / ("x_ep"_t * "y_ep"_t));
  const Text beyond = tell(kOneCopyBeyond, "k"_t, "y_ep"_t, reached, "E"_t / "y_ep"_t);
  tell(kOneCopyDispatch, inside, beyond, tokens, hb, link);
}

}  // namespace planner::perf
