#include "planner/network/routing/occupancy.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

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

/// Numbers that are looked at together, in whole vectors: sums that do not wait for each other.
constexpr std::size_t kMostVectors = 8;
using Parts = std::array<double, kMostVectors * kLanes>;
struct Numbers {
  Parts re, im;
};

/// (Σ weight[i]·z^i)^n of several z.
PLANNER_VECTOR_CLONES
void power_of_sum(const std::vector<double>& weights, std::int64_t n, std::size_t vectors,
                  const Numbers& z, Numbers& power) {
  Parts re, im, all_re, all_im;
  for (std::size_t k = 0; k < vectors * kLanes; ++k) {
    re[k] = weights.back();
    im[k] = all_im[k] = 0;
    all_re[k] = 1;
  }
  for (std::size_t i = weights.size() - 1; i-- > 0;) {
    const double weight = weights[i];
    for (std::size_t k = 0; k < vectors * kLanes; ++k) {
      const double turned = re[k] * z.re[k] - im[k] * z.im[k];
      im[k] = re[k] * z.im[k] + im[k] * z.re[k];
      re[k] = turned + weight;
    }
  }
  while (true) {
    if (n % 2 == 1) {
      for (std::size_t k = 0; k < vectors * kLanes; ++k) {
        const double product = all_re[k] * re[k] - all_im[k] * im[k];
        all_im[k] = all_re[k] * im[k] + all_im[k] * re[k];
        all_re[k] = product;
      }
    }
    n /= 2;
    if (n == 0) break;
    for (std::size_t k = 0; k < vectors * kLanes; ++k) {
      const double square = re[k] * re[k] - im[k] * im[k];
      im[k] = 2 * re[k] * im[k];
      re[k] = square;
    }
  }
  for (std::size_t k = 0; k < vectors * kLanes; ++k) {
    power.re[k] = all_re[k];
    power.im[k] = all_im[k];
  }
}

/// e^(2πi·turns), turn by turn.
class Rotation {
 public:
  explicit Rotation(double turns)
      : step_(std::polar(1.0, 2 * std::numbers::pi * turns)), now_(step_) {}

  void take(std::size_t numbers, Numbers& taken) {
    double re = now_.real(), im = now_.imag();
    for (std::size_t k = 0; k < numbers; ++k) {
      taken.re[k] = re;
      taken.im[k] = im;
      re = taken.re[k] * step_.real() - im * step_.imag();
      im = taken.re[k] * step_.imag() + im * step_.real();
    }
    now_ = {re, im};
  }

 private:
  std::complex<double> step_, now_;
};

/// A Poisson(λ) load cut off at m.
class CutPoisson {
 public:
  CutPoisson(double lambda, std::int64_t m)
      : weight_(static_cast<std::size_t>(m) + 1),
        lambda_(lambda),
        mode_(std::min(real(m), std::floor(lambda))) {
    // From the most likely load outwards, so that nothing overflows.
    const auto mode = static_cast<std::size_t>(mode_);
    const double down = 1 / lambda;
    weight_[mode] = 1;
    for (std::size_t i = mode; i > 0; --i) {
      weight_[i - 1] = weight_[i] * (static_cast<double>(i) * down);
    }
    for (std::size_t i = mode + 1; i < weight_.size(); ++i) {
      weight_[i] = weight_[i - 1] * lambda / static_cast<double>(i);
    }
    for (const double weight : weight_) sum_ += weight;
    for (double& weight : weight_) weight /= sum_;
  }

  /// log P(Poisson(λ) ≤ m), exact to rounding of what lies above m where that is little.
  [[nodiscard]] double log_mass() const {
    if (lambda_ > static_cast<double>(weight_.size())) {
      const double log_mode = mode_ * std::log(lambda_) - lambda_ - log_gamma(mode_ + 1);
      return log_mode + std::log(sum_);
    }
    double above = 0, next = weight_.back();
    for (auto i = static_cast<double>(weight_.size()); next > 1e-17 * (1 + above); ++i) {
      next *= lambda_ / i;
      above += next;
    }
    return -std::log1p(above);
  }
  /// Of the loads 0 … m.
  [[nodiscard]] const std::vector<double>& probabilities() const { return weight_; }

 private:
  std::vector<double> weight_;
  double lambda_, mode_, sum_ = 0;
};

struct Moments {
  double mean = 0, variance = 0;
};

