#include "planner/core/money.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>

using namespace planner;

namespace {
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
}  // namespace

TEST_CASE("dollars round to the nearest cent, halves away from zero") {
  CHECK(Money::from_dollars(12.34) == Money::cents(1234));
  CHECK(Money::from_dollars(0.005) == Money::cents(1));
  CHECK(Money::from_dollars(-0.005) == Money::cents(-1));
  CHECK(Money::from_dollars(0.0049) == Money::cents(0));
  CHECK(Money::from_dollars(1e9) == Money::cents(100'000'000'000));
  CHECK(Money::cents(-150).dollars() == -1.5);
}

TEST_CASE("an amount without a 64-bit number of cents is nothing, not a wrong number") {
  CHECK(!Money::from_dollars(std::numeric_limits<double>::quiet_NaN()));
  CHECK(!Money::from_dollars(std::numeric_limits<double>::infinity()));
  CHECK(!Money::from_dollars(-std::numeric_limits<double>::infinity()));
  CHECK(!Money::from_dollars(1e300));
  CHECK(!Money::from_dollars(9.3e16));  // 9.3e18 cents; 2^63 is 9.22e18
  CHECK(Money::from_dollars(9.2e16) == Money::cents(9'200'000'000'000'000'000));
}

TEST_CASE("sums and products say when they overflow") {
  CHECK(Money::cents(2).plus(Money::cents(3)) == Money::cents(5));
  CHECK(Money::cents(250).times(4) == Money::cents(1000));
  CHECK(Money::cents(250).times(0) == Money{});
  CHECK(Money::cents(250).times(-4) == Money::cents(-1000));

  CHECK(!Money::cents(kMost).plus(Money::cents(1)));
  CHECK(!Money::cents(kLeast).plus(Money::cents(-1)));
  CHECK(Money::cents(kMost).plus(Money::cents(-1)) == Money::cents(kMost - 1));
  CHECK(!Money::cents(kMost / 2 + 1).times(2));
  CHECK(!Money::cents(kLeast).times(-1));
  CHECK(Money::cents(kMost).times(1) == Money::cents(kMost));
}

TEST_CASE("totals are the sums of their lines to the cent") {
  // In doubles 0.1 + 0.2 is not 0.3.
  const auto sum = Money::from_dollars(0.1)->plus(*Money::from_dollars(0.2));
  CHECK(sum == Money::from_dollars(0.3));
  CHECK(Money::cents(1) < Money::cents(2));
}
