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
      least_(std::min(lattice.least(), std::max<std::int64_t>(0, most_ + 1))),
      least_room_(std::min(room, lattice.most() + 1)) {
  const auto steps = static_cast<std::size_t>(most_ + 2 - least_);
  bundles_.reserve(steps);
  rates_.reserve(steps);
  of_.reserve(steps);
  share_.reserve(steps);
  for (std::int64_t first = least_; first <= most_; first = bundles_.back().last + 1) {
    std::int64_t wide = 1;
    while (first % (2 * wide) == 0 && first + 2 * wide - 1 <= most_) {
      const std::int64_t enough = first + 2 * wide - 1 + kRoomForTwo * wide;
      if (room < enough) break;
      least_room_ = std::max(least_room_, enough);
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
    rates_.back().more = share(most_) * waits;
  }
  put({most_ + 1, most_ + 1, lattice.groups_at(most_ + 1)}, lattice.group_back_waiting(most_ + 1));
  share_.push_back(1);
}

void Row::put(const Bundle& bundle, double fewer) {
  of_.resize(of_.size() + static_cast<std::size_t>(bundle.last + 1 - bundle.first),
             bundles_.size());
  bundles_.push_back(bundle);
  rates_.push_back({.fewer = fewer});
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
  double fewer = 0;
  if (!bundles_.empty()) {
    const StepRates rates = between(lattice, bundles_.back(), bundle);
    rates_.back().more = rates.more;
    fewer = rates.fewer;
  }
  put(bundle, fewer);
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

StepRates Row::between(const GroupLattice& lattice, const Bundle& before,
                       const Bundle& bundle) const {
  const std::int64_t first = bundle.first;
  if (before.first == before.last && first == bundle.last) {
    return {lattice.group_lost(before.last), lattice.group_back(first)};
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
  return {1 / time, weight * share(bundle.last) / time};
}

}  // namespace planner::reliability
