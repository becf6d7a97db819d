#pragma once

#include <cstdint>
#include <string>

namespace planner {

/// A whole number with thousands separators: "32,768".
std::string grouped(std::int64_t value);

/// A number with so many digits after the point: "1,359.6".
std::string grouped(double value, int digits);

}  // namespace planner
