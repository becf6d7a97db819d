// A random machine for the simulations of collectives.
#pragma once

#include <cstdint>

#include "planner/perf/collectives/time.hpp"
#include "support/random_workloads.hpp"

namespace planner::testing {

struct Machine {
  std::int64_t x = 1, y = 1;
  Bytes size{};
  CollectiveLinks links{};

  [[nodiscard]] std::int64_t n() const { return x * y; }
  [[nodiscard]] CollectiveGroup group() const {
    return {.hb = static_cast<double>(x), .net = static_cast<double>(y)};
  }
  [[nodiscard]] CollectiveTime time(CollectiveKind kind, CollectiveAlgorithm algorithm,
                                    InSwitchReduction can = {}) const {
    return collective_time(kind, algorithm, size, group(), links, can).value();
  }
};

inline Machine random_machine(Random& random) {
  Machine machine{.x = 1 + random.below(6), .y = 1 + random.below(6)};
  if (machine.n() == 1) machine.y = 2;
  machine.size = Bytes{random.scale(1e3, 1e10)};
  CollectiveLinks& links = machine.links;
  links.hb = BytesPerSecond{random.scale(1e9, 1e12)};
  links.net = BytesPerSecond{random.scale(1e9, 1e12)};
  links.hb_in_switch = links.hb;
  links.hb_in_switch_latency = Seconds{random.scale(1e-6, 1e-4)};
  links.net_in_switch_latency = Seconds{random.scale(1e-6, 1e-4)};
  links.hb_hop = Seconds{random.scale(1e-7, 1e-4)};
  links.net_hop = random.scale(0.2, 5) * links.hb_hop;
  return machine;
}

}  // namespace planner::testing
