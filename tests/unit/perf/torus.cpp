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

TEST_CASE("chips that close in no slice lie close together") {
  CHECK(slice_of(kPod, 8)->shape == Shape{2, 2, 2});  // not in a ring of 8: a third of the links
  CHECK(slice_of(kPod, 16)->shape == Shape{2, 2, 4});
}

TEST_CASE("a collective over all dimensions has all of a chip's links") {
  const TorusShares cube({.shape = {8, 8, 8}, .ring_from = 4});
  CHECK(cube.of(512, 1) == near(1));
  CHECK(cube.of(1, 1) == 1);
  // Two chips have one of six links, four in a square two, eight in a cube three.
  CHECK(cube.of(2, 1) == near(1.0 / 6));
  CHECK(cube.of(4, 1) == near(1.0 / 3));
  CHECK(cube.of(8, 1) == near(1.0 / 2));
  // The two dimensions beside that of the groups of eight.
  CHECK(cube.of(64, 8) == near(2.0 / 3));
  CHECK(cube.of(4, 2) == near(1.0 / 3));
  // No more dimensions: rings of every second chip share the links with those beside them.
  CHECK(TorusShares({.shape = {8, 8}, .ring_from = 8}).of(16, 4) == near(0.5 / 4 + 0.5));
}

TEST_CASE("a dimension that does not close is a line") {
  CHECK(TorusShares({.shape = {8, 8}, .ring_from = 16}).of(64, 1) == near(0.5));
  CHECK(TorusShares({.shape = {8, 8}, .ring_from = 16}).of(4, 1) == near(0.5));  // 2 × 2
  CHECK(TorusShares({.shape = {8, 16}, .ring_from = 16}).of(128, 1) == near(0.25 + 0.5));
  CHECK(TorusShares({.shape = {4, 4}, .ring_from = 16}).of(16, 1) == near(0.5));
}

TEST_CASE("GPUs that are all joined have a link to each other") {
  const TorusShares mesh({.shape = {8}, .ring_from = 0});
  for (std::int64_t ranks = 2; ranks <= 8; ++ranks) {
    CHECK(mesh.of(ranks, 1) == near((static_cast<double>(ranks) - 1) / 7));
    CHECK(mesh.of(ranks, 8 / ranks) == mesh.of(ranks, 1));
  }
  // Two links of six along each of three dimensions.
  const TorusShares cube({.shape = {2, 2, 2}, .ring_from = 0});
  CHECK(cube.of(2, 1) == near(1.0 / 3));
  CHECK(cube.of(4, 1) == near(2.0 / 3));
  CHECK(cube.of(8, 1) == near(1));
  // Links to GPUs that a job does not use carry nothing.
  System system{.hb_domain = 8, .torus = DomainTorus{.shape = {8}, .ring_from = 0}};
  CHECK(DomainLinks(system, 4).share(4, 1) == near(3.0 / 7));
}

TEST_CASE("ranks that are a part of a dimension are a line, for the closing link joins its ends") {
  const DomainTorus slice{.shape = {8}, .ring_from = 4};
  CHECK(TorusShares(slice).of(8, 1) == near(1));
  CHECK(TorusShares(slice).of(4, 1) == near(0.5));
  CHECK(TorusShares(slice).of(4, 2) == near(0.5));  // two rings of every second chip
  CHECK(TorusShares({.shape = {4}, .ring_from = 4}).of(4, 1) == near(1));
  // 32 of 512 chips: a ring of eight and two lines; in a slice of their own two rings and a line.
  CHECK(TorusShares({.shape = {8, 8, 8}, .ring_from = 4}).of(32, 1) == near(2.0 / 3));
  CHECK(TorusShares({.shape = {4, 4, 2}, .ring_from = 4}).of(32, 1) == near(5.0 / 6));
}

TEST_CASE("more ranks of a slice have no less of the links") {
  for (const DomainTorus& pod : {kPod, kFlat, DomainTorus{.shape = {4, 4}, .ring_from = 4}}) {
    std::vector<TorusShares> slices;
    std::vector<std::int64_t> chips;
    for (std::int64_t all = 2; const auto slice = slice_of(pod, all); all *= 2) {
      slices.emplace_back(*slice);
      chips.push_back(all);
    }
    REQUIRE(slices.size() >= 4);
    for (std::size_t i = 0; i < slices.size(); ++i) {
      for (std::int64_t apart = 1; apart < chips[i]; apart *= 2) {
        for (std::int64_t ranks = 2; ranks * apart <= chips[i]; ranks *= 2) {
          const double share = slices[i].of(ranks, apart);
          CAPTURE(chips[i]);
          CAPTURE(ranks);
          CAPTURE(apart);
          CHECK(share > 0);
          CHECK(share <= 1);
          if (2 * ranks * apart <= chips[i]) CHECK(slices[i].of(2 * ranks, apart) >= share);
        }
      }
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
