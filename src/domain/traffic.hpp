#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "planner/core/quantity.hpp"
#include "planner/domain/flows.hpp"
#include "planner/domain/senders.hpp"

namespace planner {

/// What makes the ranks of a plan send.
enum class TrafficType {
  tensor,
  pipeline,
  data,
  context,
  expert,
  vocabulary,  ///< gradients of the vocabulary's tables, which the first and last stage have
};
inline constexpr std::array kTrafficTypes{TrafficType::tensor, TrafficType::pipeline,
                                          TrafficType::data,   TrafficType::context,
                                          TrafficType::expert, TrafficType::vocabulary};

/// As in JSON: "tp".
constexpr std::string_view name_of(TrafficType type) {
  switch (type) {
    case TrafficType::tensor:
      return "tp";
    case TrafficType::pipeline:
      return "pp";
    case TrafficType::data:
      return "dp";
    case TrafficType::context:
      return "cp";
    case TrafficType::expert:
      return "ep";
    case TrafficType::vocabulary:
      return "vocabulary";
  }
  return "";
}

/// One collective, or all sends along one axis of a pipeline, of all groups of a plan, summed over
/// an iteration.
struct TrafficPhase {
  TrafficType type = TrafficType::tensor;
  GroupFlows groups{};
  /// That each rank sends: around a ring, to all others of an all-to-all together, to either side
  /// of a line.
  Bytes sent{};
  /// Who alone sends, and where to; none: all ranks, as the groups say.
  std::vector<Sending> sends{};
  /// An all-to-all between HB domains whose every rank sends to so many ranks, this far apart, of
  /// each other domain, and not only to its like there.
  std::int64_t mixed_ranks = 1, mixed_stride = 1;
  bool from_hosts = false;  ///< sent by the CPUs of nodes, spread over their GPUs here

  bool operator==(const TrafficPhase&) const = default;
};

}  // namespace planner
