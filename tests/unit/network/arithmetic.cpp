#include "planner/network/clos/arithmetic.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "planner/network/clos/clos.hpp"
#include "planner/network/clos/draft.hpp"
#include "planner/network/clos/whole.hpp"

namespace {

using namespace planner;

constexpr std::int64_t kTop = std::numeric_limits<std::int64_t>::max();

TEST_CASE("whole numbers stick at the top instead of overflowing") {
  const Whole huge = Whole{std::int64_t{1} << 40} * (std::int64_t{1} << 40);
  CHECK(huge.overflowed());
  CHECK((huge / 1024).overflowed());
  CHECK((huge - 5).overflowed());
  CHECK((huge % 7).overflowed());
  CHECK((Whole{kTop - 1} + 1).overflowed());
  CHECK(ceil_div(huge, 3).overflowed());
  CHECK_FALSE((Whole{1'000'000'000} * 1'000'000'000).overflowed());
}

TEST_CASE("whole numbers never go below zero") {
  CHECK(Whole{3} - 5 == Whole{0});
  CHECK(Whole{-3} == Whole{0});
}

TEST_CASE("ceil_div rounds up, also next to the limit") {
  CHECK(ceil_div(7, 2) == Whole{4});
  CHECK(ceil_div(8, 2) == Whole{4});
  CHECK(ceil_div(0, 2) == Whole{0});
  CHECK(ceil_div(kTop - 1, 1) == Whole{kTop - 1});
}

TEST_CASE("divisors come in order") {
  CHECK(divisors(32) == std::vector<std::int64_t>{1, 2, 4, 8, 16, 32});
  CHECK(divisors(36) == std::vector<std::int64_t>{1, 2, 3, 4, 6, 9, 12, 18, 36});
  CHECK(divisors(43) == std::vector<std::int64_t>{1, 43});
  CHECK(divisors(1) == std::vector<std::int64_t>{1});
}

TEST_CASE("even spreading: the smallest divisor that is large enough") {
  CHECK(smallest_divisor(32, 12) == Whole{16});  // 3 scalable units: 16 spines, not 12
  CHECK(smallest_divisor(72, 16) == Whole{18});  // 4 units of a B300 XDR SuperPOD
  CHECK(smallest_divisor(20, 12) == Whole{20});
  CHECK(smallest_divisor(32, 32) == Whole{32});
  CHECK_FALSE(smallest_divisor(32, 33));
  CHECK_FALSE(smallest_divisor(0, 0));
}

TEST_CASE("the smallest divisor is that of the list of all") {
  for (std::int64_t n = 1; n <= 300; ++n) {
    const std::vector<std::int64_t> all = divisors(n);
    for (std::int64_t least = 0; least <= n + 1; ++least) {
      const auto found = std::lower_bound(all.begin(), all.end(), least);
      CHECK(smallest_divisor(n, least) ==
            (found == all.end() ? std::nullopt : std::optional<Whole>(*found)));
    }
  }
}

TEST_CASE("parallel groups use no more switches than the ports need, if they can") {
  const auto cores = fewest_parallel_groups(10, 14, 28);  // 10 spines of a rail, 14 ports up each
  REQUIRE(cores);
  CHECK(cores->groups == Whole{2});
  CHECK(cores->per_group == Whole{14});
  CHECK(fewest_parallel_groups(8, 64, 128)->switches() == Whole{128});
  CHECK(fewest_parallel_groups(5, 1, 2)->switches() == Whole{5});  // 2 would not divide 5
  CHECK_FALSE(fewest_parallel_groups(4, 4, 17));
}

TEST_CASE("prime powers") {
  for (const std::int64_t q : {2, 3, 4, 5, 7, 8, 9, 16, 25, 27, 29, 32, 49, 121, 128}) {
    CHECK(is_prime_power(q));
  }
  for (const std::int64_t q : {0, 1, 6, 10, 12, 28, 36, 100}) CHECK_FALSE(is_prime_power(q));
}

TEST_CASE("ratios in lowest terms") {
  CHECK(lowest_terms({25600, 24000}) == Ratio{16, 15});
  CHECK(lowest_terms({120, 8}) == Ratio{15, 1});
  CHECK(lowest_terms({0, 0}) == Ratio{0, 0});
}

TEST_CASE("a leaf is split at no more than the oversubscription") {
  const auto split = [](std::int64_t radix, Ratio ratio) {
    const auto leaf = split_leaf(radix, ratio);
    return leaf ? Ratio{leaf->down.value(), leaf->up.value()} : Ratio{0, 0};
  };
  CHECK(split(64, {1, 1}) == Ratio{32, 32});
  CHECK(split(64, {3, 1}) == Ratio{48, 16});
  CHECK(split(64, {2, 1}) == Ratio{42, 21});
  CHECK(split(64, {8, 9}) == Ratio{30, 34});
  CHECK(split(64, {21, 20}) == Ratio{32, 31});
  CHECK(split(64, {64, 1}) == Ratio{63, 1});
  CHECK(split(64, {1, 64}) == Ratio{0, 0});
}

TEST_CASE("cards are dealt so that no switch has two more than another") {
  const DraftGroups groups = deal(8, {{0, 244}, {1, 4}});
  std::int64_t first = 0;
  std::int64_t second = 0;
  Whole switches = 0;
  for (const DraftGroup& group : groups) {
    switches += group.count;
    first += (group.count * group.ports[0].second).value();
    second += (group.count * group.ports[1].second).value();
    CHECK(group.ports[0].second + group.ports[1].second == Whole{31});
  }
  CHECK(switches == Whole{8});
  CHECK(first == 244);
  CHECK(second == 4);
  CHECK(deal(0, {{0, 5}}).empty());
}

}  // namespace
