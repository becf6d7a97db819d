#pragma once

#include <cstdint>
#include <vector>

#include "planner/reliability/group_flows.hpp"

namespace planner::inline reliability {

/// Steps of groups out counted as one state: `first` … `last`.
struct Bundle {
  std::int64_t first = 0, last = 0;
  double more = 0, fewer = 0;  ///< rates to the next, and to the one before
  double groups = 0;           ///< on average
};

/// The groups that may be out beside so many units: least … most in bundles, which are the wider
/// the further they are from having no room; and where there is room for no more one more, with
/// which the job waits. A bundle of 2^i begins at a multiple of it, so that more room only joins
/// bundles. Of a bundle each step has the share that it has of the groups alone.
class Row {
 public:
  /// @param room  steps of groups for which there is room; -1: none
  Row(const GroupLattice& lattice, std::int64_t room);

  /// Of a row with this room the bundles are the same as of one with any more.
  static std::int64_t ample_room(const GroupLattice& lattice) {
    return (kRoomForTwo / 2 + 1) * (lattice.most() + 1);
  }

  [[nodiscard]] const std::vector<Bundle>& bundles() const { return bundles_; }
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
  void put(const Bundle& bundle);
  void add(const GroupLattice& lattice, std::int64_t first, std::int64_t wide);
  void add_shares(const GroupLattice& lattice, Bundle& bundle);
  void add_waiting(const GroupLattice& lattice);
  void join(const GroupLattice& lattice, Bundle& before, Bundle& bundle) const;

  std::int64_t most_, least_;
  std::vector<Bundle> bundles_;
  std::vector<std::size_t> of_;  ///< of each step from the least on
  std::vector<double> share_;
};

}  // namespace planner::reliability
