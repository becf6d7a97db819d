#include "planner/network/routing/occupancy.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

#include "planner/core/ceil_div.hpp"
#include "planner/core/log_gamma.hpp"
#include "planner/core/normal.hpp"
#include "planner/core/real.hpp"
#include "planner/core/vector_clones.hpp"
#include "planner/network/routing/closed_form.hpp"

namespace planner::inline network {

namespace {

/// log P(Poisson(F) = F); by Stirling's series where F! is large.
double log_poisson_at_mean(double flows) {
  if (flows < 100) return flows * std::log(flows) - flows - log_gamma(flows + 1);
  return -0.5 * std::log(2 * std::numbers::pi * flows) - 1 / (12 * flows) +
         1 / (360 * flows * flows * flows);
}

/// Angles that are looked at together: sums that do not wait for each other.
constexpr std::size_t kTogether = kLanes;
using Together = std::array<double, kTogether>;

/// Σ weight[i]·e^(iθ) of several e^θ.
PLANNER_VECTOR_CLONES
void add_up(const std::vector<double>& weights, const Together& cosine, const Together& sine,
            Together& real_part, Together& imaginary) {
  Together re{}, im{};
  for (std::size_t i = weights.size(); i-- > 0;) {
    const double weight = weights[i];
    for (std::size_t k = 0; k < kTogether; ++k) {
      const double turned = re[k] * cosine[k] - im[k] * sine[k];
      im[k] = re[k] * sine[k] + im[k] * cosine[k];
      re[k] = turned + weight;
    }
  }
  real_part = re;
  imaginary = im;
}

/// A Poisson(λ) load cut off at m.
class CutPoisson {
 public:
  explicit CutPoisson(std::int64_t m) : weight_(static_cast<std::size_t>(m) + 1) {}

  void set(double lambda) {
    lambda_ = lambda;
    // From the most likely load outwards, so that nothing overflows.
    mode_ = std::min(static_cast<double>(weight_.size() - 1), std::floor(lambda));
    const auto mode = static_cast<std::size_t>(mode_);
    weight_[mode] = 1;
    for (std::size_t i = mode; i > 0; --i) {
      weight_[i - 1] = weight_[i] * static_cast<double>(i) / lambda;
    }
    for (std::size_t i = mode + 1; i < weight_.size(); ++i) {
      weight_[i] = weight_[i - 1] * lambda / static_cast<double>(i);
    }
    sum_ = 0;
    for (const double weight : weight_) sum_ += weight;
    mean_ = 0;
    double squares = 0;
    for (std::size_t i = 0; i < weight_.size(); ++i) {
      weight_[i] /= sum_;
      mean_ += static_cast<double>(i) * weight_[i];
      squares += static_cast<double>(i) * static_cast<double>(i) * weight_[i];
    }
    variance_ = std::max(0.0, squares - mean_ * mean_);
  }

  [[nodiscard]] double lambda() const { return lambda_; }
  [[nodiscard]] double mean() const { return mean_; }
  [[nodiscard]] double variance() const { return variance_; }
  /// log P(Poisson(λ) ≤ m)
  [[nodiscard]] double log_mass() const {
    const double log_mode = mode_ * std::log(lambda_) - lambda_ - log_gamma(mode_ + 1);
    return log_mode + std::log(sum_);
  }

  /// E[exp(iθX)] of several e^iθ.
  void characteristic(const Together& cosine, const Together& sine, Together& real_part,
                      Together& imaginary) const {
    add_up(weight_, cosine, sine, real_part, imaginary);
  }

