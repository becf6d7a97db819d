#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "planner/reliability/outcome_law.hpp"

namespace planner::inline reliability {

/// P(<= …) as a sum of even laws between two values of a logarithm: a table of where the density
/// changes. On 128 cells to one of the logarithm, and on 1,024 at least, so that what is worse but
/// lies on cells half as many is no better by them (on 128 it was, by 2.5e-4).
class Ramps {
 public:
  /// @param low, high  what all values lie between
  Ramps(double low, double high);

  /// A logarithm in cells.
  [[nodiscard]] double cells_to(double logarithm) const { return logarithm * per_unit_ - start_; }
  /// @param a, b  in cells
  void add(double a, double b, double weight) {
    double low = std::min(a, b), high = std::max(a, b);
    if (high - low < 1) {
      const double middle = (low + high) / 2;
      low = middle - 0.5;
      high = middle + 0.5;
    }
    const double slope = weight / (high - low);
    turn(low, slope);
    turn(high, -slope);
  }
  [[nodiscard]] LogTable table() const;

 private:
  void turn(double at, double slope) {
    const auto before = static_cast<int>(at);
    const auto next = static_cast<std::size_t>(before) + 1;
    const double part = before + 1 - at;
    turns_[next] += part * slope;
    turns_[next + 1] += (1 - part) * slope;
  }

  double per_unit_, start_;
  std::vector<double> turns_;
};

}  // namespace planner::reliability
