#include "planner/reliability/outcome_law.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "planner/core/normal.hpp"
#include "planner/core/real.hpp"
#include "planner/reliability/ramps.hpp"

namespace planner::inline reliability {

namespace {

constexpr std::array kDeviations{-2.5, -1.6, -0.8, 0.0, 0.8, 1.6, 2.5};  // rates, recovery times
// Nodes of one of them, where the other is known; between two of these others, no closer than so
// much, where a line through them would be off by so much in the middle. Of 400 random jobs ends of
// rates are as near those of 81 laws, mixed, as with nodes every 0.2: the 90th of 100 is within 3 %
// of them in 389 with both.
constexpr std::array kDeviationsAlone{-2.8, -1.6, -0.8, 0.0, 0.8, 1.6, 2.8};
constexpr double kStepAlone = 0.2, kBent = 0.01;
// Parts of the way from a node to the next, in these.
constexpr double kPart = 0.2, kPartAcross = 0.4, kPartAlone = 0.1;
constexpr double kShift = 0.01;  // of an excess, in its logarithm
// Known so much better than recovery times, rates are looked at in the middle of parts of the way.
// A choice, and a small one: of jobs as of luck_shares(), with 19 other shares, quantiles are 1.19
// % off with 0.15 and 1.08 with 1 where rates are known 5.7 times as well, 1.30 and 1.17 where 2.9
// times, 2.11 and 2.46 where 1.3 times, and as well off with 0 as with 0.15 but by 0.1 % where they
// are known 9 times as well.
constexpr double kBetter = 0.15;
constexpr double kFarthest = 1;        // from the nearer node
constexpr double kMostLogarithm = 60;  // of an excess
constexpr double kTail = 2e-5;
constexpr double kSplitReach = 4.5;  // of a factor, in standard deviations

double share_of_split(const LogSpread& spread, double logarithm) {
  const double of = logarithm < 0 ? spread.below : spread.above;
  if (of <= 0) return logarithm < 0 ? 0 : 1;
  return normal_share_below(logarithm / of);
}

/// Masses of cells of a logarithm, the first of which begins at `start`.
struct Masses {
  double start = 0;
  std::vector<double> of_cell;
};

/// What is exact lies in the middle of one cell; what lies beyond the ends in the last ones.
Masses masses_of(const ShareBelow& law, LogReach reach, double cell) {
  const auto [low, high] = reach;
  if (high - low < cell) return {(low + high - cell) / 2, {1}};
  const auto cells = static_cast<std::size_t>(std::ceil((high - low) / cell));
  Masses masses{low, std::vector<double>(cells)};
  double before = 0;
  for (std::size_t i = 0; i < cells; ++i) {
    const double within = i + 1 == cells ? 1 : law(low + static_cast<double>(i + 1) * cell);
    masses.of_cell[i] = within - before;
    before = within;
  }
  return masses;
}

/// Shares of runs by their luck that are looked at: fewer where all else varies, closest about what
/// is asked for most. A choice between errors and time: of 840 jobs of 9 to 2,000 servers (recovery
/// times within 3 times, rates within 1.01 to 2.4) the 10th, 25th, 50th, 75th, 90th and 95th of 100
/// are 0.92 % off (root of the mean square) those of the laws at 29 by 29 nodes, mixed: 0.5 to 0.6
/// % where rates are within 1.1 times, 1.5 % within 2.4; 25 % at worst, beside where one run more
/// waits for days. With 200 shares it would be 0.83 %, by the nodes alone.
std::vector<double> luck_shares(bool rates_vary, bool recovery_varies) {
  if (rates_vary && recovery_varies) {
    return {0.025, 0.06, 0.1,  0.175, 0.25,  0.32, 0.41,  0.5,  0.58, 0.66,
            0.73,  0.79, 0.85, 0.9,   0.925, 0.95, 0.975, 0.99, 0.999};
  }
  const bool alone = !rates_vary && !recovery_varies;
  constexpr std::int64_t kAlone = 512, kWithOne = 60;
  const auto all = alone ? kAlone : kWithOne;
  std::vector<double> shares{0.5 / real(all)};
  for (std::int64_t i = 1; i < (alone ? all : all * 9 / 10 + 1); ++i) {
    shares.push_back(real(i) / real(all));
  }
  if (!alone) shares.insert(shares.end(), {0.95, 0.98, 0.995, 0.999});
  return shares;
}

/// Of shares of luck, from one to the next: the share of runs between them. What is luckier than
/// the first is as that, and what is less lucky than the last.
struct Band {
  std::size_t from, to;
  double weight;
};

std::vector<Band> bands_of(const std::vector<double>& shares) {
  std::vector<Band> bands{{0, 0, shares.front()}};
  for (std::size_t m = 1; m < shares.size(); ++m) {
    bands.push_back({m - 1, m, shares[m] - shares[m - 1]});
  }
  bands.push_back({shares.size() - 1, shares.size() - 1, 1 - shares.back()});
  return bands;
}

/// From one node to the next: of a part of this way, its share of all cases.
struct Part {
  std::size_t node;  ///< the first of the two
  double from, to;   ///< of the way
  double weight;
};

/// @param wide  of a part, about: there is an even number of them
std::vector<Part> parts_of(const std::vector<double>& nodes, double wide) {
  if (nodes.size() == 1) return {{0, 0, 0, 1}};
  std::vector<Part> parts;
  double before = 0;
  for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
    const std::int64_t parts_of_way = 2 * std::llround((nodes[i + 1] - nodes[i]) / (2 * wide));
    for (std::int64_t k = 0; k < parts_of_way; ++k) {
      const double from = real(k) / real(parts_of_way), to = from + 1 / real(parts_of_way);
      const bool last = i + 2 == nodes.size() && k + 1 == parts_of_way;
      const double within =
          last ? 1 : normal_share_below(nodes[i] + to * (nodes[i + 1] - nodes[i]));
      parts.push_back({i, from, to, within - before});
      before = within;
    }
  }
  return parts;
}

/// Others may come between them where the other one does not vary.
std::vector<double> nodes_of(bool vary, bool other_varies) {
  if (!vary) return {0};
  const auto& nodes = other_varies ? kDeviations : kDeviationsAlone;
  return {nodes.begin(), nodes.end()};
}

/// At a share of the way from one node to the next. Never less where one of both is more.
double between(double here, double next, double at, bool nearer_next) {
  const double linear = here + at * (next - here);
  const double step = next < here ? -kFarthest : kFarthest;
  if (std::abs(next - here) <= kFarthest) return linear;
  if (nearer_next) return step > 0 ? std::max(linear, next - step) : std::min(linear, next - step);
  return step > 0 ? std::min(linear, here + step) : std::max(linear, here + step);
}

/// ln(excess + 0.01) of each node and share of luck.
class Nodes {
 public:
  Nodes(const ExcessAt& excess, double rates, double recovery)
      : by_rates_(nodes_of(rates > 0, recovery > 0)),
        by_recovery_(nodes_of(recovery > 0, rates > 0)),
        along_rates_(rates > kBetter * recovery),
        luck_(luck_shares(rates > 0, recovery > 0)) {
    const auto look_at = [&](double z, double y) {
      std::vector<double> at = excess(z, y, luck_);
      for (double& value : at) value = std::min(kMostLogarithm, std::log(value + kShift));
      return at;
    };
    for (const double z : by_rates_) {
      for (const double y : by_recovery_) values_.push_back(look_at(z, y));
    }
    if (by_recovery_.size() == 1) {
      add_where_bent(by_rates_, [&](double z) { return look_at(z, 0); });
    } else if (by_rates_.size() == 1) {
      add_where_bent(by_recovery_, [&](double y) { return look_at(0, y); });
    }
    if (values_.front().size() == 1) luck_ = {0.5};
  }

