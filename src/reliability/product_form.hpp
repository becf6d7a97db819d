#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "planner/reliability/group_shortages.hpp"
#include "planner/reliability/spares.hpp"

namespace planner::inline reliability {

/// Shortages of a pool that loses groups too if nothing changed in them, but states without room
/// were left out: units and groups have the shares then that they have alone. Nearly, on few states
/// and in a smooth function of the rate: not an answer, but what answers at many rates are followed
/// over, as they differ from it by a factor that hardly changes with the rate.
class ProductForm {
 public:
  explicit ProductForm(const SparePool& pool);

  /// Of all shortages.
  struct Sum {
    double rate = 0, hours = 0;
  };
  /// @param times  what the rates of the pool are multiplied by
  [[nodiscard]] Sum at(double times) const;

 private:
  /// So many numbers of units out, 2^doublings, and the groups that there is room for beside them.
  struct Step {
    int doublings = 0;
    std::int64_t groups = 0;
    double numbers = 1;
    double middle = 1,
           next = 1;  ///< weight of its middle, and the next step's first, over its first
    double rate = 0, hours = 0;  ///< where a group is lost, over the shares of units and groups
    double alone_rate = 0, alone_hours = 0;  ///< where a unit is, beside all that there is room for
  };

  std::vector<Step> steps_;  ///< from all spares out to none
  std::size_t most_doublings_ = 0;
  std::vector<double> one_group_;  ///< weight of one group more over that of so many
};

}  // namespace planner::reliability
