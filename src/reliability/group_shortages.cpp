#include "planner/reliability/group_shortages.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "planner/core/real.hpp"
#include "planner/reliability/balance.hpp"
#include "planner/reliability/group_flows.hpp"

namespace planner::inline reliability {

namespace {

/// Steps of groups out counted as one state: `first` … `last`.
struct Bundle {
  std::int64_t first = 0, last = 0;
  double more = 0, fewer = 0;  ///< rates to the next, and to the one before
  double groups = 0;           ///< on average
};

/// The groups that may be out beside so many units: least … most in bundles, which are the wider
/// the further they are from having no room, and one more, with which the job waits. A bundle of
/// 2^i begins at a multiple of it, so that more room only joins bundles. Of a bundle each step has
/// the share that it has of the groups alone.
class Row {
 public:
  Row(const GroupLattice& lattice, std::int64_t most, std::int64_t room)
      : least_(std::min(lattice.least(), std::max<std::int64_t>(0, most + 1))) {
    const auto steps = static_cast<std::size_t>(most + 2 - least_);
    bundles_.reserve(steps);
    of_.reserve(steps);
    share_.reserve(steps);
    for (std::int64_t first = least_; first <= most; first = bundles_.back().last + 1) {
      std::int64_t wide = 1;
      while (first % (2 * wide) == 0 && first + 2 * wide - 1 <= most &&
             room - (first + 2 * wide - 1) >= kRoomForTwo * wide) {
        wide *= 2;
      }
      add(lattice, first, wide);
    }
    if (!bundles_.empty()) {
      // Where all groups are out: hardly ever, not never, as no state may be without a way to it.
      constexpr double kHardly = 1e-30;
      const double waits =
          std::max(lattice.group_lost(most), kHardly * lattice.group_back(most + 1));
      bundles_.back().more = share(most) * waits;
    }
    put({.first = most + 1,
         .last = most + 1,
         .fewer = lattice.group_back_waiting(most + 1),
         .groups = lattice.groups_at(most + 1)});
    share_.push_back(1);
  }

  [[nodiscard]] const std::vector<Bundle>& bundles() const { return bundles_; }
  /// Index of the bundle of g.
  [[nodiscard]] std::size_t of(std::int64_t g) const {
    return of_[static_cast<std::size_t>(g - least_)];
  }
  /// Of its bundle.
  [[nodiscard]] double share(std::int64_t g) const {
    return share_[static_cast<std::size_t>(g - least_)];
  }

 private:
  void put(const Bundle& bundle) {
    of_.resize(of_.size() + static_cast<std::size_t>(bundle.last + 1 - bundle.first),
               bundles_.size());
    bundles_.push_back(bundle);
  }

  /// One more, with rates between it and the one before as of the flow between them if each step
  /// keeps its share of its bundle: as between resistors in series. From the last down, as a wide
  /// bundle's first may weigh less than numbers hold.
  void add(const GroupLattice& lattice, std::int64_t first, std::int64_t wide) {
    Bundle bundle{.first = first, .last = first + wide - 1};
    if (wide == 1) {
      share_.push_back(1);
      bundle.groups = lattice.groups_at(first);
    } else {
      add_shares(lattice, bundle);
    }
    if (!bundles_.empty()) join(lattice, bundles_.back(), bundle);
    put(bundle);
  }

  /// Weight of g - 1 over that of g.
  static double fall(const GroupLattice& lattice, std::int64_t g) {
    return lattice.group_back(g) / lattice.group_lost(g - 1);
  }

  void add_shares(const GroupLattice& lattice, Bundle& bundle) {
    const auto begin = share_.size();
    share_.resize(begin + static_cast<std::size_t>(bundle.last + 1 - bundle.first), 1);
    for (std::size_t i = share_.size(); --i > begin;) {
      share_[i - 1] = share_[i] * fall(lattice, least_ + static_cast<std::int64_t>(i));
    }
    const double sum =
        std::accumulate(share_.begin() + static_cast<std::ptrdiff_t>(begin), share_.end(), 0.0);
    for (std::size_t i = begin; i < share_.size(); ++i) {
      share_[i] /= sum;
      bundle.groups += share_[i] * lattice.groups_at(least_ + static_cast<std::int64_t>(i));
    }
  }

