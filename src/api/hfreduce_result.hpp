#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "planner/domain/run.hpp"
#include "planner/domain/storage.hpp"
#include "planner/domain/system.hpp"
#include "planner/perf/hfreduce/what_if.hpp"
#include "planner/perf/model/overlap.hpp"
#include "planner/perf/model/storage.hpp"

namespace planner {

/// The all-reduce of one message among a number of nodes.
struct HfReduceScale {
  std::int64_t nodes = 0;
  PipelinedReduce reduce;
  std::optional<BytesPerSecond> nccl;  ///< at most: without latency
};

/// How long data-parallel training waits for one library's all-reduce.
struct LibraryOverlap {
  BytesPerSecond bandwidth{};  ///< of a GPU's gradients
  Overlap overlap;
  Seconds iteration{};
};

/// One iteration of a model whose compute time the user gave.
struct HfReduceTraining {
  std::string model;
  double parameters = 0;
  Bytes gradients{};  ///< of one GPU
  Precision precision = Precision::bf16;
  std::int64_t microbatches = 1;
  OverlapInputs inputs{};  ///< bandwidth and kernel share are those of a library
  double nccl_kernel_share = 0;
  Seconds compute{};
  LibraryOverlap hfreduce;
  std::optional<LibraryOverlap> nccl;
};

struct HfReduceStorage {
  StorageSystem system;
  StorageRates rates;
  std::optional<CheckpointTime> checkpoint;  ///< of a model
};

struct HfReduceResult {
  Node node;                                ///< with the parts that were exchanged
  NodeChange change;                        ///< these parts
  HfReduceOptions options;                  ///< its nodes: those that reduce together
  std::optional<std::int64_t> gpus, nodes;  ///< of the job
  std::int64_t pp = 1;
  HfReduceBounds bounds;
  std::optional<BytesPerSecond> nccl;
  std::vector<WhatIf> what_ifs;
  Bytes message{};
  Seconds step_latency{};
  std::vector<HfReduceScale> scaling;
  std::optional<HfReduceTraining> training;
  std::optional<HfReduceStorage> storage;
  std::optional<BytesPerSecond> zone_bandwidth;  ///< of the whole link, if there are zones
  std::vector<std::string> assumed;              ///< options that the user did not give, by name
  std::vector<std::string> assumptions;          ///< of the bounds, in words
};

}  // namespace planner
