#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "planner/domain/cost.hpp"
#include "planner/domain/fabric.hpp"
#include "planner/domain/network_part.hpp"

namespace planner::inline cost {

/// The catalog parts that a network is bought as: FabricParts, looked up.
struct FabricModels {
  std::optional<SwitchModel> switches{};
  std::optional<SwitchModel> upper_switches{};
  std::optional<Optic> switch_module{};
  std::optional<Optic> nic_module{};
  std::optional<Optic> copper{};
  std::optional<Optic> active_optical{};
  std::optional<Optic> fibre{};
  std::optional<std::string> quote{};
  /// Of switches and transceiver modules of which nobody says what they draw; nothing: not known.
  std::optional<Watts> switch_stand_in{}, module_stand_in{};
};

using PartsResult = std::variant<std::vector<PartQuantity>, CostProblem>;

/// A counted network as parts: switches by tier, transceivers (logical ends under a book that
/// prices ends, else modules at the NICs and in the switches), cables by kind and speed. Where no
/// model is named, or the named one has another speed, the part is nameless: "switch-64x400g",
/// "module-400g", "dac-400g", "aoc-400g", "fibre". Under a quote for the whole network, that is the
/// one priced line.
/// @param links  cables and transceivers as they are laid; nothing: as the count has them
PartsResult network_parts(const FabricDesign& design, const FabricCount& count,
                          const FabricModels& models, const PriceBook& book,
                          const std::vector<PartQuantity>* links = nullptr);

}  // namespace planner::cost
