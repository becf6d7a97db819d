#include "planner/reliability/group_shortages.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <ranges>

#include "planner/core/real.hpp"

namespace planner::inline reliability {

namespace {

/// The balance of a chain of states. They are eliminated from the first, without a subtraction, so
/// that rare ones keep their digits (Grassmann, Taksar, Heyman 1985).
class Balance {
 public:
  /// @param last  of each state: the last one that it, or one before it, leads to; it never falls
  explicit Balance(std::vector<std::size_t> last) : last_(std::move(last)) {
    for (std::size_t m = 0; m < last_.size(); ++m) band_ = std::max(band_, last_[m] - m);
    width_ = 2 * band_ + 1;
    rates_.resize(last_.size() * width_);
  }

  void add(std::size_t from, std::size_t to, double rate) { at(from, to) += rate; }

  /// Shares of the states, up to a factor.
  std::vector<double> shares() {
    const std::size_t states = last_.size();
    for (std::size_t m = 0; m + 1 < states; ++m) {
      const std::size_t above = last_[m] - m;
      const double* leaves = &at(m, m) + 1;
      const double out = std::accumulate(leaves, leaves + above, 0.0);
      for (std::size_t i = m + 1; i <= last_[m]; ++i) {
        double& enters = at(i, m);
        if (enters == 0) continue;
        enters /= out;
        double* row = &enters + 1;
        for (std::size_t k = 0; k < above; ++k) row[k] += enters * leaves[k];
      }
    }
    std::vector<double> share(states);
    share.back() = 1;
    constexpr double kLarge = 1e200;  // a state may outweigh the last by more than numbers hold
    for (std::size_t m = states - 1; m-- > 0;) {
      for (std::size_t i = m + 1; i <= last_[m]; ++i) share[m] += share[i] * at(i, m);
      if (share[m] < kLarge) continue;
      for (std::size_t i = m; i < states; ++i) share[i] /= kLarge;
    }
    return share;
  }

 private:
  double& at(std::size_t from, std::size_t to) {
    return rates_[from * width_ + (to + band_ - from)];
  }

  std::vector<std::size_t> last_;
  std::size_t band_ = 0, width_ = 0;
  std::vector<double> rates_;
};

/// What a pool loses and gets back, per second in which the job runs.
class Flows {
 public:
  Flows(const SparePool& pool, double slower) : pool_(pool), slower_(slower) {
    const GroupLosses& groups = pool.groups;
    if (pool.rate > PerSecond{} && pool.repair > Seconds{}) {
      const auto ratio = [&](std::int64_t j) {  // weight of one more out; it falls
        return loses_unit(j, 0) / (slower * unit_back(j + 1));
      };
      const auto numbers = std::views::iota(std::int64_t{0}, pool.spares + 1);
      const auto falls =
          std::ranges::partition_point(numbers, [&](auto j) { return ratio(j) >= 1; });
      units_ = falls == numbers.end() ? pool.spares + 1 : *falls;
      for (double more = 1, all = 1; units_ <= pool.spares && more > kNoUnits * all; ++units_) {
        more *= ratio(units_);
        all += more;
      }
    }
    const double load = (groups.rate * groups.repair) / slower;
    double weight = 1, sum = 1;
    while (groups_ < std::min(groups.groups, pool.spares / groups.units)) {
      weight *= real(groups.groups - groups_) * load / real(groups_ + 1);
      sum += weight;
      if (weight < kNothing * sum) break;
      ++groups_;
    }
  }

  /// Below it a share of the states changes nothing.
  static constexpr double kNothing = 1e-11;
  static constexpr double kNoUnits = 1e-14;  ///< the same of more units out

