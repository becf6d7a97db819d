#pragma once

#include <string>

namespace planner::json {

/// The shortest decimal that reads back as the same double, whole numbers without exponent:
/// "2.5", "1000000", "1e+30".
std::string shortest(double value);

/// The plainest number that, times `unit`, is exactly `si` again: 989 for 989e12 in units of 1e12.
/// Where rounding leaves no such number, the quotient.
double in_unit(double si, double unit);

}  // namespace planner::json
