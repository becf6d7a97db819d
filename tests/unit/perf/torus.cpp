#include "planner/perf/machine/torus.hpp"

#include <doctest/doctest.h>

#include "planner/perf/timing_model.hpp"
#include "support/near.hpp"
#include "support/random_workloads.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

const DomainTorus kPod{.shape = {16, 20, 28}, .ring_from = 4};
const DomainTorus kFlat{.shape = {16, 16}, .ring_from = 16};

using Shape = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("a slice closes where it can, and is as even as it can be") {
  CHECK(slice_of(kPod, 64)->shape == Shape{4, 4, 4});
  CHECK(slice_of(kPod, 128)->shape == Shape{4, 4, 8});
  CHECK(slice_of(kPod, 512)->shape == Shape{8, 8, 8});
  CHECK(slice_of(kFlat, 256)->shape == Shape{16, 16});
  CHECK(slice_of(kPod, 192)->shape == Shape{4, 4, 12});  // 4 × 6 × 8 is more even, with a line
  CHECK(slice_of(kFlat, 64)->shape == Shape{8, 8});
  CHECK(!slice_of(kFlat, 17));
  CHECK(!slice_of(kFlat, 512));
}

TEST_CASE("a collective over all dimensions has all of a chip's links") {
  const DomainTorus cube{.shape = {8, 8, 8}, .ring_from = 4};
  CHECK(torus_share(cube, 512, 1) == near(1));
  CHECK(torus_share(cube, 1, 1) == 1);
  // One dimension: a third; of four chips of eight, which are a line, half of that.
  CHECK(torus_share(cube, 8, 1) == near(1.0 / 3));
  CHECK(torus_share(cube, 4, 1) == near(1.0 / 6));
  // The two dimensions behind the first.
  CHECK(torus_share(cube, 64, 8) == near(2.0 / 3));
  // Every second chip of a ring is a ring.
  CHECK(torus_share(cube, 4, 2) == near(1.0 / 3));
}

TEST_CASE("a dimension that does not close is a line") {
  CHECK(torus_share(*slice_of({.shape = {16, 16}, .ring_from = 16}, 64), 64, 1) == near(0.5));
  CHECK(torus_share({.shape = {8, 16}, .ring_from = 16}, 128, 1) == near(0.25 + 0.5));
  CHECK(torus_share({.shape = {4, 4}, .ring_from = 16}, 16, 1) == near(0.5));
}

TEST_CASE("more ranks never have less of the links") {
  for (const DomainTorus& torus : {DomainTorus{.shape = {4, 4, 8}, .ring_from = 4},
                                   DomainTorus{.shape = {8, 16}, .ring_from = 16}}) {
    double before = 0;
    for (std::int64_t ranks = 2; ranks <= 128; ranks *= 2) {
      const double share = torus_share(torus, ranks, 1);
      CHECK(share >= before);
      CHECK(share <= 1);
      before = share;
    }
  }
}

TEST_CASE("a plan on a torus takes what its explanation says, and no less than without one") {
  Random random(5);
  for (int i = 0; i < 60; ++i) {
    Workload plain = random_calibrated_workload(random);
    plain.system.host.reset();
    const Strategy strategy = random_strategy(random, plain);
    plain.system.hb_domain = 8;
    Workload on = plain;
    on.system.torus = DomainTorus{.shape = {2, 4}, .ring_from = random.pick({1, 4, 16})};
    const Seconds time = evaluate(on, strategy).time.total();
    CHECK(explain(on, strategy).back().value == near(time.si()));
    CHECK(time >= evaluate(plain, strategy).time.total());
  }
}