  /// That are out at most.
  [[nodiscard]] std::int64_t units() const { return units_; }
  /// Groups for which there is room beside j units while the job runs; -1: none.
  [[nodiscard]] std::int64_t room(std::int64_t j) const {
    return j > pool_.spares ? -1 : (pool_.spares - j) / pool_.groups.units;
  }
  /// Those that may be out.
  [[nodiscard]] std::int64_t most(std::int64_t j) const { return std::min(groups_, room(j)); }
  /// Units in a group that is out do not fail.
  [[nodiscard]] double loses_unit(std::int64_t j, std::int64_t g) const {
    const std::int64_t in = pool_.active + pool_.spares - j - g * pool_.groups.units;
    return real(in) * pool_.rate.si();
  }
  [[nodiscard]] double loses_group(std::int64_t g) const {
    return real(pool_.groups.groups - g) * pool_.groups.rate.si();
  }
  /// While the job waits; `slower` as fast while it runs.
  [[nodiscard]] double unit_back(std::int64_t j) const {
    return std::min(real(j), pool_.crews) / pool_.repair.si();
  }
  [[nodiscard]] double group_back(std::int64_t g) const {
    return real(g) / pool_.groups.repair.si();
  }
  [[nodiscard]] double slower() const { return slower_; }

 private:
  const SparePool& pool_;
  double slower_;
  std::int64_t units_ = 0, groups_ = 0;
};

/// Groups out counted as one state: `first` … last, with the share of each, which is that of the
/// groups alone.
struct Bundle {
  std::int64_t first = 0;
  std::vector<double> share;
  double more = 0, fewer = 0;  ///< rates to the next, and to the one before

  [[nodiscard]] std::int64_t last() const { return first + std::ssize(share) - 1; }
  [[nodiscard]] double of(std::int64_t g) const {
    return share[static_cast<std::size_t>(g - first)];
  }
};

/// The groups that may be out beside so many units: 0 … most in bundles, which are the wider the
/// further they are from having no room, and one more, with which the job waits. A bundle of 2^i
/// begins at a multiple of it, so that more room only joins bundles.
class Row {
 public:
  Row(const Flows& flows, std::int64_t most, std::int64_t room) {
    for (std::int64_t first = 0; first <= most; first = bundles_.back().last() + 1) {
      std::int64_t wide = 1;
      while (first % (2 * wide) == 0 && first + 2 * wide - 1 <= most &&
             room - (first + 2 * wide - 1) >= kSingle * wide) {
        wide *= 2;
      }
      add(flows, first, wide);
    }
    if (most >= 0) bundles_.back().more = bundles_.back().of(most) * flows.loses_group(most);
    bundles_.push_back({.first = most + 1, .share = {1}, .fewer = flows.group_back(most + 1)});
  }

  [[nodiscard]] const std::vector<Bundle>& bundles() const { return bundles_; }
  /// Index of the bundle of g groups.
  [[nodiscard]] std::size_t of(std::int64_t g) const {
    const auto after =
        std::upper_bound(bundles_.begin(), bundles_.end(), g,
                         [](std::int64_t x, const Bundle& b) { return x < b.first; });
    return static_cast<std::size_t>(after - bundles_.begin()) - 1;
  }

 private:
  static constexpr std::int64_t kSingle = 4;

  /// One more, with rates between it and the one before as of the flow between them if each group
  /// keeps its share of its bundle: as between resistors in series. From the last down, as a wide
  /// bundle's first may weigh less than numbers hold.
  void add(const Flows& flows, std::int64_t first, std::int64_t wide) {
    const auto fall = [&](std::int64_t g) {  // weight of g - 1 over that of g
      return flows.slower() * flows.group_back(g) / flows.loses_group(g - 1);
    };
    Bundle bundle{.first = first, .share = std::vector<double>(static_cast<std::size_t>(wide), 1)};
    for (std::size_t i = bundle.share.size(); --i > 0;) {
      bundle.share[i - 1] = bundle.share[i] * fall(first + static_cast<std::int64_t>(i));
    }
    const double sum = std::accumulate(bundle.share.begin(), bundle.share.end(), 0.0);
    for (double& one : bundle.share) one /= sum;
    if (first > 0) {
      Bundle& before = bundles_.back();
      double time = 0, weight = 0;  // until that one is left for this; its groups, of the last
      for (std::int64_t g = before.first; g < first; ++g) {
        weight = 1 + (g > before.first ? weight * fall(g) : 0);
        time += weight / flows.loses_group(g);
      }
      double above = 1;
      for (std::int64_t g = first; g <= bundle.last(); ++g) {
        weight *= fall(g);
        above -= bundle.of(g);
        if (g < bundle.last()) time += weight * std::max(0.0, above) / flows.loses_group(g);
      }
      before.more = 1 / time;
      bundle.fewer = before.more * weight * bundle.share.back();
    }
    bundles_.push_back(std::move(bundle));
  }

