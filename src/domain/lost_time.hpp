#pragma once

#include <array>
#include <string_view>

#include "planner/core/quantity.hpp"
#include "planner/domain/shade.hpp"

namespace planner {

/// What takes time from a run, in the order of reading: the network, then failures.
enum class LostCause {
  routing,
  storage,
  lost_work,
  checkpoint,
  detect,
  diagnose,
  restart,
  spare_wait,
  degraded,
};

/// Its key in answers, its name for readers, its colour in charts.
struct LostCauseNames {
  LostCause cause;
  std::string_view key, words;
  Shade shade;
};

/// In the order of LostCause.
inline constexpr std::array<LostCauseNames, 9> kLostCauses{
    {{LostCause::routing, "routing", "uneven links", Shade::tan},
     {LostCause::storage, "storage", "storage traffic", Shade::apricot},
     {LostCause::lost_work, "lost", "lost work", Shade::dark_orange},
     {LostCause::checkpoint, "checkpoint", "checkpoints", Shade::orange},
     {LostCause::detect, "detect", "detection", Shade::light_orange},
     {LostCause::diagnose, "diagnose", "diagnosis", Shade::brown},
     {LostCause::restart, "restart", "restart", Shade::grey},
     {LostCause::spare_wait, "spare_wait", "waiting for a spare", Shade::light_grey},
     {LostCause::degraded, "degraded", "slowed or stalled", Shade::pale_grey}}};

constexpr const LostCauseNames& names_of(LostCause cause) {
  return kLostCauses.at(static_cast<std::size_t>(cause));
}

/// Time of a run that does not advance it.
struct LostTime {
  LostCause cause = LostCause::routing;
  Seconds time{};

  bool operator==(const LostTime&) const = default;
};

}  // namespace planner
