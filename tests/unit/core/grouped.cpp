#include "planner/core/grouped.hpp"

#include <doctest/doctest.h>

#include <limits>

using namespace planner;

TEST_CASE("thousands are grouped") {
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(1000) == "1,000");
  CHECK(grouped(32768) == "32,768");
  CHECK(grouped(-1234567) == "-1,234,567");
  CHECK(grouped(-100) == "-100");
}

TEST_CASE("numbers with digits after the point are grouped before it") {
  CHECK(grouped(1359.55, 1) == "1,359.6");
  CHECK(grouped(0.6, 2) == "0.60");
  CHECK(grouped(999.96, 1) == "1,000.0");
  CHECK(grouped(1e6, 0) == "1,000,000");
  CHECK(grouped(-0.01, 1) == "0.0");
  CHECK(grouped(-1234.5, 1) == "-1,234.5");
  CHECK(grouped(std::numeric_limits<double>::infinity(), 1) == "inf");
  CHECK(grouped(std::numeric_limits<double>::max(), 1).size() > 400);
}
