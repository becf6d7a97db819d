// The fullest of hashed links: exact programme, integral, closed form and a seeded Monte Carlo
// agree within the errors that the formulas state, over random flows and links.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "planner/core/real.hpp"
#include "planner/network/routing/closed_form.hpp"
#include "planner/network/routing/occupancy.hpp"
#include "planner/network/routing/unequal.hpp"
#include "support/hashed_flows.hpp"
#include "support/near.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

/// The same link by link: the weights e^-μ·μ^i/i!, i ≤ m, convolved L times, at F. All terms are
/// positive.
double by_convolution(std::int64_t flows, std::int64_t links, std::int64_t m) {
  if (m >= flows) return 1;
  if (m * links < flows) return 0;
  const double mu = real(flows) / real(links);
  std::vector<double> weight;
  for (std::int64_t i = 0; i <= m; ++i) {
    weight.push_back(std::exp(real(i) * std::log(mu) - mu - std::lgamma(real(i) + 1)));
  }
  const auto total = static_cast<std::size_t>(flows);
  std::vector<double> sum_is(total + 1), next(total + 1);
  sum_is[0] = 1;
  std::size_t most = 0;  // that the links so far may carry
  double log_scale = 0;
  for (std::int64_t link = 0; link < links; ++link) {
    std::fill(next.begin(), next.end(), 0);
    for (std::size_t i = 0; i < weight.size(); ++i) {
      const std::size_t end = std::min(most, total - i);
      for (std::size_t sum = 0; sum <= end; ++sum) next[sum + i] += weight[i] * sum_is[sum];
    }
    most = std::min(most + weight.size() - 1, total);
    double scale = 0;
    for (const double value : next) scale += value;
    for (double& value : next) value /= scale;
    log_scale += std::log(scale);
    std::swap(sum_is, next);
  }
  const double log_total =
      real(flows) * std::log(real(flows)) - real(flows) - std::lgamma(real(flows) + 1);
  return std::clamp(sum_is[total] * std::exp(log_scale - log_total), 0.0, 1.0);
}

/// P(no link carries more than m of the flows), as the law of the fullest link has it.
double max_load_cdf(std::int64_t flows, std::int64_t links, std::int64_t m) {
  const double most = (real(m) + 0.5) * real(links) / real(flows);
  double cdf = 0;
  const LoadDistribution law = max_mean_ratio(flows, links);
  for (const LoadDistribution::Step& step : law.steps()) {
    if (step.value < most) cdf = step.cdf;
  }
  return cdf;
}

}  // namespace

TEST_CASE("the integral is the exact programme, to 1e-10") {
  std::mt19937 random(1);
  for (int i = 0; i < 60; ++i) {
    const std::int64_t links = std::uniform_int_distribution<std::int64_t>(2, 40)(random);
    const std::int64_t flows = std::uniform_int_distribution<std::int64_t>(
        2, std::min<std::int64_t>(400, kMostExactLoad * links))(random);
    CAPTURE(links);
    CAPTURE(flows);
    const std::int64_t mean = flows / links;
    for (std::int64_t m = mean; m <= 3 * mean + 8; ++m) {
      CAPTURE(m);
      CHECK(max_load_cdf(flows, links, m) ==
            doctest::Approx(by_convolution(flows, links, m)).epsilon(1e-10));
    }
  }
}

TEST_CASE("every step of the law is the exact programme's, and none is missing, to 1e-11") {
  std::mt19937 random(7);
  for (int i = 0; i < 60; ++i) {
    const std::int64_t links = std::uniform_int_distribution<std::int64_t>(2, 130)(random);
    const std::int64_t flows = std::uniform_int_distribution<std::int64_t>(1, 4 * links)(random);
    CAPTURE(links);
    CAPTURE(flows);
    const LoadDistribution law = max_mean_ratio(flows, links);
    double before = 0;
    std::int64_t m = 0;
    for (const LoadDistribution::Step& step : law.steps()) {
      const auto load = std::llround(step.value * real(flows) / real(links));
      CHECK(std::abs(step.cdf - by_convolution(flows, links, load)) < 1e-11);
      for (; m < load; ++m) CHECK(by_convolution(flows, links, m) <= before + 1e-11);
      before = step.cdf;
    }
    CHECK(before == 1);
  }
}

