#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "planner/core/ceil_div.hpp"
#include "planner/core/real.hpp"
#include "planner/reliability/balance.hpp"
#include "planner/reliability/group_shortages.hpp"
#include "planner/reliability/spares.hpp"

namespace planner::inline reliability {

/// What a pool loses and gets back, per second in which the job runs, of numbers that need not be
/// whole.
class GroupFlows {
 public:
  /// @param slower  what the repair times are divided by while the job runs
  GroupFlows(const SparePool& pool, double slower)
      : pool_(pool),
        slower_(slower),
        units_(real(pool.active + pool.spares)),
        size_(real(pool.groups.units)),
        of_unit_(1 / pool.repair.si()),
        of_group_(1 / pool.groups.repair.si()) {}

  [[nodiscard]] const SparePool& pool() const { return pool_; }
  [[nodiscard]] double slower() const { return slower_; }
  /// Units in a group that is out do not fail.
  [[nodiscard]] double loses_unit(double units, double groups) const {
    const double in = units_ - units - groups * size_;
    return in > 0 ? in * pool_.rate.si() : 0;
  }
  [[nodiscard]] double loses_group(double groups) const {
    const double in = real(pool_.groups.groups) - groups;
    return in > 0 ? in * pool_.groups.rate.si() : 0;
  }
  /// While the job waits; `slower` as fast while it runs.
  [[nodiscard]] double unit_back(double units) const {
    return std::min(units, pool_.crews) * of_unit_;
  }
  [[nodiscard]] double group_back(double groups) const { return groups * of_group_; }
  [[nodiscard]] double size() const { return size_; }

 private:
  const SparePool& pool_;
  double slower_;
  double units_, size_;        ///< all, and of a group
  double of_unit_, of_group_;  ///< rates of repairs
};

/// Units and groups that a pool has out, and what is worth telling apart of them.
struct GroupRange {
  std::int64_t most = 0;  ///< units: more are hardly ever out
  std::int64_t all = 0;   ///< nor ever, were no group out
  std::int64_t least_groups = 0, most_groups = 0;
  /// How many units, and groups, more or fewer change the states' shares by as much as they are.
  double units_scale = 0, groups_scale = 0;
  double drift_scale = 0;  ///< of units, where what is lost and what is back vary little
  bool never_short = false;
};

GroupRange group_range(const GroupFlows& flows, const Fineness& fineness);

/// Below it a share of the states changes nothing.
inline constexpr double kNoState = 1e-11;

/// Two steps of groups are one bundle where so many more find room beside them, four where twice as
/// many do, and so on.
inline constexpr std::int64_t kRoomForTwo = 8;

/// Of steps so wide, where single ones have these rates.
StepRates wide_step(double more, double fewer, std::int64_t width);

/// From so many steps counted as one to so many more, and back, where steps have these rates. As of
/// the flow between their middles, where the shares of single steps grow by what is lost over what
/// is back.
StepRates between_wide(const StepRates& single, std::int64_t steps, std::int64_t more_steps);

/// Where a step of units ends.
struct UnitBorder {
  double last = 0;  ///< units out
  double back = 0;  ///< rate of one more that is back, while the job runs
};

/// States of a pool that are counted apart: so many units, so many groups, are one. Steps of one
/// are every state. Wider ones have the rates of a chain whose single steps have those at the
/// border between two of them (Scharfetter and Gummel 1969).
class GroupLattice {
 public:
  GroupLattice(const GroupFlows& flows, const GroupRange& range, const Fineness& fineness);

  [[nodiscard]] const GroupFlows& flows() const { return flows_; }
  [[nodiscard]] bool single() const { return units_ == 1 && groups_ == 1; }
  /// Of a step.
  [[nodiscard]] std::int64_t units() const { return units_; }
  /// Of so many units out, the step that has them.
  [[nodiscard]] std::int64_t of_units(std::int64_t units) const;
  /// The first step of units, with no fewer out than there are crews; beyond the last: there are
  /// enough of them, or every state is counted.
  [[nodiscard]] std::int64_t all_crews() const { return all_crews_; }
  /// Steps of units that are counted as one from there on, so many before the job may wait.
  [[nodiscard]] std::int64_t counted_as_one(std::int64_t before_waiting) const {
    if (before_waiting / 2 < from_waiting_) return 1;
    return std::min(before_waiting / from_waiting_, widest_);
  }
  /// The fewest and the most steps of groups that are worth counting.
  [[nodiscard]] std::int64_t least() const { return least_; }
  [[nodiscard]] std::int64_t most() const { return most_; }
  /// Steps of groups for which there is room beside steps of units while the job runs; -1: none.
  /// A step of units counts as its middle where that of groups is no whole number of them.
  [[nodiscard]] std::int64_t room(std::int64_t j) const {
    const std::int64_t left = (spares_ - j) * units_ + (units_ - 1) / 2;
    return left < 0 ? -1 : left / size_;
  }
  /// The first step of units beside which there is no room for the fewest groups.
  [[nodiscard]] std::int64_t last() const {
    return spares_ + 1 -
           ceil_div(std::max<std::int64_t>(0, least_ * size_ - (units_ - 1) / 2), units_);
  }
  [[nodiscard]] double units_at(std::int64_t j) const {
    return last_unit(j) - real(units_ - 1) / 2;
  }
  [[nodiscard]] double groups_at(std::int64_t g) const {
    return real(g * groups_) + real(groups_ - 1) / 2;
  }
  /// @param further  steps beyond the end of this one
  [[nodiscard]] UnitBorder unit_border(std::int64_t j, double further = 0) const {
    const double last = last_unit(j) + further * real(units_);
    return {last, flows_.slower() * flows_.unit_back(last + 1)};
  }
  /// While the job runs: from a step to the next, beside a number of groups, and back.
  [[nodiscard]] StepRates unit_steps(const UnitBorder& border, double groups) const {
    return wide_step(flows_.loses_unit(border.last, groups), border.back, units_);
  }
  [[nodiscard]] double group_lost(std::int64_t g) const {
    return group_steps_[static_cast<std::size_t>(g - least_ + 1)].more;
  }
  [[nodiscard]] double group_back(std::int64_t g) const {
    return group_steps_[static_cast<std::size_t>(g - least_)].fewer;
  }
  /// While the job waits.
  [[nodiscard]] double unit_back_waiting(std::int64_t j) const {
    return flows_.unit_back(std::max(units_at(j), 0.0)) / real(units_);
  }
  [[nodiscard]] double group_back_waiting(std::int64_t g) const {
    return flows_.group_back(groups_at(g)) / real(groups_);
  }

 private:
  [[nodiscard]] double last_unit(std::int64_t j) const {
    return end_ - real((spares_ - j) * units_);
  }

  const GroupFlows& flows_;
  std::int64_t units_ = 1, groups_ = 1;  ///< of a step
  std::int64_t size_ = 1;                ///< units of a step of groups
  double end_ = 0;           ///< units for which there is room; half of one where groups are odd
  std::int64_t spares_ = 0;  ///< their step
  std::int64_t all_crews_ = 0, from_waiting_, widest_ = 1;
  std::int64_t least_ = 0, most_ = 0;
  std::vector<StepRates> group_steps_;  ///< from one before the least on
};

}  // namespace planner::reliability
