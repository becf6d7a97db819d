#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>

#include "planner/domain/run.hpp"

using namespace planner;

TEST_CASE("the usable part of an HB domain is the largest size that divides the cluster") {
  CHECK(usable_hb_domain(72, 1024) == 64);  // an NVL72 in a cluster of 1,024
  CHECK(usable_hb_domain(72, 1152) == 72);
  CHECK(usable_hb_domain(72, 8200) == 40);  // not 50, which eight ranks do not divide
  CHECK(usable_hb_domain(72, 88) == 8);     // not 44
  CHECK(usable_hb_domain(72, 36) == 36);
  CHECK(usable_hb_domain(36, 72) == 36);
  CHECK(usable_hb_domain(8, 32768) == 8);
  CHECK(usable_hb_domain(1, 32768) == 1);
  CHECK(usable_hb_domain(256, 64) == 64);  // the domain is larger than the cluster
  CHECK(usable_hb_domain(8, 1009) == 1);   // a prime number of GPUs
  CHECK(usable_hb_domain(8, 1) == 1);
  CHECK(usable_hb_domain(2147483647, 2147483647) == 2147483647);
}

TEST_CASE("the usable part, by trying every size") {
  for (std::int64_t gpus = 1; gpus <= 120; ++gpus) {
    for (std::int64_t domain = 1; domain <= 130; ++domain) {
      const std::int64_t power = std::gcd(domain, 8);
      std::int64_t largest = 1;
      for (std::int64_t k = 1; k <= domain; ++k) {
        const bool alike = gpus % k == 0 && (gpus % power != 0 || k % power == 0);
        largest = alike ? k : largest;
      }
      CHECK(usable_hb_domain(domain, gpus) == largest);
    }
  }
}

TEST_CASE("the largest divisor within a limit is what trying all finds") {
  for (std::int64_t n = 1; n <= 400; ++n) {
    for (std::int64_t limit = 1; limit <= n + 2; ++limit) {
      std::int64_t found = std::min(limit, n);
      while (n % found != 0) --found;
      CAPTURE(n);
      CAPTURE(limit);
      CHECK(largest_divisor(n, limit) == found);
    }
  }
  CHECK(largest_divisor(720'720, std::numeric_limits<std::int64_t>::max()) == 720'720);
  CHECK(largest_divisor(999'999'999'989, 8) == 1);  // a prime
  CHECK(largest_divisor(0, 8) == 1);
  CHECK(largest_divisor(8, 0) == 1);
}
