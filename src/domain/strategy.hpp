#pragma once

#include <cstdint>

namespace planner {

/// The degree of one kind of parallelism: `hb` ranks inside an HB domain times `net` domains.
struct Split {
  std::int64_t hb = 1;   ///< the papers' subscript h
  std::int64_t net = 1;  ///< the papers' subscript l

  [[nodiscard]] constexpr std::int64_t total() const { return hb * net; }
  bool operator==(const Split&) const = default;
};

enum class Recompute { none, selective, full };
enum class Schedule { one_f_one_b, interleaved, zero_bubble };

/// One way to lay a training run onto GPUs.
struct Strategy {
  Split tp{}, pp{}, dp{}, cp{}, ep{};
  std::int64_t expert_tp = 1;
  std::int64_t interleave = 1;   ///< v: model chunks per pipeline rank
  std::int64_t micro_batch = 1;  ///< b: sequences
  Recompute recompute = Recompute::selective;
  int zero = 0;  ///< ZeRO stage: 1 shards optimizer states, 2 gradients too, 3 weights too
  bool sequence_parallel = true;

  /// The pipeline schedule that follows from the interleaving.
  [[nodiscard]] constexpr Schedule schedule() const {
    return interleave > 1 ? Schedule::interleaved : Schedule::one_f_one_b;
  }
  bool operator==(const Strategy&) const = default;
};

}  // namespace planner
