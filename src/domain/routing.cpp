#include "planner/domain/routing.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

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
  fill(&S::fail);
  fill(&S::channels);
  fill(&S::uplinks);
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
  }
  return "";
}

std::string_view name_of(FaultKind kind) {
  switch (kind) {
    case FaultKind::uplink:
      return "uplink";
    case FaultKind::nic_link:
      return "nic-link";
    case FaultKind::tor:
      return "tor";
    case FaultKind::plane:
      return "plane";
    case FaultKind::aggregation:
      return "agg";
    case FaultKind::core:
      return "core";
  }
  return "";
}

std::string text_of(const Fault& fault) {
  std::string text{name_of(fault.kind)};
  if (is_counted(fault.kind)) text += ':' + std::to_string(fault.count);
  return text;
}

std::optional<Fault> fault_named(std::string_view text) {
  constexpr std::int64_t kMost = 1'000'000'000;
  const std::size_t colon = std::min(text.find(':'), text.size());
  for (const FaultKind kind : kFaultKinds) {
    if (text.substr(0, colon) != name_of(kind)) continue;
    Fault fault{.kind = kind};
    if (colon == text.size()) return fault;
    const char* const end = text.data() + text.size();
    const auto [read, error] = std::from_chars(text.data() + colon + 1, end, fault.count);
    const bool whole = error == std::errc{} && read == end && fault.count >= 0;
    if (!whole || fault.count > kMost || !is_counted(kind)) return std::nullopt;
    return fault;
  }
  return std::nullopt;
}

namespace {

class Uniform : public GroupSlowdowns {
 public:
  explicit Uniform(double slowdown) : slowdown_(slowdown) {}
  [[nodiscard]] double of(const GroupFlows&) const override { return slowdown_; }

 private:
  double slowdown_;
};

class Relative : public GroupSlowdowns {
 public:
  Relative(RoutingFactors factors, RoutingFactors reference)
      : factors_(std::move(factors)), reference_(std::move(reference)) {}
  [[nodiscard]] double of(const GroupFlows& groups) const override {
    return factors_.slowdown(groups) / reference_.slowdown(groups);
  }

 private:
  RoutingFactors factors_, reference_;
};

class Least : public GroupSlowdowns {
 public:
  explicit Least(std::vector<RoutingFactors> factors) : factors_(std::move(factors)) {}
  [[nodiscard]] double of(const GroupFlows& groups) const override {
    double least = std::numeric_limits<double>::infinity();
    for (const RoutingFactors& one : factors_) least = std::min(least, one.slowdown(groups));
    return least;
  }

 private:
  std::vector<RoutingFactors> factors_;
};

}  // namespace

RoutingFactors uniform_factors(double slowdown) {
  return RoutingFactors(std::make_shared<const Uniform>(slowdown));
}

RoutingFactors relative(const RoutingFactors& factors, const RoutingFactors& reference) {
  return RoutingFactors(std::make_shared<const Relative>(factors, reference));
}

RoutingFactors least_of(std::vector<RoutingFactors> factors) {
  return RoutingFactors(std::make_shared<const Least>(std::move(factors)));
}

}  // namespace planner
