#pragma once

#include <optional>
#include <string>
#include <vector>

#include "planner/handover/stacks.hpp"

// What Megatron-LM and NeMo have in common: both train with Megatron Core, under other names.
namespace planner::handover {

/// What neither of the two can be told, or asks for besides.
std::vector<std::string> shared_remarks(const Plan& plan, const Workload& workload);
/// Layers of the last stage where it alone has fewer than the others; nothing where all are alike,
/// the ends share, or chunks are interleaved.
std::optional<std::int64_t> layers_left(const Strategy& strategy, const TransformerSpec& model);
/// Micro-batches that Megatron's chunks take turns at, where that is not the number of stages.
std::optional<std::int64_t> group_besides(const Plan& plan);
/// Whether the plan's time counts on collectives that overlap with products.
bool overlaps(const Workload& workload);

}  // namespace planner::handover
