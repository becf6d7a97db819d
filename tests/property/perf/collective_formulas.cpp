// The formulas that --explain prints, evaluated, are the times that are computed.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "planner/perf/collectives/time.hpp"
#include "planner/perf/derivation/formula.hpp"
#include "support/near.hpp"
#include "support/random_workloads.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

std::vector<Symbol> symbols(Bytes size, const CollectiveGroup& group,
                            const CollectiveLinks& links) {
  return {{"D", size.si()},
          {"x", group.hb},
          {"y", group.net},
          {"n", group.ranks()},
          {"H", group.hops.value_or(0)},
          {"C_F", links.hb.si()},
          {"C_S", links.net.si()},
          {"C_FS", links.hb_in_switch.si()},
          {"launch", links.launch.si()},
          {"a_F", links.hb_hop.si()},
          {"a_S", links.net_hop.si()},
          {"a_FS", links.hb_in_switch_latency.si()},
          {"a_SS", links.net_in_switch_latency.si()}};
}

}  // namespace

TEST_CASE("every kind, algorithm and set of switches: the formula's value is the time") {
  Random random(4301);
  int compared = 0;
  for (int trial = 0; trial < 200; ++trial) {
    CollectiveGroup group{.hb = static_cast<double>(random.pick({1, 2, 3, 8, 72})),
                          .net = static_cast<double>(random.pick({1, 2, 3, 5, 64, 1000}))};
    if (group.ranks() == 1) group.net = 2;
    if (random.coin()) group = group_over(2 + random.below(100), 1 + random.below(9));
    if (random.coin()) group.hops = static_cast<double>(1 + random.below(30));
    const Bytes size{random.scale(1, 1e12)};
    const auto bandwidth = [&] { return BytesPerSecond{random.scale(1e9, 1e12)}; };
    const auto latency = [&] { return Seconds{random.scale(1e-7, 1e-4)}; };
    const CollectiveLinks links{.hb = bandwidth(),
                                .net = bandwidth(),
                                .hb_in_switch = bandwidth(),
                                .launch = latency(),
                                .hb_hop = latency(),
                                .net_hop = latency(),
                                .hb_in_switch_latency = latency(),
                                .net_in_switch_latency = latency()};
    const auto given = symbols(size, group, links);
    for (const CollectiveKind kind : kCollectiveKinds) {
      for (const CollectiveAlgorithm algorithm : kLibraryAlgorithms) {
        for (const InSwitchReduction can : kInSwitchReductions) {
          const auto time = collective_time(kind, algorithm, size, group, links, can);
          if (!time) continue;
          CAPTURE(name_of(kind));
          CAPTURE(name_of(algorithm));
          CAPTURE(name_of(can));
          CAPTURE(group.hb);
          CAPTURE(group.net);
          const auto formula = collective_formula(kind, algorithm, group, can);
          std::vector<Symbol> values = given;
          for (const auto& [symbol, text] : formula.definitions) {
            values.push_back({symbol, formula_value(text, values)});
          }
          const auto value = [&](const std::string& text) {
            CAPTURE(text);
            return formula_value(text, values);
          };
          CHECK(value(formula.latency) == near(time->latency().si()));
          CHECK(value(formula.transfer) == near(time->transfer().si()));
          CHECK_FALSE(formula.source.empty());
          ++compared;
        }
      }
    }
  }
  CHECK(compared > 5000);
}