  [[nodiscard]] LogTable table() const {
    double low = kMostLogarithm, high = std::log(kShift);
    for (const std::vector<double>& at : values_) {
      const auto [least, most] = std::minmax_element(at.begin(), at.end());
      low = std::min(low, *least);
      high = std::max(high, *most);
    }
    Ramps ramps(low, high);
    const bool alone = std::min(by_rates_.size(), by_recovery_.size()) == 1;
    const std::vector<Part> along =
        parts_of(along_rates_ ? by_rates_ : by_recovery_, alone ? kPartAlone : kPart);
    const std::vector<Part> across = parts_of(along_rates_ ? by_recovery_ : by_rates_, kPartAcross);
    const std::vector<Band> bands = bands_of(luck_);
    std::vector<Line> lines(luck_.size());
    for (const Part& part : across) {
      for (std::size_t m = 0; m < lines.size(); ++m) put_line(along, part, m, ramps, lines[m]);
      for (const Band& band : bands) {
        add(along, part.weight * band.weight, lines[band.from], lines[band.to], ramps);
      }
    }
    return ramps.table();
  }

 private:
  /// Nodes of the one factor that varies, where what it comes to bends.
  template <class LookAt>
  void add_where_bent(std::vector<double>& nodes, const LookAt& look_at) {
    for (bool added = true; added;) {
      added = false;
      for (std::size_t i = nodes.size() - 1; i-- > 0;) {
        const double wide = nodes[i + 1] - nodes[i];
        if (wide < 1.5 * kStepAlone || off_line(nodes, i) <= kBent) continue;
        const double middle = (nodes[i] + nodes[i + 1]) / 2;
        const double node = kStepAlone * std::round(middle / kStepAlone);
        const auto next = static_cast<std::ptrdiff_t>(i) + 1;
        nodes.insert(nodes.begin() + next, node);
        values_.insert(values_.begin() + next, look_at(node));
        added = true;
      }
    }
  }
  /// How far a line from a node to the next is off in the middle, nearly, at any share of luck: by
  /// the mean of the second differences about both.
  [[nodiscard]] double off_line(const std::vector<double>& nodes, std::size_t i) const {
    double most = 0;
    for (std::size_t m = 0; m < values_[i].size(); ++m) {
      const auto slope = [&](std::size_t from) {
        return (values_[from + 1][m] - values_[from][m]) / (nodes[from + 1] - nodes[from]);
      };
      const double wide = nodes[i + 1] - nodes[i], here = slope(i);
      double bent = 0;
      int ends = 0;
      if (i > 0) {
        bent += std::abs(here - slope(i - 1)) / (nodes[i + 1] - nodes[i - 1]);
        ++ends;
      }
      if (i + 2 < nodes.size()) {
        bent += std::abs(slope(i + 1) - here) / (nodes[i + 2] - nodes[i]);
        ++ends;
      }
      if (ends > 0) most = std::max(most, bent / ends * wide * wide / 4);
    }
    return most;
  }
  /// Where parts begin and end, at a share of luck.
  struct Line {
    std::vector<double> from, to;
  };