  std::vector<Bundle> bundles_;
};

/// The states of a pool with at least `least` units out: of j units, those in which the job runs,
/// with g = 0 … most(j) groups out in bundles, and the one in which it waits, with one group more.
class Chain {
 public:
  Chain(const Flows& flows, std::int64_t least) : flows_(flows), least_(least) {
    for (std::int64_t j = least; j <= flows.units(); ++j) {
      const std::int64_t room = flows.room(j);
      if (j == least || room != flows.room(j - 1)) rows_.emplace_back(flows, flows.most(j), room);
      row_.push_back(rows_.size() - 1);
      first_.push_back(states_);
      states_ += row(j).bundles().size();
    }
    share_ = balance().shares();
    all_ = std::accumulate(share_.begin(), share_.end(), 0.0);
  }

  /// Of the states with the fewest units out.
  [[nodiscard]] double lowest() const {
    const auto end = share_.begin() + std::ssize(row(least_).bundles());
    return std::accumulate(share_.begin(), end, 0.0) / all_;
  }

  [[nodiscard]] std::vector<Shortage> shortages() const {
    constexpr double kNoHours = 1e-13;
    std::vector<Shortage> found;
    double time = 0, waits = 0;  // of the states that wait
    for (std::int64_t j = least_; j <= flows_.units(); ++j) {
      const std::int64_t g = flows_.most(j) + 1;
      const bool first = j == least_ || flows_.most(j - 1) + 1 > g;  // a unit back is enough
      const double by_units = j > least_ ? flows_.unit_back(j) : 0;
      time = (1 + (first ? 0 : by_units * time)) / (by_units + flows_.group_back(g));
      waits += share_[at(j, g)];
      double enters = g > 0 ? share(j, g - 1) * flows_.loses_group(g - 1) : 0;
      if (first && j > least_) enters += share(j - 1, g) * flows_.loses_unit(j - 1, g);
      if (enters * time > kNoHours * all_) found.push_back({enters, time});
    }
    for (Shortage& one : found) one.rate /= all_ - waits;
    return found;
  }

 private:
  [[nodiscard]] const Row& row(std::int64_t j) const {
    return rows_[row_[static_cast<std::size_t>(j - least_)]];
  }
  [[nodiscard]] std::size_t at(std::int64_t j, std::int64_t g) const {
    return first_[static_cast<std::size_t>(j - least_)] + row(j).of(g);
  }
  [[nodiscard]] double share(std::int64_t j, std::int64_t g) const {
    return share_[at(j, g)] * row(j).bundles()[row(j).of(g)].of(g);
  }

