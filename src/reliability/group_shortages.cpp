#include "planner/reliability/group_shortages.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "planner/core/first_where.hpp"
#include "planner/core/real.hpp"
#include "planner/reliability/balance.hpp"
#include "planner/reliability/group_flows.hpp"
#include "planner/reliability/group_rows.hpp"

namespace planner::inline reliability {

namespace {

/// Four sums that do not wait for one another.
double sum_of_shares(std::span<const double> numbers) {
  constexpr std::size_t kSums = 4;
  std::array<double, kSums> sums{};
  const std::size_t whole = numbers.size() / kSums * kSums;
  for (std::size_t i = 0; i < whole; i += kSums) {
    for (std::size_t k = 0; k < kSums; ++k) sums[k] += numbers[i + k];
  }
  return std::accumulate(numbers.begin() + static_cast<std::ptrdiff_t>(whole), numbers.end(),
                         sums[0] + sums[1] + (sums[2] + sums[3]));
}

/// Steps of units.
struct Window {
  std::int64_t least = 0, most = 0;

  [[nodiscard]] std::int64_t steps() const { return most + 1 - least; }
};

/// How likely steps of units are, from the most down: logarithms, nearly, as of the product form,
/// with as many groups out as there is room for. Where there is not room for all, they fall no
/// faster than groups do: after a wait for one more there is room for as many units less as it has.
class Likely {
 public:
  explicit Likely(const GroupLattice& lattice) : lattice_(lattice) {
    const GroupFlows& flows = lattice.flows();
    const double of_step = lattice.groups_at(1) - lattice.groups_at(0);
    const double unit_back = flows.unit_back(real(flows.pool().spares));
    const auto steps = static_cast<std::size_t>(lattice.most() + 1 - lattice.least());
    up_to_.reserve(steps);
    by_group_.reserve(steps);
    double weight = 1, sum = 1;
    for (std::int64_t g = lattice.least(); g <= lattice.most(); ++g) {
      up_to_.push_back(std::log(sum));
      const double lost = lattice.group_lost(g), back = lattice.group_back(g + 1);
      weight *= lost / back;
      sum += weight;
      const double groups = lattice.groups_at(g), group_back = flows.group_back(groups + of_step);
      const double all_lost = flows.loses_unit(real(flows.pool().spares), groups) + lost * of_step;
      const double back_in_waits = all_lost * group_back / (unit_back + group_back) / of_step;
      by_group_.push_back(std::min(0.0, std::log(lost / (back + back_in_waits))) /
                          (flows.size() * of_step));
    }
  }
  /// Goes down to the step, from the one above it, whose middle is so many steps further up.
  /// @return  of the likeliest so far, with all its groups
  /// @param room  of the step
  double down_to(std::int64_t j, std::int64_t room, double steps) {
    room = std::min(room, lattice_.most());
    const GroupFlows& flows = lattice_.flows();
    const UnitBorder border = lattice_.unit_border(j);
    const double lost = flows.loses_unit(border.last, lattice_.groups_at(room));
    // No more than the logarithm of back/lost is from 0.
    double further = 2 * (border.back - lost) / (border.back + lost);
    const auto of = static_cast<std::size_t>(std::max<std::int64_t>(0, room - lattice_.least()));
    if (room < lattice_.most()) further = std::max(further, by_group_[of]);
    units_ += steps * real(lattice_.units()) * further;
    if (room < lattice_.least()) return 0;
    const double here = units_ + up_to_[of];
    likeliest_ = std::max(likeliest_, here);
    return here - likeliest_;
  }

