#include "planner/reliability/luck.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "planner/core/normal.hpp"

namespace planner::inline reliability {

namespace {

constexpr double kLeastShape = 8;      // of a gamma distribution that is one in its cube root
constexpr double kMostExpected = 600;  // e^-600 is still a number
constexpr double kAlike = 1.0 / 8;     // of the finest cell: kinds of loss that are one
constexpr double kUnnoticed = 1e-4;    // of the finest cell
constexpr double kLeastCell = 1e-70;   // of the longest kind
constexpr double kAll = 1 - 1e-4;      // of all runs, that cells hold
constexpr double kReachOfMany = 4;     // standard deviations of many losses, that cells hold

/// Rate times the moments of losses: mean, variance, third and fourth cumulant of what they add.
struct Cumulants {
  double expected = 0, mean = 0, variance = 0, third = 0, fourth = 0;

  Cumulants& operator+=(const Cumulants& other) {
    expected += other.expected;
    mean += other.mean;
    variance += other.variance;
    third += other.third;
    fourth += other.fourth;
    return *this;
  }
  [[nodiscard]] double shape() const {
    const double skewed = variance / third;
    return variance > 0 ? 4 * skewed * skewed * variance : HUGE_VAL;
  }
  /// How far quantiles are off, nearly, where they are taken from a gamma distribution: the next
  /// term of Cornish and Fisher's series (1937), (z³ - 3z)/24 times the difference of the fourth
  /// cumulants, which is within 0.08 up to the 95th of 100.
  [[nodiscard]] double off() const {
    if (variance <= 0) return 0;
    constexpr double kOfFourth = 0.08;
    const double kurtosis = fourth / (variance * variance);
    return kOfFourth * std::abs(kurtosis - 6 / shape()) * std::sqrt(variance);
  }
};

Cumulants cumulants_of(const RunLosses& losses) {
  const double n = losses.expected, l = losses.least.si(), u = losses.even.si(),
               t = losses.exponential.si();
  const double u1 = u / 2, u2 = u * u / 3, u3 = u * u * u / 4, u4 = u2 * u2 * 9 / 5;
  const double v1 = u1 + t, v2 = u2 + 2 * t * v1, v3 = u3 + 3 * t * v2, v4 = u4 + 4 * t * v3;
  return {n, n * (l + v1), n * (l * (l + 2 * v1) + v2), n * (l * (l * (l + 3 * v1) + 3 * v2) + v3),
          n * (l * (l * (l * (l + 4 * v1) + 6 * v2) + 4 * v3) + v4)};
}

/// Kinds that hardly differ as one, with their mean; without what no run would notice.
std::vector<RunLosses> put_together(const std::vector<RunLosses>& kinds, double finest) {
  std::vector<RunLosses> found;
  const auto alike = [&](Seconds a, Seconds b) {
    return std::abs((a - b).si()) <= kAlike * finest;
  };
  for (const RunLosses& one : kinds) {
    if (!(one.expected * one.mean().si() > kUnnoticed * finest)) continue;
    const auto same = std::find_if(found.begin(), found.end(), [&](const RunLosses& other) {
      return alike(one.least, other.least) && alike(one.even, other.even) &&
             alike(one.exponential, other.exponential);
    });
    if (same == found.end()) {
      found.push_back(one);
      continue;
    }
    same->expected += one.expected;
    const double share = one.expected / same->expected;
    same->least += share * (one.least - same->least);
    same->even += share * (one.even - same->even);
    same->exponential += share * (one.exponential - same->exponential);
  }
  return found;
}

/// Those that are few and large, out of the list; what is left is gamma distributed.
/// @param kinds  the smallest first
std::vector<RunLosses> take_rare(std::vector<RunLosses>& kinds, Cumulants& rest, double finest) {
  constexpr double kOfDeviation = 1e-3, kOfFinest = 1.0 / 16, kOfSum = 1.0 / 32;
  std::vector<Cumulants> up_to;  // of the smaller kinds and this one
  for (const RunLosses& losses : kinds) {
    rest += cumulants_of(losses);
    up_to.push_back(rest);
  }
  const auto is_gamma = [&](const Cumulants& many) {
    if (kinds.back().mean().si() > kOfSum * many.mean) return false;
    const double most = std::max(kOfDeviation * std::sqrt(many.variance), kOfFinest * finest);
    return many.shape() >= kLeastShape && many.off() <= most;
  };
  std::vector<RunLosses> rare;
  double expected = 0;
  while (!kinds.empty() && !is_gamma(up_to.back()) &&
         (expected += kinds.back().expected) < kMostExpected) {
    rare.push_back(kinds.back());
    kinds.pop_back();
    up_to.pop_back();
  }
  rest = up_to.empty() ? Cumulants{} : up_to.back();
  return rare;
}

/// A gamma distribution from a least on, as normal in its cube root (Wilson and Hilferty 1931).
class Gamma {
 public:
  explicit Gamma(const Cumulants& of)
      : shape_(of.shape()),
        scale_(of.third / (2 * of.variance)),
        least_(of.mean - shape_ * scale_),
        root_(1 / std::sqrt(shape_)) {}

