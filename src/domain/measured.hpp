#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "planner/core/quantity.hpp"
#include "planner/domain/run.hpp"
#include "planner/domain/strategy.hpp"

namespace planner {

/// Which bytes a tool calls the peak.
enum class MemoryMetric {
  allocated,  ///< of tensors: torch.cuda.max_memory_allocated
  reserved,   ///< with what the allocator holds but cannot use
  device,     ///< as nvidia-smi shows it: driver context and NCCL too
};

inline constexpr std::array kMemoryMetrics{MemoryMetric::allocated, MemoryMetric::reserved,
                                           MemoryMetric::device};

constexpr std::string_view name_of(MemoryMetric metric) {
  switch (metric) {
    case MemoryMetric::allocated:
      return "allocated";
    case MemoryMetric::reserved:
      return "reserved";
    case MemoryMetric::device:
      return "device";
  }
  return "";
}

/// The most memory that a GPU of a run was seen to use.
struct MeasuredMemory {
  Bytes peak{};
  MemoryMetric metric = MemoryMetric::allocated;
  bool ends = false;  ///< only GPUs of the first and the last stage were looked at

  bool operator==(const MeasuredMemory&) const = default;
};

/// A training run that somebody measured.
struct MeasuredRun {
  Workload workload;  ///< without calibration
  Strategy strategy;  ///< its degrees: sources do not say how ranks lie on the HB domains
  bool recompute_unstated = false;  ///< the source says nothing of recomputation
  std::optional<Seconds> iteration_time;
  std::optional<MeasuredMemory> memory;
  /// False: settings that the source leaves out are assumed, or the model has no terms for what
  /// ran: no constant is fitted to it.
  bool in_fit = true;
  bool core = false;     ///< one of the at most 36 runs of its source that count in "core" figures
  bool suspect = false;  ///< its note calls it SUSPECT
  std::string rank_group{};  ///< runs that differ in strategy only; may be empty

  bool operator==(const MeasuredRun&) const = default;
};

/// One row of a file of measured runs: a run, or the reason why it is none.
struct MeasuredRow {
  std::string id;
  std::string source_key;  ///< short name of the source: "vtrain-multi"
  std::int64_t year = 0;   ///< of the source; 0: the row does not say
  std::optional<MeasuredRun> run;
  std::string skipped{};  ///< why there is no run
  bool marked = false;    ///< whoever collected it says that it is unusable
  int line = 0;           ///< of the file

  bool operator==(const MeasuredRow&) const = default;
};

}  // namespace planner
