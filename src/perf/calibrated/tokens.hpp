#pragma once

#include "planner/perf/derivation/text.hpp"

namespace planner::inline perf {

inline constexpr Row kTokens{"T", "tokens of a micro-batch on a GPU", "docs/calibrated.md",
                             [](auto b, auto s, auto cp) { return b * s / cp; }, ""};
inline constexpr Row kRouted{"R", "tokens routed to the experts of a GPU", kSheet,
                             [](auto T, auto k, auto t) { return T * k / t; }, ""};

}  // namespace planner::perf
