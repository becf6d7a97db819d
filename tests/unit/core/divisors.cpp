#include "planner/core/divisors.hpp"

#include <doctest/doctest.h>

using namespace planner;

using Numbers = std::vector<std::int64_t>;

TEST_CASE("divisors in ascending order") {
  CHECK(divisors(1) == Numbers{1});
  CHECK(divisors(12) == Numbers{1, 2, 3, 4, 6, 12});
  CHECK(divisors(36) == Numbers{1, 2, 3, 4, 6, 9, 12, 18, 36});  // a square: 6 once
  CHECK(divisors(1009) == Numbers{1, 1009});                     // a prime
  CHECK(divisors(2147483647) == Numbers{1, 2147483647});         // 2^31 - 1 is prime
}

TEST_CASE("divisors by trying every number") {
  for (std::int64_t n = 1; n <= 300; ++n) {
    Numbers expected;
    for (std::int64_t i = 1; i <= n; ++i) {
      if (n % i == 0) expected.push_back(i);
    }
    CHECK(divisors(n) == expected);
  }
}
