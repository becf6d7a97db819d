#include "planner/reliability/group_rows.hpp"

#include <algorithm>
#include <numeric>

namespace planner::inline reliability {

namespace {

/// Weight of g - 1 over that of g.
double fall(const GroupLattice& lattice, std::int64_t g) {
  return lattice.group_back(g) / lattice.group_lost(g - 1);
}

}  // namespace

Row::Row(const GroupLattice& lattice, std::int64_t room)
    : most_(std::min(lattice.most(), room)),
      least_(std::min(lattice.least(), std::max<std::int64_t>(0, most_ + 1))) {
  const auto steps = static_cast<std::size_t>(most_ + 2 - least_);
  bundles_.reserve(steps);
  of_.reserve(steps);
  share_.reserve(steps);
  for (std::int64_t first = least_; first <= most_; first = bundles_.back().last + 1) {
    std::int64_t wide = 1;
    while (first % (2 * wide) == 0 && first + 2 * wide - 1 <= most_ &&
           room - (first + 2 * wide - 1) >= kRoomForTwo * wide) {
      wide *= 2;
    }
    add(lattice, first, wide);
  }
  if (room <= lattice.most()) add_waiting(lattice);
}

void Row::add_waiting(const GroupLattice& lattice) {
  if (!bundles_.empty()) {
    // Where all groups are out: hardly ever, not never, as no state may be without a way to it.
    constexpr double kHardly = 1e-30;
    const double waits =
        std::max(lattice.group_lost(most_), kHardly * lattice.group_back(most_ + 1));
    bundles_.back().more = share(most_) * waits;
  }
  put({.first = most_ + 1,
       .last = most_ + 1,
       .fewer = lattice.group_back_waiting(most_ + 1),
       .groups = lattice.groups_at(most_ + 1)});
  share_.push_back(1);
}

void Row::put(const Bundle& bundle) {
  of_.resize(of_.size() + static_cast<std::size_t>(bundle.last + 1 - bundle.first),
             bundles_.size());
  bundles_.push_back(bundle);
}

/// One more, with rates between it and the one before as of the flow between them if each step
/// keeps its share of its bundle: as between resistors in series. From the last down, as a wide
/// bundle's first may weigh less than numbers hold.
void Row::add(const GroupLattice& lattice, std::int64_t first, std::int64_t wide) {
  Bundle bundle{.first = first, .last = first + wide - 1};
  if (wide == 1) {
    share_.push_back(1);
    bundle.groups = lattice.groups_at(first);
  } else {
    add_shares(lattice, bundle);
  }
  if (!bundles_.empty()) join(lattice, bundles_.back(), bundle);
  put(bundle);
}

void Row::add_shares(const GroupLattice& lattice, Bundle& bundle) {
  const auto begin = share_.size();
  share_.resize(begin + static_cast<std::size_t>(bundle.last + 1 - bundle.first), 1);
  for (std::size_t i = share_.size(); --i > begin;) {
    share_[i - 1] = share_[i] * fall(lattice, least_ + static_cast<std::int64_t>(i));
  }
  const double sum =
      std::accumulate(share_.begin() + static_cast<std::ptrdiff_t>(begin), share_.end(), 0.0);
  for (std::size_t i = begin; i < share_.size(); ++i) {
    share_[i] /= sum;
    bundle.groups += share_[i] * lattice.groups_at(least_ + static_cast<std::int64_t>(i));
  }
}

void Row::join(const GroupLattice& lattice, Bundle& before, Bundle& bundle) const {
  const std::int64_t first = bundle.first;
  if (before.first == before.last && first == bundle.last) {
    before.more = lattice.group_lost(before.last);
    bundle.fewer = lattice.group_back(first);
    return;
  }
  double time = 0, weight = 0;  // until that one is left for this; its steps, of the last
  for (std::int64_t g = before.first; g < first; ++g) {
    weight = 1 + (g > before.first ? weight * fall(lattice, g) : 0);
    time += weight / lattice.group_lost(g);
  }
  double above = 1;
  for (std::int64_t g = first; g <= bundle.last; ++g) {
    weight *= fall(lattice, g);
    above -= share(g);
    if (g < bundle.last) time += weight * std::max(0.0, above) / lattice.group_lost(g);
  }
  before.more = 1 / time;
  bundle.fewer = before.more * weight * share(bundle.last);
}

}  // namespace planner::reliability
