#include "planner/core/normal.hpp"

#include <doctest/doctest.h>

#include <initializer_list>

using namespace planner;

TEST_CASE("shares and quantiles of the normal distribution are those of its tables") {
  // NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.1, and Φ⁻¹ to more digits.
  CHECK(normal_share_below(0) == 0.5);
  CHECK(normal_share_below(1) == doctest::Approx(0.8413447460685429).epsilon(1e-14));
  CHECK(normal_share_below(-3) == doctest::Approx(0.0013498980316300946).epsilon(1e-14));
  CHECK(normal_quantile(0.5) == 0);
  CHECK(normal_quantile(0.9) == doctest::Approx(1.2815515655446004).epsilon(1e-14));
  CHECK(normal_quantile(0.95) == doctest::Approx(1.6448536269514722).epsilon(1e-14));
  CHECK(normal_reach(0.95) == doctest::Approx(1.959963984540054).epsilon(1e-14));
}

TEST_CASE("a quantile is the inverse of a share, in both tails") {
  for (const double share : {1e-300, 1e-12, 0.01, 0.3, 0.5, 0.7, 0.99, 1 - 1e-12}) {
    CHECK(normal_share_below(normal_quantile(share)) == doctest::Approx(share).epsilon(1e-12));
    if (share > 1e-15 && share < 0.5) {
      CHECK(normal_reach(1 - 2 * share) ==
            doctest::Approx(-normal_quantile(share)).epsilon(1e-4));  // 1 - 2·share is rounded
    }
  }
}
