#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "planner/site/remedies.hpp"

// Whether what cuts off one port of a network card leaves it another.
namespace planner::site {

/// What the ports of a card have in common; negative: nothing.
struct Way {
  std::int64_t rack = -1, row = -1;  ///< of its switches; rows are of one block
  std::int64_t tray = -1;            ///< cross tray of its cables
};

/// Of every card with several ports, what they have in common.
std::vector<Way> ways_of_cards(const Build& built);

/// The most switches a rack with which no card has all its switches in one; empty: none.
std::string racks_apart(const Site& site, const Remedies& remedies);

/// One cable of each card that has all of them in one cross tray through another, in the same
/// racks: what that takes, where its medium still reaches and no tray gets too full. Else bays of
/// another length or another place for the switches; else what was tried in vain.
std::string trays_apart(const Build& built, const Hardware& hardware, const Site& site,
                        const Media& media, const Remedies& remedies);

}  // namespace planner::site