  [[nodiscard]] double at(std::size_t along, std::size_t across, std::size_t m) const {
    return along_rates_ ? values_[along * by_recovery_.size() + across][m]
                        : values_[across * by_recovery_.size() + along][m];
  }
  void put_line(const std::vector<Part>& along, const Part& across, std::size_t m,
                const Ramps& ramps, Line& line) const {
    const double middle = (across.from + across.to) / 2;
    const auto node = [&](std::size_t i) {
      if (across.weight == 1) return at(i, across.node, m);
      return between(at(i, across.node, m), at(i, across.node + 1, m), middle, middle > 0.5);
    };
    line.from.resize(along.size());
    line.to.resize(along.size());
    double here = node(0), next = here, before = here;
    for (std::size_t i = 0; i < along.size(); ++i) {
      const Part& part = along[i];
      if (part.from == 0 && along.size() > 1) {
        before = here = next;
        next = node(part.node + 1);
      }
      const bool nearer_next = part.from >= 0.5;
      if (part.from == 0.5) before = between(here, next, part.from, nearer_next);
      line.from[i] = ramps.cells_to(before);
      before = between(here, next, part.to, nearer_next);
      line.to[i] = ramps.cells_to(before);
    }
  }
  /// From one share of luck to the next: even from where a part begins with the luckier to where it
  /// ends with the others.
  static void add(const std::vector<Part>& along, double weight, const Line& lucky,
                  const Line& unlucky, Ramps& ramps) {
    for (std::size_t i = 0; i < along.size(); ++i) {
      ramps.add(lucky.from[i], unlucky.to[i], weight * along[i].weight);
    }
  }

  std::vector<double> by_rates_, by_recovery_;
  bool along_rates_;  ///< what is known better is looked at in the middle of its parts
  std::vector<double> luck_;
  std::vector<std::vector<double>> values_;
};

}  // namespace