 private:
  std::vector<double> weight_;
  double lambda_ = 0, mode_ = 0, sum_ = 0, mean_ = 0, variance_ = 0;
};

/// The load cut off at m that has the mean μ: its λ by Newton's method in log λ, started at μ and
/// kept between bounds. The integral is exact around any circle; near the saddle, where the mean of
/// the sum is off by a hundredth of its deviation, it takes few points and cancels nothing.
CutPoisson at_saddle_point(double mu, std::int64_t links, std::int64_t m) {
  CutPoisson load(m);
  load.set(mu);
  double low = mu;
  double high = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 200; ++i) {
    const double lambda = load.lambda(), excess = load.mean() - mu;
    if (std::abs(excess) <= 0.01 * std::sqrt(load.variance() / real(links))) break;
    (excess < 0 ? low : high) = lambda;
    const double newton = lambda * std::exp(std::clamp(-excess / load.variance(), -2.0, 2.0));
    const bool inside = newton > low && newton < high;
    const double next = inside ? newton : (std::isinf(high) ? 2 * lambda : (low + high) / 2);
    if (next == lambda) break;
    load.set(next);
  }
  return load;
}

/// e^(2πi·turns), turn by turn.
class Rotation {
 public:
  explicit Rotation(double turns)
      : step_(std::polar(1.0, 2 * std::numbers::pi * turns)), now_(step_) {}

  [[nodiscard]] std::complex<double> take() {
    const std::complex<double> before = now_;
    now_ = product(now_, step_);
    return before;
  }

  /// Of finite numbers: without what is asked for others.
  static std::complex<double> product(const std::complex<double>& a,
                                      const std::complex<double>& b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  }

 private:
  std::complex<double> step_, now_;
};

/// z^n by squaring: of a characteristic function, whose powers stay within 1.
std::complex<double> power(std::complex<double> z, std::int64_t n) {
  std::complex<double> all = 1;
  for (; n > 0; n /= 2) {
    if (n % 2 == 1) all = Rotation::product(all, z);
    z = Rotation::product(z, z);
  }
  return all;
}

/// P(the loads of L links cut off at m sum to F).
double probability_of_sum(const CutPoisson& load, std::int64_t flows, std::int64_t links,
                          std::int64_t m) {
  const double deviation = std::sqrt(real(links) * load.variance());
  // One period holds all sums that are likely at all; odd, so that points come in conjugate pairs.
  const auto period = static_cast<std::int64_t>(
                          std::min(real(links) * real(m) + 1, std::ceil(16 * deviation) + 20)) |
                      1;
  constexpr double kNegligible = 1e-34;  // squared
  constexpr int kInARow = 8;
  const double surely_negligible = 0.999 * std::pow(kNegligible, 1 / real(links));
  Rotation theta(1 / real(period)), back(-real(flows % period) / real(period));
  Together cosine{}, sine{}, re{}, im{};
  double sum = 1;
  std::size_t at = kTogether;
  for (std::int64_t j = 1, negligible = 0; j <= period / 2 && negligible < kInARow; ++j, ++at) {
    if (at == kTogether) {
      at = 0;
      for (std::size_t k = 0; k < kTogether; ++k) {
        const std::complex<double> turned = theta.take();
        cosine[k] = turned.real();
        sine[k] = turned.imag();
      }
      load.characteristic(cosine, sine, re, im);
    }
    const std::complex<double> turned_back = back.take();
    // What does not change the sum need not be known.
    if (sum > 0.5 && re[at] * re[at] + im[at] * im[at] < surely_negligible) {
      ++negligible;
      continue;
    }
    const std::complex<double> all = power({re[at], im[at]}, links);
    sum += 2 * Rotation::product(all, turned_back).real();
    negligible = std::norm(all) < kNegligible ? negligible + 1 : 0;
  }
  return sum / real(period);
}

constexpr double kNegligibleTail = 1e-13;

/// Chernoff: L·P(Bin(F, 1/L) > m) ≤ L·e^(m' - μ - m'·log(m'/μ)), m' = m + 1 > μ.
bool never_exceeded(double mu, std::int64_t links, std::int64_t m) {
  const double more = real(m) + 1;
  return more > mu &&
         std::log(real(links)) + more - mu - more * std::log(more / mu) < std::log(kNegligibleTail);
}

/// The smallest m that is not out of the question: P(max ≤ m) ≤ P(Poisson(μ) ≤ m)^L / P(Poisson(F)
/// = F), which is below the tail that counts for all smaller ones.
std::int64_t least_likely_load(std::int64_t flows, std::int64_t links) {
  const double mu = real(flows) / real(links);
  const double log_least =
      (std::log(kNegligibleTail) + log_poisson_at_mean(real(flows))) / real(links);
  std::int64_t m = 0;
  double probability = std::exp(-mu);
  double cdf = probability;
  while (m < flows && std::log(cdf) < log_least) {
    ++m;
    probability *= mu / real(m);
    cdf += probability;
  }
  return std::max(m, planner::ceil_div(flows, links));
}

}  // namespace