  void join(const GroupLattice& lattice, Bundle& before, Bundle& bundle) const {
    const std::int64_t first = bundle.first;
    if (before.first == before.last && first == bundle.last) {
      before.more = lattice.group_lost(before.last);
      bundle.fewer = lattice.group_back(first);
      return;
    }
    double time = 0, weight = 0;  // until that one is left for this; its steps, of the last
    for (std::int64_t g = before.first; g < first; ++g) {
      weight = 1 + (g > before.first ? weight * fall(lattice, g) : 0);
      time += weight / lattice.group_lost(g);
    }
    double above = 1;
    for (std::int64_t g = first; g <= bundle.last; ++g) {
      weight *= fall(lattice, g);
      above -= share(g);
      if (g < bundle.last) time += weight * std::max(0.0, above) / lattice.group_lost(g);
    }
    before.more = 1 / time;
    bundle.fewer = before.more * weight * share(bundle.last);
  }

  std::int64_t least_;
  std::vector<Bundle> bundles_;
  std::vector<std::size_t> of_;  ///< of each step from the least on
  std::vector<double> share_;
};

/// Steps of units.
struct Window {
  std::int64_t least = 0, most = 0;
};

/// The states of a pool with so many units out: of each step of units, those in which the job runs,
/// with g = 0 … most(j) steps of groups out in bundles, and the one in which it waits, with one
/// more.
class Chain {
 public:
  Chain(const GroupLattice& lattice, Window window) : lattice_(lattice), window_(window) {
    const auto steps = static_cast<std::size_t>(window.most + 1 - window.least);
    row_.reserve(steps);
    first_.reserve(steps);
    most_.reserve(steps);
    std::int64_t before = 0;
    for (std::int64_t j = window.least; j <= window.most; ++j) {
      const std::int64_t room = lattice.room(j);
      most_.push_back(std::min(lattice.most(), room));
      if (j == window.least || room != before) rows_.emplace_back(lattice, most_.back(), room);
      before = room;
      row_.push_back(rows_.size() - 1);
      first_.push_back(states_);
      states_ += row(j).bundles().size();
    }
    share_ = balance().shares();
    all_ = std::accumulate(share_.begin(), share_.end(), 0.0);
  }

  /// Of the states with so many units out.
  [[nodiscard]] double of_units(std::int64_t j) const {
    const auto begin = share_.begin() + static_cast<std::ptrdiff_t>(first(j));
    return std::accumulate(begin, begin + std::ssize(row(j).bundles()), 0.0) / all_;
  }

  [[nodiscard]] std::vector<Shortage> shortages() const {
    constexpr double kNoHours = 1e-13;
    std::vector<Shortage> found;
    OfStep of_step;
    double time = 0, waits = 0;  // of the states that wait
    for (std::int64_t j = window_.least; j <= window_.most; ++j) {
      const std::int64_t g = most(j) + 1;
      const bool lowest = j == window_.least;
      const bool enough = lowest || most(j - 1) + 1 > g;  // a unit back is enough
      const double by_units = lowest ? 0 : lattice_.unit_back_waiting(j);
      time = (1 + (enough ? 0 : by_units * time)) / (by_units + lattice_.group_back_waiting(g));
      waits += share_[at(j, g)];
      const double group = g > lattice_.least() ? share(j, g - 1) * lattice_.group_lost(g - 1) : 0;
      const double unit =
          enough && !lowest
              ? share(j - 1, g) * lattice_.unit_steps(j - 1, lattice_.groups_at(g)).more
              : 0;
      if ((group + unit) * time <= kNoHours * all_) continue;
      if (lattice_.single()) {
        found.push_back({group + unit, time});
        continue;
      }
      if (g != of_step.g) {
        add_single(of_step, found);
        of_step = {.g = g};
      }
      of_step.hours += (group + unit) * time;
      of_step.by_group.push_back(group);
    }
    add_single(of_step, found);
    for (Shortage& one : found) one.rate /= all_ - waits;
    return found;
  }

