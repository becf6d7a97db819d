// A formula that is written once says what it computes: its text, evaluated, is its value.
#include "planner/perf/derivation/text.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "planner/perf/calibrated/overlap.hpp"
#include "planner/perf/collectives/group.hpp"
#include "planner/perf/derivation/formula.hpp"
#include "support/near.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

const std::vector<Symbol> kValues{{"a", 7}, {"b", 3}, {"c", 2}, {"d", 11}};

/// A formula of four variables, as a number and as the value of its text.
template <class Formula>
void check(const std::string& text, const Formula& formula) {
  const Text told = formula("a"_t, "b"_t, "c"_t, "d"_t);
  CHECK(told.str() == text);
  CHECK(formula_value(told.str(), kValues) == near(formula(7.0, 3.0, 2.0, 11.0)));
}

}  // namespace

TEST_CASE("parentheses stand where the value needs them, and nowhere else") {
  check("a + b + c - d", [](auto a, auto b, auto c, auto d) { return a + (b + (c - d)); });
  check("a - (b + c) - d", [](auto a, auto b, auto c, auto d) { return a - (b + c) - d; });
  check("a - (b - c) + d", [](auto a, auto b, auto c, auto d) { return a - (b - c) + d; });
  check("a * b / c * d", [](auto a, auto b, auto c, auto d) { return a * (b / c * d); });
  check("a / (b * c) / (d / a)",
        [](auto a, auto b, auto c, auto d) { return a / (b * c) / (d / a); });
  check("(a + b) * (c - d)", [](auto a, auto b, auto c, auto d) { return (a + b) * (c - d); });
  check("(a * b) ^ c / d", [](auto a, auto b, auto c, auto d) { return power(a * b, c) / d; });
  check("1.6 * a + 32 * b - 0.5 * c / d",
        [](auto a, auto b, auto c, auto d) { return 1.6 * a + 32 * b - 0.5 * c / d; });
}

TEST_CASE("functions are told as they are computed") {
  check("max(a, b) + min(c, d)",
        [](auto a, auto b, auto c, auto d) { return greater(a, b) + lesser(c, d); });
  check("max(0, a - d) + max(0, d - a) + b - c",
        [](auto a, auto b, auto c, auto d) { return positive(a - d) + positive(d - a) + b - c; });
  check("a * log2(b) + c + d",
        [](auto a, auto b, auto c, auto d) { return kDoublingLatency(b, a) + c + d; });
  check("a * (1 - (1 - 1 / a) ^ 3) + b + c + d", [](auto a, auto b, auto c, auto d) {
    return a * (1 - whole_power(1 - 1 / a, 3)) + b + c + d;
  });
}

TEST_CASE("different experts: two of eight on eight GPUs are on two") {
  const auto of = [](std::int64_t k) { return kDistinctDestinations(8.0, 1.0, k); };
  CHECK(of(1) == near(1));
  CHECK(of(2) == near(2));
  CHECK(of(8) == near(8));
  CHECK(kDistinctDestinations(2.0, 4.0, std::int64_t{2}) == near(2 * (1 - 6.0 / 28)));
  CHECK(kDistinctDestinations(2.0, 4.0, std::int64_t{5}) == near(2));  // four on one at most
  // DeepSeek-V3: 8 of 256 on 64 GPUs.
  const double told =
      formula_value(kDistinctDestinations(64, "q"_t, "k"_t).str(), {{"q", 4}, {"k", 8}});
  CHECK(told == near(kDistinctDestinations(64.0, 4.0, std::int64_t{8})));
  CHECK(told < 8);
  CHECK(told > 64 * (1 - std::pow(1 - 1.0 / 64, 8)));  // than with repetition
}

TEST_CASE("what overlap leaves is told as it is computed") {
  const Text told = exposed("a"_t, "b"_t / 4, "c"_t);
  CHECK(told.str() == "b / 4 * (a) + max(0, (1 - b / 4) * (a) - c)");
  CHECK(formula_value(told.str(), kValues) ==
        near(exposed(7 * units::second, 0.75, 2 * units::second).si()));
  for (const auto& [a, b] : {std::pair{7.0, 3.0}, {3.0, 7.0}, {2.0, 2.0}}) {
    const std::vector<Symbol> values{{"a", a}, {"b", b}};
    CHECK(formula_value(longer_of_overlapping<2>("a"_t, "b"_t).str(), values) ==
          near(longer_of_overlapping<2>(Seconds{a}, Seconds{b}).si()));
    CHECK(formula_value(longer_of_overlapping<4>("a"_t, "b"_t).str(), values) ==
          near(longer_of_overlapping<4>(Seconds{a}, Seconds{b}).si()));
  }
}
