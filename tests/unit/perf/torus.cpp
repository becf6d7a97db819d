#include "planner/perf/machine/torus.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <vector>

#include "planner/perf/machine/slices.hpp"
#include "planner/perf/timing_model.hpp"
#include "support/near.hpp"
#include "support/random_workloads.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

const DomainTorus kPod{.shape = {16, 20, 28}, .ring_from = 4};
const DomainTorus kFlat{.shape = {16, 16}, .ring_from = 16};

using Shape = std::vector<std::int64_t>;

/// Ranks of a group along each dimension, and chips from one to the next.
struct Laid {
  Shape ranks, skipped;
};

/// Which links there are along dimensions, and what messages put on them.
class Loads {
 public:
  explicit Loads(const DomainTorus& torus) : torus_(torus) {}

  /// Both ways as long: half goes each.
  void send(Shape from, const Shape& to, double bytes) {
    for (std::size_t i = 0; i < from.size(); ++i) {
      const std::int64_t extent = torus_.shape[i];
      if (from[i] == to[i]) continue;
      if (torus_.ring_from == 0) {
        of_[{from, i, to[i]}] += bytes;
      } else {
        const bool closed = extent > 2 && extent % torus_.ring_from == 0 && of_full_cubes();
        const std::int64_t up = (to[i] - from[i] + extent) % extent, down = extent - up;
        const bool ring_up = closed ? up <= down : to[i] > from[i];
        const bool ring_down = closed ? down <= up : to[i] < from[i];
        const double each = ring_up && ring_down ? bytes / 2 : bytes;
        if (ring_up) walk(from, i, to[i], 1, each);
        if (ring_down) walk(from, i, to[i], -1, each);
      }
      from[i] = to[i];
    }
  }
  /// The longest time of a link, of a chip's bandwidth of 1.
  [[nodiscard]] double longest() const {
    double most = 0;
    for (const auto& [link, bytes] : of_) {
      const std::size_t i = std::get<1>(link);
      const std::int64_t links = torus_.ring_from == 0 ? torus_.shape[i] - 1 : 2;
      most = std::max(
          most, bytes * static_cast<double>(links) * static_cast<double>(torus_.shape.size()));
    }
    return most;
  }

 private:
  /// Where three dimensions are, the links that close them are those of full cubes.
  [[nodiscard]] bool of_full_cubes() const {
    return torus_.shape.size() < 3 ||
           std::all_of(torus_.shape.begin(), torus_.shape.end(),
                       [&](std::int64_t extent) { return extent % torus_.ring_from == 0; });
  }
  void walk(Shape at, std::size_t i, std::int64_t to, std::int64_t step, double bytes) {
    const std::int64_t extent = torus_.shape[i];
    while (at[i] != to) {
      of_[{at, i, step}] += bytes;
      at[i] = (at[i] + step + extent) % extent;
    }
  }

  DomainTorus torus_;
  std::map<std::tuple<Shape, std::size_t, std::int64_t>, double> of_;
};

std::vector<Shape> chips_of_shape(const Shape& shape) {
  std::vector<Shape> chips{{}};
  for (const std::int64_t extent : shape) {
    std::vector<Shape> longer;
    for (const Shape& chip : chips) {
      for (std::int64_t at = 0; at < extent; ++at) {
        longer.push_back(chip);
        longer.back().push_back(at);
      }
    }
    chips = std::move(longer);
  }
  return chips;
}

/// All groups of the layout exchange 1 byte a rank at once, each with those of its own.
double longest_link(const DomainTorus& torus, const Laid& laid) {
  const auto group_of_chip = [&](const Shape& chip) {
    Shape group;
    for (std::size_t i = 0; i < chip.size(); ++i) {
      const std::int64_t span = laid.ranks[i] * laid.skipped[i];
      group.push_back(chip[i] / span * laid.skipped[i] + chip[i] % laid.skipped[i]);
    }
    return group;
  };
  double ranks = 1;
  for (const std::int64_t along : laid.ranks) ranks *= static_cast<double>(along);
  Loads loads(torus);
  const std::vector<Shape> chips = chips_of_shape(torus.shape);
  for (const Shape& from : chips) {
    for (const Shape& to : chips) {
      if (group_of_chip(from) == group_of_chip(to)) loads.send(from, to, 1 / ranks);
    }
  }
  return loads.longest();
}

