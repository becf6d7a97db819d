#include "planner/perf/machine/host_tier.hpp"

#include <algorithm>

#include "planner/core/real.hpp"
#include "planner/perf/model/pcie_load.hpp"

namespace planner::inline perf {

std::optional<HostTier> host_tier(const System& system, std::int64_t domain) {
  if (!system.host || !system.host->pcie) return std::nullopt;
  const Node& node = *system.host;
  const PcieLayout& pcie = *node.pcie;
  if (domain >= node.accelerators || node.nics == 0 || node.nics >= node.accelerators) {
    return std::nullopt;
  }
  const BytesPerSecond nics = real(node.accelerators) * system.network_bandwidth;
  HostTier tier{.domain = domain,
                .node = node.accelerators,
                .port = pcie.gpu_to_nic_bandwidth.value_or(pcie.gpu_bandwidth),
                .pcie = pcie.gpu_bandwidth,
                .bridge_gpus = gpus_on_busiest_bridge(pcie),
                .nics_before_bridge = pcie.gpus_per_switch.has_value(),
                .nics = node.nics,
                .nic_bandwidth = nics};
  // A GPU that has a bridge to itself is bounded by its port.
  if (tier.bridge_gpus > 1) tier.bridge = pcie.host_bridge_bandwidth;
  return tier;
}

namespace {

/// @param out  flows out of the busiest of the units of so many GPUs
/// @param far  GPUs between ranks of different domains
template <class Out>
HostTier::Load load_of(const HostTier& host, FlowKind kind, std::int64_t far, Out&& out) {
  HostTier::Load load{.pcie = out(host.domain), .nics = out(host.node)};
  if (!load.any()) return load;
  const bool turn_off = host.nics_before_bridge && load.nics > 0 && far >= host.node;
  // Both directions share it: what leaves and what enters.
  if (host.bridge && !turn_off) load.bridge = 2 * out(host.bridge_gpus);
  // One ring of a group for each NIC that it has, through other GPUs of the node.
  if (kind == FlowKind::ring && load.nics > 0) {
    load.rings = std::max(1.0, std::min(real(host.nics), real(host.node)) / load.nics);
  }
  return load;
}

}  // namespace

HostTier::Load HostTier::load(const GroupFlows& flows) const {
  return load_of(*this, flows.kind, flows.stride,
                 [&](std::int64_t unit) { return busiest_flows_out(flows, unit); });
}

HostTier::Load HostTier::load(const NestedRanks& ranks) const {
  if (ranks.in_line()) return load(ranks.line());
  return load_of(*this, FlowKind::ring, ranks.across.stride,
                 [&](std::int64_t unit) { return busiest_ring_out(ranks, unit); });
}

BytesPerSecond HostTier::rate(const Load& load, double nic_share, double efficiency) const {
  BytesPerSecond rate = kTightest(port, kShared(real(domain) * pcie, load.pcie));
  if (load.bridge > 0) rate = kTightest(rate, kShared(*bridge, load.bridge));
  if (load.nics == 0) return rate;
  const BytesPerSecond left = nic_share * nic_bandwidth;
  if (nics > 1) rate = kTightest(rate, load.rings * kShared(left, real(nics)));
  return kTightest(rate, kShared(efficiency * left, load.nics));
}

HostTier::Send HostTier::send(std::int64_t stage, std::int64_t stages, std::int64_t in_step,
                              double nic_share) const {
  const std::int64_t pipeline = stage * stages;
  if (pipeline <= node && node % pipeline == 0) return {.alone = port};
  const double together = real(std::min(in_step, node));
  const BytesPerSecond left = nic_share * nic_bandwidth;
  return {.alone = kTightest(port, kShared(left, real(nics)), kShared(left, together)),
          .senders = real(std::min(stage, node)),
          .senders_around = busiest_flows_out({FlowKind::ring, stage, stages}, node)};
}

}  // namespace planner::perf
