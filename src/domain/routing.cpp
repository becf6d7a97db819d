#include "planner/domain/routing.hpp"

#include <algorithm>

namespace planner {

std::string_view to_string(TrafficPattern pattern) {
  switch (pattern) {
    case TrafficPattern::ring:
      return "ring";
    case TrafficPattern::all_rings:
      return "all_rings";
    case TrafficPattern::all_to_all:
      return "all_to_all";
    case TrafficPattern::p2p:
      return "p2p";
  }
  return "";
}

double RoutingFactors::slowdown(TrafficPattern pattern, std::int64_t gpus) const {
  if (spans.empty()) return 1;
  const auto holds = std::find_if(spans.begin(), spans.end(),
                                  [&](const RoutedSpan& span) { return gpus <= span.gpus; });
  const RoutedSpan& span = holds == spans.end() ? spans.back() : *holds;
  return span.slowdown[static_cast<std::size_t>(pattern)];
}

}  // namespace planner