  [[nodiscard]] Balance balance() const {
    std::vector<std::size_t> last;
    for (std::int64_t j = least_; j <= flows_.units(); ++j) {
      const std::int64_t next = j < flows_.units() ? flows_.most(j + 1) + 1 : -1;
      for (const Bundle& bundle : row(j).bundles()) {
        last.push_back(next < 0 ? states_ - 1 : at(j + 1, std::min(bundle.last(), next)));
      }
    }
    Balance balance(std::move(last));
    for (std::int64_t j = least_; j <= flows_.units(); ++j) {
      std::size_t state = first_[static_cast<std::size_t>(j - least_)];
      for (const Bundle& bundle : row(j).bundles()) {
        const bool waits = bundle.first > flows_.most(j);
        const double faster = waits ? 1 : flows_.slower();
        if (bundle.first > 0) balance.add(state, state - 1, bundle.fewer);
        if (j > least_) balance.add(state, at(j - 1, bundle.first), faster * flows_.unit_back(j));
        if (!waits) {
          balance.add(state, state + 1, bundle.more);
          for (std::int64_t g = bundle.first; j < flows_.units() && g <= bundle.last(); ++g) {
            balance.add(state, at(j + 1, g), bundle.of(g) * flows_.loses_unit(j, g));
          }
        }
        ++state;
      }
    }
    return balance;
  }

  const Flows& flows_;
  std::int64_t least_;
  std::size_t states_ = 0;
  std::vector<Row> rows_;
  std::vector<std::size_t> row_, first_;  ///< of each number of units: its row, its first state
  std::vector<double> share_;
  double all_ = 0;
};

/// What the states come to were shortages over at once, so that units and groups were out each by
/// themselves.
struct AtOnce {
  double waits = 0;        ///< hours per hour that the job runs, where they are few: no less
  std::int64_t least = 0;  ///< fewer units are next to never out
};

AtOnce at_once(const SparePool& pool, const Flows& flows) {
  const std::int64_t units = std::min(flows.units(), pool.spares);
  // Weight of more units than leave room for one group, two, and so on.
  std::vector<double> over(static_cast<std::size_t>((pool.spares - units) / pool.groups.units));
  double weight = 1, sum = 0;
  AtOnce found;
  for (std::int64_t j = units;; --j) {
    sum += weight;
    if (units > 0 && (pool.spares - j + 1) % pool.groups.units == 0) over.push_back(sum);
    found.least = j;
    if (j == 0) break;
    const double ratio = flows.slower() * flows.unit_back(j) / flows.loses_unit(j - 1, 0);
    weight *= ratio;
    constexpr double kLarge = 1e200;
    if (ratio < 1 && weight < Flows::kNothing * sum) break;
    if (sum < kLarge) continue;
    for (double& one : over) one /= kLarge;
    weight /= kLarge;
    sum /= kLarge;
  }
  const double longest = pool.groups.repair.si() + pool.repair.si() / std::min(1.0, pool.crews);
  double out = 1;
  for (std::int64_t g = 0; g <= flows.most(0) + 1; ++g) {
    const auto i = static_cast<std::size_t>(g);
    const bool room = (g + 1) * pool.groups.units <= pool.spares;
    const double full = !room || i >= over.size() ? (room && units == 0 ? 0 : 1) : over[i] / sum;
    const double often = flows.loses_group(g) + flows.loses_unit(units, 0);
    found.waits += out * full * often * longest;
    out *= flows.loses_group(g) / (flows.slower() * flows.group_back(g + 1));
  }
  return found;
}

}  // namespace

std::optional<std::vector<Shortage>> group_shortages(const SparePool& pool, double slower) {
  const Flows flows(pool, slower);
  constexpr double kNever = 1e-10, kMostSteps = 2e8;
  const AtOnce usual = at_once(pool, flows);
  if (usual.waits < kNever) return std::vector<Shortage>{};
  for (std::int64_t least = usual.least;; least -= flows.units() - least) {
    least = std::max<std::int64_t>(0, least);
    const Row longest(flows, flows.most(least), flows.room(least));
    const double steps = real(flows.units() - least + 1) * std::pow(longest.bundles().size(), 3);
    if (steps > kMostSteps) return std::nullopt;
    const Chain chain(flows, least);
    if (least == 0 || chain.lowest() < Flows::kNothing) return chain.shortages();
  }
}

}  // namespace planner::reliability
