#include "planner/job/collective.hpp"

#include <algorithm>
#include <cmath>

#include "planner/core/real.hpp"
#include "planner/perf/derivation/derivation.hpp"
#include "planner/perf/hfreduce/hfreduce.hpp"
#include "planner/perf/machine/host_tier.hpp"
#include "planner/perf/machine/slices.hpp"
#include "planner/perf/machine/torus.hpp"

namespace planner::job {

namespace {

using Algorithm = CollectiveAlgorithm;

/// Appendix A speaks of an all-gather; a reduce-scatter is one backwards.
std::optional<Seconds> bound(const CollectiveJob& job, Bytes size) {
  if (job.kind != CollectiveKind::all_gather && job.kind != CollectiveKind::reduce_scatter) {
    return std::nullopt;
  }
  const Links links{.hb = job.hb(), .net = job.system.network_bandwidth};
  return all_gather_bound(size, job.group(), links, job.reach);
}

/// What a GPU has of the network: its NIC, or, where the GPUs of a node share NICs, what the links
/// up to them leave each when all GPUs send at once, one ring through all of them or each to all
/// others. A domain's ring leaves it once, which the library's formula takes for all of its GPUs
/// together.
BytesPerSecond network_of(const CollectiveJob& job) {
  const std::int64_t domain = std::min(job.system.hb_domain, job.gpus);
  const auto host = host_tier(job.system, domain);
  if (!host || job.gpus <= domain) return job.system.network_bandwidth;
  if (job.kind == CollectiveKind::point_to_point) return host->port;
  if (job.kind == CollectiveKind::all_to_all) {
    const GroupFlows flows{FlowKind::all_to_all, domain, job.gpus / domain};
    return host->rate(host->load(flows), 1);
  }
  const GroupFlows ring{FlowKind::ring, 1, job.gpus};
  return host->rate(host->load(ring), 1) / real(domain);
}

/// What a step of HFReduce's double binary tree waits: as a hop of the library's own tree, at the
/// protocol for large messages.
Seconds tree_step(const CollectiveLibrary& library) {
  const CollectiveMethod* tree = nullptr;
  for (const CollectiveMethod& method : library.methods) {
    if (method.algorithm != Algorithm::tree) continue;
    if (tree == nullptr || method.bandwidth_share > tree->bandwidth_share) tree = &method;
  }
  return tree != nullptr ? tree->net_hop : kTreeStepLatency;
}

/// HFReduce over the links that the library's algorithms have: pairs where HB domains are bridges.
TimedAlgorithm hfreduce_of(const CollectiveJob& job, const Node& node, Bytes size) {
  const bool pairs = node.nvlink_bridges && node.nvlink_bridges->gpus == job.system.hb_domain;
  return timed_hfreduce(node, {.nvlink_pairs = pairs}, job.gpus / node.accelerators, size,
                        tree_step(job.library));
}

std::vector<Symbol> values_of(const CollectiveJob& job, Bytes size, const TimedAlgorithm& one) {
  const CollectiveGroup group = job.group();
  std::vector<Symbol> values{
      {"D", size.si()}, {"x", group.hb}, {"y", group.net}, {"n", real(job.gpus)}};
  const auto add = [&](std::initializer_list<Symbol> more) { values.insert(values.end(), more); };
  if (one.pipeline) {
    add({{"B", one.pipeline->step_rate.si()},
         {"a", one.pipeline->step_latency.si()},
         {"s", real(one.pipeline->steps)},
         {"k", real(one.pipeline->chunks)}});
    return values;
  }
  if (group.hops) add({{"H", *group.hops}});
  const CollectiveLinks links = links_of(job.library, one.method, job.hb(), job.network(), group);
  add({{"C_F", links.hb.si()},
       {"C_S", links.net.si()},
       {"launch", links.launch.si()},
       {"a_F", links.hb_hop.si()},
       {"a_S", links.net_hop.si()}});
  if (one.method.algorithm != Algorithm::in_switch) return values;
  add({{"C_FS", links.hb_in_switch.si()},
       {"a_FS", links.hb_in_switch_latency.si()},
       {"a_SS", links.net_in_switch_latency.si()}});
  return values;
}

std::vector<ExplainedTerm> terms_of(const CollectiveFormula& formula,
                                    const std::vector<Symbol>& values) {
  Derivation out;
  for (const Symbol& symbol : values) out.input(symbol.name, symbol.value);
  for (const auto& [symbol, value] : formula.definitions) out.derived(symbol, "", "", value, "");
  out.derived("t_latency", "latency", "", formula.latency, "s");
  out.derived("t_transfer", "bytes over bandwidth", "", formula.transfer, "s");
  out.derived("t", "time", "", "t_latency + t_transfer", "s");
  return out.take();
}

/// From the clear-to-send of a message until its place is free.
Seconds loop(const Transport& transport, BytesPerSecond card) {
  const Seconds away = transport.round_trip + transport.clear_to_send;
  if (!transport.message) return away;
  return away + transport.per_message + real(transport.channels) * *transport.message / card;
}

}  // namespace

BytesPerSecond Transport::limit(BytesPerSecond card) const {
  if (!message) return real(channels) * channel_buffer / loop(*this, card);
  const Bytes held = std::floor(channel_buffer / *message) * *message;
  const BytesPerSecond in_flight = real(channels) * held / loop(*this, card);
  if (!(per_message > Seconds{})) return in_flight;
  return std::min(in_flight, real(channels) * *message / per_message);
}

std::optional<Bytes> Transport::enough_buffer(BytesPerSecond card) const {
  const Bytes in_flight = card * loop(*this, card) / real(channels);
  if (!message) return in_flight;
  if (card * per_message > real(channels) * *message) return std::nullopt;
  // As much as rounding moves a whole number of messages is none.
  return std::ceil(in_flight / *message * (1 - 1e-12)) * *message;
}

CollectiveGroup CollectiveJob::group() const {
  CollectiveGroup all = group_over(gpus, system.hb_domain);
  const auto used = static_cast<std::int64_t>(all.fullest().hb);
  const auto torus = used_torus(system, used);
  if (torus && !all_joined(*torus)) all.hops = real(hops_across(*torus));
  return all;
}

double CollectiveJob::slowdown() const {
  const CollectiveGroup all = group();
  const auto domain = static_cast<std::int64_t>(all.fullest().hb);
  const std::int64_t domains = gpus / domain;
  if (!routing || domains < 2) return 1;
  if (kind == CollectiveKind::point_to_point) {
    return routing->slowdown({FlowKind::line, domain, domains});
  }
  const bool pairs = kind == CollectiveKind::all_to_all;
  return routing->slowdown({pairs ? FlowKind::all_to_all : FlowKind::ring, domain, domains});
}

BytesPerSecond CollectiveJob::hb() const {
  const auto used = static_cast<std::int64_t>(group().fullest().hb);
  GroupFlows flows{.kind = FlowKind::ring, .stride = 1, .ranks = used};
  if (kind == CollectiveKind::point_to_point) flows.kind = FlowKind::line;
  if (kind == CollectiveKind::all_to_all) flows.kind = FlowKind::all_to_all;
  return DomainLinks(system, used).share(flows) * system.hb_bandwidth;
}

BytesPerSecond CollectiveJob::network() const {
  const BytesPerSecond left = network_of(*this) / slowdown();
  return transport ? std::min(left, transport->limit(left)) : left;
}

bool CollectiveJob::is_out_of_reach(CollectiveAlgorithm algorithm) const {
  return reach == NetworkReach::rail_only && kind == CollectiveKind::all_to_all &&
         algorithm == Algorithm::direct && group().hb > 1 && group().net > 1;
}

TimedSize timed(const CollectiveJob& job, Bytes size) {
  TimedSize at{.size = size, .bound = bound(job, size)};
  if (job.gpus == 1) return at;
  at.algorithms = timed_algorithms(job.kind, size, job.group(), job.library, job.hb(),
                                   job.network(), job.in_switch);
  std::erase_if(at.algorithms, [&](const TimedAlgorithm& one) {
    return job.is_out_of_reach(one.method.algorithm);
  });
  if (job.reducing_node) {
    const TimedAlgorithm hfreduce = hfreduce_of(job, *job.reducing_node, size);
    const auto slower = std::find_if(
        at.algorithms.begin(), at.algorithms.end(),
        [&](const TimedAlgorithm& one) { return hfreduce.time.total() < one.time.total(); });
    at.algorithms.insert(slower, hfreduce);
  }
  if (!job.asked) return at;
  auto found =
      std::find_if(at.algorithms.begin(), at.algorithms.end(),
                   [&](const TimedAlgorithm& one) { return one.method.algorithm == *job.asked; });
  if (found == at.algorithms.end()) {
    found = at.algorithms.insert(
        found, timed_algorithm(job.kind, *job.asked, size, job.group(), job.library, job.hb(),
                               job.network(), job.in_switch)
                   .value());
  }
  at.chosen = static_cast<std::size_t>(found - at.algorithms.begin());
  return at;
}

std::vector<ExplainedCollective> explained(const CollectiveJob& job, const TimedSize& timed) {
  std::vector<ExplainedCollective> all;
  for (const TimedAlgorithm& one : timed.algorithms) {
    CollectiveFormula formula =
        collective_formula(job.kind, one.method.algorithm, job.group(), job.in_switch);
    std::vector<Symbol> values = values_of(job, timed.size, one);
    std::vector<ExplainedTerm> terms = terms_of(formula, values);
    all.push_back({std::move(formula), std::move(values), std::move(terms)});
  }
  return all;
}

}  // namespace planner::job
