#pragma once

#include <array>
#include <string>
#include <string_view>

#include "planner/report/chart_colors.hpp"

namespace planner {

/// What takes time from a run: its key in answers, its name for readers, its colour in charts.
struct LostCause {
  std::string_view key, words;
  std::string_view color, ink;  ///< of a bar, and of text on it
};

/// In the order of reading: the network, then failures (see kWasteCauses).
inline constexpr std::array<LostCause, 9> kLostCauses{
    {{"routing", "uneven links", color::kTan, color::kInk},
     {"storage", "storage traffic", color::kApricot, color::kInk},
     {"lost", "lost work", color::kDarkOrange, color::kWhite},
     {"checkpoint", "checkpoints", color::kOrange, color::kInk},
     {"detect", "detection", color::kLightOrange, color::kInk},
     {"diagnose", "diagnosis", color::kBrown, color::kWhite},
     {"restart", "restart", color::kGrey, color::kWhite},
     {"spare_wait", "waiting for a spare", color::kLightGrey, color::kInk},
     {"degraded", "slowed or stalled", color::kPaleGrey, color::kInk}}};

/// "lost work" for "lost".
std::string cause_in_words(std::string_view key);

}  // namespace planner
