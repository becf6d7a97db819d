// Comparison of doubles within a relative error. (doctest::Approx adds 1 to the scale, so that any
// two times of a microsecond would be equal to it.)
#pragma once

#include <algorithm>
#include <cmath>
#include <ostream>

namespace planner::testing {

struct Near {
  double value;
  double relative_error;

  friend bool operator==(double measured, const Near& expected) {
    const double scale = std::max(std::abs(measured), std::abs(expected.value));
    return std::abs(measured - expected.value) <= expected.relative_error * scale;
  }
  friend std::ostream& operator<<(std::ostream& out, const Near& expected) {
    return out << expected.value << " within " << expected.relative_error;
  }
};

/// By default up to rounding.
inline Near near(double value, double relative_error = 1e-12) {
  return {value, relative_error};
}

}  // namespace planner::testing
