#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "planner/site/feeds.hpp"
#include "planner/site/floor.hpp"
#include "planner/site/placement.hpp"
#include "planner/site/racks.hpp"

// What fails together: the devices and cables that one part of the building takes with it.
namespace planner::site {

/// Parts of the building alike. Each figure is the largest that any one of them has.
struct FailureDomain {
  std::string kind;  ///< "rack", "row", "hall" …
  std::int64_t count = 0;
  /// Dark or without any port; with fewer ports, less of the network above their leaf (as one
  /// switch of the count that fails slows all below it), or less of their HB domain; and cables
  /// that go with it. Nothing: not known, since nobody says how many power supplies a node needs.
  std::optional<std::int64_t> gpus_cut = 0, gpus_slowed = 0, links_lost = 0;
  bool operator==(const FailureDomain&) const = default;
};

std::vector<FailureDomain> failure_domains(const RackPlan& plan, const Hardware& hardware,
                                           const Site& site, const Floor& floor,
                                           const Places& places, const Power& power);

/// Power feeds whose loss takes nodes with it: of the units of the power chain that racks hang on,
/// else of the rows.
struct FeedLosses {
  bool known = true;  ///< false: nobody says what nodes outlive
  std::int64_t feeds = 0;
  std::int64_t hosts = 0;  ///< nodes that one takes with it, a mean rounded up
  std::int64_t each = 0;   ///< feeds of a node that stops with one: the fewest
};
FeedLosses feed_losses(const RackPlan& plan, const Hardware& hardware, const Site& site,
                       const Floor& floor, const Places& places);

}  // namespace planner::site
