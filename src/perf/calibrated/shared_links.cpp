// What ranks get of the links between HB domains and the network where the GPUs of a node share
// NICs.
#include <algorithm>

#include "planner/core/real.hpp"
#include "planner/perf/calibrated/calibrated.hpp"
#include "planner/perf/calibrated/explanation.hpp"
#include "planner/perf/calibrated/gradient_sync.hpp"
#include "planner/perf/calibrated/sends.hpp"
#include "planner/perf/machine/host_tier.hpp"

namespace planner::inline perf {

namespace {

constexpr Row kTightestLink{"net", "what a rank gets beyond its HB domain", kSheet, kTightest,
                            "B/s"};

/// Stages that do not lie in HB domains fill them one after the other.
HostTier::Send sends_of_stage(const HostTier& host, const Strategy& strategy, double nic_share) {
  const std::int64_t block = host.domain * domains_of_pipeline(strategy).stride;
  HostTier::Send send =
      host.send(block, strategy.pp.net, strategy.tp.total() * strategy.cp.total(), nic_share);
  // The last of a domain's stages send to the next.
  for (double* senders : {&send.senders, &send.senders_around}) *senders /= real(strategy.pp.hb);
  return send;
}

GroupFlows around(GroupFlows line) {
  line.kind = FlowKind::wrap;
  return line;
}

}  // namespace

BytesPerSecond Calibrated::beyond(const GroupFlows& flows, const GroupFlows& across) const {
  if (!host_) return nic(across);
  return host_->rate(host_->load(flows), share_of(across), constant(Constant::nic_efficiency));
}

BytesPerSecond Calibrated::ring_beyond(const NestedRanks& ring, const GroupFlows& across) const {
  return host_->rate(host_->load(ring), share_of(across));
}

Calibrated::Sends Calibrated::sends(const Strategy& strategy, FlowKind kind) const {
  const Bytes sample = sent_sample(strategy);
  const BytesPerSecond hb = inside(2, apart_of_stages(strategy));
  const auto alike = [](Seconds send) { return Sends{.alone = send, .at_once = send}; };
  if (strategy.pp.net == 1) return alike(kSendInside(sample, hb));
  const auto across = [&](BytesPerSecond net) {
    return kSendAcross(sample, 1 / real(strategy.pp.hb), hb, net);
  };
  GroupFlows stages = domains_of_pipeline(strategy);
  if (kind == FlowKind::wrap) stages = around(stages);
  if (!host_) return alike(across(nic(stages)));
  const double share = share_of(stages);
  const HostTier::Send send = sends_of_stage(*host_, strategy, share);
  if (send.senders == 0) return alike(across(send.alone));
  const double senders = kind == FlowKind::wrap ? send.senders_around : send.senders;
  const BytesPerSecond each = kShared(share * host_->nic_bandwidth, senders);
  const Seconds at_once = across(kTightest(send.alone, each));
  const bool in_turn = software_.pipeline_sends == PipelineSends::staggered;
  return {.alone = in_turn ? across(send.alone) : at_once,
          .at_once = at_once,
          .of_node = sample / each};
}

bool CalibratedExplanation::shares_nics_in_pipeline() const {
  return sends_of_stage(*host_, strategy_, 1).senders > 0;
}

bool CalibratedExplanation::turns_of_sends() const {
  return workload_.software.pipeline_sends == PipelineSends::staggered && shares_nics_in_pipeline();
}

CalibratedExplanation::SendRates CalibratedExplanation::rates_of_send(FlowKind kind) {
  const bool wrapped = kind == FlowKind::wrap;
  GroupFlows stages = domains_of_pipeline(strategy_);
  if (wrapped) stages = around(stages);
  const char* const group = wrapped ? "pp_around" : "pp";
  if (!host_) {
    const Text rate = nic(group, stages);
    return {.alone = rate, .at_once = rate};
  }
  const auto once = [&](const char* symbol, const char* meaning, const char* source, double value,
                        const char* unit = "") {
    if (shown_.insert(symbol).second) given(symbol, meaning, source, value, unit);
    return Text{std::string{symbol}};
  };
  const HostTier::Send send = sends_of_stage(*host_, strategy_, 1);
  const Text port =
      once("port_pp", "of a GPU beyond its HB domain", "catalog", host_->port.si(), "B/s");
  if (send.senders == 0) return {.alone = port, .at_once = port};
  Text nics = once("nics_pp", "of the NICs of a node", "catalog", host_->nic_bandwidth.si(), "B/s");
  if (const auto share = share_of(group, stages)) nics = *share * nics;
  const Text in_step =
      once("in_step", "ranks of a replica on a node, which send together", "placement",
           real(std::min(strategy_.tp.total() * strategy_.cp.total(), host_->node)));
  const Text all =
      wrapped && send.senders_around != send.senders
          ? once("senders_around", "the same where the last stage sends to the first", "placement",
                 send.senders_around)
          : once("senders", "ranks of a node that send to another", "placement", send.senders);
  const Text alone = kTightest(port, kShared(nics, real(host_->nics)), kShared(nics, in_step));
  const Text at_once = kTightest(alone, kShared(nics, all));
  return {.alone = turns_of_sends() ? alone : at_once,
          .at_once = at_once,
          .of_node = kShared(nics, all)};
}

Text CalibratedExplanation::beyond(const std::string& group, const GroupFlows& flows,
                                   const GroupFlows& across) {
  if (!host_) return nic(group, across);
  return tightest_link(group, host_->load(flows), across, constant(Constant::nic_efficiency));
}

Text CalibratedExplanation::tightest_link(const std::string& group, const HostTier::Load& load,
                                          const GroupFlows& across,
                                          const std::optional<Text>& reached) {
  const auto of_node = [&](const char* symbol, const char* meaning, BytesPerSecond bandwidth) {
    if (shown_.insert(symbol).second) given(symbol, meaning, "catalog", bandwidth.si(), "B/s");
    return Text{std::string{symbol}};
  };
  const auto flows_of = [&](const char* unit, const char* meaning, double number) {
    return given(std::string{unit} + "_" + group, meaning, "placement", number);
  };
  const Text port = of_node("port", "of a GPU beyond its HB domain", host_->port);
  const Text pcie =
      of_node("pcie", "of the GPUs of an HB domain", real(host_->domain) * host_->pcie);
  Text rate = kTightest(
      port, kShared(pcie, flows_of("out_domain", "flows that leave a domain", load.pcie)));
  if (load.bridge > 0) {
    const Text bridge = of_node("bridge", "of a host bridge, both directions", *host_->bridge);
    rate = kTightest(
        rate, kShared(bridge, flows_of("at_bridge", "flows in and out of a bridge", load.bridge)));
  }
  if (load.nics > 0) {
    Text nics = of_node("nics", "of the NICs of a node", host_->nic_bandwidth);
    if (const auto share = share_of(group, across)) nics = *share * nics;
    if (host_->nics > 1) {
      Text of_rings = kShared(nics, real(host_->nics));
      if (load.rings > 1) {
        of_rings = flows_of("rings", "side by side, a NIC each", load.rings) * of_rings;
      }
      rate = kTightest(rate, of_rings);
    }
    if (reached) nics = *reached * nics;
    rate =
        kTightest(rate, kShared(nics, flows_of("out_node", "flows that leave a node", load.nics)));
  }
  return tell_as(Of{.suffix = "_" + group}, kTightestLink, rate);
}

}  // namespace planner::perf
