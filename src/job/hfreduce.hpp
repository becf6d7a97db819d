#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "planner/domain/run.hpp"
#include "planner/domain/transformer.hpp"
#include "planner/perf/hfreduce/what_if.hpp"
#include "planner/perf/model/overlap.hpp"

namespace planner::job {

/// An all-reduce by the CPUs of a node like this.
struct ReduceJob {
  Node node;                ///< with the parts that were exchanged; its bounds can be computed
  HfReduceOptions options;  ///< its nodes: those that reduce together
  std::int64_t pp = 1;
  Bytes message{};
  Seconds step_latency = kTreeStepLatency;
};

/// The all-reduce of one message among a number of nodes.
struct ReduceScale {
  std::int64_t nodes = 0, gpus = 0;
  PipelinedReduce reduce{};
  std::optional<BytesPerSecond> nccl{};  ///< at most: without latency
};
/// At powers of two up to the nodes that reduce together, and at these.
std::vector<ReduceScale> scaling(const ReduceJob& job);

/// How long data-parallel training waits for one library's all-reduce.
struct LibraryOverlap {
  BytesPerSecond bandwidth{};  ///< of a GPU's gradients
  Overlap overlap{};
  Seconds iteration{};
};

/// Iterations of a model whose compute time is known.
struct ReducedRun {
  std::string model;
  Seconds compute{};
  Precision precision = Precision::bf16;
  std::int64_t microbatches = 1;
  double nccl_kernel_share = 0;
};
struct ReduceTraining {
  std::string model;
  Seconds compute{};
  double parameters = 0;
  Bytes gradients{};  ///< of one GPU
  std::int64_t buckets = 1;
  Seconds backward{};  ///< that overlaps
  LibraryOverlap hfreduce{};
  std::optional<LibraryOverlap> nccl{};
};
/// @throws UsageError for gradients that HFReduce does not add
ReduceTraining train(const ReduceJob& job, const TransformerSpec& model, const ReducedRun& run);

}  // namespace planner::job