 private:
  /// Shortages of a wide step of groups.
  struct OfStep {
    std::int64_t g = -1;
    double hours = 0;
    std::vector<double> by_group;  ///< losses of groups, from the fewest units out on
  };

  /// As many hours of shortages of one unit, or group, too few: 1, 2 … of a group's units. Each is
  /// as likely as its step of units, and within a step the less so the fewer units are out, by what
  /// comes back over what is lost beside the groups that were out before it: as where units alone
  /// change.
  void add_single(const OfStep& step, std::vector<Shortage>& found) const {
    if (step.hours <= 0) return;
    const GroupFlows& flows = lattice_.flows();
    const double groups = lattice_.groups_at(step.g), size = flows.size();
    const double group_back = flows.group_back(groups);
    const double units = std::max(0.0, real(flows.pool().spares) - size * groups);
    const double unit_lost = flows.loses_unit(units, groups);
    // A group is lost from the step before, in which units are in still: with it none may be.
    const double before = lattice_.groups_at(step.g - 1), lost = flows.loses_group(before);
    const double fewer =
        flows.slower() * flows.unit_back(units + 1) / flows.loses_unit(units, before);
    const std::size_t first = found.size();
    const std::int64_t wide = lattice_.units(), rows = std::ssize(step.by_group);
    const double last_room = step.by_group.back();  // share of the last for which there is room
    double time = 0, hours = 0;
    const auto add = [&](double rate) {
      if (rate <= 0) return;
      found.push_back({rate, time});
      hours += rate * time;
    };
    for (std::int64_t over = 1; over <= flows.pool().groups.units; ++over) {
      const double by_units = flows.unit_back(units + real(over));
      time = (1 + by_units * time) / (by_units + group_back);
      const std::int64_t in = flows.pool().groups.units - over;  // units for which there is room
      const std::int64_t row = std::max<std::int64_t>(0, rows - 1 - in / wide);
      if (over == 1) add(last_room > 0 ? last_room * unit_lost / lost : 1);
      add(step.by_group[static_cast<std::size_t>(row)] * std::pow(fewer, in % wide));
    }
    for (std::size_t i = first; i < found.size(); ++i) found[i].rate *= step.hours / hours;
  }

  [[nodiscard]] std::int64_t most(std::int64_t j) const {
    return most_[static_cast<std::size_t>(j - window_.least)];
  }
  [[nodiscard]] const Row& row(std::int64_t j) const {
    return rows_[row_[static_cast<std::size_t>(j - window_.least)]];
  }
  /// Its first state.
  [[nodiscard]] std::size_t first(std::int64_t j) const {
    return first_[static_cast<std::size_t>(j - window_.least)];
  }
  [[nodiscard]] std::size_t at(std::int64_t j, std::int64_t g) const {
    return first(j) + row(j).of(g);
  }
  [[nodiscard]] double share(std::int64_t j, std::int64_t g) const {
    return share_[at(j, g)] * row(j).share(g);
  }

  [[nodiscard]] Balance balance() const {
    std::vector<std::size_t> last;
    last.reserve(states_);
    for (std::int64_t j = window_.least; j <= window_.most; ++j) {
      const std::int64_t next = j < window_.most ? most(j + 1) + 1 : -1;
      for (const Bundle& bundle : row(j).bundles()) {
        last.push_back(next < 0 ? states_ - 1 : at(j + 1, std::min(bundle.last, next)));
      }
    }
    Balance balance(std::move(last));
    for (std::int64_t j = window_.least; j <= window_.most; ++j) {
      if (j > window_.least) add_units(j - 1, balance);
      add_groups(j, balance);
    }
    return balance;
  }

