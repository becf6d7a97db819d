#pragma once

#include <vector>

#include "planner/core/quantity.hpp"
#include "planner/reliability/run_losses.hpp"

// What the luck of a run adds to its time: losses that are many add up to nearly a normal
// distribution, but of a few large ones a run meets none, or one, or two.
namespace planner::inline reliability {

/// What all losses of a run add: a compound Poisson law, by Panjer's recursion (1981) on equal
/// cells of time. A loss between two cells is shared out between them so that its mean stays. Times
/// below half of all are on cells half as long, which what is longer does not touch, and so on,
/// down to the finest: so how long cells are at a time does not depend on the losses. The smallest
/// kinds are gamma distributed together, with their mean, variance and skewness, as far as that is
/// within 0.001 standard deviations or a sixteenth of the finest cell, nearly. More of a loss, and
/// a longer one, never make a quantile better on the same cells, whose length is a power of two of
/// seconds.
class LuckLaw {
 public:
  struct Point {
    double time, within;  ///< s; P(added <= time)
  };

  /// Nothing is added.
  LuckLaw() = default;
  /// @param cells  from the least time to one that cells of a length hold, an even number
  /// @param finest  length of a cell that need not be divided
  LuckLaw(std::vector<RunLosses> kinds, int cells, Seconds finest);

  /// P(what is added <= time).
  [[nodiscard]] double share_within(Seconds time) const;
  /// What a share p of all runs adds at most, 0 < p < 1.
  [[nodiscard]] Seconds quantile(double p) const;

 private:
  /// Linear between them. Empty: nothing is added.
  std::vector<Point> points_;
};

}  // namespace planner::reliability
