#include "planner/site/placement.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "planner/core/ceil_div.hpp"

namespace planner::site {
namespace {

using Bays = std::vector<std::int32_t>;

bool network_bays(const Site& site) {
  return site.switch_position == SwitchPosition::network_row ||
         site.switch_position == SwitchPosition::network_room;
}

/// Racks of a bay that are no hubs.
std::int64_t others_per_bay(const Site& site) {
  const auto bay = static_cast<std::int64_t>(site.bay_racks);
  return network_bays(site) ? bay : bay - 2;
}

std::int64_t hubs_of(const Group& group) {
  std::int64_t sum = static_cast<std::int64_t>(group.hubs.size());
  for (const Group& child : group.children) sum += hubs_of(child);
  return sum;
}

/// Bays of network racks only: for the top tier if it has its own, and for what finds no network
/// place.
std::int64_t hub_bays(const RackPlan& plan, const Site& site, bool own_bays) {
  const auto bay = static_cast<std::int64_t>(site.bay_racks);
  const std::int64_t all = hubs_of(plan.root);
  if (network_bays(site)) return ceil_div(all, bay);
  const std::int64_t top = own_bays ? static_cast<std::int64_t>(plan.root.hubs.size()) : 0;
  const std::int64_t beside = 2 * bays_of(plan.root, bay - 2);
  return ceil_div(top + std::max<std::int64_t>(0, all - top - beside), bay);
}

class Placer {
 public:
  Placer(const RackPlan& plan, const Site& site, const Floor& floor, const Pattern& pattern)
      : plan_(plan),
        site_(site),
        floor_(floor),
        pattern_(pattern),
        per_bay_(others_per_bay(site)),
        places_(plan.racks.size(), -1),
        free_(floor.places(), 0),
        network_(floor.places(), 0),
        of_top_(floor.places(), 0) {
    bay_places_.resize(floor.bays());
    middles_.assign(floor.bays(), {0, 0});
    for (std::int64_t place = 0; place < floor.places(); ++place) {
      const std::int64_t bay = floor.bay_of(place);
      if (floor.is_usable(place)) bay_places_[bay].push_back(static_cast<std::int32_t>(place));
      middles_[bay][0] += floor.x(place) / static_cast<double>(floor.bay());
      middles_[bay][1] += floor.y(place) / static_cast<double>(floor.bay());
      free_[place] = floor.is_usable(place) ? 1 : 0;
      network_[place] = floor.is_usable(place) && floor.is_network(place) ? 1 : 0;
    }
    middle_ = {floor.width() / 2, floor.depth() / 2};
  }

  Places place() {
    walk(plan_.root, choose_bays());
    place_hubs(plan_.root, false);
    return std::move(places_);
  }

 private:
  /// Distance for ordering.
  [[nodiscard]] static double apart(std::array<double, 2> a, std::array<double, 2> b) {
    return std::abs(a[0] - b[0]) + std::abs(a[1] - b[1]);
  }
  [[nodiscard]] std::array<double, 2> middle_of(const Bays& bays) const {
    std::array<double, 2> sum{0, 0};
    for (const std::int32_t bay : bays) {
      sum[0] += middles_[bay][0];
      sum[1] += middles_[bay][1];
    }
    const auto number = static_cast<double>(bays.size());
    return {sum[0] / number, sum[1] / number};
  }

  template <class Key>
  static void sort_by(Bays& bays, Key key) {
    std::stable_sort(bays.begin(), bays.end(),
                     [&](std::int32_t a, std::int32_t b) { return key(a) < key(b); });
  }

  /// The bays that are used, nearest the middle, without those of network racks only, which become
  /// network places.
  Bays choose_bays() {
    Bays use;
    for (std::int32_t bay = 0; bay < static_cast<std::int32_t>(bay_places_.size()); ++bay) {
      if (static_cast<std::int64_t>(bay_places_[bay].size()) == floor_.bay()) use.push_back(bay);
    }
    const std::int64_t want = bays_of(plan_.root, per_bay_);
    const std::int64_t own = hub_bays(plan_, site_, pattern_.own_bays);
    // A floor with many bays to spare is used around its middle.
    if (pattern_.compact || 20 * static_cast<std::int64_t>(use.size()) > 23 * (want + own)) {
      sort_by(use, [&](std::int32_t bay) {
        const double dx = std::abs(middles_[bay][0] - middle_[0]);
        const double dy = std::abs(middles_[bay][1] - middle_[1]);
        return std::max(dx, dy) + 1e-3 * (dx + dy);
      });
      use.resize(want + own);
      std::sort(use.begin(), use.end());
    }
    if (own == 0) return use;
    Bays hubs = use;
    const std::array<double, 2> centre = middle_of(use);
    const SwitchPosition position = site_.switch_position.value_or(SwitchPosition::mid_row);
    sort_by(hubs, [&](std::int32_t bay) {
      const double dx = std::abs(middles_[bay][0] - centre[0]);
      const double dy = std::abs(middles_[bay][1] - centre[1]);
      if (position == SwitchPosition::network_row) return 1000 * dy + dx;
      if (position == SwitchPosition::network_room) return 1000 * middles_[bay][0] + dy;
      return dx + dy;
    });
    Bays rest(hubs.begin() + own, hubs.end());
    std::sort(rest.begin(), rest.end());
    for (std::int64_t i = 0; i < own; ++i) {
      for (const std::int32_t place : bay_places_[hubs[i]]) network_[place] = of_top_[place] = 1;
    }
    return rest;
  }