/// Of a Poisson(λ) load X cut off at m: by r(i) = P(X < i)/P(X = i) = i/λ·(1 + r(i - 1)),
///   E[X] = λ·P(X < m) = λ·r(m)/(1 + r(m)),  E[X(X - 1)] = λ²·P(X < m - 1) = λ·m·r(m-1)/(1 + r(m)).
Moments moments_of_cut(double lambda, std::int64_t m) {
  const double down = 1 / lambda;
  double before = 0, below = 0;
  for (std::int64_t i = 1; i <= m; ++i) {
    before = below;
    below = (1 + below) * (real(i) * down);
  }
  if (std::isinf(below)) return {lambda, lambda};  // as good as not cut off
  const double mean = lambda * below / (1 + below);
  const double pairs = lambda * real(m) * before / (1 + below);
  return {mean, std::max(0.0, pairs + mean - mean * mean)};
}

/// The λ of a load cut off at m that has the mean μ, and the deviation of the sum of L such loads.
struct SaddlePoint {
  double lambda = 0, deviation = 0;
};

/// By Newton's method in log λ, kept between bounds. The integral is exact around any circle; near
/// the saddle, where the mean of the sum is off by a hundredth of its deviation, it takes few
/// points and cancels nothing.
/// @param start  at least μ
SaddlePoint saddle_point(double mu, std::int64_t links, std::int64_t m, double start) {
  double low = mu;
  double high = std::numeric_limits<double>::infinity();
  double lambda = start;
  for (int i = 0;; ++i) {
    const Moments of = moments_of_cut(lambda, m);
    const double excess = of.mean - mu;
    const SaddlePoint found{lambda, std::sqrt(real(links) * of.variance)};
    if (std::abs(excess) * real(links) <= 0.01 * found.deviation || i == 200) return found;
    (excess < 0 ? low : high) = lambda;
    const double newton = lambda * std::exp(std::clamp(-excess / of.variance, -2.0, 2.0));
    const bool inside = newton > low && newton < high;
    const double next = inside ? newton : (std::isinf(high) ? 2 * lambda : (low + high) / 2);
    if (next == lambda) return found;
    lambda = next;
  }
}

/// P(the loads of L links cut off at m sum to F).
/// @param deviation  of the sum, whose mean is about F
double probability_of_sum(const CutPoisson& load, double deviation, std::int64_t flows,
                          std::int64_t links) {
  const std::vector<double>& weights = load.probabilities();
  const std::int64_t most = links * static_cast<std::int64_t>(weights.size() - 1);
  const bool few = links < 32;
  // One period holds all sums that are likely at all, of few links tails as long as theirs; odd, so
  // that points come in conjugate pairs.
  const auto period = static_cast<std::int64_t>(
                          std::min(real(most) + 1, std::ceil((few ? 16 : 8) * deviation) + 20)) |
                      1;
  constexpr double kNegligible = 1e-30, kReach = 8.4;  // squared; its root's normal quantile
  const double reach = kReach / (2 * std::numbers::pi) * real(period) / deviation;
  const auto vectors = static_cast<std::size_t>(
      std::clamp(std::ceil((reach + 1) / real(kLanes)), 1.0, real(kMostVectors)));
  // Behind a dip no cut load turns to more than 0.31 again (m up to 140): 32 links leave nothing.
  const int enough = few ? 8 : 1;
  Rotation theta(1 / real(period)), back(-real(flows % period) / real(period));
  Numbers turned, turned_back, all;
  double sum = 1;
  int negligible = 0;
  for (std::int64_t j = 1; j <= period / 2 && negligible < enough;) {
    theta.take(vectors * kLanes, turned);
    back.take(vectors * kLanes, turned_back);
    power_of_sum(weights, links, vectors, turned, all);
    for (std::size_t k = 0; k < vectors * kLanes && j <= period / 2; ++k, ++j) {
      const double re = all.re[k], im = all.im[k];
      sum += 2 * (re * turned_back.re[k] - im * turned_back.im[k]);
      negligible = re * re + im * im < kNegligible ? negligible + 1 : 0;
    }
  }
  return sum / real(period);
}

/// How full the fullest of L links under F hashed flows is.
class FullestLink {
 public:
  FullestLink(std::int64_t flows, std::int64_t links)
      : flows_(flows), links_(links), mu_(real(flows) / real(links)), lambda_(mu_) {}

