#pragma once

#include <cstdint>
#include <vector>

#include "planner/reliability/group_flows.hpp"

namespace planner::inline reliability {

/// Steps of groups out counted as one state: `first` … `last`.
struct Bundle {
  std::int64_t first = 0, last = 0;
  double groups = 0;  ///< on average
};

/// The groups that may be out beside so many units: least … most in bundles, which are the wider
/// the further they are from having no room; and where there is room for no more one more, with
/// which the job waits. A bundle of 2^i begins at a multiple of it, so that more room only joins
/// bundles. Of a bundle each step has the share that it has of the groups alone.
class Row {
 public:
  /// @param room  steps of groups for which there is room; -1: none
  Row(const GroupLattice& lattice, std::int64_t room);

  /// With less room than it has, down to this, it is the same.
  [[nodiscard]] std::int64_t least_room() const { return least_room_; }
  [[nodiscard]] const std::vector<Bundle>& bundles() const { return bundles_; }
  /// Of the bundles, to the next and to the one before.
  [[nodiscard]] const std::vector<StepRates>& rates() const { return rates_; }
  /// The most for which there is room, of those worth counting.
  [[nodiscard]] std::int64_t most() const { return most_; }
  [[nodiscard]] bool waits() const { return bundles_.back().last > most_; }
  /// Index of the bundle of g.
  [[nodiscard]] std::size_t of(std::int64_t g) const {
    return of_[static_cast<std::size_t>(g - least_)];
  }
  /// Of its bundle.
  [[nodiscard]] double share(std::int64_t g) const {
    return share_[static_cast<std::size_t>(g - least_)];
  }

 private:
  void put(const Bundle& bundle, double fewer = 0);
  void add(const GroupLattice& lattice, std::int64_t first, std::int64_t wide);
  void add_shares(const GroupLattice& lattice, Bundle& bundle);
  void add_waiting(const GroupLattice& lattice);
  [[nodiscard]] StepRates between(const GroupLattice& lattice, const Bundle& before,
                                  const Bundle& bundle) const;

  std::int64_t most_, least_, least_room_;
  std::vector<Bundle> bundles_;
  std::vector<StepRates> rates_;
  std::vector<std::size_t> of_;  ///< of each step from the least on
  std::vector<double> share_;
};

}  // namespace planner::reliability
