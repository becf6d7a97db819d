#pragma once

#include <cstdint>
#include <optional>

#include "planner/domain/system.hpp"

namespace planner::inline perf {

/// Links between the chips of a torus that are farthest apart: half of each ring and all of each
/// line (Dally and Towles 2004, §5.2.1: the diameter). So many hops, one after the other, has what
/// goes to all chips or comes from them, dimension by dimension and both ways round: jax-ml/
/// scaling-book, sharding.md, where hops of at least T_min take T_min·Σ|X_i|/2. Of dimensions whose
/// chips are not all joined.
std::int64_t hops_across(const DomainTorus& torus);

/// The largest slice of which several make so many chips: of those whose dimensions all close if
/// there is one, as slices larger than a cube are of cubes. Nothing where only single chips do.
std::optional<DomainTorus> slice_of_several(const DomainTorus& whole, std::int64_t chips);

}  // namespace planner::perf
