#include "planner/reliability/luck.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

#include "planner/core/normal.hpp"
#include "planner/reliability/panjer.hpp"

namespace planner::inline reliability {

namespace {

constexpr double kLeastShape = 8;      // of a gamma distribution that is one in its cube root
constexpr double kMostExpected = 600;  // e^-600 is still a number
constexpr double kAlike = 1.0 / 8;     // of the finest cell: kinds of loss that are one
constexpr double kUnnoticed = 1e-4;    // of the finest cell
constexpr double kLeastCell = 1e-70;   // of the longest kind
constexpr double kAll = 1 - 5e-4;      // of all runs, that cells hold: more than is ever asked of
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
  found.reserve(kinds.size());
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
  up_to.reserve(kinds.size());
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
  rare.reserve(kinds.size());
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

/// The end of the kinds from one on that count together: the next is so much longer that none of
/// them counts in a run that meets it.
std::vector<RunLosses>::const_iterator end_of_alike(std::vector<RunLosses>::const_iterator from,
                                                    const std::vector<RunLosses>& kinds) {
  constexpr double kFarLonger = 1e12;
  const auto last = std::adjacent_find(
      from, kinds.end(),
      [](const RunLosses& a, const RunLosses& b) { return b.mean() > kFarLonger * a.mean(); });
  return last == kinds.end() ? last : std::next(last);
}

/// The longest kind, as a power of two of seconds: its fourth power is a number in these.
double unit_of(const std::vector<RunLosses>& kinds) {
  double longest = 0;
  for (const RunLosses& losses : kinds) longest = std::max(longest, losses.mean().si());
  return std::exp2(std::ceil(std::log2(longest)));
}

/// Points of a law, each later than the last.
class Points {
 public:
  /// @param unit  of the times that are put, in seconds
  /// @param usual  how many there are, if few
  Points(double unit, std::size_t usual) : unit_(unit) { all_.reserve(usual); }

  void put(double time, double within) {
    if (all_.empty() || unit_ * time > all_.back().time) all_.push_back({unit_ * time, within});
  }
  [[nodiscard]] bool empty() const { return all_.empty(); }
  [[nodiscard]] double within() const { return all_.back().within; }
  std::vector<LuckLaw::Point> take() { return std::move(all_); }

 private:
  double unit_;
  std::vector<LuckLaw::Point> all_;
};

/// Cells on which many losses lie, from a start on, and what is longer is added to these.
struct Cells {
  double cell, start = 0;
  std::vector<double> masses{1};

  Cells(const Cumulants& many, double least_cell) {
    constexpr double kOfUsual = 1.0 / 4;
    const double spread = std::sqrt(many.variance);
    cell = std::exp2(std::floor(std::log2(std::max(least_cell, kOfUsual * spread))));
    if (spread <= 0) return;
    start = cell * std::floor(std::max(0.0, many.mean - kReachOfMany * spread) / cell);
    masses = masses_of(Gamma(many), start, cell, many.mean + kReachOfMany * spread);
  }
  /// Twice as long.
  void next() {
    const bool odd = std::fmod(start / cell, 2) != 0;
    if (masses.size() > 1 || odd) masses = doubled(masses, odd);
    if (odd) start -= cell;
    cell *= 2;
  }
  /// What others add by cells, with these.
  [[nodiscard]] std::vector<double> with(const std::vector<double>& added) const {
    std::vector<double> both(added.size());
    for (std::size_t i = 0; i < std::min(added.size(), masses.size()); ++i) {
      for (std::size_t k = 0; k + i < added.size(); ++k) both[i + k] += masses[i] * added[k];
    }
    return both;
  }
};

/// Adds to a law what rare losses add to many, on cells twice as long again and again.
void put_rare(const std::vector<RunLosses>& rare, const Cumulants& many, double least_cell,
              std::size_t size, Points& points) {
  constexpr int kMostDoublings = 240;
  Cumulants few;
  for (const RunLosses& losses : rare) few += cumulants_of(losses);
  Cells cells(many, least_cell);
  // Fewer losses than the mean are no more likely than of a normal distribution.
  const double least = few.mean - kReachOfMany * std::sqrt(few.variance);
  while (static_cast<double>(size) * cells.cell < least) cells.next();
  std::vector<double> shortfalls(size + 1);
  for (const RunLosses& losses : rare) add_shortfalls(losses, cells.cell, 0, shortfalls);
  for (int doublings = 0;; ++doublings) {
    const std::vector<double> both = cells.with(added_by(few.expected, shortfalls, cells.cell));
    if (points.empty()) points.put(cells.start, many.variance > 0 ? 0 : both.front());
    double within = 0;
    for (std::size_t k = 0; k < size; ++k) {
      within += both[k];
      points.put(cells.start + (static_cast<double>(k) + 0.5) * cells.cell,
                 std::max(within, points.within()));
    }
    if (points.within() > kAll || doublings == kMostDoublings) return;
    for (std::size_t i = 1; i <= size / 2; ++i) shortfalls[i] = shortfalls[2 * i];
    std::fill(shortfalls.begin() + static_cast<std::ptrdiff_t>(size / 2) + 1, shortfalls.end(),
              0.0);
    cells.next();
    for (const RunLosses& losses : rare) {
      add_shortfalls(losses, cells.cell, size / 2 + 1, shortfalls);
    }
  }
}

/// The law of kinds from the shortest on, none far longer than the one before it.
std::vector<LuckLaw::Point> points_of(std::vector<RunLosses> kinds, int cells, Seconds finest) {
  const double unit = unit_of(kinds), least_cell = std::max(kLeastCell, finest.si() / unit);
  for (RunLosses& losses : kinds) {
    losses.least = losses.least / unit;
    losses.even = losses.even / unit;
    losses.exponential = losses.exponential / unit;
  }
  Points points(unit, 2 * static_cast<std::size_t>(cells));
  Cumulants many;
  const std::vector<RunLosses> rare = take_rare(kinds, many, least_cell);
  if (rare.empty()) {
    const Gamma gamma(many);
    for (const Normal& normal : normals()) points.put(gamma.at(normal.z), normal.below);
  } else {
    put_rare(rare, many, least_cell, static_cast<std::size_t>(cells), points);
  }
  return points.take();
}

}  // namespace

LuckLaw::LuckLaw(std::vector<RunLosses> kinds, int cells, Seconds finest) {
  kinds = put_together(kinds, finest.si());
  std::sort(kinds.begin(), kinds.end(),
            [](const RunLosses& a, const RunLosses& b) { return a.mean() < b.mean(); });
  for (auto from = kinds.cbegin(); from != kinds.cend();) {
    const auto end = end_of_alike(from, kinds);
    const std::vector<Point> longer = points_of({from, end}, cells, finest);
    for (Point& point : points_) point.within *= longer.front().within;
    for (const Point& point : longer) {
      if (points_.empty() || point.time > points_.back().time) points_.push_back(point);
    }
    from = end;
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
