#pragma once

#include <cstdint>
#include <string_view>

namespace planner {

/// Who sends to whom in a group of ranks.
enum class FlowKind {
  ring,        ///< each to the next, the last to the first
  all_to_all,  ///< each to every other
  line,        ///< each to its neighbours on both sides, as a pipeline does
  wrap,        ///< the last to the first and back: interleaved pipelines
};

/// As in JSON: "all_to_all".
constexpr std::string_view name_of(FlowKind kind) {
  switch (kind) {
    case FlowKind::ring:
      return "ring";
    case FlowKind::all_to_all:
      return "all_to_all";
    case FlowKind::line:
      return "line";
    case FlowKind::wrap:
      return "wrap";
  }
  return "";
}

/// What the groups of one axis of a plan send. Groups lie side by side: GPU g is in the group of
/// all g' with the same g mod `stride` and the same g / (stride · ranks).
struct GroupFlows {
  FlowKind kind = FlowKind::ring;
  std::int64_t stride = 1;  ///< σ: GPUs, in the order of placement, between neighbours
  std::int64_t ranks = 1;   ///< n
  /// Of so many GPUs of a rank one sends: an HB domain may hold as many stages of a pipeline.
  std::int64_t one_in = 1;

  /// GPUs of as many groups as lie side by side.
  [[nodiscard]] constexpr std::int64_t period() const { return stride * ranks; }
  auto operator<=>(const GroupFlows&) const = default;
};

}  // namespace planner
