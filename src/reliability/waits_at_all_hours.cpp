#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "planner/core/first_where.hpp"
#include "planner/reliability/clumps.hpp"
#include "planner/reliability/group_shortages.hpp"
#include "planner/reliability/spares.hpp"

// Waits for spares that are repaired one by one, where units fail at all hours.
namespace planner::inline reliability {

namespace {

/// Of the largest: what all states of less weight are together is below rounding.
constexpr double kNothing = 1e-24;

/// Weights of states: of each up to some, and of all beyond them together.
struct Weights {
  std::vector<double> each;
  double beyond = 0;
};

/// States 0 … last whose neighbours have the ratio ratio(j) = f(j)/f(j - 1), falling in j: from the
/// largest, which is 1, so that none overflows, to where nothing is left. Each of these up to
/// `kept`.
template <class Ratio>
Weights weights(std::int64_t kept, std::int64_t last, const Ratio& ratio) {
  // The last whose ratio is at least 1.
  const std::int64_t low = first_where(last, [&](auto j) { return !(ratio(j + 1) >= 1); });
  Weights found{.each = std::vector<double>(static_cast<std::size_t>(std::min(kept, low)) + 1)};
  const auto put = [&](std::int64_t j, double f) {
    (j <= kept ? found.each[static_cast<std::size_t>(j)] : found.beyond) += f;
  };
  put(low, 1);
  double f = 1;
  for (std::int64_t j = low + 1; j <= last && f > kNothing; ++j) {
    f *= ratio(j);
    if (j <= kept) {
      found.each.push_back(f);
    } else {
      found.beyond += f;
    }
  }
  f = 1;
  double least = 0;
  for (std::int64_t j = low; j > 0 && f > least; --j) {
    put(j - 1, f /= ratio(j));
    if (j - 1 == std::min(low - 1, kept)) least = kNothing * f;
  }
  return found;
}

/// A pool as the states of its units.
class States {
 public:
  /// @param slower  what the repair times are divided by
  States(const SparePool& pool, double slower) : pool_(pool) {
    const double load = (pool.rate * pool.repair) / slower;
    const std::int64_t n = pool.active + pool.spares;
    const auto single = [&](std::int64_t j) {
      return real(n - (j - 1)) * load / std::min(real(j), pool.crews);
    };
    const GroupLosses& groups = pool.groups;
    const double group_load = (groups.rate * groups.repair) / slower;
    const auto group = [&](std::int64_t g) {
      return real(groups.groups - (g - 1)) * group_load / real(g);
    };
    const bool any = groups.groups > 0 && group_load > 0;
    Weights unit_weights{{1}}, group_weights{{1}};
    if (load > 0) unit_weights = weights(pool.spares, n, single);
    if (any) group_weights = weights(groups.groups, groups.groups, group);
    units_ = std::move(unit_weights.each);
    groups_ = std::move(group_weights.each);
    const double units = std::accumulate(units_.begin(), units_.end(), unit_weights.beyond);
    const double all = std::accumulate(groups_.begin(), groups_.end(), group_weights.beyond);
    for (double& weight : units_) weight /= units;
    for (double& weight : groups_) weight /= all;
    beyond_ = beyond(unit_weights.beyond / units);
    below_.assign(units_.size() + 1, 0);
    std::partial_sum(units_.begin(), units_.end(), below_.begin() + 1);
    enough_ = enough(pool.spares);
  }

  /// Of all states in which they do not, of all: not 1 - enough(), which loses its digits.
  [[nodiscard]] double short_of() const { return beyond_; }
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
    const double of_unit = 1 / pool_.repair.si(), of_group = 1 / groups.repair.si();
    const auto units_back = [&](std::int64_t j) {
      return j > 0 ? std::min(real(j), pool_.crews) * of_unit : 0;
    };
    const auto groups_back = [&](std::int64_t g) { return g > 0 ? real(g) * of_group : 0; };
    const double all_units = real(pool_.active) * pool_.rate.si();
    for (std::int64_t g = 0; g <= most_groups(); ++g) {
      if (all_units > 0) {
        add(found, of_units(room(g)) * of_groups(g) * all_units,
            1 / (units_back(room(g) + 1) + groups_back(g)));
      }
      const double loses = real(groups.groups - g) * groups.rate.si();
      if (loses <= 0) continue;
      // Until there is room: units come back one after another, in the row of one group more.
      double time = 0;
      const double back = groups_back(g + 1);
      const std::int64_t first = std::max<std::int64_t>(0, room(g + 1) + 1);
      std::int64_t last = std::min(room(g), static_cast<std::int64_t>(units_.size()) - 1);
      while (last >= first && of_units(last) * of_groups(g) < kNothing * enough_) --last;
      for (std::int64_t j = first; j <= last; ++j) {
        const double by_units = units_back(j);
        time = (1 + by_units * time) / (by_units + back);
        add(found, of_units(j) * of_groups(g) * loses, time);
      }
    }
    return found;
  }

 private:
  /// @param units  share of the states with more units out than there are spares
  [[nodiscard]] double beyond(double units) const {
    std::vector<double> above(units_.size() + 1, units);  // of so many units and more
    for (std::size_t j = units_.size(); j-- > 0;) above[j] = above[j + 1] + units_[j];
    double sum = 0;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const std::int64_t first = std::max<std::int64_t>(0, room(static_cast<std::int64_t>(g)) + 1);
      sum += groups_[g] * above[std::min(static_cast<std::size_t>(first), units_.size())];
    }
    return sum;
  }
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
  double enough_ = 0, beyond_ = 0;
};