LogSpread log_spread(const Estimate<double>& figure, double share) {
  const double z = normal_reach(share);
  return {std::log(figure.expected / figure.low) / z, std::log(figure.high / figure.expected) / z};
}

double LogTable::share_below(double logarithm) const {
  const double cells = (logarithm - start) / cell;
  if (!(cells > 0)) return below.front();
  if (cells >= static_cast<double>(below.size() - 1)) return 1;
  const auto whole = static_cast<std::size_t>(cells);
  return below[whole] + (cells - static_cast<double>(whole)) * (below[whole + 1] - below[whole]);
}

double LogTable::quantile(double p) const {
  const auto above = std::lower_bound(below.begin() + 1, below.end() - 1, p);
  const auto i = static_cast<std::size_t>(above - below.begin());
  const double before = below[i - 1],
               part = below[i] > before ? (p - before) / (below[i] - before) : 1;
  return start + cell * (static_cast<double>(i - 1) + std::clamp(part, 0.0, 1.0));
}

LogTable folded(const ShareBelow& one, LogReach of_one, const ShareBelow& other,
                LogReach of_other) {
  constexpr double kCells = 512, kLeastCell = 1e-9;
  const double all = of_one.high - of_one.low + of_other.high - of_other.low;
  LogTable sum{.cell = std::max(kLeastCell, all / kCells)};
  const Masses ones = masses_of(one, of_one, sum.cell);
  const Masses others = masses_of(other, of_other, sum.cell);
  std::vector<double> masses(ones.of_cell.size() + others.of_cell.size() - 1);
  for (std::size_t i = 0; i < ones.of_cell.size(); ++i) {
    for (std::size_t k = 0; k < others.of_cell.size(); ++k) {
      masses[i + k] += ones.of_cell[i] * others.of_cell[k];
    }
  }
  // Two cells add up to a triangle, half of which lies below its middle.
  sum.start = ones.start + others.start;
  sum.below = {0};
  double within = 0;
  for (const double mass : masses) {
    sum.below.push_back(within + mass / 2);
    within += mass;
  }
  sum.below.push_back(within);
  for (double& share : sum.below) share /= within;
  return sum;
}

double OutcomeLaw::to_table(double value) const {
  return std::log(least_ > 0 ? value / least_ - 1 + kShift : value);
}

double OutcomeLaw::from_table(double logarithm) const {
  const double value = std::exp(logarithm);
  return least_ > 0 ? least_ * (1 + std::max(0.0, value - kShift)) : value;
}

double OutcomeLaw::share_within(double value) const {
  if (table_.below.empty()) {
    return value > 0 ? share_of_split(factor_, std::log(value / least_)) : 0;
  }
  if (value < least_ || value <= 0) return 0;
  return table_.share_below(to_table(value));
}

double OutcomeLaw::quantile(double p) const {
  if (!table_.below.empty()) return from_table(table_.quantile(p));
  const double z = normal_quantile(p);
  return least_ * std::exp(z * (z < 0 ? factor_.below : factor_.above));
}

LogReach OutcomeLaw::reach() const {
  return {std::log(quantile(kTail)), std::log(quantile(1 - kTail))};
}

OutcomeLaw OutcomeLaw::times(const LogSpread& factor) const {
  if (factor.below <= 0 && factor.above <= 0) return *this;
  if (table_.below.empty() && factor_ == LogSpread{}) {
    OutcomeLaw only = *this;
    only.factor_ = factor;
    return only;
  }
  return OutcomeLaw(folded([this](double at) { return share_within(std::exp(at)); }, reach(),
                           [&](double at) { return share_of_split(factor, at); },
                           {-kSplitReach * factor.below, kSplitReach * factor.above}));
}

OutcomeLaw outcome_law(double least, const ExcessAt& excess, double rates, double recovery) {
  if (rates <= 0 && recovery <= 0) {
    const std::vector<double> ends = excess(0, 0, {0.001, 0.999});
    if (ends.front() == ends.back()) return OutcomeLaw(least * (1 + ends.front()));
  }
  return {least, Nodes(excess, rates, recovery).table()};
}

}  // namespace planner::reliability