  /// How compact a run of bays in order is: prefix and suffix extents.
  struct Extents {
    std::vector<double> before, after;  ///< of the first n, of those from n on
  };
  [[nodiscard]] Extents extents(const Bays& bays) const {
    const auto number = bays.size();
    Extents all{std::vector<double>(number + 1, 0), std::vector<double>(number + 1, 0)};
    const auto run = [&](std::vector<double>& out, bool back) {
      std::array<double, 2> low{1e300, 1e300}, high{-1e300, -1e300};
      for (std::size_t i = 0; i < number; ++i) {
        const auto& at = middles_[bays[back ? number - 1 - i : i]];
        for (const std::size_t axis : {0, 1}) {
          low[axis] = std::min(low[axis], at[axis]);
          high[axis] = std::max(high[axis], at[axis]);
        }
        out[back ? number - 1 - i : i + 1] = high[0] - low[0] + high[1] - low[1];
      }
    };
    run(all.before, false);
    run(all.after, true);
    return all;
  }

  using Children = std::vector<const Group*>;

  /// Two halves of the groups on two sides of a line, at a row or bay boundary where the spare bays
  /// allow it.
  void split(const Children& children, const Bays& bays) {
    if (children.size() == 1) return walk(*children.front(), bays);
    std::vector<std::int64_t> taken;  // by the first groups
    std::int64_t total = 0;
    for (const Group* child : children) taken.push_back(total += bays_of(*child, per_bay_));
    std::vector<std::size_t> halves(children.size() - 1);
    std::iota(halves.begin(), halves.end(), 0);
    std::stable_sort(halves.begin(), halves.end(), [&](std::size_t a, std::size_t b) {
      return std::abs(2 * taken[a] - total) < std::abs(2 * taken[b] - total);
    });
    halves.resize(std::min<std::size_t>(3, halves.size()));
    std::sort(halves.begin(), halves.end());
    const auto number = static_cast<std::int64_t>(bays.size());
    double least = std::numeric_limits<double>::max();
    std::size_t best_half = 0;
    std::int64_t best_cut = 0;
    Bays best;
    for (const std::size_t axis : {0, 1}) {
      Bays order = bays;
      std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
        if (middles_[a][axis] != middles_[b][axis]) return middles_[a][axis] < middles_[b][axis];
        return middles_[a][1 - axis] < middles_[b][1 - axis];
      });
      const Extents extent = extents(order);
      for (const std::size_t half : halves) {
        const auto first = static_cast<double>(taken[half]);
        const auto second = static_cast<double>(total - taken[half]);
        for (std::int64_t n = taken[half]; n <= number - (total - taken[half]); ++n) {
          if (n == 0 || n == number) continue;
          const bool clean = middles_[order[n - 1]][axis] != middles_[order[n]][axis];
          const double size = extent.before[n] * first + extent.after[n] * second;
          const double even =
              std::abs(static_cast<double>(n) * second - static_cast<double>(number - n) * first) /
              static_cast<double>(number);
          const double score = size / static_cast<double>(total) + (clean ? 0.0 : 3.0) + 0.2 * even;
          if (score > least + (pattern_.late ? 1e-9 : -1e-9)) continue;
          least = score;
          best_half = half + 1;
          best_cut = n;
          best = order;
        }
      }
    }
    const auto cut = best.begin() + best_cut;
    Bays left(best.begin(), cut), right(cut, best.end());
    std::sort(left.begin(), left.end());
    std::sort(right.begin(), right.end());
    const auto at = children.begin() + static_cast<std::ptrdiff_t>(best_half);
    split(Children(children.begin(), at), left);
    split(Children(at, children.end()), right);
  }

  void walk(const Group& group, Bays bays) {
    const std::int64_t want = bays_of(group, per_bay_);
    if (group.children.empty() && static_cast<std::int64_t>(bays.size()) > want) {
      sort_by(bays, [&](std::int32_t bay) { return apart(middles_[bay], middle_); });
      bays.resize(want);  // spare bays stay outside
      std::sort(bays.begin(), bays.end());
    }
    own_[&group] = bays;
    auto rack = group.racks.begin();
    for (const std::int32_t bay : bays) {
      for (const std::int32_t place : bay_places_[bay]) {
        if (rack == group.racks.end() || network_[place] != 0) continue;
        take(*rack++, place);
      }
    }
    Children children;
    for (const Group& child : group.children) {
      if (bays_of(child, per_bay_) > 0) {
        children.push_back(&child);
      } else {
        own_[&child] = bays;
      }
    }
    if (!children.empty()) split(children, bays);
  }