 private:
  const GroupLattice& lattice_;
  std::vector<double> up_to_;     ///< of so many steps of groups and fewer
  std::vector<double> by_group_;  ///< of one more beside them, for each of its units
  double units_ = 0, likeliest_ = -std::numeric_limits<double>::infinity();
};

/// Steps of units that are counted as one, and the steps of groups for which there is room beside
/// them.
struct Counted {
  Window units;
  std::int64_t room = 0;
};

/// Those that are counted as one: each alone where the job may wait beside it, or where no fewer
/// units are out than there are crews, and the more of them the further they are from that. Down to
/// where hardly ever so few are out.
/// @param hardly_ever  logarithm of a share
std::vector<Counted> units_counted(const GroupLattice& lattice, std::int64_t most,
                                   double hardly_ever) {
  const std::int64_t waits =
      first_where(most + 1, [&](std::int64_t j) { return lattice.room(j) <= lattice.most(); });
  constexpr std::size_t kUsual = 256;
  std::vector<Counted> counted;
  counted.reserve(kUsual);
  Likely likely(lattice);
  std::int64_t before = 0;  // steps counted as one, right above
  for (std::int64_t last = most; last >= 0; last = counted.back().units.least - 1) {
    const std::int64_t wide = std::clamp<std::int64_t>(last + 1 - lattice.all_crews(), 1,
                                                       lattice.counted_as_one(waits - 1 - last));
    const double apart = before > 0 ? real(before + wide) / 2 : 0;
    counted.push_back({{last + 1 - wide, last}, lattice.room(last)});
    before = wide;
    if (likely.down_to(last, counted.back().room, apart) < hardly_ever) break;
  }
  std::ranges::reverse(counted);
  return counted;
}

/// The states of a pool with so many units out: of each step of units, or several that are counted
/// as one, those in which the job runs, with g = 0 … most steps of groups out in bundles, and the
/// one in which it waits, with one more.
class Chain {
 public:
  Chain(const GroupLattice& lattice, std::int64_t most, double hardly_ever) : lattice_(lattice) {
    const std::vector<Counted> counted = units_counted(lattice, most, hardly_ever);
    constexpr std::size_t kUsualRows = 16;
    places_.reserve(counted.size());
    rows_.reserve(kUsualRows);
    for (const auto& [units, room] : counted) {
      if (rows_.empty() || room < rows_.back().least_room()) rows_.emplace_back(lattice, room);
      places_.push_back({units, rows_.size() - 1, states_});
      states_ += rows_.back().bundles().size();
    }
    share_ = shares();
    all_ = sum_of_shares(share_);
  }

  /// Steps of units, from the fewest that are counted.
  [[nodiscard]] Window units() const {
    return {places_.front().units.least, places_.back().units.most};
  }
  /// Of the states with the fewest units out, and with the most.
  [[nodiscard]] double of_fewest() const { return of_units(0); }
  [[nodiscard]] double of_most() const { return of_units(places_.size() - 1); }

