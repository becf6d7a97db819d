// Rail-only paper (arXiv 2307.12169), Table 2, beyond the printed figures.

#include "support/fabrics.hpp"

namespace {

using namespace planner;
using namespace planner::testing;

// $374 per transceiver, $748 per 400 Gb/s switch port, all ports of a switch paid.
double cost(const FabricCount& count) {
  return 374 * real(count.transceivers) + 748 * real(count.total_switches() * count.radix);
}

TEST_CASE("rail-only Table 2, the unrounded reductions") {
  std::vector<double> reductions;
  for (const std::int64_t gpus : {32768, 65536}) {
    for (const std::int64_t radix : {64, 128, 256}) {
      const FabricCount sota = counted({.gpus = gpus, .radix = radix, .topology = FatTree{}});
      const FabricCount rail = counted({.gpus = gpus, .radix = radix, .topology = RailOnly{}});
      reductions.push_back(100 * (1 - cost(rail) / cost(sota)));
    }
  }
  CHECK(reductions == std::vector<double>{37.5, 75, 60, 37.5, 37.5, 75});
}

TEST_CASE("rail-only Table 2 needs rails that share a switch") {
  // One switch per rail would be 256 switches and a reduction of 40 %, not the printed 60 %.
  const FabricCount rail = counted({.gpus = 32768, .radix = 256, .topology = RailOnly{}});
  const FabricCount sota = counted({.gpus = 32768, .radix = 256, .topology = FatTree{}});
  CHECK(rail.total_switches() == 128);
  const double unshared = 374 * real(rail.transceivers) + 748 * 256.0 * 256;
  CHECK(100 * (1 - unshared / cost(sota)) == doctest::Approx(40));
}

}  // namespace
