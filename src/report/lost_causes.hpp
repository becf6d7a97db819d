#pragma once

#include <array>
#include <string>
#include <string_view>

namespace planner {

/// What takes time from a run: its key in answers, its name for readers, its colour in charts.
struct LostCause {
  std::string_view key, words;
  std::string_view color, ink;  ///< of a bar, and of text on it
};

/// In the order of reading: the network, then failures (see kWasteCauses).
inline constexpr std::array<LostCause, 9> kLostCauses{
    {{"routing", "uneven links", "#cf7a33", "#1d252c"},
     {"storage", "storage traffic", "#f3b57a", "#1d252c"},
     {"lost", "lost work", "#b3500f", "#ffffff"},
     {"checkpoint", "checkpoints", "#ea9a3e", "#1d252c"},
     {"detect", "detection", "#f6cf98", "#1d252c"},
     {"diagnose", "diagnosis", "#7d3a0a", "#ffffff"},
     {"restart", "restart", "#6f7c87", "#ffffff"},
     {"spare_wait", "waiting for a spare", "#a9b4bd", "#1d252c"},
     {"degraded", "slowed or stalled", "#ccd4da", "#1d252c"}}};

/// "lost work" for "lost".
std::string cause_in_words(std::string_view key);

}  // namespace planner
