#pragma once

#include <cstdint>
#include <optional>

#include "planner/domain/system.hpp"

// Collectives inside a torus. Each of its d dimensions has a d-th of a chip's bandwidth. A
// collective over several dimensions cuts its data into as many parts, each of which takes the
// dimensions in another order, so that all of their links work at once (Chan et al. 2007,
// doi 10.1002/cpe.1206, §7.2, bucket algorithms on meshes): bandwidths of the dimensions add. Along
// a ring data goes both ways; the ends of a line have one neighbour, through which all must pass,
// so that a line has half of a ring's bandwidth.
namespace planner::inline perf {

/// The part of a torus that a job of so many chips has: of the shapes that multiply to them and fit
/// inside, the most even one whose dimensions all close; where there is none, the most even one.
/// Nothing where no shape does.
std::optional<DomainTorus> slice_of(const DomainTorus& whole, std::int64_t chips);

/// Of the part of an HB domain that is used; nothing without a torus. Chips that make no shape lie
/// in a line.
std::optional<DomainTorus> used_torus(const System& system, std::int64_t chips);

/// Share of a chip's bandwidth inside the torus that a collective of so many ranks gets, chips
/// being counted along the first dimension first. 1 for one rank, which sends nothing.
/// @param apart  chips from one rank to the next
double torus_share(const DomainTorus& torus, std::int64_t ranks, std::int64_t apart);

}  // namespace planner::perf
