#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "planner/domain/strategy.hpp"
#include "planner/domain/transformer.hpp"

// Interleaved pipelines whose layers do not divide evenly, as Megatron Core is told of them.
namespace planner::handover {

/// Whether the planned pipeline has chunks that no count of layers per stage or chunk describes.
bool needs_layout(const Strategy& strategy, const TransformerSpec& model);

/// Layers of every chunk in the order in which a micro-batch passes them: the first chunks of all p
/// ranks, then the second ones. Ranks hold what the calibrated memory model counts: full stages and
/// a last one with the rest, whose first chunks take what does not divide evenly.
std::vector<std::int64_t> layers_of_chunks(const Strategy& strategy, const TransformerSpec& model);

/// layers_of_chunks() as --pipeline-model-parallel-layout takes it, with embedding, loss and MTP
/// layers.
/// Source: Megatron-LM, docs/api-guide/pipeline_parallel_layout.md.
std::string pipeline_layout(const Strategy& strategy, const TransformerSpec& model);

}  // namespace planner::handover
