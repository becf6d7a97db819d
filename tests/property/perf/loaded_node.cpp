// What a flow gets of the links of a node against all flows put on links one by one: ports of GPUs,
// PCIe of HB domains, host bridges, NICs, on random nodes.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>

#include "planner/core/real.hpp"
#include "planner/perf/machine/host_tier.hpp"

using namespace planner;

namespace {

std::mt19937 random_source(42);

std::int64_t any(std::int64_t low, std::int64_t high) {
  return std::uniform_int_distribution<std::int64_t>(low, high)(random_source);
}

BytesPerSecond any_rate() {
  return real(any(1, 40)) * units::GBps;
}

}  // namespace

TEST_CASE("the tightest link of a node, all flows put on its links one by one") {
  int by_port = 0, by_others = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const std::int64_t domain = std::int64_t{1} << any(0, 2), node = domain << any(1, 2);
    const std::int64_t behind = std::max<std::int64_t>(domain, node >> any(0, 1));
    const HostTier tier{.domain = domain,
                        .node = node,
                        .port = any_rate(),
                        .pcie = any_rate(),
                        .bridge = any_rate(),
                        .bridge_gpus = behind,
                        .nic_bandwidth = any_rate()};
    // Rings of any ranks; an all-to-all between domains, as a dispatch along rails is.
    const bool ring = any(0, 1) == 0;
    const GroupFlows groups{ring ? FlowKind::ring : FlowKind::all_to_all,
                            ring ? std::int64_t{1} << any(0, 5) : domain << any(0, 3),
                            std::int64_t{1} << any(1, 5)};
    const std::int64_t n = groups.ranks, gpus = std::max(groups.period(), 2 * node);
    std::map<std::int64_t, double> port, pcie, bridge, nics;
    for (std::int64_t from = 0; from < gpus; ++from) {
      const std::int64_t i = from / groups.stride % n;
      for (std::int64_t j = 0; j < n; ++j) {
        if (ring ? j != (i + 1) % n : j == i) continue;
        const std::int64_t to = from + (j - i) * groups.stride;
        const double amount = ring ? 1 : 1 / real(n - 1);
        if (from / domain == to / domain) continue;
        port[from] += amount;
        pcie[from / domain] += amount;
        if (from / behind != to / behind) {
          bridge[from / behind] += amount;  // in and out share it
          bridge[to / behind] += amount;
        }
        if (from / node != to / node) nics[from / node] += amount;
      }
    }
    Seconds slowest{};
    const auto load = [&](const std::map<std::int64_t, double>& links, BytesPerSecond rate) {
      for (const auto& [at, amount] : links) {
        slowest = std::max(slowest, amount * units::byte / rate);
      }
    };
    load(port, tier.port);
    const Seconds at_ports = slowest;
    load(pcie, real(domain) * tier.pcie);
    load(bridge, *tier.bridge);
    load(nics, tier.nic_bandwidth);
    const HostTier::Load found = tier.load(groups);
    CAPTURE(trial);
    CHECK(found.any() == (slowest > Seconds{}));
    if (!found.any()) continue;
    CHECK(tier.rate(found, 1).si() == doctest::Approx(1 / slowest.si()).epsilon(1e-9));
    (slowest > at_ports ? by_others : by_port) += 1;
  }
  CHECK(by_port > 50);
  CHECK(by_others > 300);
}
