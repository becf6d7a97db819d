#pragma once

#include <string>

#include "planner/published/published.hpp"

// Rows that several files of published figures are written with.
namespace planner::published {

/// A figure that a general formula of ours gives.
Check computed(const char* id, std::string source, std::string quantity, const char* unit,
               double published, double ours, double tolerance, std::string note = "");
/// One beside ours that is held to nothing, with the reason.
Check shown(const char* id, std::string source, std::string quantity, const char* unit,
            double published, double ours, std::string note);

/// By how much less a quicker way takes, of itself, %.
constexpr double gain(double slow, double fast) {
  return 100 * (slow / fast - 1);
}

}  // namespace planner::published
