#pragma once

#include <algorithm>
#include <cmath>

#include "planner/perf/calibrated/rates.hpp"

// How the calibrated model lays a model's layers onto pipeline stages: for time and for memory.
namespace planner::inline perf {

/// Layers of one stage.
struct Layers {
  double all = 0, dense = 0;

  bool operator==(const Layers&) const = default;
};

/// Full stages and a last one with what is left. Where the layers and two more divide evenly, the
/// embedding and the loss layer take the place of one each: Llama 3 (arXiv 2407.21783), §3.3.2.
/// Dense layers come first.
struct Partition {
  double L, L_dense, p, most;
  double embedding;  // 1 where it takes the place of a layer

  Partition(const CalibratedShape& x, double stages)
      : L(x.L),
        L_dense(x.L_dense),
        p(stages),
        most(std::ceil(x.L / p)),
        embedding(most * p != L && std::fmod(L + 2, p) == 0 ? 1 : 0) {}

  [[nodiscard]] Layers operator()(double stage) const {
    const double before = stage == 0 ? 0 : stage * most - embedding;
    const double all = stage == p - 1 ? L - before : most - (stage == 0 ? embedding : 0);
    return {.all = all, .dense = std::clamp(L_dense - before, 0.0, all)};
  }
  /// The first stage that does not end in a dense layer, if that is not the first of all.
  [[nodiscard]] double first_with_moe() const { return std::floor((L_dense + embedding) / most); }
};

}  // namespace planner::perf
