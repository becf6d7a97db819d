#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "planner/design/bought.hpp"
#include "planner/design/space.hpp"

namespace planner::design {

/// The optics of one speed: transceivers and fibre, or cables whose ends are transceivers.
struct OpticsOption {
  std::int64_t port_gbps = 0;
  std::optional<Optic> module{}, fibre{}, active_optical{};
};

/// What a catalog has for networks.
struct NetworkParts {
  std::vector<SwitchModel> switches;  ///< with a price and power
  std::vector<OpticsOption> optics;   ///< that are worthwhile
};

/// Of the optics with a price and power those that a network may be worth buying with, by link: an
/// active optical cable, or a fibre with a transceiver of one or two ports at either end. Left out
/// is what costs and draws no less than others of its speed, as expected and in how much more it
/// may come to, whichever one part of those gets dearer. How long a link is, and whether two
/// network cards share a cage, is not looked at.
std::vector<OpticsOption> worthwhile_optics(const std::vector<Optic>& optics, const PriceBook& book,
                                            const Economics& economics);

/// Oversubscriptions of the leaves, each : 1.
inline constexpr std::array<std::int64_t, 4> kOversubscriptions{1, 2, 3, 7};
/// Planes over which a network card's bandwidth is dealt out.
inline constexpr std::array<std::int64_t, 3> kPlanes{1, 2, 4};

/// The networks that are open for a system where a brief names none: packed fat trees, or as many
/// planes of them; rail-optimized and rail-only where each GPU has a network card. Each on every
/// switch that has ports of a card's speed over the planes.
std::vector<NetworkOption> open_networks(const System& system, const Node& node,
                                         const NetworkParts& parts);

}  // namespace planner::design
