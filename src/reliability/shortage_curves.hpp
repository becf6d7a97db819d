#pragma once

#include <map>
#include <vector>

#include "planner/reliability/group_shortages.hpp"

namespace planner::inline reliability {

/// Shortages of pools that lose groups too, for those who ask at many rates. A pool whose losses
/// and repairs are all so many times as fast has as many more shortages, of the same length in
/// hours in which it waits, so that they follow from the losses over the repairs alone. Of these a
/// grid of logarithms is solved as it is asked for, and between its nodes the logarithms of the
/// rates of each length are cubic: within 0.2 % of hours
/// waited, 1 % where steps of units and groups are wide. The answers do not depend on what
/// else was asked.
class ShortageCurves {
 public:
  /// As group_shortages().
  [[nodiscard]] std::vector<Shortage> at(const SparePool& pool, double slower);

 private:
  /// By length, in parts of a doubling.
  using ByLength = std::map<int, Shortage>;
  struct Curve {
    SparePool pool;  ///< its larger rate is one a second
    double step = 0;
    std::map<int, ByLength> nodes;
  };
  Curve& of(const SparePool& pool);
  static const ByLength& node(Curve& curve, int i);

  std::vector<Curve> curves_;
};

}  // namespace planner::reliability
