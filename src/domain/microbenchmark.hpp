#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "planner/core/quantity.hpp"
#include "planner/domain/software.hpp"
#include "planner/domain/system.hpp"

// What a team measures on its own machine besides whole training runs.
namespace planner {

/// Output of one run of nccl-tests.
struct CollectiveBenchmark {
  struct Row {
    Bytes size{};
    BytesPerSecond bus_bandwidth{};  ///< out of place
  };
  std::vector<Row> rows;
  std::int64_t ranks = 0, hosts = 0;
  std::string test{};  ///< "all_reduce_perf"; empty where the output does not say
  /// Of the ranks, as their driver calls them, each kind once: "NVIDIA H100 80GB HBM3".
  std::vector<std::string> devices{};
};

/// One matrix product of m·k by k·n.
struct GemmBenchmark {
  std::int64_t m = 0, n = 0, k = 0;
  Precision precision = Precision::bf16;
  FlopsPerSecond rate{};
  std::string device{};  ///< as its driver calls it: "NVIDIA H100 80GB HBM3"; empty: not said
  int line = 0;          ///< of the file it was read from

  bool operator==(const GemmBenchmark&) const = default;
};

/// Fused attention forward, in 16 bits and causal.
struct AttentionBenchmark {
  std::int64_t batch = 0, sequence = 0, heads = 0, head_dim = 0;
  AttentionKernel kernel = AttentionKernel::flash2;
  FlopsPerSecond rate{};  ///< on causal FLOPs: 2·batch·sequence²·heads·head_dim
  std::string device{};   ///< as its driver calls it; empty: not said

  bool operator==(const AttentionBenchmark&) const = default;
};

}  // namespace planner
