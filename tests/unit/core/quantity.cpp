#include "planner/core/quantity.hpp"

#include <doctest/doctest.h>

#include <type_traits>

using namespace planner;

// The dimension of a product or quotient is part of its type; wrong ones are in compile_fail/.
static_assert(std::is_same_v<decltype(Bytes{1} / BytesPerSecond{1}), Seconds>);
static_assert(std::is_same_v<decltype(Flops{1} / FlopsPerSecond{1}), Seconds>);
static_assert(std::is_same_v<decltype(Watts{1} * Seconds{1}), Joules>);
static_assert(std::is_same_v<decltype(Joules{1} * UsdPerJoule{1}), Usd>);
static_assert(std::is_same_v<decltype(Bytes{1} / Bytes{1}), double>);
static_assert(!std::is_convertible_v<double, Bytes>);
static_assert(!std::is_convertible_v<Bytes, double>);
static_assert(!std::is_convertible_v<Bytes, Seconds>);
static_assert(sizeof(Bytes) == sizeof(double) && std::is_trivially_copyable_v<Bytes>);

TEST_CASE("units are decimal and per second") {
  CHECK((80 * units::GB).si() == 80e9);
  CHECK((400 * units::Gbps).si() == 50e9);  // a 400 Gb/s NIC is 50 GB/s
  CHECK((400 * units::Gbps).in(units::GBps) == 50);
  CHECK((1 * units::year).in(units::day) == 365);
  CHECK((1 * units::day).in(units::hour) == 24);
  CHECK((3 * units::kWh).si() == 3 * 1000 * 3600);
  CHECK((1 * units::kW * units::hour).in(units::kWh) == 1);
}

TEST_CASE("arithmetic is that of double") {
  CHECK((100 * units::GB / (50 * units::GBps)).si() == 2);
  CHECK((1 * units::ms + 1 * units::us).si() == 1e-3 + 1e-6);
  CHECK((3 * units::GB - 1 * units::GB) / 2 == 1 * units::GB);
  CHECK(-(1 * units::GB) < 0 * units::GB);
  Seconds sum{};
  sum += 2 * units::second;
  sum += 3 * units::second;
  CHECK(sum == 5 * units::second);
}

TEST_CASE("quantities compare by value") {
  CHECK(1 * units::GB > 999 * units::MB);
  CHECK(1000 * units::KB == 1 * units::MB);
  CHECK(Bytes{} == 0 * units::byte);
}