TEST_CASE("known by hand") {
  // Two flows on two links meet half of the time.
  CHECK(max_load_cdf(2, 2, 1) == near(0.5));
  CHECK(by_convolution(2, 2, 1) == near(0.5));
  // Four flows on four links: 4!/4^4 that each has its own.
  CHECK(max_load_cdf(4, 4, 1) == near(24.0 / 256));
  CHECK(max_load_cdf(4, 4, 0) == 0);
  CHECK(max_load_cdf(4, 4, 4) == 1);
  CHECK(max_mean_ratio(5, 1).mean() == 1);
  CHECK(max_mean_ratio(1, 7).mean() == 7);
}

TEST_CASE("a seeded Monte Carlo within 4 standard errors") {
  std::mt19937 random(2);
  for (int i = 0; i < 25; ++i) {
    const std::int64_t links = std::uniform_int_distribution<std::int64_t>(2, 64)(random);
    const std::int64_t flows = std::uniform_int_distribution<std::int64_t>(1, 900)(random);
    CAPTURE(links);
    CAPTURE(flows);
    const std::vector<double> sizes(static_cast<std::size_t>(flows), 1.0);
    const Sample measured = sample(4000, 100 + static_cast<std::uint32_t>(i), [&](auto& g) {
      return fullest(hashed(sizes, links, g)) * real(links) / real(flows);
    });
    CHECK(std::abs(max_mean_ratio(flows, links).mean() - measured.mean) <=
          4 * measured.deviation_of_mean + 1e-12);
  }
}

// On 16 links; elsewhere the form is up to twice as far off.
TEST_CASE("the closed form's stated errors: 4.3, 2.9, 0.7, 0.3, 0.1 %") {
  struct Row {
    double per_link, error;
  };
  for (const Row& row : {Row{0.5, 0.044}, Row{1, 0.030}, Row{4, 0.008}, Row{8, 0.004},
                         Row{16, 0.0015}, Row{64, 0.001}}) {
    for (const std::int64_t links : {8, 16, 32, 64}) {
      const auto flows = static_cast<std::int64_t>(row.per_link * real(links));
      CAPTURE(links);
      CAPTURE(flows);
      const double form = closed_form_max_mean_ratio(equal_flows(real(flows), real(links)), links);
      const double stated = links == 16 ? row.error : 2 * row.error;
      CHECK(form == near(max_mean_ratio(flows, links).mean(), stated));
    }
  }
}

TEST_CASE("the closed form's distribution has its mean, and quantiles within 5 %") {
  for (const std::int64_t links : {8, 16, 60}) {
    for (const std::int64_t per_link : {2, 8, 32}) {
      CAPTURE(links);
      CAPTURE(per_link);
      const LinkSpread spread = equal_flows(real(per_link * links), real(links));
      const LoadDistribution form = closed_form_maximum(spread, links);
      const LoadDistribution exact = max_mean_ratio(per_link * links, links);
      // The narrowed variance takes skew/L off the mean.
      const double narrowed = closed_form_max_mean_ratio(spread, links) - spread.skew / real(links);
      CHECK(form.mean() == near(narrowed, 5e-4));
      for (const double p : {0.05, 0.5, 0.95, 0.99}) {
        CAPTURE(p);
        // The exact one steps by one flow.
        CHECK(std::abs(form.quantile(p) - exact.quantile(p)) <=
              0.05 * exact.quantile(p) + 1.0 / real(per_link));
      }
    }
  }
}

TEST_CASE("exact and closed form meet at the load where one takes over") {
  for (const std::int64_t links : {2, 16, 128}) {
    CAPTURE(links);
    CHECK(max_mean_ratio(kMostExactLoad * links, links).mean() ==
          near(max_mean_ratio(kMostExactLoad * links + 1, links).mean(), 0.001));
    CHECK(tagged_load_ratio(kMostExactLoad * links, links).mean() ==
          near(tagged_load_ratio(kMostExactLoad * links + 1, links).mean(), 0.001));
  }
}

TEST_CASE("e_L and e2_L of the largest of L normal variables") {
  struct Row {
    std::int64_t links;
    double e, e2;
  };
  for (const Row& row : {Row{1, 0, 1}, Row{2, .5642, 1.000}, Row{4, 1.0294, 1.551},
                         Row{8, 1.4236, 2.400}, Row{15, 1.7359, 3.314}, Row{16, 1.7660, 3.414},
                         Row{18, 1.8200, 3.597}, Row{32, 2.0697, 4.525}, Row{60, 2.3193, 5.586},
                         Row{64, 2.3437, 5.697}, Row{128, 2.5946, 6.907}}) {
    CAPTURE(row.links);
    CHECK(std::abs(normal_maximum(row.links).mean - row.e) <= 6e-5);
    CHECK(std::abs(normal_maximum(row.links).second_moment - row.e2) <= 6e-4);
  }
}

