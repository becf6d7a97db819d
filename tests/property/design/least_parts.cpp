// The least parts of networks, which count none, are never more than their count has.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <variant>

#include "planner/core/real.hpp"
#include "planner/design/bounds.hpp"
#include "planner/network/count.hpp"
#include "support/design_spaces.hpp"

using namespace planner;
using namespace planner::design;
using namespace planner::testing;

namespace {

TEST_CASE("no network has less than its least parts") {
  Random random(44);
  int counts = 0, tight = 0;
  std::array<int, 3> by_tiers{};
  for (int round = 0; round < 20'000; ++round) {
    const Ratio ratio{.down = random.pick({1, 1, 2, 3, 4, 7}), .up = random.pick({1, 1, 2, 3})};
    const bool pod_aligned = random.pick({0, 1}) == 1;
    const std::int64_t rails = random.pick({1, 2, 4, 8, 72}), planes = random.pick({1, 2, 4});
    FabricDesign fabric{.radix = random.pick({8, 16, 32, 40, 64, 128})};
    switch (random.pick({0, 1, 2, 3})) {
      case 0:
        fabric.topology = FatTree{.oversubscription = ratio, .pod_aligned = pod_aligned};
        break;
      case 1:
        fabric.topology =
            RailOptimized{.rails = rails, .planes = planes, .oversubscription = ratio};
        break;
      case 2:
        fabric.topology =
            RailOnly{.rails = rails, .oversubscription = ratio, .pod_aligned = pod_aligned};
        break;
      default:
        fabric.topology = MultiPlane{.planes = planes,
                                     .ports_per_gpu = random.pick({1, planes}),
                                     .oversubscription = ratio,
                                     .pod_aligned = pod_aligned,
                                     .max_tiers = random.pick({2, 3})};
    }
    const std::vector<CableKind> kinds(kCableKinds.begin(), kCableKinds.end());
    fabric.cabling = {
        .host = random.pick(kinds), .first = random.pick(kinds), .upper = random.pick(kinds)};
    const std::int64_t endpoints = std::llround(std::exp(random.uniform(0, 11)));
    fabric.gpus = endpoints;
    const CountResult result = count_fabric(fabric);
    const auto* const count = std::get_if<FabricCount>(&result);
    if (count == nullptr) continue;
    CAPTURE(fabric.topology.index());
    CAPTURE(fabric.radix);
    CAPTURE(endpoints);
    const CountedParts parts = parts_of(fabric, *count);
    std::size_t tiers = 0;
    double switches = 0;
    for (const LeastParts& step : least_parts(fabric)) {
      if (endpoints <= step.beyond) continue;
      const CountedParts& least = step.per_endpoint;
      ++tiers;
      switches = real(endpoints) * (least.lowest_switches + least.upper_switches);
      for (double CountedParts::*const part :
           {&CountedParts::lowest_switches, &CountedParts::upper_switches,
            &CountedParts::links_at_card, &CountedParts::links_between_switches,
            &CountedParts::copper, &CountedParts::active_optical, &CountedParts::fibre,
            &CountedParts::nic_ends, &CountedParts::switch_ends}) {
        CHECK(real(endpoints) * least.*part <= (1 + 1e-12) * parts.*part);
      }
    }
    ++counts;
    ++by_tiers[tiers - 1];
    tight += switches > 0.9 * (parts.lowest_switches + parts.upper_switches) ? 1 : 0;
    CHECK(tiers <= static_cast<std::size_t>(count->tiers));
  }
  MESSAGE(counts, " counted, ", tight, " within a tenth; ", by_tiers[1], " of two tiers and ",
          by_tiers[2], " of three");
  CHECK(counts > 10'000);
  CHECK(tight > 4'000);
  CHECK(by_tiers[1] > 2'000);
  CHECK(by_tiers[2] > 1'000);
}

}  // namespace