  [[nodiscard]] std::vector<Shortage> shortages() const {
    constexpr double kNoHours = 1e-13;
    std::vector<Shortage> found;
    found.reserve(places_.size());
    OfStep of_step;
    double time = 0, waits = 0;  // of the states that wait
    for (std::size_t i = 0; i < places_.size(); ++i) {
      if (!row(i).waits()) continue;
      const std::int64_t j = places_[i].units.least, g = row(i).most() + 1;
      const bool lowest = i == 0, unit_waits = !lowest && row(i - 1).waits();
      const bool enough = !unit_waits || row(i - 1).most() + 1 > g;  // a unit back is enough
      const double by_units = lowest ? 0 : lattice_.unit_back_waiting(j);
      time = (1 + (enough ? 0 : by_units * time)) / (by_units + lattice_.group_back_waiting(g));
      waits += share_[at(i, g)];
      const double group = g > lattice_.least() ? share(i, g - 1) * lattice_.group_lost(g - 1) : 0;
      const double unit =
          enough && unit_waits
              ? share(i - 1, g) *
                    lattice_.unit_steps(lattice_.unit_border(j - 1), lattice_.groups_at(g)).more
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

  struct Place {
    Window units;
    std::size_t row, first;  ///< its first state
  };

  [[nodiscard]] const Row& row(std::size_t i) const { return rows_[places_[i].row]; }
  [[nodiscard]] std::size_t at(std::size_t i, std::int64_t g) const {
    return places_[i].first + row(i).of(g);
  }
  [[nodiscard]] double share(std::size_t i, std::int64_t g) const {
    return share_[at(i, g)] * row(i).share(g);
  }
  [[nodiscard]] double of_units(std::size_t i) const {
    const auto begin = share_.begin() + static_cast<std::ptrdiff_t>(places_[i].first);
    return std::accumulate(begin, begin + std::ssize(row(i).bundles()), 0.0) / all_;
  }

  [[nodiscard]] std::vector<double> shares() const {
    Balance balance(states_, row(0).rates());
    std::vector<StepRates> links;
    std::vector<std::size_t> from;
    for (std::size_t i = 1; i < places_.size(); ++i) {
      links.clear();
      from.clear();
      link(i, links, from);
      balance.add_level(row(i).rates(), links, from);
    }
    return balance.shares();
  }

  /// Between the states of a place and those of the one before it, whose bundles theirs are parts
  /// of. What waits for the first group too many that is worth counting comes from none.
  /// @param from  of each, if not at the same place
  void link(std::size_t place, std::vector<StepRates>& links,
            std::vector<std::size_t>& from) const {
    const Row &before = row(place - 1), &now = row(place);
    const Window &units = places_[place - 1].units, &more = places_[place].units;
    const std::int64_t steps = units.steps(), more_steps = more.steps();
    // Between their middles, from where they meet.
    const UnitBorder border = lattice_.unit_border(units.most, real(more_steps - steps) / 4);
    links.resize(now.bundles().size());
    for (std::size_t k = 0; k < links.size(); ++k) {
      const StepRates step = lattice_.unit_steps(border, now.bundles()[k].groups);
      links[k] = between_wide(step, steps, more_steps);
    }
    if (now.waits()) links.back().fewer = lattice_.unit_back_waiting(more.least);
    if (&before == &now) {
      if (now.waits()) links.back().more = 0;
      return;
    }
    const std::int64_t last = before.bundles().back().last;
    std::size_t i = 0;
    for (std::size_t k = 0; k < links.size(); ++k) {
      const Bundle& part = now.bundles()[k];
      while (before.bundles()[i].last < std::min(part.first, last)) ++i;
      const Bundle& of = before.bundles()[i];
      from.push_back(i);
      if (of.first > before.most() || part.first > last) {
        links[k].more = 0;
      } else if (part.first != of.first || part.last != of.last) {
        double share = 0;
        for (std::int64_t g = part.first; g <= part.last; ++g) share += before.share(g);
        links[k].more *= share;
      }
    }
  }

  const GroupLattice& lattice_;
  std::size_t states_ = 0;
  std::vector<Row> rows_;
  std::vector<Place> places_;
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

std::vector<Shortage> group_shortages(const SparePool& pool, double slower,
                                      const Fineness& fineness) {
  const GroupFlows flows(pool, slower);
  const GroupRange range = group_range(flows, fineness);
  if (range.never_short) return {};
  const GroupLattice lattice(flows, range, fineness);
  const std::int64_t all = std::min(lattice.last(), lattice.of_units(range.all));
  std::int64_t most = std::min(all, lattice.of_units(range.most));
  double hardly_ever = -26;  // logarithm
  while (true) {
    const Chain chain(lattice, most, hardly_ever);
    constexpr double kFew = 1e-9;
    const Window units = chain.units();
    const bool low = units.least > 0 && chain.of_fewest() > kFew;
    const bool high = most < all && chain.of_most() > kFew;
    if (!low && !high) {
      std::vector<Shortage> found = chain.shortages();
      if (lattice.single()) return found;
      constexpr int kPerDoubling = 16;
      found = ShortagesByLength(found, kPerDoubling).of_length;
      std::erase_if(found, [](const Shortage& one) { return one.rate <= 0; });
      return found;
    }
    if (low) hardly_ever *= 2;
    if (high) most = std::min(all, most + std::max<std::int64_t>(1, (units.steps() - 1) / 2));
  }
}

}  // namespace planner::reliability
