#include "planner/domain/routing.hpp"

#include <algorithm>

namespace planner {

std::string_view name_of(RoutingScheme scheme) {
  constexpr std::array<std::string_view, kRoutingSchemes.size()> kNames{
      "ecmp", "ecmp-qp", "pin", "te", "c4p", "spray", "dual-plane"};
  return kNames[static_cast<std::size_t>(scheme)];
}

std::string_view name_of(Placement placement) {
  constexpr std::array<std::string_view, kPlacements.size()> kNames{"whole", "partial", "random",
                                                                    "zone-pair", "pp-across-pods"};
  return kNames[static_cast<std::size_t>(placement)];
}

RoutingSettings overlaid(const RoutingSettings& base, const RoutingSettings& over) {
  RoutingSettings both = over;
  const auto fill = [&](auto member) {
    if (!(both.*member)) both.*member = base.*member;
  };
  // A key of `base` that belongs to a placement or a scheme goes with it.
  const auto placed = over.placement.value_or(Placement::partial);
  const auto scheme = over.scheme;
  const bool planned = scheme == RoutingScheme::c4p || scheme == RoutingScheme::spray;
  const bool deals = scheme == RoutingScheme::ecmp_qp || scheme == RoutingScheme::dual_plane;
  using S = RoutingSettings;
  fill(&S::scheme);
  fill(&S::qps);
  fill(&S::entropy);
  if (!scheme || deals) fill(&S::striping);
  if (!scheme || planned) fill(&S::efficiency);
  fill(&S::quantile);
  fill(&S::fail_uplinks);
  fill(&S::same_hash);
  fill(&S::placement);
  if (placed == Placement::partial) fill(&S::rack_share);
  fill(&S::peers);
  const bool chooses = over.placement != Placement::partial && over.placement != Placement::random;
  if (chooses) fill(&S::free_gpus);
  return both;
}

std::string_view name_of(TrafficPattern pattern) {
  switch (pattern) {
    case TrafficPattern::ring:
      return "ring";
    case TrafficPattern::all_rings:
      return "all_rings";
    case TrafficPattern::all_to_all:
      return "all_to_all";
    case TrafficPattern::p2p:
      return "p2p";
    case TrafficPattern::rings_2:
      return "rings_2";
    case TrafficPattern::rings_3:
      return "rings_3";
    case TrafficPattern::rings_4:
      return "rings_4";
    case TrafficPattern::rings_8:
      return "rings_8";
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

RoutingFactors relative(RoutingFactors factors, const RoutingFactors& reference) {
  for (RoutedSpan& span : factors.spans) {
    for (const TrafficPattern pattern : kTrafficPatterns) {
      span.slowdown[static_cast<std::size_t>(pattern)] /= reference.slowdown(pattern, span.gpus);
    }
  }
  return factors;
}

}  // namespace planner
