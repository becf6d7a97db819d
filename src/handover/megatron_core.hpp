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
/// Whether the calibrated model counted on Megatron-Core or what is built on it.
bool core_software(const Workload& workload);
/// Whether the plan's time counts on collectives that overlap with products.
bool overlaps(const Workload& workload);

/// Megatron-Core's name of the scaling of 8-bit products: "tensorwise", "blockwise", "mxfp8".
std::string_view fp8_recipe(const Workload& workload);
/// Layers of a model chunk that full recomputation of a share of them runs again; 0: all.
std::int64_t recomputed_layers(const Strategy& strategy, const TransformerSpec& model);
/// Data-parallel copies of ZeRO 1's optimizer states; 1: they are sharded over all ranks.
std::int64_t optimizer_copies(const Strategy& strategy, const Workload& workload);
/// The modules of selective recomputation by name, in one order.
std::vector<std::string_view> recompute_modules(const Strategy& strategy);

}  // namespace planner::handover
