#include "planner/site/power_chain.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "planner/core/ceil_div.hpp"

namespace planner::site {

Fate fate_of_nodes(const Chassis& chassis, std::int64_t feeds, std::int64_t lost) {
  if (lost == 0) return Fate::lives;
  if (lost >= feeds) return Fate::dies;
  if (!chassis.psus || !chassis.psus_needed) return Fate::unknown;
  const std::int64_t left = *chassis.psus - ceil_div(*chassis.psus * lost, feeds);
  return left >= *chassis.psus_needed ? Fate::lives : Fate::dies;
}

Fate fate_of_switches(std::int64_t feeds, std::int64_t lost) {
  if (lost == 0) return Fate::lives;
  return feeds < 2 || lost >= feeds ? Fate::dies : Fate::lives;
}

std::int64_t last_rack(const std::vector<PowerUnit>& units) {
  std::int64_t last = 0;
  for (const PowerUnit& unit : units) {
    for (const std::int64_t rack : unit.racks) last = std::max(last, rack);
  }
  return last;
}

PowerChain::PowerChain(const std::vector<PowerUnit>& units, const std::vector<Watts>& racks,
                       Draws draws)
    : units_(units),
      racks_(racks),
      draws_(std::move(draws)),
      path_(units.size()),
      below_(units.size()),
      on_(racks.size() + 1) {
  std::map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < units.size(); ++i) index[units[i].name] = i;
  for (std::size_t i = 0; i < units.size(); ++i) {
    // Up to the root; a chain longer than there are units goes in circles.
    for (std::size_t at = i; path_[i].size() <= units.size();) {
      path_[i].push_back(at);
      below_[at].push_back(i);
      const auto above = units[at].of ? index.find(*units[at].of) : index.end();
      if (above == index.end()) break;
      at = above->second;
    }
    for (const std::int64_t rack : units[i].racks) {
      if (rack >= 1 && rack <= static_cast<std::int64_t>(racks.size())) on_[rack].push_back(i);
    }
  }
}

/// Only what differs from all units being up is kept, so that the loss of a unit costs as much as
/// hangs on it.
class PowerChain::State {
 public:
  State(const PowerChain& chain, const std::vector<Watts>& up) : chain_(chain), up_(up) {}

  /// A unit is lost with all under it.
  void lose(std::size_t unit) {
    std::set<std::size_t> racks;
    for (const std::size_t under : chain_.below_[unit]) {
      if (!dead_.insert(under).second) continue;
      for (const std::int64_t rack : chain_.units_[under].racks) {
        if (rack >= 1 && rack < static_cast<std::int64_t>(chain_.on_.size())) racks.insert(rack);
      }
    }
    for (const std::size_t rack : racks) {
      const auto now = std::as_const(live_).find(rack);
      add(rack, now == live_.end() ? chain_.on_[rack] : now->second, -1);
      std::vector<std::size_t> left;
      for (const std::size_t on : chain_.on_[rack]) {
        if (dead_.count(on) == 0) left.push_back(on);
      }
      add(rack, left, 1);
      live_[rack] = std::move(left);
    }
  }
  /// Units that live and carry another load than before, with it.
  [[nodiscard]] std::vector<std::pair<std::size_t, Watts>> changed() const {
    std::vector<std::pair<std::size_t, Watts>> all;
    for (const auto& [unit, more] : more_) {
      if (dead_.count(unit) == 0) all.emplace_back(unit, up_[unit] + more);
    }
    return all;
  }
  [[nodiscard]] std::vector<LostFeeds> lost() const {
    std::vector<LostFeeds> all;
    for (const auto& [rack, left] : live_) {
      const auto feeds = static_cast<std::int64_t>(chain_.on_[rack].size());
      all.push_back({.rack = static_cast<std::int64_t>(rack),
                     .feeds = feeds,
                     .lost = feeds - static_cast<std::int64_t>(left.size())});
    }
    return all;
  }

 private:
  /// A rack's share of each of its units that are left, up to the root.
  void add(std::size_t rack, const std::vector<std::size_t>& left, double sign) {
    const auto feeds = static_cast<std::int64_t>(chain_.on_[rack].size());
    const auto lost = feeds - static_cast<std::int64_t>(left.size());
    if (left.empty()) return;
    if (chain_.draws_ && !chain_.draws_(static_cast<std::int64_t>(rack), feeds, lost)) return;
    const Watts share = chain_.racks_[rack - 1] * (sign / static_cast<double>(left.size()));
    for (const std::size_t unit : left) {
      for (const std::size_t at : chain_.path_[unit]) more_[at] += share;
    }
  }

  const PowerChain& chain_;
  const std::vector<Watts>& up_;
  std::set<std::size_t> dead_;
  std::map<std::size_t, std::vector<std::size_t>> live_;  ///< of racks that lost a unit: the rest
  std::map<std::size_t, Watts> more_;
};

std::vector<CarriedUnit> PowerChain::carried() const {
  std::vector<Watts> up(units_.size());
  for (std::size_t rack = 1; rack < on_.size(); ++rack) {
    for (const std::size_t unit : on_[rack]) {
      const Watts share = racks_[rack - 1] / static_cast<double>(on_[rack].size());
      for (const std::size_t at : path_[unit]) up[at] += share;
    }
  }
  std::vector<CarriedUnit> all;
  for (std::size_t i = 0; i < units_.size(); ++i) {
    all.push_back({.name = units_[i].name,
                   .load = up[i],
                   .worst = up[i],
                   .lost = {},
                   .limit = units_[i].limit});
  }
  for (std::size_t i = 0; i < units_.size(); ++i) {
    State state(*this, up);
    state.lose(i);
    for (const auto& [unit, load] : state.changed()) {
      if (load <= all[unit].worst * (1 + 1e-9)) continue;
      all[unit].worst = load;
      all[unit].lost = units_[i].name;
    }
  }
  return all;
}

std::vector<std::vector<LostFeeds>> PowerChain::losses() const {
  std::vector<Watts> up;
  for (const CarriedUnit& unit : carried()) up.push_back(unit.load);
  std::vector<std::vector<LostFeeds>> all;
  for (std::size_t i = 0; i < units_.size(); ++i) {
    State state(*this, up);
    state.lose(i);
    for (bool trips = true; trips;) {
      trips = false;
      for (const auto& [unit, load] : state.changed()) {
        // What was over its limit before is another broken rule.
        if (load <= units_[unit].limit * (1 + 1e-9) || load <= up[unit] * (1 + 1e-9)) continue;
        state.lose(unit);
        trips = true;
        break;
      }
    }
    all.push_back(state.lost());
  }
  return all;
}

}  // namespace planner::site
