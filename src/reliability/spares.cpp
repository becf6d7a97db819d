#include "planner/reliability/spares.hpp"

#include <algorithm>
#include <cmath>

#include "planner/core/ceil_div.hpp"

namespace planner {

namespace {

double probability(PerSecond rate, Seconds time) {
  return -std::expm1(-(rate * time));
}

/// Weights of the chain's states 0 … spares + 1, up to a factor: their sum, and the last two.
struct Chain {
  double sum = 1;
  double failures = 0;  ///< sum of weight times failure rate over the states that can fail
  double full = 1;      ///< of `spares` nodes out
  double waiting = 0;   ///< of one more: the job waits
};

Chain birth_death(std::int64_t n, std::int64_t spares, double load, std::int64_t crews) {
  Chain chain{.failures = real(n)};
  double weight = 1;
  for (std::int64_t k = 1; k <= spares + 1; ++k) {
    chain.full = weight;
    weight *= real(n - (k - 1)) * load / real(std::min(k, crews));
    chain.sum += weight;
    if (k <= spares) chain.failures += weight * real(n - k);
    if (weight < 1e200) continue;
    for (double* value : {&weight, &chain.sum, &chain.failures, &chain.full}) *value *= 1e-200;
  }
  chain.waiting = weight;
  return chain;
}

SpareOutlook repaired(const SparePolicy& policy, std::int64_t n, std::int64_t spares,
                      PerSecond rate) {
  const std::int64_t crews = policy.crews.value_or(spares + 1);
  const Chain chain = birth_death(n, spares, rate * *policy.repair, crews);
  const Seconds wait = *policy.repair / real(std::min(spares + 1, crews));
  // While one pool makes the job wait, nothing fails in the others: the waits per running hour add.
  const double waits = real(policy.pools) * chain.waiting / (chain.sum - chain.waiting);
  return {.p_ok = 1 / (1 + waits),
          .p_wait = chain.full * real(n - spares) / chain.failures,
          .wait = wait,
          .wait_squared = std::sqrt(2.0) * wait};  // exponential
}

/// The job stops at failure number spares + 1, t after a visit, and waits T - t for the next:
/// E[T - t; t < T] is the integral of P(t < u) over u up to T, by Simpson's rule.
SpareOutlook visited(std::int64_t n, std::int64_t spares, PerSecond rate, Seconds T) {
  constexpr int kIntervals = 128;
  const double p = probability(rate, T);
  const double p_stop = 1 - binomial_cdf(spares, n, p);
  const double failures =
      real(n) * p * binomial_cdf(spares - 1, n - 1, p) + real(spares + 1) * p_stop;
  double wait = 0, wait_squared = 0;
  for (int i = 1; i <= kIntervals; ++i) {
    const double at = static_cast<double>(i) / kIntervals;
    const double weight = (i == kIntervals ? 1.0 : i % 2 == 1 ? 4.0 : 2.0) / (3.0 * kIntervals);
    const double stopped = 1 - binomial_cdf(spares, n, probability(rate, at * T));
    wait += weight * stopped;
    wait_squared += weight * 2 * (1 - at) * stopped;
  }
  if (p_stop <= 0 || failures <= 0) return {.p_ok = 1 - p_stop};
  return {.p_ok = 1 - p_stop,
          .p_wait = p_stop / failures,
          .wait = wait / p_stop * T,
          .wait_squared = std::sqrt(wait_squared / p_stop) * T};
}

}  // namespace

double binomial_cdf(std::int64_t k, std::int64_t n, double p) {
  if (k < 0) return 0;
  if (k >= n || p <= 0) return 1;
  if (p >= 1) return 0;
  const auto mass = [&](std::int64_t i) {
    return std::exp(std::lgamma(real(n) + 1) - std::lgamma(real(i) + 1) -
                    std::lgamma(real(n - i) + 1) + real(i) * std::log(p) +
                    real(n - i) * std::log1p(-p));
  };
  // The terms fall away from the mean on either side: sum the shorter tail.
  const double odds = p / (1 - p);
  double sum = 0;
  if (real(k) < real(n) * p) {
    double term = mass(k);
    for (std::int64_t i = k; i >= 0 && term > sum * 1e-17; --i) {
      sum += term;
      term *= real(i) / (real(n - i + 1) * odds);
    }
    return sum;
  }
  double term = mass(k + 1);
  for (std::int64_t i = k + 1; i <= n && term > sum * 1e-17; ++i) {
    sum += term;
    term *= real(n - i) * odds / real(i + 1);
  }
  return 1 - sum;
}

double spares_suffice(std::int64_t n, std::int64_t spares, PerSecond rate, Seconds T) {
  return binomial_cdf(spares, n, probability(rate, T));
}

double spares_suffice_with_repair(std::int64_t n, std::int64_t spares, PerSecond rate,
                                  Seconds repair, std::int64_t crews) {
  const Chain chain = birth_death(n, spares, rate * repair, crews);
  return 1 - chain.waiting / chain.sum;
}

std::int64_t spares_needed(std::int64_t active, PerSecond rate, Seconds T, double confidence) {
  const double p = probability(rate, T);
  std::int64_t low = -1, high = 0;
  while (binomial_cdf(high, active + high, p) < confidence) {
    low = high;
    high = 2 * high + 1;
  }
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (binomial_cdf(middle, active + middle, p) < confidence ? low : high) = middle;
  }
  return high;
}

SpareOutlook spare_outlook(const SparePolicy& policy, std::int64_t active, PerSecond rate) {
  const std::int64_t spares = policy.spares / policy.pools;
  const std::int64_t n = ceil_div(active, policy.pools) + spares;
  if (rate <= PerSecond{}) return {};
  if (!policy.visits) return repaired(policy, n, spares, rate);
  SpareOutlook pool = visited(n, spares, rate, *policy.visits);
  pool.p_ok = std::pow(pool.p_ok, real(policy.pools));
  return pool;
}

}  // namespace planner
