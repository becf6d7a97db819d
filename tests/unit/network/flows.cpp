// Cuts worked out elsewhere: by an enumeration of all flows in another program, and by hand where
// units and groups are aligned.
#include <doctest/doctest.h>

#include <array>

#include "planner/domain/cut.hpp"

using namespace planner;

namespace {

struct UnitCase {
  GroupFlows groups;
  std::int64_t gpus, first, last;
  double out;
};
constexpr auto kUnits = std::to_array<UnitCase>({
    {{FlowKind::ring, 8, 8}, 320, 231, 297, 16},
    {{FlowKind::all_to_all, 12, 3}, 36, 28, 33, 5},
    {{FlowKind::wrap, 2, 2}, 4, 3, 4, 1},
    {{FlowKind::ring, 12, 3}, 36, 33, 34, 1},
    {{FlowKind::line, 1, 2}, 4, 1, 4, 1},
    {{FlowKind::wrap, 12, 3}, 108, 63, 64, 1},
    {{FlowKind::ring, 1, 6}, 18, 13, 18, 1},
    {{FlowKind::line, 1, 4}, 12, 3, 12, 1},
    {{FlowKind::all_to_all, 3, 2}, 6, 4, 5, 1},
    {{FlowKind::ring, 1, 2}, 4, 1, 2, 1},
    {{FlowKind::line, 8, 6}, 240, 107, 126, 16},
    {{FlowKind::all_to_all, 12, 3}, 108, 43, 55, 12},
    {{FlowKind::wrap, 3, 4}, 12, 6, 7, 0},
    {{FlowKind::line, 8, 6}, 96, 87, 96, 8},
    {{FlowKind::all_to_all, 2, 6}, 24, 23, 24, 1},
    {{FlowKind::wrap, 8, 6}, 48, 25, 39, 0},
});

struct LevelCase {
  GroupFlows groups;
  std::int64_t gpus, unit;
  double busiest, all;
};
constexpr auto kLevels = std::to_array<LevelCase>({
    {{FlowKind::ring, 2, 2}, 12, 11, 1, 2},
    {{FlowKind::all_to_all, 8, 8}, 64, 4, 4, 64},
    {{FlowKind::wrap, 2, 3}, 30, 10, 4, 8},
    {{FlowKind::ring, 1, 8}, 24, 11, 2, 4},
    {{FlowKind::line, 8, 2}, 16, 3, 3, 16},
    {{FlowKind::wrap, 12, 4}, 144, 118, 12, 24},
    {{FlowKind::ring, 2, 8}, 80, 75, 2, 4},
    {{FlowKind::line, 2, 6}, 24, 22, 2, 4},
    {{FlowKind::all_to_all, 2, 4}, 16, 15, 1, 2},
    {{FlowKind::ring, 12, 3}, 180, 125, 12, 24},
    {{FlowKind::line, 12, 2}, 120, 8, 8, 120},
    {{FlowKind::all_to_all, 1, 2}, 2, 1, 1, 2},
    {{FlowKind::wrap, 2, 6}, 36, 28, 2, 4},
    {{FlowKind::line, 2, 2}, 8, 3, 3, 6},
    {{FlowKind::all_to_all, 8, 8}, 64, 19, 15, 52},
    {{FlowKind::wrap, 2, 3}, 6, 2, 2, 4},
});

struct AlignedCase {
  GroupFlows groups;
  std::int64_t unit;
  double busiest;
};
constexpr auto kAligned = std::to_array<AlignedCase>({
    {{FlowKind::ring, 8, 16}, 8, 8},
    {{FlowKind::ring, 8, 16}, 64, 8},
    {{FlowKind::ring, 1, 128}, 8, 1},
    {{FlowKind::ring, 64, 4}, 8, 8},
    {{FlowKind::line, 96, 64}, 3072, 96},
    {{FlowKind::all_to_all, 1, 64}, 8, 7.1111111111111107},
});

constexpr double kTolerance = 1e-12;

}  // namespace

TEST_CASE("flows out of one unit of consecutive GPUs") {
  for (const auto& [groups, gpus, first, last, out] : kUnits) {
    CAPTURE(gpus);
    CHECK(flows_out(groups, first, last) == doctest::Approx(out).epsilon(kTolerance));
  }
}

TEST_CASE("flows out of the busiest unit and of all") {
  for (const auto& [groups, gpus, unit, busiest, all] : kLevels) {
    CAPTURE(gpus);
    const Cut found = cut(groups, gpus, unit);
    CHECK(found.busiest == doctest::Approx(busiest).epsilon(kTolerance));
    CHECK(found.all == doctest::Approx(all).epsilon(kTolerance));
  }
}

TEST_CASE("aligned groups: the stride or the unit, whichever is smaller") {
  for (const auto& [groups, unit, busiest] : kAligned) {
    CAPTURE(unit);
    const std::int64_t gpus = 2 * groups.period() * unit;
    CHECK(aligned(groups, unit));
    CHECK(cut(groups, gpus, unit).busiest == doctest::Approx(busiest).epsilon(kTolerance));
  }
}

TEST_CASE("a ring over 48 hosts in random order leaves a unit of 12 of them 9.19 times") {
  const RandomCut found = random_ring_cut(48, 12);
  CHECK(found.mean == doctest::Approx(9.19149).epsilon(1e-6));
  CHECK(found.variance == doctest::Approx(1.63678).epsilon(1e-5));
}
