#include "planner/reliability/spares.hpp"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>

namespace planner::inline reliability {

namespace {

double probability(PerSecond rate, Seconds time) {
  return -std::expm1(-(rate * time));
}

/// Weights of the chain's states 0 … spares + 1, up to a factor: their sum, and the last two.
struct Chain {
  double sum = 1;
  double full = 1;     ///< of `spares` nodes out
  double waiting = 0;  ///< of one more: the job waits

  /// By the hours in which the job runs, in which alone its nodes fail.
  [[nodiscard]] double full_while_running() const { return full / (sum - waiting); }
  [[nodiscard]] double waiting_per_running() const { return waiting / (sum - waiting); }
};

Chain birth_death(std::int64_t n, std::int64_t spares, double load, std::int64_t crews) {
  Chain chain;
  double weight = 1;
  for (std::int64_t k = 1; k <= spares + 1; ++k) {
    chain.full = weight;
    weight *= real(n - (k - 1)) * load / real(std::min(k, crews));
    chain.sum += weight;
    if (weight < 1e200) continue;
    for (double* value : {&weight, &chain.sum, &chain.full}) *value *= 1e-200;
  }
  chain.waiting = weight;
  return chain;
}

/// The job's nodes over pools of as many spares each, as evenly as they divide.
struct Pools {
  std::int64_t smaller, larger;  ///< how many have `active` nodes of the job, and one more
  std::int64_t active;
  std::int64_t spares;

  Pools(const SparePolicy& policy, std::int64_t nodes)
      : smaller(policy.pools - nodes % policy.pools),
        larger(nodes % policy.pools),
        active(nodes / policy.pools),
        spares(policy.spares / policy.pools) {}

  [[nodiscard]] std::int64_t nodes() const { return smaller * active + larger * (active + 1); }
};

SpareOutlook repaired(const SparePolicy& policy, const Pools& pools, PerSecond rate) {
  const std::int64_t crews = policy.crews.value_or(pools.spares + 1);
  const auto chain = [&](std::int64_t active) {
    return birth_death(active + pools.spares, pools.spares, rate * *policy.repair, crews);
  };
  const Chain small = chain(pools.active), large = chain(pools.active + 1);
  const Seconds wait = *policy.repair / real(std::min(pools.spares + 1, crews));
  // While one pool makes the job wait, nothing fails in the others: the waits per running hour add.
  const double waits = real(pools.smaller) * small.waiting_per_running() +
                       real(pools.larger) * large.waiting_per_running();
  const double of_larger = real(pools.larger * (pools.active + 1)) / real(pools.nodes());
  return {.p_ok = 1 / (1 + waits),
          .p_wait =
              (1 - of_larger) * small.full_while_running() + of_larger * large.full_while_running(),
          .wait = wait,
          .wait_squared = std::sqrt(2.0) * wait};  // exponential
}

/// P(no pool has lost more nodes than its spares), each node with probability p.
double all_suffice(const Pools& pools, double p) {
  const auto suffice = [&](std::int64_t active) {
    return binomial_cdf(pools.spares, active + pools.spares, p);
  };
  return std::pow(suffice(pools.active), real(pools.smaller)) *
         (pools.larger > 0 ? std::pow(suffice(pools.active + 1), real(pools.larger)) : 1);
}

/// The job stops where the first of its pools loses one node more than it has spares, t after a
/// visit, and waits T - t for the next: E[T - t; t < T] is the integral of P(t < u) over u up to T,
/// by Simpson's rule up to H, beyond which it has stopped for certain. It runs E[min(t, T)] of T,
/// and only then its nodes fail.
SpareOutlook visited(const Pools& pools, PerSecond rate, Seconds T) {
  constexpr int kIntervals = 128;
  constexpr double kNever = 1e-12;
  const auto stopped = [&](Seconds at) { return 1 - all_suffice(pools, probability(rate, at)); };
  const double p_stop = stopped(T);
  if (p_stop <= 0) return {};
  Seconds H = T;
  while (1 - stopped(H / 2) < kNever) H = H / 2;
  const double h = H / T;
  double wait = 1 - h, wait_squared = (1 - h) * (1 - h), runs = h;
  for (int i = 1; i <= kIntervals; ++i) {
    const double at = h * i / kIntervals;
    const double weight = h * (i == kIntervals ? 1.0 : i % 2 == 1 ? 4.0 : 2.0) / (3.0 * kIntervals);
    const double share = weight * stopped(at * T);
    wait += share;
    wait_squared += 2 * (1 - at) * share;
    runs -= share;
  }
  return {.p_ok = 1 - p_stop,
          .p_wait = p_stop / (real(pools.nodes()) * (rate * (runs * T))),
          .wait = wait / p_stop * T,
          .wait_squared = std::sqrt(wait_squared / p_stop) * T};
}

}  // namespace

double binomial_cdf(std::int64_t k, std::int64_t n, double p) {
  if (k < 0) return 0;
  if (k >= n || p <= 0) return 1;
  if (p >= 1) return 0;
  return boost::math::ibetac(real(k) + 1, real(n - k), p);  // DLMF 8.17.5
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
  if (rate <= PerSecond{}) return {};
  const Pools pools(policy, active);
  return policy.visits ? visited(pools, rate, *policy.visits) : repaired(policy, pools, rate);
}

}  // namespace planner::reliability