  [[nodiscard]] double within(double time) const {
    const double relative = (time - least_) / (shape_ * scale_);
    if (relative <= 0) return 0;
    return normal_share_below((std::cbrt(relative) - 1 + root_ * root_ / 9) * 3 / root_);
  }
  /// The time that the share Φ(z) stays within.
  [[nodiscard]] double at(double z) const {
    const double cube = std::max(0.0, 1 - root_ * root_ / 9 + z * root_ / 3);
    return std::max(0.0, least_ + shape_ * scale_ * cube * cube * cube);
  }

 private:
  double shape_, scale_, least_, root_;
};

/// Φ(z) from -5 to 5.
struct Normal {
  double z, below;
};
const std::array<Normal, 81>& normals() {
  static const auto found = [] {
    std::array<Normal, 81> table{};
    for (int i = 0; i <= 80; ++i) {
      const double z = (i - 40) / 8.0;
      table.at(static_cast<std::size_t>(i)) = {z, normal_share_below(z)};
    }
    return table;
  }();
  return found;
}

/// E[(z - E)²]/2, or E[z - E], where positive, E exponential, at z = from + i·step for i = 0, 1, …
class Summed {
 public:
  Summed(double from, double step, double exponential)
      : z_(from),
        step_(step),
        t_(exponential),
        ratio_(exponential > 0 ? std::exp(-step / exponential) : 0) {}
  double next(bool twice) {
    const double z = z_;
    z_ += step_;
    if (z <= 0) return 0;
    if (t_ <= 0) return twice ? z * z / 2 : z;
    left_ = left_ < 0 ? std::exp(-z / t_) : left_ < kNothing ? 0 : left_ * ratio_;
    const double u = z / t_;
    // The differences below keep few digits of what is small against their terms.
    if (u < kSmall) {
      if (!twice) return z * u / 2 * (1 - u / 3 * (1 - u / 4 * (1 - u / 5 * (1 - u / 6))));
      return z * z * u / 6 * (1 - u / 4 * (1 - u / 5 * (1 - u / 6 * (1 - u / 7 * (1 - u / 8)))));
    }
    const double once = z - t_ * (1 - left_);
    return twice ? z * z / 2 - t_ * once : once;
  }

