#include "planner/core/first_where.hpp"

#include <doctest/doctest.h>

#include <limits>

using namespace planner;

TEST_CASE("the first from which on something holds, or all of them") {
  for (std::int64_t all = 0; all <= 9; ++all) {
    for (std::int64_t first = 0; first <= all; ++first) {
      CAPTURE(all);
      CAPTURE(first);
      CHECK(first_where(all, [&](std::int64_t i) { return i >= first; }) == first);
    }
  }
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  CHECK(first_where(kMost, [](std::int64_t) { return false; }) == kMost);
}
