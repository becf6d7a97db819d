#include "planner/reliability/luck.hpp"

#include <algorithm>
#include <cmath>

#include "planner/core/normal.hpp"

namespace planner::inline reliability {

namespace {

constexpr double kGammaShape = 64;     // from which on losses together are gamma distributed
constexpr double kReach = 5;           // standard deviations that cells hold
constexpr double kLeastChance = 2e-4;  // of a loss that they hold
constexpr double kMostExpected = 600;  // e^-600 is still a number
constexpr double kPerLoss = 3;         // cells, where many are counted out
constexpr double kDivision = 8;        // of cells into finer ones
constexpr int kMostDivisions = 24;

/// E[U^j] of an even law from 0 to `even`, and E[E^j] of an exponential one.
double moment(double even, int j) {
  return std::pow(even, j) / (j + 1);
}

/// Rate times the moments of losses: mean, variance and third cumulant of what they add.
struct Cumulants {
  double expected = 0, mean = 0, variance = 0, third = 0;

  Cumulants& operator+=(const Cumulants& other) {
    expected += other.expected;
    mean += other.mean;
    variance += other.variance;
    third += other.third;
    return *this;
  }
  [[nodiscard]] double shape() const {
    const double skewed = variance / third;
    return variance > 0 ? 4 * skewed * skewed * variance : HUGE_VAL;
  }
};

Cumulants cumulants_of(const RunLosses& losses) {
  const double l = losses.least.si(), u = losses.even.si(), t = losses.exponential.si();
  const double v1 = moment(u, 1) + t, v2 = moment(u, 2) + 2 * moment(u, 1) * t + 2 * t * t;
  const double v3 = moment(u, 3) + 3 * moment(u, 2) * t + 6 * moment(u, 1) * t * t + 6 * t * t * t;
  return {losses.expected, losses.expected * (l + v1), losses.expected * (l * l + 2 * l * v1 + v2),
          losses.expected * (l * l * l + 3 * l * l * v1 + 3 * l * v2 + v3)};
}

/// Those that are few and large, out of the list; what is left is gamma distributed.
std::vector<RunLosses> take_rare(std::vector<RunLosses>& kinds, Cumulants& rest) {
  std::sort(kinds.begin(), kinds.end(),
            [](const RunLosses& a, const RunLosses& b) { return a.mean() < b.mean(); });
  std::vector<Cumulants> up_to;  // of the smaller kinds and this one
  for (const RunLosses& losses : kinds) {
    rest += cumulants_of(losses);
    up_to.push_back(rest);
  }
  std::vector<RunLosses> rare;
  double expected = 0;
  while (!kinds.empty() && up_to.back().shape() < kGammaShape &&
         (expected += kinds.back().expected) < kMostExpected) {
    rare.push_back(kinds.back());
    kinds.pop_back();
    up_to.pop_back();
  }
  rest = up_to.empty() ? Cumulants{} : up_to.back();
  return rare;
}

/// E[(z - E)²]/2, where positive, E exponential, at z = from + i·step for i = 0, 1, …
class TwiceSummed {
 public:
  TwiceSummed(double from, double step, double exponential)
      : z_(from),
        step_(step),
        t_(exponential),
        ratio_(exponential > 0 ? std::exp(-step / exponential) : 0) {}
  double next() {
    const double z = z_;
    z_ += step_;
    if (z <= 0) return 0;
    if (t_ <= 0) return z * z / 2;
    left_ = left_ > 0 ? left_ * ratio_ : std::exp(-z / t_);
    const double u = z / t_;
    // The difference below keeps few digits of what is small against its terms.
    if (u < kSmall) {
      return z * z * u / 6 * (1 - u / 4 * (1 - u / 5 * (1 - u / 6 * (1 - u / 7 * (1 - u / 8)))));
    }
    return z * z / 2 - t_ * (z - t_ * (1 - left_));
  }