  /// Between the states of a step of units.
  void add_groups(std::int64_t j, Balance& balance) const {
    const std::int64_t room = most(j);
    std::size_t state = first(j);
    for (const Bundle& bundle : row(j).bundles()) {
      if (bundle.first > lattice_.least()) balance.add(state, state - 1, bundle.fewer);
      if (bundle.first <= room) balance.add(state, state + 1, bundle.more);
      ++state;
    }
  }

  /// Between the states of a step of units and those of the next, whose bundles are parts of
  /// theirs.
  void add_units(std::int64_t j, Balance& balance) const {
    const Row &now = row(j), &next = row(j + 1);
    const std::int64_t room = most(j), room_next = most(j + 1);
    std::size_t from = first(j), to = first(j + 1), i = 0;
    for (const Bundle& part : next.bundles()) {
      while (now.bundles()[i].last < part.first) ++i;
      const Bundle& of = now.bundles()[i];
      const auto [lost, back] = lattice_.unit_steps(j, part.groups);
      balance.add(to, from + i, part.first > room_next ? lattice_.unit_back_waiting(j + 1) : back);
      if (of.first <= room) {
        double share = 1;
        if (part.first != of.first || part.last != of.last) {
          share = 0;
          for (std::int64_t g = part.first; g <= part.last; ++g) share += now.share(g);
        }
        if (share > 0) balance.add(from + i, to, share * lost);
      }
      ++to;
    }
  }

  const GroupLattice& lattice_;
  Window window_;
  std::size_t states_ = 0;
  std::vector<Row> rows_;
  std::vector<std::size_t> row_, first_;  ///< of each number of units: its row, its first state
  std::vector<std::int64_t> most_;        ///< and the steps of groups for which there is room
  std::vector<double> share_;
  double all_ = 0;
};

}  // namespace

ShortagesByLength::ShortagesByLength(std::span<const Shortage> shortages, int per_doubling) {
  if (shortages.empty()) return;
  std::vector<int> lengths;
  lengths.reserve(shortages.size());
  for (const Shortage& one : shortages) {
    lengths.push_back(static_cast<int>(std::floor(std::log2(one.time) * per_doubling)));
  }
  const auto [shortest, longest] = std::ranges::minmax(lengths);
  first = shortest;
  of_length.resize(static_cast<std::size_t>(longest - shortest) + 1);
  for (std::size_t i = 0; i < shortages.size(); ++i) {
    Shortage& of = of_length[static_cast<std::size_t>(lengths[i] - first)];
    of.rate += shortages[i].rate;
    of.time += shortages[i].rate * shortages[i].time;  // hours, until all are there
  }
  for (Shortage& of : of_length) of.time = of.rate > 0 ? of.time / of.rate : 0;
}

std::vector<Shortage> group_shortages(const SparePool& pool, double slower, double fineness) {
  const GroupFlows flows(pool, slower);
  const GroupRange range = group_range(flows);
  if (range.never_short) return {};
  const GroupLattice lattice(flows, range, fineness);
  const std::int64_t all = std::min(lattice.last(), lattice.of_units(range.all));
  Window window{lattice.of_units(range.least), std::min(all, lattice.of_units(range.most))};
  while (true) {
    const Chain chain(lattice, window);
    constexpr double kFew = 1e-9;
    const std::int64_t wide = std::max<std::int64_t>(1, (window.most - window.least) / 2);
    const bool low = window.least > 0 && chain.of_units(window.least) > kFew;
    const bool high = window.most < all && chain.of_units(window.most) > kFew;
    if (!low && !high) {
      std::vector<Shortage> found = chain.shortages();
      if (lattice.single()) return found;
      constexpr int kPerDoubling = 16;
      found = ShortagesByLength(found, kPerDoubling).of_length;
      std::erase_if(found, [](const Shortage& one) { return one.rate <= 0; });
      return found;
    }
    if (low) window.least = std::max<std::int64_t>(0, window.least - wide);
    if (high) window.most = std::min(all, window.most + wide);
  }
}

}  // namespace planner::reliability
