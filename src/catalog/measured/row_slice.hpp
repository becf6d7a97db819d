#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "planner/catalog/tables/torus.hpp"
#include "planner/domain/system.hpp"

namespace planner::catalog {

/// Whether a slice of such a shape can be cut out of a torus, whichever way it lies.
inline bool fits_into(std::vector<std::int64_t> shape, std::vector<std::int64_t> whole) {
  std::sort(shape.rbegin(), shape.rend());
  std::sort(whole.rbegin(), whole.rend());
  whole.resize(std::max(whole.size(), shape.size()), 1);
  return std::equal(shape.begin(), shape.end(), whole.begin(), std::less_equal<>());
}

/// What keeps a stated torus from being a slice; empty: nothing. Of the pod of the chips, where the
/// catalog has it; a line of no known pod is refused as in a system's file, for nobody knows how
/// its links are split.
inline std::string fault_of_slice(const DomainTorus& torus, std::int64_t chips, const System* pod) {
  if (!has_chips(torus, chips)) return "torus.shape: does not multiply to nvlink_domain_gpus";
  if (torus.ring_from == 0) return {};
  if (pod != nullptr) {
    const std::vector<std::int64_t>& whole = pod->torus->shape;
    if (fits_into(torus.shape, whole)) return {};
    std::string most;
    for (const std::int64_t extent : whole) {
      most += (most.empty() ? "" : " × ") + std::to_string(extent);
    }
    return "torus.shape: no slice of " + pod->title + ", which has at most " + most + " chips";
  }
  const auto dimensions = std::count_if(torus.shape.begin(), torus.shape.end(),
                                        [](std::int64_t extent) { return extent > 1; });
  if (dimensions < 2) {
    return "torus.shape: must have two or three dimensions of more than one chip";
  }
  return {};
}

}  // namespace planner::catalog
