#pragma once

#include <cstdint>
#include <optional>

#include "planner/core/quantity.hpp"
#include "planner/domain/fabric.hpp"

namespace planner::inline network {

/// What the ports of a counted network carry for each GPU, all planes together, per direction,
/// where that is less than its cards send; nothing: the cards set the pace.
/// @param gpus   at its endpoints: fewer than those where a GPU has several, more where GPUs share
/// @param cards  of a GPU
std::optional<BytesPerSecond> slower_ports(const FabricDesign& design, const FabricCount& count,
                                           std::int64_t gpus, BytesPerSecond cards);

}  // namespace planner::network