 private:
  static constexpr double kSmall = 0.05, kNothing = 1e-30;
  double z_, step_, t_, ratio_, left_ = -1;
};

/// Adds to E[(x - loss)+], times how many are expected, at the cells from `first` on.
void add_shortfalls(const RunLosses& losses, double cell, std::size_t first,
                    std::vector<double>& of_all) {
  constexpr double kLeastEven = 0.05;  // of a cell
  const double from = static_cast<double>(first) * cell, even = losses.even.si(),
               least = losses.least.si(), t = losses.exponential.si();
  if (even < kLeastEven * cell) {
    Summed of_loss(from - least - even / 2, cell, t);
    for (std::size_t i = first; i < of_all.size(); ++i) {
      of_all[i] += losses.expected * of_loss.next(false);
    }
    return;
  }
  Summed of_least(from - least, cell, t), of_most(from - least - even, cell, t);
  const double each = losses.expected / even;
  for (std::size_t i = first; i < of_all.size(); ++i) {
    const double above = of_least.next(true);
    of_all[i] += each * (above - of_most.next(true));
  }
}

/// P(rare losses add i cells): x·g(x) = Σ μ·y·f(y)·g(x - y) (Panjer 1981). A loss between two cells
/// is shared out: the second differences of E[(x - loss)+] are these shares.
std::vector<double> added_by(double expected, const std::vector<double>& shortfalls, double cell) {
  const std::size_t cells = shortfalls.size() - 1;
  std::vector<double> sizes(cells), sums(cells), added(cells);
  constexpr double kNothing = 1e-12;
  std::size_t least = cells, most = 0;
  for (std::size_t y = 1; y < cells; ++y) {
    const double number = (shortfalls[y + 1] - 2 * shortfalls[y] + shortfalls[y - 1]) / cell;
    if (!(number > kNothing * expected)) continue;
    least = std::min(least, y);
    most = y;
    sizes[y] = static_cast<double>(y) * number;
  }
  added[0] = std::exp(shortfalls[1] / cell - expected);
  for (std::size_t x = 0; x < cells; ++x) {
    if (x > 0) added[x] = sums[x] / static_cast<double>(x);
    const double here = added[x];
    if (here <= 0) continue;
    double* const beyond = sums.data() + x;
    const double* const of_size = sizes.data();
    const std::size_t end = std::min(most + 1, cells - x);
    for (std::size_t y = least; y < end; ++y) beyond[y] += here * of_size[y];
  }
  return added;
}

/// P(many losses add up to i cells beyond the start), each cell about its middle.
std::vector<double> masses_of(const Gamma& many, double start, double cell, double end) {
  std::vector<double> masses;
  double before = 0;
  for (double to = start + cell / 2; to < end + cell; to += cell) {
    const double now = to < end ? many.within(to) : 1;
    masses.push_back(now - before);
    before = now;
  }
  return masses;
}

/// Of cells twice as long: what lies between two of them is shared out.
/// @param odd  the first cell lies between two of them
std::vector<double> doubled(const std::vector<double>& masses, bool odd) {
  std::vector<double> found(masses.size() / 2 + 2);
  for (std::size_t i = 0; i < masses.size(); ++i) {
    const std::size_t at = i + (odd ? 1 : 0);
    if (at % 2 == 0) {
      found[at / 2] += masses[i];
    } else {
      found[at / 2] += masses[i] / 2;
      found[at / 2 + 1] += masses[i] / 2;
    }
  }
  while (found.size() > 1 && found.back() == 0) found.pop_back();
  return found;
}

/// How many of the kinds, the smallest first, are so much shorter than the others that none counts
/// in a run that meets one of these; all of them: no others are.
std::size_t apart(const std::vector<RunLosses>& kinds) {
  constexpr double kFarLonger = 1e12;
  const auto first = std::adjacent_find(
      kinds.begin(), kinds.end(),
      [](const RunLosses& a, const RunLosses& b) { return b.mean() > kFarLonger * a.mean(); });
  return first == kinds.end() ? kinds.size() : static_cast<std::size_t>(first - kinds.begin()) + 1;
}

/// The longest kind, as a power of two of seconds: its fourth power is a number in these.
double unit_of(const std::vector<RunLosses>& kinds) {
  double longest = 0;
  for (const RunLosses& losses : kinds) longest = std::max(longest, losses.mean().si());
  return std::exp2(std::ceil(std::log2(longest)));
}

}  // namespace

LuckLaw::LuckLaw(std::vector<RunLosses> kinds, int cells, Seconds finest) {
  kinds = put_together(kinds, finest.si());
  if (kinds.empty()) return;
  std::sort(kinds.begin(), kinds.end(),
            [](const RunLosses& a, const RunLosses& b) { return a.mean() < b.mean(); });
  if (const std::size_t shorter = apart(kinds); shorter < kinds.size()) {
    const auto first = kinds.begin() + static_cast<std::ptrdiff_t>(shorter);
    *this = LuckLaw({kinds.begin(), first}, cells, finest);
    const LuckLaw longer({first, kinds.end()}, cells, finest);
    for (Point& point : points_) point.within *= longer.points_.front().within;
    for (const Point& point : longer.points_) {
      if (point.time > points_.back().time) points_.push_back(point);
    }
    return;
  }
  const double unit = unit_of(kinds), least_cell = std::max(kLeastCell, finest.si() / unit);
  for (RunLosses& losses : kinds) {
    losses.least = losses.least / unit;
    losses.even = losses.even / unit;
    losses.exponential = losses.exponential / unit;
  }
  const auto put = [&](double time, double within) {
    if (points_.empty() || unit * time > points_.back().time) {
      points_.push_back({unit * time, within});
    }
  };
  Cumulants many, few;
  const std::vector<RunLosses> rare = take_rare(kinds, many, least_cell);
  for (const RunLosses& losses : rare) few += cumulants_of(losses);
  if (rare.empty()) {
    const Gamma gamma(many);
    for (const Normal& normal : normals()) put(gamma.at(normal.z), normal.below);
    return;
  }
  constexpr double kOfUsual = 1.0 / 4;
  constexpr int kMostDoublings = 240;
  const double spread = std::sqrt(many.variance), n = static_cast<double>(cells);
  double cell = std::exp2(std::floor(std::log2(std::max(least_cell, kOfUsual * spread))));
  std::vector<double> masses{1};
  double start = 0;
  if (spread > 0) {
    start = cell * std::floor(std::max(0.0, many.mean - kReachOfMany * spread) / cell);
    masses = masses_of(Gamma(many), start, cell, many.mean + kReachOfMany * spread);
  }
  const auto next_cells = [&] {
    const bool odd = std::fmod(start / cell, 2) != 0;
    if (masses.size() > 1 || odd) masses = doubled(masses, odd);
    if (odd) start -= cell;
    cell *= 2;
  };
  // Fewer losses than the mean are no more likely than of a normal distribution.
  while (n * cell < few.mean - kReachOfMany * std::sqrt(few.variance)) next_cells();
  const auto size = static_cast<std::size_t>(cells);
  std::vector<double> shortfalls(size + 1);
  for (const RunLosses& losses : rare) add_shortfalls(losses, cell, 0, shortfalls);
  for (int doublings = 0;; ++doublings) {
    const std::vector<double> added = added_by(few.expected, shortfalls, cell);
    std::vector<double> both(size);
    for (std::size_t i = 0; i < std::min(size, masses.size()); ++i) {
      for (std::size_t k = 0; k + i < size; ++k) both[i + k] += masses[i] * added[k];
    }
    if (points_.empty()) put(start, spread > 0 ? 0 : both.front());
    double within = 0;
    for (std::size_t k = 0; k < size; ++k) {
      within += both[k];
      put(start + (static_cast<double>(k) + 0.5) * cell, std::max(within, points_.back().within));
    }
    if (points_.back().within > kAll || doublings == kMostDoublings) return;
    for (std::size_t i = 1; i <= size / 2; ++i) shortfalls[i] = shortfalls[2 * i];
    std::fill(shortfalls.begin() + cells / 2 + 1, shortfalls.end(), 0.0);
    next_cells();
    for (const RunLosses& losses : rare) add_shortfalls(losses, cell, size / 2 + 1, shortfalls);
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
