#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "planner/domain/site.hpp"
#include "planner/site/floor.hpp"
#include "planner/site/placement.hpp"
#include "planner/site/power_chain.hpp"
#include "planner/site/racks.hpp"

namespace planner::site {

/// Of one three-phase circuit: √3·V·A, at the share that may flow on.
Watts circuit_power(double volts, double amps, double breaker_share);

/// What each feed is to carry of a load: its share when one of the others is lost, all of it where
/// there are two or one.
Watts of_each_feed(Watts load, double feeds);
/// Circuits of each feed that a rack needs.
/// @param rack  what each feed is to carry of it
std::int64_t circuits_of(Watts rack, Watts circuit);
/// The same of all that it draws; one at least where not all of that is known.
std::int64_t circuits_of(const Rack& rack, double feeds, Watts circuit);

/// Whether a node lives when one of its feeds is lost: its supplies are dealt out over them.
bool survives_a_feed(std::int64_t psus, std::int64_t needed, std::int64_t feeds);
/// The fewest feeds, more than those, of which a node outlives one; nothing: it needs every supply.
std::optional<std::int64_t> feeds_to_survive(std::int64_t psus, std::int64_t needed,
                                             std::int64_t more_than);
/// What the loss of a feed means for the nodes of a building whose nodes do not outlive it, and
/// what would help: "a node stops with any of its 2 feeds …".
std::string words_of_lost_feed(const Chassis& chassis, std::int64_t feeds);

/// Air to carry heat away, m³/s: W = ρ·c·V̇·ΔT with ρ·c = 1.206 kJ/(m³·K) at 20 °C: 13.3 kW per
/// m³/s at 11 K.
double air_m3_per_s(Watts heat, double delta_k);
/// Water, L/min: 4.19 kJ/(L·K): 1.43 L/min per kW at 10 K.
double coolant_l_per_min(Watts heat, double delta_k);

/// One row of one block: what a busway feeds.
struct RowPower {
  std::string row;  ///< "A1": row and block
  Watts power{};
  std::int64_t racks = 0, gpus = 0;
};

/// What carries a building when the utility fails; nothing: not known.
struct Backup {
  std::optional<Watts> ups{};                      ///< IT power behind it
  std::optional<double> ups_minutes{}, ups_kwh{};  ///< that it lasts, and must hold
  std::optional<Watts> generators{};               ///< IT and cooling on them
  bool operator==(const Backup&) const = default;
};
Backup backup_of(const Site& site, Watts it, Watts facility);

struct Power {
  Watts it{}, liquid{};
  Watts rated{};                 ///< IT where nodes draw what they could
  std::int64_t spare_nodes = 0;  ///< hosts in reserve
  Watts spare{};                 ///< of it, theirs
  Watts facility{};              ///< with cooling, that of racks of pumps included
  Watts densest_rack{};
  std::int64_t circuits = 0;  ///< of all racks and feeds
  Watts circuit{}, busway{};
  Backup backup{};
  std::vector<RowPower> by_row;
  std::vector<CarriedUnit> chain;
  double air_m3_s = 0, coolant_l_min = 0;
  std::int64_t cdus = 0;         ///< beside the racks, else of the hall; 0: no liquid
  std::int64_t cdus_needed = 0;  ///< of them; the others are in reserve
  Watts cdu_heat{};              ///< of the hottest, with one of its loop lost if it has a reserve
  Watts cdu_limit{};             ///< that one carries
};

/// A rack of the power chain draws nothing when so many of its feeds are lost that its nodes stop.
PowerChain::Draws draws_of(const RackPlan& plan, const Chassis& chassis);

Power power_of(const RackPlan& plan, const Chassis& chassis, const Site& site, const Floor& floor,
               const Places& places);

}  // namespace planner::site