/// Of all layouts of such groups the one whose longest link is shortest.
double best_longest_link(const DomainTorus& torus, std::int64_t ranks, std::int64_t apart,
                         const Laid& so_far = {}) {
  const std::size_t i = so_far.ranks.size();
  if (i == torus.shape.size()) {
    return ranks == 1 && apart == 1 ? longest_link(torus, so_far)
                                    : std::numeric_limits<double>::infinity();
  }
  double best = std::numeric_limits<double>::infinity();
  for (std::int64_t along = 1; along <= torus.shape[i]; ++along) {
    for (std::int64_t skipped = 1; along * skipped <= torus.shape[i]; ++skipped) {
      if (ranks % along != 0 || apart % skipped != 0) continue;
      Laid longer = so_far;
      longer.ranks.push_back(along);
      longer.skipped.push_back(skipped);
      best = std::min(best, best_longest_link(torus, ranks / along, apart / skipped, longer));
    }
  }
  return best;
}

double all_to_all_time(const TorusShares& shares, std::int64_t ranks, std::int64_t apart) {
  const auto n = static_cast<double>(ranks);
  return (n - 1) / n / shares.of_all_to_all(ranks, apart);
}

}  // namespace

TEST_CASE("a slice closes where it can, and is as even as it can be") {
  CHECK(slice_of(kPod, 64)->shape == Shape{4, 4, 4});
  CHECK(slice_of(kPod, 128)->shape == Shape{4, 4, 8});
  CHECK(slice_of(kPod, 512)->shape == Shape{8, 8, 8});
  CHECK(slice_of(kFlat, 256)->shape == Shape{16, 16});
  CHECK(slice_of(kPod, 192)->shape == Shape{4, 4, 12});  // 4 × 6 × 8 is more even, of no cubes
  CHECK(!slice_of(kPod, 96));
  CHECK(slice_of(kPod, 32)->shape == Shape{2, 4, 4});
  CHECK(slice_of_several(kPod, 96)->shape == Shape{3, 4, 4});
  CHECK(slice_of(kFlat, 64)->shape == Shape{8, 8});
  CHECK(!slice_of(kFlat, 17));
  CHECK(!slice_of(kFlat, 512));
}

TEST_CASE("more chips than a torus has are slices as large as can be") {
  const DomainTorus v5p{.shape = {16, 16, 24}, .ring_from = 4};
  CHECK(slice_of_several(v5p, 8192)->shape == Shape{16, 16, 16});
  CHECK(slice_of_several(v5p, 12288)->shape == Shape{16, 16, 24});
  CHECK(slice_of_several(v5p, 16384)->shape == Shape{16, 16, 16});
  CHECK(slice_of_several(v5p, 18432)->shape == Shape{16, 16, 24});
  // 10 × 16 × 20 is no shape of cubes, of which Google's larger slices are.
  CHECK(slice_of_several(v5p, 6400)->shape == Shape{8, 8, 20});
  CHECK(slice_of_several(kFlat, 512)->shape == Shape{16, 16});
  CHECK(slice_of_several(kFlat, 384)->shape == Shape{12, 16});
  CHECK(!slice_of_several(kFlat, 257));
}

TEST_CASE("chips that close in no slice lie close together") {
  CHECK(slice_of(kPod, 8)->shape == Shape{2, 2, 2});  // not in a ring of 8: a third of the links
  CHECK(slice_of(kPod, 16)->shape == Shape{2, 2, 4});
}

TEST_CASE("across a torus it is half of each ring and all of each line") {
  const auto across = [](const Shape& shape, std::int64_t ring_from) {
    return hops_across({.shape = shape, .ring_from = ring_from});
  };
  CHECK(across({16, 16, 16}, 4) == 24);
  CHECK(across({16, 16}, 16) == 16);
  CHECK(across({8, 16}, 16) == 7 + 8);
  CHECK(across({2, 2, 4}, 4) == 1 + 1 + 3);
  CHECK(across({1, 2, 1}, 4) == 1);
  CHECK(across({5, 5}, 5) == 4);
}

TEST_CASE("a slice smaller than a cube has no links that close it: they are the switches'") {
  // jax-ml/scaling-book, tpus.md: "a 2x2x4 won't have any wraparounds".
  for (const Shape& shape : {Shape{2, 2, 4}, Shape{2, 4, 4}, Shape{4, 4, 1}, Shape{4, 4, 6}}) {
    const DomainTorus slice{.shape = shape, .ring_from = 4};
    std::int64_t chips = 1;
    double half = 0;
    for (const std::int64_t extent : shape) {
      chips *= extent;
      if (extent > 1) half += 1.0 / 6;
    }
    CHECK(TorusShares(slice).of(chips, 1) == near(half));
  }
  CHECK(TorusShares({.shape = {4, 4, 4}, .ring_from = 4}).of(64, 1) == near(1));
  CHECK(TorusShares({.shape = {4, 4, 8}, .ring_from = 4}).of(128, 1) == near(1));
  // Without optical switches each dimension closes by itself: a v5e of 8 × 16, half a Trainium.
  CHECK(TorusShares({.shape = {8, 16}, .ring_from = 16}).of(128, 1) == near(0.25 + 0.5));
  CHECK(TorusShares({.shape = {2, 4}, .ring_from = 4}).of(8, 1) == near(0.25 + 0.5));
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
  CHECK(DomainLinks(system, 4).share({FlowKind::ring, 1, 4}) == near(3.0 / 7));
}

