#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "planner/domain/site.hpp"

// The power chain above the racks: a tree of units. A rack hangs on one of them or on several,
// which share it evenly; when one is lost, those that are left take its share.
namespace planner::site {

/// Whether devices live on.
enum class Fate { lives, unknown, dies };

/// Nodes on so many feeds of which some are lost: their supplies are dealt out over the feeds.
Fate fate_of_nodes(const Chassis& chassis, std::int64_t feeds, std::int64_t lost);
/// Switches have two supplies on two feeds, either of which will do: assumed.
Fate fate_of_switches(std::int64_t feeds, std::int64_t lost);

/// A unit with what it carries.
struct CarriedUnit {
  std::string name;
  Watts load{};      ///< with all units up
  Watts worst{};     ///< when one other is lost, if that is more
  std::string lost;  ///< that one; empty: none makes it more
  Watts limit{};

  [[nodiscard]] bool broken() const { return worst > limit * (1 + 1e-9); }
};
/// The highest number of a rack that units have; 0: none.
std::int64_t last_rack(const std::vector<PowerUnit>& units);

/// Feeds of a rack that are lost.
struct LostFeeds {
  std::int64_t rack = 0;  ///< from 1
  std::int64_t feeds = 0, lost = 0;
};

class PowerChain {
 public:
  /// Whether a rack still draws power when so many of its feeds are lost.
  using Draws = std::function<bool(std::int64_t rack, std::int64_t feeds, std::int64_t lost)>;

  /// @param racks  power of each; units may name more, which draw nothing
  /// @param draws  nothing: as long as one feed is left
  PowerChain(const std::vector<PowerUnit>& units, const std::vector<Watts>& racks,
             Draws draws = {});

  /// Loads from the racks to the root, in the order of the units.
  [[nodiscard]] std::vector<CarriedUnit> carried() const;
  /// What the loss of each unit takes: the feeds of the racks below it, and of those that hang on
  /// units that trip since they carry more than their limit then.
  [[nodiscard]] std::vector<std::vector<LostFeeds>> losses() const;

 private:
  /// Loads of all units, with some of them dead.
  class State;

  const std::vector<PowerUnit>& units_;
  const std::vector<Watts>& racks_;
  Draws draws_;
  std::vector<std::vector<std::size_t>> path_;   ///< of a unit: itself, and up to the root
  std::vector<std::vector<std::size_t>> below_;  ///< of a unit: itself, and all under it
  std::vector<std::vector<std::size_t>> on_;     ///< of a rack, from 1: its units
};

}  // namespace planner::site
