#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "planner/catalog/catalog.hpp"
#include "planner/commands/option.hpp"

namespace planner::commands {

inline constexpr const char* kWhat = "What to train, on what";
inline constexpr const char* kMachine = "Change the system";
inline constexpr const char* kAnswer = "The answer";
inline constexpr const char* kDefaultSystem = "dgx-h100";
inline constexpr const char* kSystemOption = "system";

/// A system and what is changed of it.
struct MachineChoice {
  std::optional<std::string> system;  ///< nothing: kDefaultSystem
  std::optional<std::int64_t> hb_domain;
  std::optional<double> hb_bandwidth_GBps, network_bandwidth_GBps, memory_GB;

  bool operator==(const MachineChoice&) const = default;
};

/// --system
std::vector<OptionOf<MachineChoice>> system_options();
/// --hb-domain, --hb-bandwidth, --network-bandwidth
std::vector<OptionOf<MachineChoice>> link_options();
/// --memory
std::vector<OptionOf<MachineChoice>> memory_options();

/// @throws InputError where the catalog has no such system
System machine_of(const MachineChoice& choice, const catalog::Catalog& catalog);

}  // namespace planner::commands
