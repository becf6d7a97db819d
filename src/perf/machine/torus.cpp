#include "planner/perf/machine/torus.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "planner/core/divisors.hpp"
#include "planner/core/real.hpp"
#include "planner/perf/machine/slices.hpp"

namespace planner::inline perf {

namespace {

std::int64_t chips_of(const DomainTorus& torus) {
  std::int64_t chips = 1;
  for (const std::int64_t extent : torus.shape) chips *= extent;
  return chips;
}

/// Whether a dimension of so many chips is a ring. Wires close one of two dimensions by itself; the
/// links that close three come from optical switches between cubes, which only full cubes have.
bool closes(const DomainTorus& torus, std::int64_t extent) {
  const auto whole = [&](std::int64_t each) { return each % torus.ring_from == 0; };
  const auto& shape = torus.shape;
  const bool of_cubes = shape.size() > 2;
  return extent > 2 && (of_cubes ? std::all_of(shape.begin(), shape.end(), whole) : whole(extent));
}

/// Optical switches join full cubes: the extents of a slice of three dimensions are all at most a
/// cube's or all multiples of it (docs.cloud.google.com/tpu/docs/types-topologies).
bool of_cubes_or_within(const DomainTorus& torus) {
  const auto& shape = torus.shape;
  if (shape.size() < 3 || all_joined(torus)) return true;
  const auto inside = [&](std::int64_t extent) { return extent <= torus.ring_from; };
  const auto whole = [&](std::int64_t extent) { return extent % torus.ring_from == 0; };
  return std::all_of(shape.begin(), shape.end(), inside) ||
         std::all_of(shape.begin(), shape.end(), whole);
}

/// A dimension's part of a chip's links.
double of_dimension(const DomainTorus& torus) {
  return 1 / static_cast<double>(torus.shape.size());
}

/// Of a chip's links, those that `ranks` of a dimension have to each other, `skipped` chips from
/// one to the next. A ring has all links of the dimension, a line half of them, and as many groups
/// as chips are skipped share them; where all chips are joined, each has a link to every other. The
/// link that closes a ring joins the ends of the dimension: only ranks all along it have one.
double share_along(const DomainTorus& torus, std::int64_t extent, std::int64_t ranks,
                   std::int64_t skipped) {
  if (ranks == 1) return 0;
  const double all = of_dimension(torus);
  if (all_joined(torus)) return all * real(ranks - 1) / real(extent - 1);
  const bool ring = ranks * skipped == extent && closes(torus, extent);
  return (ring ? all : all / 2) / real(skipped);
}

/// Of the ordered pairs of n ranks, those whose messages pass the fullest link one way: of a ring
/// any, n times the mean way of n/4 (n odd: (n² - 1)/4n) over the n links of each direction, both
/// of two ways as long being taken; of a line the one in the middle, which all of one half send
/// over to the other.
double pairs_on_fullest(std::int64_t ranks, bool ring) {
  if (ring) return real(ranks * ranks - ranks % 2) / 8;
  return real((ranks / 2) * ((ranks + 1) / 2));
}

/// Of an all-to-all over any number of dimensions, the time of a dimension's fullest link, in that
/// of what a rank has over a chip's bandwidth. Each two of its places along the dimension exchange
/// one `ranks`-th of what a rank has, over a link of half of the dimension's bandwidth or, where
/// all are joined, of their own.
double fullest_along(const DomainTorus& torus, std::int64_t extent, std::int64_t ranks,
                     std::int64_t skipped) {
  if (ranks == 1) return 0;
  const double all = of_dimension(torus), exchanged = 1 / real(ranks);
  if (all_joined(torus)) return exchanged * real(extent - 1) / all;
  const bool ring = ranks * skipped == extent && closes(torus, extent);
  return real(skipped) * pairs_on_fullest(ranks, ring) * exchanged / (all / 2);
}

/// Less is better: whether a dimension does not close, then the sum of the extents, which is least
/// for the most even shape.
std::pair<bool, std::int64_t> badness(const DomainTorus& torus) {
  const bool all_close = std::all_of(torus.shape.begin(), torus.shape.end(),
                                     [&](std::int64_t extent) { return closes(torus, extent); });
  return {!all_close, std::accumulate(torus.shape.begin(), torus.shape.end(), std::int64_t{0})};
}

/// Shapes of the dimensions from `at` on that multiply to `chips`, into `best`.
void try_shapes(const DomainTorus& whole, std::size_t at, std::int64_t chips, DomainTorus& tried,
                std::optional<DomainTorus>& best) {
  if (at == whole.shape.size()) {
    const bool is_one = chips == 1 && of_cubes_or_within(tried);
    if (is_one && (!best || badness(tried) < badness(*best))) best = tried;
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

std::optional<DomainTorus> slice_of_several(const DomainTorus& whole, std::int64_t chips) {
  const std::vector<std::int64_t> parts = divisors(chips);
  std::optional<DomainTorus> largest;
  for (auto part = parts.rbegin(); part != parts.rend() && *part > 1; ++part) {
    if (*part == chips || *part > chips_of(whole)) continue;
    auto slice = slice_of(whole, *part);
    if (slice && !badness(*slice).first) return slice;
    if (!largest) largest = slice;
  }
  return largest;
}

std::int64_t hops_across(const DomainTorus& torus) {
  std::int64_t hops = 0;
  for (const std::int64_t extent : torus.shape) {
    hops += closes(torus, extent) ? extent / 2 : extent - 1;
  }
  return hops;
}

std::optional<DomainTorus> used_torus(const System& system, std::int64_t chips) {
  const std::optional<DomainTorus>& whole = system.torus;
  if (!whole || all_joined(*whole) || chips == chips_of(*whole)) return whole;
  if (auto slice = slice_of(*whole, chips)) return slice;
  DomainTorus line = *whole;
  line.shape.assign(line.shape.size(), 1);
  line.shape.front() = chips;
  return line;
}

TorusShares::TorusShares(const DomainTorus& torus)
    : divisors_(divisors(chips_of(torus))),
      of_neighbours_(share_along(torus, torus.shape.front(), 2, 1)),
      full_mesh_(all_joined(torus) && torus.shape.size() == 1) {
  const std::size_t n = divisors_.size();
  layouts_.assign(n * n, {});
  layouts_.front().exists = true;
  // Dimension by dimension: what all layouts over the dimensions so far give at best.
  for (const std::int64_t extent : torus.shape) {
    std::vector<Layout> longer(n * n);
    for (std::size_t i = 0; i < n && divisors_[i] <= extent; ++i) {
      const std::int64_t along = divisors_[i];
      for (std::size_t j = 0; j < n && divisors_[j] * along <= extent; ++j) {
        const std::int64_t skipped = divisors_[j];
        add_dimension(along, skipped,
                      {.share = share_along(torus, extent, along, skipped),
                       .fullest = fullest_along(torus, extent, along, skipped)},
                      longer);
      }
    }
    layouts_ = std::move(longer);
  }
}

void TorusShares::add_dimension(std::int64_t along, std::int64_t skipped, const Layout& of_it,
                                std::vector<Layout>& longer) const {
  const std::size_t n = divisors_.size();
  const std::int64_t chips = divisors_.back();
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t ranks = place(divisors_[i] * along);
    if (ranks == n) continue;
    for (std::size_t j = 0; j < n && divisors_[i] * divisors_[j] <= chips; ++j) {
      const Layout& before = layouts_[i * n + j];
      const std::size_t apart = before.exists ? place(divisors_[j] * skipped) : n;
      if (apart == n) continue;
      Layout& best = longer[ranks * n + apart];
      const double fullest = std::max(before.fullest, of_it.fullest);
      best = {.share = std::max(best.share, before.share + of_it.share),
              .fullest = best.exists ? std::min(best.fullest, fullest) : fullest,
              .exists = true};
    }
  }
}

std::size_t TorusShares::place(std::int64_t divisor) const {
  const auto at = std::lower_bound(divisors_.begin(), divisors_.end(), divisor);
  if (at == divisors_.end() || *at != divisor) return divisors_.size();
  return static_cast<std::size_t>(at - divisors_.begin());
}

const TorusShares::Layout* TorusShares::layout(std::int64_t ranks, std::int64_t apart) const {
  const std::size_t i = place(ranks), j = place(apart), n = divisors_.size();
  if (i == n || j == n || !layouts_[i * n + j].exists) return nullptr;
  return &layouts_[i * n + j];
}

double TorusShares::of(std::int64_t ranks, std::int64_t apart) const {
  if (ranks <= 1) return 1;
  if (full_mesh_) return std::min(1.0, real(ranks - 1) * of_neighbours_);
  const Layout* const best = layout(ranks, apart);
  // Ranks that no layout has on their own go along one dimension.
  return best != nullptr ? std::min(best->share, 1.0) : of_neighbours_;
}

double TorusShares::of_all_to_all(std::int64_t ranks, std::int64_t apart) const {
  if (ranks <= 1) return 1;
  if (full_mesh_) return of(ranks, apart);
  const Layout* const best = layout(ranks, apart);
  const double in_line = real(apart) * pairs_on_fullest(ranks, false) / real(ranks);
  const double fullest = best != nullptr ? best->fullest : in_line / of_neighbours_;
  return real(ranks - 1) / real(ranks) / fullest;
}

DomainLinks::DomainLinks(const System& system, std::int64_t gpus) {
  if (const auto torus = used_torus(system, gpus)) shares_.emplace(*torus);
}

double DomainLinks::share(const GroupFlows& flows) const {
  if (!shares_) return 1;
  switch (flows.kind) {
    case FlowKind::all_to_all:
      return shares_->of_all_to_all(flows.ranks, flows.stride);
    case FlowKind::line:
      return shares_->of(2, flows.stride);
    case FlowKind::ring:
    case FlowKind::wrap:
      break;
  }
  return shares_->of(flows.ranks, flows.stride);
}

}  // namespace planner::perf
