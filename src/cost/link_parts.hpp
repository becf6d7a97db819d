#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "planner/cost/network_parts.hpp"
#include "planner/domain/laid_links.hpp"
#include "planner/domain/site.hpp"

namespace planner::inline cost {

/// A medium with the parts that it may be bought as, looked up.
struct MediumModels {
  Medium medium;
  std::optional<Optic> cable{};
  std::vector<Optic> modules{};
};

/// A cable of a medium: the network's own part where that is of the medium, else the medium's,
/// else a nameless one of its kind. Copper carries as many links as a cage of a switch has ports.
/// @param switch_ports  of a cage of the switches
Part cable_part(const MediumModels& medium, std::int64_t gbps, std::int64_t switch_ports,
                const FabricModels& models);

/// A fibre cable of so many links, pulled as one: "om4-fibre-trunk-144".
Part trunk_of(Part cord, std::int64_t fibres);

/// Whether a medium is made at a speed: active copper is one part, at the speed that this has.
bool is_made_at(const MediumModels& medium, std::int64_t gbps);

/// A transceiver of a medium with so many ports. A network that names none has nameless ones: those
/// of the nearest fibre as in a bill without lengths, those of another medium under its name.
/// @param nearest  whether no fibre that is offered has a shorter reach
Part module_part(const MediumModels& medium, bool nearest, std::int64_t gbps, bool at_switch,
                 std::int64_t ports, const FabricModels& models);

/// Whether no fibre before this one is offered.
bool is_nearest_fibre(const std::vector<MediumModels>& media, std::size_t medium);

/// Cables by sold length and the transceivers at their ends, as they are laid: in place of those
/// that a count alone gives. Under a book that prices logical ends, these.
std::vector<PartQuantity> link_parts(const LaidLinks& laid, const std::vector<MediumModels>& media,
                                     const Cabling& cabling, const FabricModels& models,
                                     const PriceBook& book);

}  // namespace planner::cost