  /// P(no link carries more than m of F flows on L links): the coefficient of x^F in
  /// (Σ e^-μ·μ^i/i!·x^i, i ≤ m)^L over the Poisson probability of F, as an integral around the
  /// circle through its saddle point λ, where the mean of a Poisson(λ) load cut off at m is F/L.
  /// The trapezoidal rule is exact to about 1e-11 with some dozens of points: O(m). (Its leading
  /// term alone is the saddle-point approximation, 0.8 % off.) Quickest where m falls from one to
  /// the next.
  double cdf(std::int64_t m) {
    if (m >= flows_) return 1;
    if (m * links_ < flows_) return 0;
    const double F = real(flows_), L = real(links_);
    if (m * links_ == flows_) {  // every link exactly full: λ would be infinite
      return std::exp(log_gamma(F + 1) - F * std::log(L) - L * log_gamma(real(m) + 1));
    }
    const SaddlePoint saddle = saddle_point(mu_, links_, m, lambda_);
    lambda_ = saddle.lambda;
    const CutPoisson load(lambda_, m);
    const double d = lambda_ / mu_ - 1;
    // e^{L(λ-μ)} (μ/λ)^F, of two large terms that nearly cancel.
    const double tilt = F * (d - std::log1p(d));
    const double log_cdf = L * load.log_mass() + tilt - log_poisson_;
    return std::clamp(
        std::exp(log_cdf) * probability_of_sum(load, saddle.deviation, flows_, links_), 0.0, 1.0);
  }

  /// L·P(one link carries more than i) of all i up to where that is nothing beside 1.
  [[nodiscard]] std::vector<double> expected_fuller() const {
    const double F = real(flows_), p = 1 / real(links_);
    // Of so many flows on one link.
    std::vector<double> probability{std::exp(F * std::log1p(-p))};
    const double each = p / (1 - p);
    constexpr double kNothing = 1e-20;
    for (std::int64_t i = 0; i < flows_; ++i) {
      const double next = probability.back() * (F - real(i)) / real(i + 1) * each;
      if (real(i) > mu_ && next * real(links_) < kNothing) break;
      probability.push_back(next);
    }
    double fuller = 0;
    for (std::size_t i = probability.size(); i-- > 0;) {
      const double here = probability[i];
      probability[i] = fuller;
      fuller += real(links_) * here;
    }
    return probability;
  }

 private:
  std::int64_t flows_, links_;
  double mu_;
  double lambda_;  ///< of the last m
  double log_poisson_ = log_poisson_at_mean(real(flows_));
};

constexpr double kNegligibleTail = 1e-13;

/// Chernoff: P(Bin(F, 1/L) > m) ≤ e^(m' - μ - m'·log(m'/μ)), m' = m + 1 > μ.
bool never_exceeded(double mu, std::int64_t m) {
  const double more = real(m) + 1;
  return more > mu && more - mu - more * std::log(more / mu) < std::log(kNegligibleTail);
}

}  // namespace

LoadDistribution max_mean_ratio(std::int64_t flows, std::int64_t links) {
  if (links == 1) return LoadDistribution::always(1);
  const double mu = real(flows) / real(links);
  if (mu > real(kMostExactLoad))
    return closed_form_maximum(equal_flows(real(flows), real(links)), links);
  FullestLink fullest(flows, links);
  // Two links are fuller with less than the square of the probability of one, half of it:
  // P(max > m) is L·P(one is) to rounding where that is small.
  constexpr double kAlone = 2e-8;
  const std::vector<double> fuller = fullest.expected_fuller();
  auto m = static_cast<std::int64_t>(fuller.size()) - 1;
  std::vector<LoadDistribution::Step> steps;
  for (; m >= 0 && fuller[static_cast<std::size_t>(m)] < kAlone; --m) {
    const double cdf = 1 - fuller[static_cast<std::size_t>(m)];
    if (!steps.empty() && cdf == 1) steps.pop_back();
    steps.push_back({real(m) / mu, cdf});
  }
  for (; m * links >= flows; --m) {
    const double cdf = std::min(fullest.cdf(m), steps.back().cdf);
    if (cdf < kNegligibleTail) break;
    steps.push_back({real(m) / mu, cdf});
  }
  steps.front().cdf = 1;
  std::reverse(steps.begin(), steps.end());
  return LoadDistribution(std::move(steps));
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
    const bool last = i == flows - 1 || never_exceeded(mu, i);
    steps.push_back({real(i + 1) / mu, last ? 1 : cdf});
    if (last) break;
    probability *= (others - real(i)) / real(i + 1) * p / (1 - p);
  }
  return LoadDistribution(std::move(steps));
}

}  // namespace planner::network