TEST_CASE("unequal flows: the closed form within 1 % of a Monte Carlo") {
  std::mt19937 random(3);
  for (int i = 0; i < 6; ++i) {
    CAPTURE(i);
    std::vector<double> sizes;
    for (int f = 0; f < 400; ++f) {
      sizes.push_back(std::uniform_real_distribution<double>(0.1, 4)(random));
    }
    double sum = 0;
    for (const double size : sizes) sum += size;
    const Sample measured = sample(6000, 300 + static_cast<std::uint32_t>(i), [&](auto& g) {
      return fullest(hashed(sizes, 16, g)) * 16 / sum;
    });
    const double form = closed_form_max_mean_ratio(unequal_flows(sizes, 1, 16), 16);
    CHECK(form == near(measured.mean, 0.01));
  }
  // Equal sizes are equal flows.
  const std::vector<double> same(250, 3.0);
  CHECK(unequal_flows(same, 4, 16).deviation == near(equal_flows(1000, 16).deviation));
  CHECK(unequal_flows(same, 4, 16).skew == near(equal_flows(1000, 16).skew));
}

TEST_CASE("few unequal flows exactly, more of them within what is possible (Monte Carlo)") {
  struct Row {
    std::vector<double> sizes;
    std::int64_t flows, links;
    double tolerance;
  };
  for (const Row& row :
       {Row{{1, 100, 1}, 3, 4, 0.005}, Row{{1, 1000}, 4, 4, 0.02}, Row{{3, 2, 1}, 9, 8, 0.01},
        Row{{1}, 10, 3, 0.01}, Row{{5, 1}, 40, 4, 0.02}, Row{{1, 1000}, 40, 32, 0.1}}) {
    CAPTURE(row.flows);
    CAPTURE(row.links);
    std::vector<double> each;
    double sum = 0;
    for (std::int64_t i = 0; i < row.flows; ++i) {
      each.push_back(row.sizes[static_cast<std::size_t>(i) % row.sizes.size()]);
      sum += each.back();
    }
    const Sample measured = sample(20'000, 400, [&](auto& g) {
      return fullest(hashed(each, row.links, g)) * real(row.links) / sum;
    });
    const LoadDistribution load =
        unequal_max_mean_ratio(row.sizes, row.flows, row.flows, row.links);
    CHECK(load.mean() == near(measured.mean, row.tolerance));
    if (row.sizes.size() == 1) {
      CHECK(load.mean() == near(max_mean_ratio(row.flows, row.links).mean(), 1e-9));
    }
  }
  std::mt19937 random(4);
  for (int i = 0; i < 200; ++i) {
    std::vector<double> sizes;
    for (int f = 0; f < 5; ++f) {
      sizes.push_back(std::pow(10, std::uniform_real_distribution<double>(0, 4)(random)));
    }
    const auto flows = std::uniform_int_distribution<std::int64_t>(1, 10)(random) * 5;
    const auto links = std::uniform_int_distribution<std::int64_t>(1, 40)(random);
    const double sum = std::accumulate(sizes.begin(), sizes.end(), 0.0) * real(flows) / 5;
    const double most = *std::max_element(sizes.begin(), sizes.end());
    const LoadDistribution load = unequal_max_mean_ratio(sizes, flows, flows, links);
    CHECK(load.steps().back().value <= real(links) * (1 + 1e-12));
    CHECK(load.steps().front().value >= std::max(1.0, most * real(links) / sum) * (1 - 1e-12));
  }
}

TEST_CASE("the link of one given flow is fuller than the mean by the flow itself") {
  for (const std::int64_t flows : {16, 100, 900}) {
    CHECK(tagged_load_ratio(flows, 16).mean() ==
          near((1 + real(flows - 1) / 16) * 16 / real(flows), 1e-9));
  }
}

TEST_CASE("extreme numbers stay numbers") {
  for (const auto& [flows, links] : {std::pair<std::int64_t, std::int64_t>{1, 1'000'000'000},
                                     {2, 1'000'000'000},
                                     {1'000'000'000, 2},
                                     {1'000'000'000, 1'000'000'000},
                                     {1'000'000'000'000, 16},
                                     {30'000'000'000, 1'000'000'000}}) {
    CAPTURE(flows);
    CAPTURE(links);
    const double ratio = max_mean_ratio(flows, links).mean();
    CHECK(ratio >= 1);
    CHECK(ratio <= real(links));
    CHECK(std::isfinite(tagged_load_ratio(flows, links).mean()));
  }
}