TEST_CASE("an all-to-all takes as long as its fullest link (Dally and Towles 2004, §3.3.1)") {
  const DomainTorus shapes[]{
      {.shape = {4, 4}, .ring_from = 4},    {.shape = {8}, .ring_from = 4},
      {.shape = {8, 2}, .ring_from = 4},    {.shape = {4, 4}, .ring_from = 16},
      {.shape = {5, 3}, .ring_from = 1},    {.shape = {7, 5}, .ring_from = 16},
      {.shape = {2, 2, 4}, .ring_from = 4}, {.shape = {4, 4, 4}, .ring_from = 4},
      {.shape = {2, 2, 2}, .ring_from = 0}, {.shape = {8}, .ring_from = 0},
      {.shape = {4, 4}, .ring_from = 0}};
  for (const DomainTorus& torus : shapes) {
    CAPTURE(torus.ring_from);
    std::int64_t chips = 1;
    for (const std::int64_t extent : torus.shape) chips *= extent;
    CAPTURE(chips);
    const TorusShares shares(torus);
    CHECK(all_to_all_time(shares, chips, 1) == near(best_longest_link(torus, chips, 1)));
    CHECK(shares.of_all_to_all(chips, 1) <= shares.of(chips, 1) * (1 + 1e-12));
    if (chips > 16) continue;
    for (std::int64_t ranks = 2; ranks < chips; ranks *= 2) {
      for (std::int64_t apart = 1; ranks * apart <= chips; apart *= 2) {
        if (chips % (ranks * apart) != 0) continue;
        CAPTURE(ranks);
        CAPTURE(apart);
        const double best = best_longest_link(torus, ranks, apart);
        CHECK(all_to_all_time(shares, ranks, apart) == near(best));
      }
    }
  }
}

TEST_CASE("an all-to-all of whole pods is no faster than half of it reaches the other half") {
  const auto time = [](const Shape& shape, std::int64_t chips, double bandwidth) {
    return all_to_all_time(TorusShares({.shape = shape, .ring_from = 4}), chips, 1) / bandwidth;
  };
  CHECK(time({4, 4, 4}, 64, 600) == near(1 / 200.0));
  CHECK(time({16, 16, 16}, 4096, 300) == near(0.04));   // 2,048 × 1/2 over 512 links of 50
  CHECK(time({16, 20, 28}, 8960, 600) == near(0.035));  // 4,480 × 1/2 over 640 links of 100
  const TorusShares lines({.shape = {8, 8}, .ring_from = 16});
  CHECK(all_to_all_time(lines, 64, 1) / 200 == near(0.04));
}

TEST_CASE("experts on a torus exchange tokens by the fullest link") {
  System system{.hb_domain = 64, .torus = DomainTorus{.shape = {4, 4, 4}, .ring_from = 4}};
  const DomainLinks links(system, 64);
  CHECK(links.share({FlowKind::ring, 1, 64}) == near(1));
  CHECK(links.share({FlowKind::all_to_all, 1, 64}) == near(63.0 / 64 / 3));
}

TEST_CASE("ranks that are a part of a dimension are a line, for the closing link joins its ends") {
  const DomainTorus slice{.shape = {8}, .ring_from = 4};
  CHECK(TorusShares(slice).of(8, 1) == near(1));
  CHECK(TorusShares(slice).of(4, 1) == near(0.5));
  CHECK(TorusShares(slice).of(4, 2) == near(0.5));  // two rings of every second chip
  CHECK(TorusShares({.shape = {4}, .ring_from = 4}).of(4, 1) == near(1));
  // 32 of 512 chips: a ring of eight and two lines; in a slice of their own three lines.
  CHECK(TorusShares({.shape = {8, 8, 8}, .ring_from = 4}).of(32, 1) == near(2.0 / 3));
  CHECK(TorusShares({.shape = {4, 4, 2}, .ring_from = 4}).of(32, 1) == near(1.0 / 2));
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
