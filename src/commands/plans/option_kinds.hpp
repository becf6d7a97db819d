#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "planner/commands/plans/plans.hpp"

// Kinds of options that files of plans share.
namespace planner::commands {

/// The group of options that pin a strategy.
inline constexpr const char* kStrategy = "Strategy (optimize: pins the axis; lists like 1,2,4 too)";

/// Up to which numbers of GPUs are searched one by one.
inline constexpr std::int64_t kMostMaxGpus = 10'000'000;

/// An option that only the calibrated model knows.
inline OptionInfo calibrated(OptionInfo info) {
  info.timing = Timing::calibrated;
  return info;
}

/// One of two switches that exclude each other.
template <class Part>
OptionOf<Part> either(OptionInfo info, std::optional<bool> Part::*at, bool on) {
  const std::string other = on ? "no-" + info.name : info.name.substr(3);
  return of_member<Part>(std::move(info), at,
                         [=](std::string_view, Part& part) -> std::optional<std::string> {
                           if (part.*at == !on) {
                             return fmt::format("contradicts --{}: give one of them", other);
                           }
                           part.*at = on;
                           return std::nullopt;
                         });
}

/// Axes of the search, and what holds a strategy to one place on them.
std::vector<OptionOf<job::StrategyChoice>> axis_options(PlanUse use);

}  // namespace planner::commands
