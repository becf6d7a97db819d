// The links of a node between its HB domains and its NICs: Fire-Flyer AI-HPC (arXiv 2408.14158).
#include "planner/perf/machine/host_tier.hpp"

#include <doctest/doctest.h>

#include "planner/perf/collectives/collectives.hpp"
#include "support/fire_flyer.hpp"
#include "support/near.hpp"

using namespace planner;
using planner::testing::fire_flyer_node;
using planner::testing::near;

namespace {

constexpr auto kRing = FlowKind::ring, kAll = FlowKind::all_to_all;
constexpr double kPort = 9.663676416;  // GB/s: 9 GiB/s between a GPU and the NIC (§IV-D)

System fire_flyer(std::int64_t domain) {
  return {.node = "fire-flyer-2",
          .host = fire_flyer_node(),
          .hb_domain = domain,
          .hb_bandwidth = 300 * units::GBps,
          .network_bandwidth = 3.125 * units::GBps};
}

HostTier tier(std::int64_t domain = 2) {
  return host_tier(fire_flyer(domain), domain).value();
}

double gbps(const HostTier& host, const GroupFlows& flows, double nic_share = 1) {
  return host.rate(host.load(flows), nic_share).in(units::GBps);
}

}  // namespace

TEST_CASE("a NIC for each GPU, a domain that fills its node, or no known PCIe: two tiers") {
  System system = fire_flyer(2);
  system.host->nics = 8;
  CHECK_FALSE(host_tier(system, 2));
  CHECK_FALSE(host_tier(fire_flyer(8), 8));
  system = fire_flyer(2);
  system.host->pcie.reset();
  CHECK_FALSE(host_tier(system, 2));
  system.host.reset();
  CHECK_FALSE(host_tier(system, 2));
}

TEST_CASE("a ring over all GPUs leaves a node once: a GPU's port bounds it") {
  CHECK(gbps(tier(), {kRing, 1, 128}) == near(kPort));
}

TEST_CASE("groups that leave a node side by side share its NIC") {
  CHECK(gbps(tier(), {kRing, 2, 64}) == near(37.5 / 4));  // GPUs 5 and 6, in and out
  CHECK(gbps(tier(), {kRing, 4, 32}) == near(25.0 / 4));
  CHECK(gbps(tier(), {kRing, 8, 16}) == near(25.0 / 8));
  CHECK(gbps(tier(), {kRing, 16, 8}) == near(25.0 / 8));
  CHECK(gbps(tier(), {kRing, 8, 16}, 0.75) == near(0.75 * 25 / 8));
}

TEST_CASE("in a node, no NIC: the port, or the host bridge that two GPUs share both ways") {
  CHECK(gbps(tier(), {kRing, 1, 8}) == near(kPort));     // one of two GPUs: 37.5/2
  CHECK(gbps(tier(), {kRing, 2, 4}) == near(37.5 / 4));  // both, in and out
  CHECK(gbps(tier(1), {kAll, 1, 8}) == near(kPort));
  CHECK(tier(1).load(GroupFlows{kAll, 1, 8}).bridge ==
        near(2 * 2 * 6 / 7.0));  // 37.5 over that is 10.9
}

TEST_CASE("an all-to-all loads a NIC with what leaves the node only") {
  // 4 domains of a node, 8 in all: 4 of the 7 others are on another node.
  CHECK(gbps(tier(), {kAll, 2, 8}) == near(25 / (8 * 4 / 7.0)));
}

TEST_CASE("NICs behind PCIe switches: several rings, and no bridge on the way out") {
  System system = fire_flyer(2);
  system.host->nics = 4;
  system.network_bandwidth = 4 * 3.125 * units::GBps;
  system.host->pcie->gpus_per_host_bridge = {2, 2, 2, 2};
  system.host->pcie->gpus_per_switch = 2;
  const HostTier host = host_tier(system, 2).value();
  CHECK(host.load(GroupFlows{kRing, 1, 128}).rings == 4);
  CHECK(host.load(GroupFlows{kRing, 8, 16}).rings == 1);
  CHECK(host.load(GroupFlows{kRing, 8, 16}).bridge == 0);
  CHECK(gbps(host, {kRing, 8, 16}) == near(kPort));  // 100/8 of the NICs
  CHECK(host.load(GroupFlows{kRing, 1, 8}).bridge == 2);
}

TEST_CASE("§V-B2: staggered sends wait for what outlasts the stage, and no longer than together") {
  const Bytes message = 20.97152e6 * units::byte;
  const HostTier::Send send = tier().send(64, 4, 1, 1);
  CHECK(send.senders == 8);
  const Seconds together = message / kShared(25 * units::GBps, send.senders);
  // Staggered over a stage of 0.23 s: nobody waits; where the stage is shorter than what all send,
  // the rest is dealt out over the sends.
  const Seconds alone = message / send.alone;
  CHECK(kStaggeredSend(alone, together, together, 2.0, 0.23 * units::second) == alone);
  CHECK(kStaggeredSend(alone, together, together, 2.0, 10 * units::ms).in(units::ms) ==
        near(2.170 + (4 * 6.711 - 10) / 4, 1e-3));
  // And never longer than where all send at once.
  CHECK(kStaggeredSend(alone, together, together, 2.0, 1 * units::ms) == together);
}

TEST_CASE("sends: ranks of one replica go together; a pipeline inside a node needs no NIC") {
  const HostTier host = tier();
  CHECK(host.send(64, 4, 8, 1).alone.in(units::GBps) == near(25.0 / 8));
  CHECK(host.send(64, 4, 2, 0.5).alone.in(units::GBps) == near(25.0 / 4));
  CHECK(host.send(2, 4, 1, 1).senders == 0);
  CHECK(host.send(2, 8, 1, 1).senders == 2);
  // Of three pipelines on two nodes and more, around them: two of one stage each, both ways.
  CHECK(host.send(2, 6, 1, 1).senders == 2);
  CHECK(host.send(2, 6, 1, 1).senders_around == 4);
  CHECK(host.send(64, 4, 1, 1).senders_around == 8);
}