  void take(std::int32_t rack, std::int32_t place) {
    places_[rack] = place;
    free_[place] = network_[place] = 0;
  }

  /// Inner groups first.
  void place_hubs(const Group& group, bool inner) {
    for (const Group& child : group.children) place_hubs(child, true);
    if (group.hubs.empty()) return;
    std::vector<std::int32_t> candidates = candidates_for(group, inner);
    const auto found = own_.find(&group);
    const bool nowhere = found == own_.end() || found->second.empty();
    const std::array<double, 2> centre = nowhere ? middle_ : middle_of(found->second);
    if (candidates.size() < group.hubs.size()) candidates = all_free();
    // Of those as near the first, as they are in order.
    std::vector<std::pair<double, std::int32_t>> by_way;
    for (const std::int32_t place : candidates) {
      by_way.emplace_back(apart({floor_.x(place), floor_.y(place)}, centre), place);
    }
    std::partial_sort(by_way.begin(),
                      by_way.begin() + static_cast<std::ptrdiff_t>(group.hubs.size()),
                      by_way.end());
    for (std::size_t i = 0; i < group.hubs.size(); ++i) take(group.hubs[i], by_way[i].second);
  }

  [[nodiscard]] std::vector<std::int32_t> all_free() const {
    std::vector<std::int32_t> free;
    for (std::size_t place = 0; place < free_.size(); ++place) {
      if (free_[place] != 0) free.push_back(static_cast<std::int32_t>(place));
    }
    return free;
  }

  /// The top tier first in its own bays, the others first outside them.
  [[nodiscard]] std::vector<std::int32_t> candidates_for(const Group& group, bool inner) const {
    std::vector<std::int32_t> in_top, beside;
    for (std::size_t place = 0; place < network_.size(); ++place) {
      if (network_[place] == 0) continue;
      (of_top_[place] != 0 ? in_top : beside).push_back(static_cast<std::int32_t>(place));
    }
    if (!network_bays(site_) && pattern_.own_bays) {
      if (!inner && in_top.size() >= group.hubs.size()) return in_top;
      if (inner && beside.size() >= group.hubs.size()) return beside;
    }
    std::vector<std::int32_t> both;
    std::merge(in_top.begin(), in_top.end(), beside.begin(), beside.end(),
               std::back_inserter(both));
    return both;
  }

  const RackPlan& plan_;
  const Site& site_;
  const Floor& floor_;
  Pattern pattern_;
  std::int64_t per_bay_;
  Places places_;
  std::vector<char> free_, network_, of_top_;  ///< by place
  std::vector<std::vector<std::int32_t>> bay_places_;
  std::vector<std::array<double, 2>> middles_;  ///< of bays
  std::array<double, 2> middle_{};
  std::map<const Group*, Bays> own_;
};

void list_racks(const Group& group, std::vector<std::int32_t>& out) {
  out.insert(out.end(), group.racks.begin(), group.racks.end());
  for (const Group& child : group.children) list_racks(child, out);
  out.insert(out.end(), group.hubs.begin(), group.hubs.end());
}

}  // namespace

double tray_metres(const Rows& flows, const Floor& floor, const Places& places) {
  double sum = 0;
  for (std::size_t rack = 0; rack < flows.size(); ++rack) {
    for (const auto& [other, cables] : flows[rack]) {
      sum += cables * floor.distance(places[rack], places[other]);
    }
  }
  return sum / 2;
}

std::int64_t bays_of(const Group& group, std::int64_t per_bay) {
  std::int64_t sum = ceil_div(static_cast<std::int64_t>(group.racks.size()), per_bay);
  for (const Group& child : group.children) sum += bays_of(child, per_bay);
  return sum;
}

FloorNeed need_of(const RackPlan& plan, const Site& site, const Pattern& pattern) {
  return {
      .racks = static_cast<std::int64_t>(plan.racks.size()),
      .bays = bays_of(plan.root, others_per_bay(site)) + hub_bays(plan, site, pattern.own_bays)};
}

Places place_groups(const RackPlan& plan, const Site& site, const Floor& floor,
                    const Pattern& pattern) {
  return Placer(plan, site, floor, pattern).place();
}

Places place_naively(const RackPlan& plan, const Floor& floor) {
  std::vector<std::int32_t> order;
  list_racks(plan.root, order);
  std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    return plan.racks[a].rank < plan.racks[b].rank;
  });
  Places places(plan.racks.size(), -1);
  std::int32_t place = 0;
  for (const std::int32_t rack : order) {
    while (!floor.is_usable(place)) ++place;
    places[rack] = place++;
  }
  return places;
}

}  // namespace planner::site
