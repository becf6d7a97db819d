#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <numeric>
#include <vector>

#include "planner/reliability/spares.hpp"

// Waits for spares that are repaired one by one.
namespace planner::inline reliability {

namespace {

/// Weights of states 0 … last whose neighbours have the ratio ratio(j) = f(j)/f(j - 1), falling in
/// j: from the largest, which is 1, so that none overflows.
template <class Ratio>
std::vector<double> weights(std::int64_t last, const Ratio& ratio) {
  std::int64_t low = 0, high = last;  // the last j whose ratio is at least 1
  while (low < high) {
    const std::int64_t middle = high - (high - low) / 2;
    if (ratio(middle) >= 1) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  std::vector<double> f(static_cast<std::size_t>(last) + 1);
  const auto at = [&](std::int64_t j) -> double& { return f[static_cast<std::size_t>(j)]; };
  at(low) = 1;
  for (std::int64_t j = low + 1; j <= last; ++j) at(j) = at(j - 1) * ratio(j);
  for (std::int64_t j = low; j > 0; --j) at(j - 1) = at(j) / ratio(j);
  return f;
}

/// A loss that finds too few spares: how often, and how long until enough are back.
struct Shortage {
  double rate;  ///< per second, of the hours in which units fail
  double time;  ///< seconds
};

/// A pool as the states of its units.
class States {
 public:
  /// @param slower  what the repair times are divided by
  /// @param whole  the states beyond the spares too: probabilities, not weights
  States(const SparePool& pool, double slower, bool whole) : pool_(pool) {
    const double load = (pool.rate * pool.repair) / slower;
    const std::int64_t n = pool.active + pool.spares;
    const auto single = [&](std::int64_t j) {
      return real(n - (j - 1)) * load / real(std::min(j, pool.crews));
    };
    const GroupLosses& groups = pool.groups;
    const double group_load = (groups.rate * groups.repair) / slower;
    const auto group = [&](std::int64_t g) {
      return real(groups.groups - (g - 1)) * group_load / real(g);
    };
    units_ = load > 0 ? weights(whole ? n : pool.spares, single) : std::vector<double>{1};
    const bool any = groups.groups > 0 && group_load > 0;
    const std::int64_t held =
        whole ? groups.groups : std::min(groups.groups, pool.spares / groups.units);
    groups_ = any ? weights(held, group) : std::vector<double>{1};
    const double units = whole ? std::accumulate(units_.begin(), units_.end(), 0.0) : 1;
    const double all = whole ? std::accumulate(groups_.begin(), groups_.end(), 0.0) : 1;
    units_.resize(std::min(units_.size(), static_cast<std::size_t>(pool.spares) + 1));
    if (whole) {
      for (double& weight : units_) weight /= units;
      for (double& weight : groups_) weight /= all;
    }
    below_.assign(units_.size() + 1, 0);
    std::partial_sum(units_.begin(), units_.end(), below_.begin() + 1);
    enough_ = enough(pool.spares);
  }

  /// Of all states in which the spares suffice.
  [[nodiscard]] double enough() const { return enough_; }
  /// Of all states in which no more than `most` units are out, up to the spares.
  [[nodiscard]] double enough(std::int64_t most) const {
    double sum = 0;
    for (std::int64_t g = 0; g <= most_groups() && g * pool_.groups.units <= most; ++g) {
      sum += of_groups(g) * up_to(most - g * pool_.groups.units);
    }
    return sum;
  }

  /// Losses from those states that find too few.
  [[nodiscard]] std::vector<Shortage> shortages() const {
    std::vector<Shortage> found;
    const GroupLosses& groups = pool_.groups;
    const double repair = pool_.repair.si(), group_repair = groups.repair.si();
    const auto per_second = [&](std::int64_t j, std::int64_t g) {
      return (j > 0 ? real(std::min(j, pool_.crews)) / repair : 0) +
             (g > 0 ? real(g) / group_repair : 0);
    };
    const double all_units = real(pool_.active) * pool_.rate.si();
    for (std::int64_t g = 0; g <= most_groups(); ++g) {
      if (all_units > 0) {
        add(found, of_units(room(g)) * of_groups(g) * all_units, 1 / per_second(room(g) + 1, g));
      }
      const double loses = real(groups.groups - g) * groups.rate.si();
      if (loses <= 0) continue;
      // Until there is room: units come back one after another, in the row of one group more.
      double time = 0;
      const std::int64_t first = std::max<std::int64_t>(0, room(g + 1) + 1);
      for (std::int64_t j = first; j <= room(g); ++j) {
        const double by_units = j > 0 ? real(std::min(j, pool_.crews)) / repair : 0;
        time = (1 + by_units * time) / per_second(j, g + 1);
        add(found, of_units(j) * of_groups(g) * loses, time);
      }
    }
    return found;
  }

 private:
  static void add(std::vector<Shortage>& found, double rate, double time) {
    if (rate > 0 && time > 0) found.push_back({rate, time});
  }
  /// Units that may be out beside so many groups; negative: none.
  [[nodiscard]] std::int64_t room(std::int64_t g) const {
    return pool_.spares - g * pool_.groups.units;
  }
  [[nodiscard]] std::int64_t most_groups() const {
    return std::min(static_cast<std::int64_t>(groups_.size()) - 1,
                    pool_.spares / pool_.groups.units);
  }
  [[nodiscard]] double of_units(std::int64_t j) const {
    return j < static_cast<std::int64_t>(units_.size()) ? units_[static_cast<std::size_t>(j)] : 0;
  }
  [[nodiscard]] double of_groups(std::int64_t g) const {
    return groups_[static_cast<std::size_t>(g)];
  }
  [[nodiscard]] double up_to(std::int64_t j) const {
    return below_[std::min(static_cast<std::size_t>(j) + 1, below_.size() - 1)];
  }

  const SparePool& pool_;
  std::vector<double> units_, groups_, below_;
  double enough_ = 0;
};

}  // namespace

namespace {

/// P(X <= k), X ~ Bin(n, q), q/(1 - q) = odds: a short sum from its first term is faster than a
/// function for all of them.
double short_binomial_cdf(std::int64_t k, std::int64_t n, double odds) {
  constexpr std::int64_t kMostTerms = 1000;
  constexpr double kLeastExponent = -600, kNothing = 1e-17;
  const double exponent = -real(n) * std::log1p(odds);
  if (k > kMostTerms || exponent < kLeastExponent) return binomial_cdf(k, n, odds / (1 + odds));
  double term = std::exp(exponent), sum = term;
  for (std::int64_t j = 1; j <= std::min(k, n); ++j) {
    term *= odds * real(n - j + 1) / real(j);
    sum += term;
    if (term < kNothing * sum && real(j) > real(n) * odds) break;
  }
  return std::min(1.0, sum);
}

}  // namespace

double out_at_most(const SparePool& pool, std::int64_t most, double slower) {
  if (most < 0) return 0;
  const std::int64_t n = pool.active + pool.spares;
  if (pool.crews < n) return States(pool, slower, true).enough(most);
  const GroupLosses& groups = pool.groups;
  const double odds = (pool.rate * pool.repair) / slower;
  const double group_odds = groups.groups > 0 ? (groups.rate * groups.repair) / slower : 0;
  if (group_odds <= 0) return short_binomial_cdf(most, n, odds);
  const double q_group = group_odds / (1 + group_odds);
  constexpr double kNothing = 1e-18;
  double sum = 0;
  for (std::int64_t g = 0; g <= std::min(groups.groups, most / groups.units); ++g) {
    const double share = boost::math::ibeta_derivative(real(g) + 1, real(groups.groups - g) + 1,
                                                       q_group) /
                         real(groups.groups + 1);  // C(G, g)·q^g·(1 - q)^(G - g)
    if (share < kNothing && real(g) > real(groups.groups) * q_group) break;
    sum += share * short_binomial_cdf(most - g * groups.units, n, odds);
  }
  return sum;
}

double spares_suffice_at_all_hours(const SparePool& pool) {
  return out_at_most(pool, pool.spares);
}

SpareOutlook waits_while_running(const SparePool& pool, const Crashes& crashes) {
  const double running = 1 + crashes.rate * crashes.down + crashes.stalled;
  const double down = crashes.down.si();
  const States states(pool, running, false);
  double short_of = 0, waiting = 0, squared = 0;
  for (const Shortage& shortage : states.shortages()) {
    const double often = shortage.rate / states.enough(), time = shortage.time;
    const double waits = often * (1 + crashes.of_losses * std::expm1(-down / time));
    short_of += often * time;
    waiting += waits * time;
    squared += waits * 2 * time * time;  // exponential
  }
  const double all = running + waiting;
  return {.p_ok = (all - short_of) / all, .waiting = waiting, .squared = Seconds{squared}};
}

SpareOutlook waits_at_all_hours(const SparePool& pool, const Crashes& crashes) {
  const double running = 1 + crashes.rate * crashes.down + crashes.stalled;
  const double down = crashes.down.si();
  const States states(pool, 1, true);
  const double ok = states.enough();
  if (ok <= 0) return {.p_ok = 0, .waiting = HUGE_VAL};
  const std::vector<Shortage> shortages = states.shortages();
  double short_of = 0;
  for (const Shortage& shortage : shortages) short_of += shortage.rate * shortage.time;
  if (short_of <= 0) return {};
  const double longer = (1 - ok) / short_of;
  double hidden = 0, squared = 0;
  for (const Shortage& shortage : shortages) {
    const double time = longer * shortage.time;
    const double covered = crashes.of_losses * -std::expm1(-down / time);
    hidden += shortage.rate / ok * time * covered;
    squared += shortage.rate / ok * (1 - covered) * 2 * time * time;
  }
  const double calendar = (running - hidden) / ok;
  return {.p_ok = ok, .waiting = std::max(0.0, calendar - running), .squared = Seconds{squared}};
}

}  // namespace planner::reliability
