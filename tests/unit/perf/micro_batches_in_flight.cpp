// Micro-batches whose activations a stage keeps, against schedules played step by step.
#include <doctest/doctest.h>

#include <algorithm>

#include "planner/core/real.hpp"
#include "planner/perf/calibrated/calibrated.hpp"
#include "planner/perf/model/degree_rules.hpp"
#include "support/near.hpp"

using namespace planner;
using planner::testing::near;

namespace {

/// The most chunks that a stage keeps under Megatron-LM's schedules (schedules.py): forward passes
/// of the warm-up, then one forward and one backward pass in turn.
int most_chunks(int p, int m, int v, int group, int stage) {
  const int all = m * v;
  const int warm_up = std::min(all, v == 1 ? p - stage - 1 : 2 * (p - stage - 1) + (v - 1) * group);
  int kept = warm_up, most = warm_up;
  for (int i = warm_up; i < all; ++i) {
    most = std::max(most, ++kept);
    --kept;
  }
  return most;
}

}  // namespace

TEST_CASE("1F1B (Narayanan et al. 2021) and interleaved: as many as the schedules keep") {
  for (const int p : {2, 4, 8}) {
    for (const int v : {1, 2, 4}) {
      for (const int m : {1, 4, 8, 13, 32}) {
        for (int stage = 0; stage < p; ++stage) {
          CAPTURE(p);
          CAPTURE(v);
          CAPTURE(m);
          CAPTURE(stage);
          const auto group = static_cast<int>(interleaving_group(p, m));
          const Calibrated::Pipeline on{
              .p = real(p), .b = 1, .m = real(m), .v = real(v), .group = real(group)};
          CHECK(v * Calibrated::in_flight(on, stage).total() ==
                near(most_chunks(p, m, v, group, stage)));
        }
      }
    }
  }
}

TEST_CASE("groups of an interleaved schedule: the least that Megatron-LM takes") {
  CHECK(interleaving_group(8, 32) == 8);
  CHECK(interleaving_group(8, 30) == 10);   // 30 mod 8 = 6 and 30 mod 9 = 3 are too few
  CHECK(interleaving_group(9, 512) == 16);  // no number from 9 to 15 leaves 0, or 9 and more
  CHECK(interleaving_group(8, 15) == 15);
  CHECK(interleaving_group(4, 4) == 4);
}

// Qi et al. 2023 (arXiv 2401.10241), §2.3: worker i of ZB-H1 keeps (p - i + 1)·M_B + (i - 1)·M_W,
// and by Table 1 M_W is 32/34 of M_B without attention scores. ZB-2p may use 2p·M_B (§5.1).
TEST_CASE("zero bubbles: as in Qi et al. 2023") {
  const Calibrated::Pipeline zb1{
      .p = 4, .b = 1, .m = 16, .v = 1, .schedule = Schedule::zero_bubble_1p};
  const auto check = [](const Calibrated::Pipeline& on, double stage, double ahead,
                        double deferred) {
    const auto held = Calibrated::in_flight(on, stage);
    CHECK(held.ahead == ahead);
    CHECK(held.deferred == deferred);
  };
  check(zb1, 0, 4, 0);
  check(zb1, 1, 3, 1);
  check(zb1, 3, 1, 3);
  const Calibrated::Pipeline zb2{
      .p = 4, .b = 1, .m = 16, .v = 1, .schedule = Schedule::zero_bubble_2p};
  check(zb2, 0, 8, 0);
  check(zb2, 3, 2, 6);
  check({.p = 4, .b = 1, .m = 3, .v = 1, .schedule = Schedule::zero_bubble_2p}, 2, 3, 0);
}
