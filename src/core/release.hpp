#pragma once

#include <string_view>

namespace planner {

/// The month of this version and its data. A date beyond it is told by this, not by a clock: the
/// same files give the same answer on every day.
inline constexpr std::string_view kReleased = "2026-11";

}  // namespace planner
