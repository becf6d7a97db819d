#pragma once

#include <array>
#include <string_view>

#include "planner/domain/shade.hpp"

namespace planner::commands {

/// What takes time from a run: its key in answers, its name for readers, its colour in charts.
struct LostCause {
  std::string_view key, words;
  Shade shade;  ///< of a bar
};

/// In the order of reading: the network, then failures (see kWasteCauses).
inline constexpr std::array<LostCause, 9> kLostCauses{
    {{"routing", "uneven links", Shade::tan},
     {"storage", "storage traffic", Shade::apricot},
     {"lost", "lost work", Shade::dark_orange},
     {"checkpoint", "checkpoints", Shade::orange},
     {"detect", "detection", Shade::light_orange},
     {"diagnose", "diagnosis", Shade::brown},
     {"restart", "restart", Shade::grey},
     {"spare_wait", "waiting for a spare", Shade::light_grey},
     {"degraded", "slowed or stalled", Shade::pale_grey}}};

}  // namespace planner::commands
