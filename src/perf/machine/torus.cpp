#include "planner/perf/machine/torus.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace planner::inline perf {

namespace {

std::int64_t chips_of(const DomainTorus& torus) {
  std::int64_t chips = 1;
  for (const std::int64_t extent : torus.shape) chips *= extent;
  return chips;
}

bool closes(const DomainTorus& torus, std::int64_t extent) {
  return extent > 2 && extent % torus.ring_from == 0;
}

/// Less is better: whether a dimension is a line, then the sum of the extents, which is least for
/// the most even shape.
std::pair<bool, std::int64_t> badness(const DomainTorus& torus) {
  const bool lines = std::any_of(torus.shape.begin(), torus.shape.end(), [&](std::int64_t extent) {
    return extent > 1 && !closes(torus, extent);
  });
  return {lines, std::accumulate(torus.shape.begin(), torus.shape.end(), std::int64_t{0})};
}

/// Shapes of the dimensions from `at` on that multiply to `chips`, into `best`.
void try_shapes(const DomainTorus& whole, std::size_t at, std::int64_t chips, DomainTorus& tried,
                std::optional<DomainTorus>& best) {
  if (at == whole.shape.size()) {
    if (chips == 1 && (!best || badness(tried) < badness(*best))) best = tried;
    return;
  }
  for (std::int64_t extent = 1; extent <= std::min(whole.shape[at], chips); ++extent) {
    if (chips % extent != 0) continue;
    tried.shape[at] = extent;
    try_shapes(whole, at + 1, chips / extent, tried, best);
  }
}

}  // namespace

std::optional<DomainTorus> slice_of(const DomainTorus& whole, std::int64_t chips) {
  DomainTorus tried = whole;
  std::optional<DomainTorus> best;
  try_shapes(whole, 0, chips, tried, best);
  return best;
}

std::optional<DomainTorus> used_torus(const System& system, std::int64_t chips) {
  if (!system.torus || chips == chips_of(*system.torus)) return system.torus;
  if (auto slice = slice_of(*system.torus, chips)) return slice;
  DomainTorus line = *system.torus;
  line.shape.assign(line.shape.size(), 1);
  line.shape.front() = chips;
  return line;
}

double torus_share(const DomainTorus& torus, std::int64_t ranks, std::int64_t apart) {
  if (ranks <= 1) return 1;
  const double one = 1.0 / static_cast<double>(torus.shape.size());
  double share = 0;
  for (const std::int64_t extent : torus.shape) {
    const std::int64_t skipped = std::gcd(extent, apart);
    apart /= skipped;
    const std::int64_t here = std::min(ranks, extent / skipped);
    if (here <= 1) continue;
    ranks = (ranks + here - 1) / here;
    // A ring of every n-th chip of a closed dimension is closed as well.
    const bool ring = here == extent / skipped && closes(torus, extent);
    share += ring ? one : one / 2;
  }
  // Ranks that no dimension sets apart go along one.
  return share > 0 ? std::min(share, 1.0) : one / 2;
}

}  // namespace planner::perf