 private:
  static constexpr double kSmall = 0.05;
  double z_, step_, t_, ratio_, left_ = 0;
};

/// Adds expected·y·P(loss = y cells) for y from 1 on to `sizes`: what is longer than all of them
/// does not touch what is added within them. Returns the number of losses that are more than
/// nothing on these cells.
double add_sizes(const RunLosses& losses, double cell, std::vector<double>& sizes) {
  constexpr double kLeastEven = 1e-3;  // of a cell
  const double even = std::max(losses.even.si(), kLeastEven * cell), t = losses.exponential.si();
  // E[(x - loss)+] at each cell, of which the second differences are the shares.
  TwiceSummed of_least(cell - losses.least.si(), cell, t);
  TwiceSummed of_most(cell - losses.least.si() - even, cell, t);
  double before = 0, here = 0, after = (of_least.next() - of_most.next()) / even;
  const double nothing = after / cell;
  for (std::size_t y = 1; y < sizes.size(); ++y) {
    before = here;
    here = after;
    after = (of_least.next() - of_most.next()) / even;
    const double share = std::max(0.0, (after - 2 * here + before) / cell);
    sizes[y] += losses.expected * static_cast<double>(y) * share;
  }
  return losses.expected * (1 - nothing);
}

/// P(rare losses add i cells): x·g(x) = Σ μ·y·f(y)·g(x - y) (Panjer 1981).
std::vector<double> added_by(const std::vector<RunLosses>& rare, double cell, std::size_t cells) {
  std::vector<double> sizes(cells), sums(cells), added(cells);
  double expected = 0;
  for (const RunLosses& losses : rare) expected += add_sizes(losses, cell, sizes);
  for (std::size_t x = 0; x < cells; ++x) {
    added[x] = x == 0 ? std::exp(-expected) : sums[x] / static_cast<double>(x);
    const double here = added[x];
    double* const beyond = sums.data() + x;
    const double* const of_size = sizes.data();
    for (std::size_t y = 0; y < cells - x; ++y) beyond[y] += here * of_size[y];
  }
  return added;
}

/// P(the many losses add up to i cells beyond the start): gamma distributed from a least on, as
/// normal in its cube root (Wilson and Hilferty 1931).
std::vector<double> usual(const Cumulants& of, double start, double cell, std::size_t cells) {
  if (of.variance <= 0) return std::vector<double>(1, 1.0);
  const double shape = of.shape(), scale = of.third / (2 * of.variance);
  const double least = of.mean - shape * scale, root = 1 / std::sqrt(shape);
  const auto within = [&](double time) {
    const double relative = (time - least) / (shape * scale);
    if (relative <= 0) return 0.0;
    return normal_share_below((std::cbrt(relative) - 1 + root * root / 9) * 3 / root);
  };
  std::vector<double> masses;
  double before = 0;
  constexpr double kAll = 1 - 1e-12;
  for (std::size_t i = 0; i < cells && before < kAll; ++i) {
    const double now = within(start + (static_cast<double>(i) + 0.5) * cell);
    masses.push_back(now - before);
    before = now;
  }
  return masses;
}

/// Masses of what is usual with the rare losses added.
std::vector<double> added_to(std::vector<double> usual, const std::vector<RunLosses>& rare,
                             double cell, std::size_t cells) {
  if (rare.empty()) return usual;
  const std::vector<double> added = added_by(rare, cell, cells);
  if (usual.size() == 1) return added;
  std::vector<double> both(cells);
  for (std::size_t i = 0; i < usual.size(); ++i) {
    for (std::size_t k = 0; k + i < cells; ++k) both[i + k] += usual[i] * added[k];
  }
  return both;
}

}  // namespace

LuckLaw::LuckLaw(std::vector<RunLosses> kinds, int cells, Seconds finest) {
  std::erase_if(kinds, [](const RunLosses& one) { return !(one.expected * one.mean().si() > 0); });
  if (kinds.empty()) return;
  Cumulants many, few;
  const std::vector<RunLosses> rare = take_rare(kinds, many);
  double longest = 0;
  for (const RunLosses& losses : rare) {
    few += cumulants_of(losses);
    const double chance = losses.expected / kLeastChance;
    if (chance <= 1) continue;
    longest = std::max(
        longest, (losses.least + losses.even).si() + losses.exponential.si() * std::log(chance));
  }
  const double spread = kReach * std::sqrt(many.variance);
  const double first = std::max(0.0, many.mean - spread);
  const double held =
      many.mean + spread - first + few.mean + kReach * std::sqrt(few.variance) + longest;
  // A loss that lies between two cells spreads more, which counts where there are many.
  const double needed = few.mean > 0 ? kPerLoss * held * few.expected / few.mean : 0;
  cells = std::clamp(static_cast<int>(std::min(needed, 1e9)), cells, 2 * cells);
  const double longest_cell = std::exp2(std::ceil(std::log2(held / cells)));
  int divided = 0;
  for (double cell = longest_cell; cell > finest.si() && divided < kMostDivisions; ++divided) {
    cell /= kDivision;
  }
  for (; divided >= 0; --divided) {
    const double cell = longest_cell / std::pow(kDivision, divided);
    const double start = cell * std::floor(first / cell);
    const double whole = std::min(static_cast<double>(cells), std::ceil(held / cell) + 2);
    const std::vector<double> masses =
        added_to(usual(many, start, cell, static_cast<std::size_t>(whole)), rare, cell,
                 static_cast<std::size_t>(whole));
    double within = 0;
    if (points_.empty()) points_.push_back({start, many.variance > 0 ? 0 : masses.front()});
    for (std::size_t k = 0; k < masses.size(); ++k) {
      within += masses[k];
      const double time = start + (static_cast<double>(k) + 0.5) * cell;
      if (time > points_.back().time) {
        points_.push_back({time, std::max(within, points_.back().within)});
      }
    }
  }
}

double LuckLaw::share_within(Seconds time) const {
  if (points_.empty()) return time < Seconds{} ? 0 : 1;
  const double at = time.si();
  if (at < points_.front().time) return 0;
  if (at >= points_.back().time) return 1;
  const auto next = std::upper_bound(points_.begin(), points_.end(), at,
                                     [](double t, const Point& point) { return t < point.time; });
  const Point &to = *next, &from = *std::prev(next);
  return from.within + (at - from.time) / (to.time - from.time) * (to.within - from.within);
}

Seconds LuckLaw::quantile(double p) const {
  if (points_.empty() || p <= points_.front().within) return {};
  const auto next =
      std::lower_bound(points_.begin(), points_.end(), p,
                       [](const Point& point, double share) { return point.within < share; });
  if (next == points_.end()) return Seconds{points_.back().time};
  const Point &to = *next, &from = *std::prev(next);
  return Seconds{from.time + (p - from.within) / (to.within - from.within) * (to.time - from.time)};
}

}  // namespace planner::reliability