double max_load_cdf(std::int64_t flows, std::int64_t links, std::int64_t m) {
  if (m >= flows) return 1;
  if (m * links < flows) return 0;
  const double F = real(flows);
  const double L = real(links);
  const double mu = F / L;
  if (m * links == flows) {  // every link exactly full: λ would be infinite
    return std::exp(log_gamma(F + 1) - F * std::log(L) - L * log_gamma(real(m) + 1));
  }
  const CutPoisson load = at_saddle_point(mu, links, m);
  const double d = load.lambda() / mu - 1;
  // e^{L(λ-μ)} (μ/λ)^F, of two large terms that nearly cancel.
  const double tilt = F * (d - std::log1p(d));
  const double log_cdf = L * load.log_mass() + tilt - log_poisson_at_mean(F);
  return std::clamp(std::exp(log_cdf) * probability_of_sum(load, flows, links, m), 0.0, 1.0);
}

LoadDistribution max_mean_ratio(std::int64_t flows, std::int64_t links) {
  if (links == 1) return LoadDistribution::always(1);
  const double mu = real(flows) / real(links);
  if (mu > real(kMostExactLoad))
    return closed_form_maximum(equal_flows(real(flows), real(links)), links);
  std::vector<LoadDistribution::Step> steps;
  for (std::int64_t m = least_likely_load(flows, links);; ++m) {
    if (m >= flows || never_exceeded(mu, links, m)) {
      steps.push_back({real(m) / mu, 1});
      return LoadDistribution(std::move(steps));
    }
    const double cdf = max_load_cdf(flows, links, m);
    const double before = steps.empty() ? 0 : steps.back().cdf;
    steps.push_back({real(m) / mu, std::max(cdf, before)});
  }
}

LoadDistribution tagged_load_ratio(std::int64_t flows, std::int64_t links) {
  const double mu = real(flows) / real(links);
  if (links == 1) return LoadDistribution::always(1);
  const double others = real(flows - 1);
  std::vector<LoadDistribution::Step> steps;
  if (mu > real(kMostExactLoad)) {
    // Normal with the binomial's mean, variance and skewness.
    const LinkSpread poisson = equal_flows(real(flows), real(links));
    const double mean = (1 + others / real(links)) / mu;
    const double deviation = poisson.deviation * std::sqrt(1 - 1 / real(links));
    const double skew = poisson.skew * (1 - 2 / real(links));
    constexpr int kPoints = 321;
    constexpr double kStep = 0.05;
    for (int i = 0; i < kPoints; ++i) {
      const double z = -4 + kStep * i;
      steps.push_back(
          {mean + z * deviation + (z * z - 1) * skew, 1 - normal_share_below(-(z + kStep / 2))});
    }
    steps.back().cdf = 1;
    return LoadDistribution(std::move(steps));
  }
  const double p = 1 / real(links);
  double probability = std::exp(others * std::log1p(-p));
  double cdf = 0;
  for (std::int64_t i = 0; i <= flows - 1; ++i) {
    cdf = std::min(1.0, cdf + probability);
    const bool last = i == flows - 1 || never_exceeded(mu, 1, i);
    steps.push_back({real(i + 1) / mu, last ? 1 : cdf});
    if (last) break;
    probability *= (others - real(i)) / real(i + 1) * p / (1 - p);
  }
  return LoadDistribution(std::move(steps));
}

}  // namespace planner::network