/// Whether P(X > k) is below rounding: Chernoff's bound, e^(-n·KL(a, q)) with a = (k + 1)/n above
/// q.
bool surely_within(std::int64_t k, std::int64_t n, double odds) {
  constexpr double kRounding = 40;  // -ln
  const double a = real(k + 1) / real(n), q = odds / (1 + odds);
  if (a <= q) return k >= n;
  const double others = a < 1 ? (1 - a) * std::log((1 - a) / (1 - q)) : 0;
  return k >= n || real(n) * (a * std::log(a / q) + others) > kRounding;
}

/// P(X <= k), X ~ Bin(n, q), q/(1 - q) = odds: a short sum from its first term is faster than a
/// function for all of them.
double short_binomial_cdf(std::int64_t k, std::int64_t n, double odds) {
  constexpr std::int64_t kMostTerms = 1000;
  constexpr double kLeastExponent = -600, kNoMore = 1e-17;
  const double exponent = -real(n) * std::log1p(odds);
  if (surely_within(k, n, odds)) return 1;
  if (k > kMostTerms || exponent < kLeastExponent) return binomial_cdf(k, n, odds / (1 + odds));
  double term = std::exp(exponent), sum = term;
  for (std::int64_t j = 1; j <= std::min(k, n); ++j) {
    term *= odds * real(n - j + 1) / real(j);
    sum += term;
    if (term < kNoMore * sum && real(j) > real(n) * odds) break;
  }
  return std::min(1.0, sum);
}

}  // namespace

double out_at_most(const SparePool& pool, std::int64_t most, double slower) {
  if (most < 0) return 0;
  const std::int64_t n = pool.active + pool.spares;
  if (pool.crews < real(n)) return States(pool, slower).enough(most);
  const GroupLosses& groups = pool.groups;
  const double odds = (pool.rate * pool.repair) / slower;
  const double group_odds = groups.groups > 0 ? (groups.rate * groups.repair) / slower : 0;
  if (group_odds <= 0) return short_binomial_cdf(most, n, odds);
  const double q_group = group_odds / (1 + group_odds);
  constexpr double kNoShare = 1e-18;
  double sum = 0;
  for (std::int64_t g = 0; g <= std::min(groups.groups, most / groups.units); ++g) {
    const double share = boost::math::ibeta_derivative(real(g) + 1, real(groups.groups - g) + 1,
                                                       q_group) /
                         real(groups.groups + 1);  // C(G, g)·q^g·(1 - q)^(G - g)
    if (share < kNoShare && real(g) > real(groups.groups) * q_group) break;
    sum += share * short_binomial_cdf(most - g * groups.units, n, odds);
  }
  return sum;
}

SpareOutlook waits_at_all_hours(std::span<const LikePools> pools, const Crashes& crashes) {
  constexpr double kLeast = 1e-9;          // of waits that recoveries leave
  constexpr double kNone = 1e-250;         // of which products are no numbers any more
  double ok = 1, short_of = 0, hours = 0;  // of all hours; for each in which enough are there
  double losses = 0;
  std::vector<std::pair<Shortage, Clump>> shortages;
  for (const LikePools& like : pools) {
    const States states(like.pool, 1);
    const double enough = states.enough(), number = real(like.number);
    if (enough < kNone) return {.p_ok = 0, .waiting = 1 / kNone};
    ok *= std::pow(enough, number);
    losses += number * (real(like.pool.active) * like.pool.rate.si() +
                        real(like.pool.groups.groups) * like.pool.groups.rate.si());
    short_of += number * std::log1p(states.short_of() / enough);
    const Clump clumped = clump(like.pool, 1, 0, 1);  // as if none were lost beyond the spares
    for (const Shortage& one : states.shortages()) {
      shortages.push_back({{number * one.rate / enough, one.time}, clumped});
      hours += shortages.back().first.rate * one.time;
    }
  }
  if (ok < kNone) return {.p_ok = 0, .waiting = 1 / kNone};
  if (hours <= 0 || short_of <= 0) return {};
  const double longer = std::expm1(short_of) / hours;
  SpareOutlook found{.p_ok = ok, .waiting = crashes.stalled * longer * hours};
  const double all = crashes.rate.si(), hiding = std::min(all, crashes.of_losses * losses);
  double down = all * crashes.down.si();  // of crashes that need no spare
  for (const HidingCrash& one : crashes.hiding) down -= hiding * one.share * one.down.si();
  if (crashes.hiding.empty()) down -= hiding * crashes.down.si();
  const double others = all - hiding, each = others > 0 ? std::max(0.0, down / others) : 0;
  double sum = 0;
  for (const auto& [one, clumped] : shortages) {
    const double time = longer * one.time, gone = -crashes.hides(ok * time);
    const double begun = hiding * gone - (each > 0 ? others * std::expm1(-each / (ok * time)) : 0);
    found.waiting += time * one.rate * (1 - crashes.of_losses * gone + begun * ok * time);
    const double left = std::max(kLeast, 1 + crashes.of_losses * crashes.hides(time));
    add_waits(found.waits, waits_left(one.rate, time, clumped, left));
    sum += left * one.rate * time;
  }
  // Waits of these lengths, so many that they come to that.
  for (Pauses& kind : found.waits) kind.rate = found.waiting / sum * kind.rate;
  return found;
}

}  // namespace planner::reliability
