#include "planner/site/domains.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "planner/core/ceil_div.hpp"
#include "planner/site/below.hpp"
#include "planner/site/cables.hpp"
#include "planner/site/flows.hpp"

namespace planner::site {
namespace {

/// What becomes of a rack's devices when a part of the building is lost.
struct Struck {
  std::int32_t rack = 0;
  Fate nodes = Fate::dies, switches = Fate::dies;
};
/// A part of the building: what its loss does to racks.
using Part = std::vector<Struck>;

/// What each part takes with it.
struct Toll {
  std::vector<std::int64_t> cut, slowed, links;
  bool known = true;

  [[nodiscard]] std::size_t parts() const { return cut.size(); }
};

class Tolls {
 public:
  Tolls(const RackPlan& plan, const Hardware& hardware)
      : plan_(plan), hardware_(hardware), cards_(cards_of(plan)), below_(plan.wiring, cards_) {
    ports_.assign(plan.wiring.kinds[cards_].count, 0);
    in_rack_.resize(plan.racks.size());
    for (std::size_t card = 0; card < ports_.size(); ++card) {
      const std::int32_t rack = plan.rack_of[cards_][card];
      in_rack_[static_cast<std::size_t>(rack)].push_back(static_cast<std::uint32_t>(card));
    }
    for (const WiredLayer& layer : plan.wiring.layers) {
      if (!is_host(layer)) continue;
      for (const Link& link : layer.links) ++ports_[link.from];
    }
  }

  [[nodiscard]] Toll of(const std::vector<Part>& parts) {
    Toll toll = empty(parts.size());
    std::vector<Met> met(parts.size());
    // By rack, the parts that strike it.
    std::vector<std::vector<std::pair<std::size_t, Struck>>> struck(plan_.racks.size());
    for (std::size_t p = 0; p < parts.size(); ++p) {
      for (const Struck& one : parts[p]) {
        struck[one.rack].emplace_back(p, one);
        const std::int64_t gpus = plan_.racks[one.rack].gpus;
        if (one.nodes == Fate::dies) {
          toll.cut[p] += gpus;
          met[p].cards.insert(met[p].cards.end(), in_rack_[one.rack].begin(),
                              in_rack_[one.rack].end());
        }
        if (one.nodes == Fate::unknown && plan_.racks[one.rack].nodes > 0) toll.known = false;
      }
    }
    std::vector<LostPort> lost;
    std::vector<SlowRack> slow;
    for (const WiredLayer& layer : plan_.wiring.layers) {
      const bool host = is_host(layer), counts = has_cables(layer);
      const bool domain = layer.name == kDomainLayer;
      const bool low = plan_.wiring.kinds[layer.from].is_switch;
      const bool high = plan_.wiring.kinds[layer.to].is_switch;
      const auto dies = [](const Struck& one, bool is_switch) {
        return (is_switch ? one.switches : one.nodes) == Fate::dies;
      };
      for (const Link& link : layer.links) {
        const auto& near = struck[plan_.rack_of[layer.from][link.from]];
        const auto& far = struck[plan_.rack_of[layer.to][link.to]];
        for (const auto& [p, one] : near) {
          if (counts && dies(one, low)) ++toll.links[p];
        }
        for (const auto& [p, one] : far) {
          if (!dies(one, high)) continue;
          const std::size_t part = p;
          const bool both = std::any_of(near.begin(), near.end(), [&](const auto& other) {
            return other.first == part && dies(other.second, low);
          });
          if (both) continue;
          if (counts) ++toll.links[p];
          if (host) lost.emplace_back(p, link.from);
          if (domain) slow.emplace_back(p, plan_.rack_of[layer.from][link.from]);
        }
      }
    }
    for (std::size_t kind = 0; kind < plan_.wiring.kinds.size(); ++kind) {
      if (below_.is_leaf(kind)) continue;  // whose cards lose ports
      for (std::size_t i = 0; i < plan_.rack_of[kind].size(); ++i) {
        const std::int32_t set = below_.set_of(kind, i);
        if (set == CardsBelow::kNone) continue;
        for (const auto& [p, one] : struck[plan_.rack_of[kind][i]]) {
          if (one.switches == Fate::dies) met[p].below.push_back(set);
        }
      }
    }
    add_cards(std::move(lost), std::move(slow), std::move(met), toll);
    return toll;
  }

  /// Of parts that cables run through and no device stands in.
  /// @param part_of  (layer, link): which; negative: none
  template <class PartOf>
  [[nodiscard]] Toll of_cables(std::size_t parts, PartOf part_of) {
    Toll toll = empty(parts);
    std::vector<Met> met(parts);
    std::vector<LostPort> lost;
    std::vector<SlowRack> slow;
    for (const WiredLayer& layer : plan_.wiring.layers) {
      if (!has_cables(layer)) continue;
      const bool host = is_host(layer), domain = layer.name == kDomainLayer;
      for (const Link& link : layer.links) {
        const std::int64_t part = part_of(layer, link);
        if (part < 0) continue;
        ++toll.links[part];
        if (host) lost.emplace_back(part, link.from);
        if (domain) slow.emplace_back(part, plan_.rack_of[layer.from][link.from]);
        const std::int32_t set = below_.set_of(layer.from, link.from);
        if (set != CardsBelow::kNone) met[static_cast<std::size_t>(part)].below.push_back(set);
      }
    }
    add_cards(std::move(lost), std::move(slow), std::move(met), toll);
    return toll;
  }

 private:
  /// What a part's loss does to cards besides their ports: those that go with it, and the sets
  /// below switches that are gone or have fewer links up.
  struct Met {
    std::vector<std::uint32_t> cards;
    std::vector<std::int32_t> below;
  };

  static std::size_t cards_of(const RackPlan& plan) {
    const auto& kinds = plan.wiring.kinds;
    const auto gpu = std::find_if(kinds.begin(), kinds.end(),
                                  [](const DeviceKind& kind) { return kind.name == "gpu"; });
    return gpu == kinds.end() ? 0 : static_cast<std::size_t>(gpu - kinds.begin());
  }
  /// A part with a card that loses a port to it.
  using LostPort = std::pair<std::size_t, std::uint32_t>;
  /// A part with a rack that loses cables of its HB domain to it.
  using SlowRack = std::pair<std::size_t, std::int32_t>;

  static bool is_host(const WiredLayer& layer) {
    return layer.name == "host" || layer.name == "chip_ocs";
  }
  static Toll empty(std::size_t parts) {
    const std::vector<std::int64_t> none(parts, 0);
    return {.cut = none, .slowed = none, .links = none};
  }

  /// Cards that stand elsewhere: without any port, with fewer, with less of their HB domain, or
  /// with less of the network above their leaf.
  void add_cards(std::vector<LostPort> lost, std::vector<SlowRack> in_domains, std::vector<Met> met,
                 Toll& toll) {
    std::sort(lost.begin(), lost.end());
    std::sort(in_domains.begin(), in_domains.end());
    in_domains.erase(std::unique(in_domains.begin(), in_domains.end()), in_domains.end());
    std::vector<std::int64_t> off(toll.parts(), 0), slow(toll.parts(), 0);
    for (std::size_t i = 0; i < lost.size();) {
      std::size_t end = i;
      while (end < lost.size() && lost[end] == lost[i]) ++end;
      const auto ports = static_cast<std::int64_t>(end - i);
      ++(ports == ports_[lost[i].second] ? off : slow)[lost[i].first];
      met[lost[i].first].cards.push_back(lost[i].second);
      i = end;
    }
    for (const auto& [part, rack] : in_domains) {
      for (const std::uint32_t card : in_rack_[static_cast<std::size_t>(rack)]) {
        if (std::binary_search(lost.begin(), lost.end(), LostPort(part, card))) continue;
        ++slow[part];
        met[part].cards.push_back(card);
      }
    }
    for (std::size_t p = 0; p < toll.parts(); ++p) slow[p] += others_below(std::move(met[p]));
    const auto cards = static_cast<double>(std::max<std::size_t>(ports_.size(), 1));
    const double gpus_each = static_cast<double>(hardware_.gpus) / cards;
    const auto gpus = [&](std::int64_t number) {
      return static_cast<std::int64_t>(std::llround(static_cast<double>(number) * gpus_each));
    };
    for (std::size_t p = 0; p < toll.parts(); ++p) {
      toll.cut[p] += gpus(off[p]);
      toll.slowed[p] += gpus(slow[p]);
    }
  }

  /// Cards below the sets that are not told yet.
  std::int64_t others_below(Met met) {
    if (met.below.empty()) return 0;
    std::sort(met.below.begin(), met.below.end());
    met.below.erase(std::unique(met.below.begin(), met.below.end()), met.below.end());
    std::sort(met.cards.begin(), met.cards.end());
    met.cards.erase(std::unique(met.cards.begin(), met.cards.end()), met.cards.end());
    const std::vector<std::uint32_t>& below = below_.cards(met.below);
    const auto told = [&](std::uint32_t card) {
      return std::binary_search(below.begin(), below.end(), card);
    };
    return std::ssize(below) - std::count_if(met.cards.begin(), met.cards.end(), told);
  }

  const RackPlan& plan_;
  const Hardware& hardware_;
  std::size_t cards_;
  CardsBelow below_;
  std::vector<std::int64_t> ports_;                  ///< of each card
  std::vector<std::vector<std::uint32_t>> in_rack_;  ///< cards by rack
};

FailureDomain worst_of(std::string kind, std::int64_t count, const Toll& toll) {
  FailureDomain domain{.kind = std::move(kind), .count = count};
  if (!toll.known) {
    domain.gpus_cut = domain.gpus_slowed = domain.links_lost = std::nullopt;
    return domain;
  }
  const auto most = [](const std::vector<std::int64_t>& all) {
    return all.empty() ? 0 : *std::max_element(all.begin(), all.end());
  };
  domain.gpus_cut = most(toll.cut);
  domain.gpus_slowed = most(toll.slowed);
  domain.links_lost = most(toll.links);
  return domain;
}

/// Racks with the same key are one part, in the order of the keys.
std::vector<Part> parts_by(const std::vector<std::int64_t>& key_of_rack, Fate nodes,
                           Fate switches) {
  std::map<std::int64_t, Part> parts;
  for (std::size_t i = 0; i < key_of_rack.size(); ++i) {
    parts[key_of_rack[i]].push_back(
        {.rack = static_cast<std::int32_t>(i), .nodes = nodes, .switches = switches});
  }
  std::vector<Part> all;
  for (auto& [key, part] : parts) all.push_back(std::move(part));
  return all;
}

/// Rows of the blocks: what a busway feeds.
std::vector<std::int64_t> rows_of_racks(const Floor& floor, const Places& places,
                                        std::size_t racks) {
  std::vector<std::int64_t> rows;
  for (std::size_t i = 0; i < racks; ++i) {
    rows.push_back(floor.row(places[i]) * floor.blocks() +
                   floor.col(places[i]) / floor.block_racks());
  }
  return rows;
}

/// One feed of each row, the others alike.
std::vector<Part> feeds_of_rows(const RackPlan& plan, const Chassis& chassis, const Site& site,
                                const Floor& floor, const Places& places) {
  const auto feeds = static_cast<std::int64_t>(site.feeds);
  return parts_by(rows_of_racks(floor, places, plan.racks.size()), fate_of_nodes(chassis, feeds, 1),
                  fate_of_switches(feeds, 1));
}

/// Every unit of the power chain, with all that hangs on it and on what trips then.
struct ChainParts {
  std::vector<Part> parts;
  std::map<std::int32_t, std::int64_t> feeds;  ///< of racks that are struck
};
ChainParts units_of_chain(const RackPlan& plan, const Chassis& chassis,
                          const std::vector<PowerUnit>& units) {
  std::vector<Watts> racks;
  for (const Rack& rack : plan.racks) racks.push_back(rack.drawn());
  ChainParts all;
  for (const auto& losses : PowerChain(units, racks, draws_of(plan, chassis)).losses()) {
    all.parts.emplace_back();
    for (const LostFeeds& of : losses) {
      const auto rack = static_cast<std::int32_t>(of.rack - 1);
      all.feeds[rack] = of.feeds;
      all.parts.back().push_back({.rack = rack,
                                  .nodes = fate_of_nodes(chassis, of.feeds, of.lost),
                                  .switches = fate_of_switches(of.feeds, of.lost)});
    }
  }
  return all;
}

/// A cooling unit takes the nodes that it cools, unless one in reserve takes its place. Those of a
/// hall serve all: without reserve the heat that the others do not carry is that of nodes that
/// stop.
FailureDomain cooling_units(const RackPlan& plan, const Hardware& hardware, const Site& site,
                            Tolls& tolls, const Power& power) {
  std::vector<Part> parts;
  for (const CoolingLoop& loop : plan.loops) {
    parts.emplace_back();
    if (loop.units > loop.needed) continue;
    for (const std::int32_t rack : loop.racks) {
      parts.back().push_back({.rack = rack, .nodes = Fate::dies, .switches = Fate::lives});
    }
  }
  FailureDomain units = worst_of("cooling unit", power.cdus, tolls.of(parts));
  if (plan.loops.empty() && power.cdus == power.cdus_needed) {
    const double left = static_cast<double>(power.cdus - 1) * site.cdu_kw * 1000;
    const double share = std::max(0.0, 1 - left / power.liquid.si());
    units.gpus_cut =
        static_cast<std::int64_t>(std::ceil(share * static_cast<double>(hardware.gpus)));
  }
  return units;
}

FailureDomain cross_trays(const RackPlan& plan, Tolls& tolls, const Floor& floor,
                          const Places& places) {
  const std::size_t trays = floor.cross_trays().size();
  const auto tray_of = [&](const WiredLayer& layer, const Link& link) -> std::int64_t {
    const std::int64_t a = places[plan.rack_of[layer.from][link.from]];
    const std::int64_t b = places[plan.rack_of[layer.to][link.to]];
    return floor.row(a) == floor.row(b) ? -1 : floor.via(floor.col(a), floor.col(b));
  };
  return worst_of("cross tray", static_cast<std::int64_t>(trays), tolls.of_cables(trays, tray_of));
}

}  // namespace

FeedLosses feed_losses(const RackPlan& plan, const Hardware& hardware, const Site& site,
                       const Floor& floor, const Places& places) {
  const bool chain = !site.power_units.empty();
  ChainParts of_chain;
  if (chain) of_chain = units_of_chain(plan, hardware.chassis, site.power_units);
  const std::vector<Part> parts =
      chain ? of_chain.parts : feeds_of_rows(plan, hardware.chassis, site, floor, places);
  const bool all_live = std::all_of(parts.begin(), parts.end(), [](const Part& part) {
    return std::all_of(part.begin(), part.end(), [](const Struck& one) {
      return one.nodes == Fate::lives && one.switches == Fate::lives;
    });
  });
  if (all_live) return {};
  const Toll toll = Tolls(plan, hardware).of(parts);
  FeedLosses losses{.known = toll.known};
  if (!losses.known) return losses;
  const auto of_rack = [&](std::int32_t rack) {
    return chain ? of_chain.feeds[rack] : static_cast<std::int64_t>(site.feeds);
  };
  std::int64_t gpus = 0;
  for (std::size_t p = 0; p < toll.parts(); ++p) {
    // Units above those that racks hang on are no feeds of rows.
    if (toll.cut[p] == 0 || (chain && site.power_units[p].racks.empty())) continue;
    gpus += toll.cut[p];
    ++losses.feeds;
    for (const Struck& one : parts[p]) {
      if (one.nodes != Fate::dies || plan.racks[one.rack].nodes == 0) continue;
      const std::int64_t each = of_rack(one.rack);
      losses.each = losses.each == 0 ? each : std::min(losses.each, each);
    }
  }
  if (losses.feeds == 0) return losses;
  losses.hosts = ceil_div(ceil_div(gpus, hardware.node_gpus), losses.feeds);
  if (!chain) losses.feeds *= static_cast<std::int64_t>(site.feeds);
  return losses;
}

std::vector<FailureDomain> failure_domains(const RackPlan& plan, const Hardware& hardware,
                                           const Site& site, const Floor& floor,
                                           const Places& places, const Power& power) {
  Tolls tolls(plan, hardware);
  const std::size_t racks = plan.racks.size();
  std::vector<std::int64_t> each(racks), hall(racks);
  for (std::size_t i = 0; i < racks; ++i) {
    each[i] = static_cast<std::int64_t>(i);
    hall[i] = floor.hall(places[i]);
  }
  const auto dark = [&](const char* kind, const std::vector<std::int64_t>& key_of_rack) {
    const std::vector<Part> parts = parts_by(key_of_rack, Fate::dies, Fate::dies);
    return worst_of(kind, static_cast<std::int64_t>(parts.size()), tolls.of(parts));
  };
  std::vector<FailureDomain> domains{dark("rack", each),
                                     dark("row", rows_of_racks(floor, places, racks))};
  if (site.power_units.empty()) {
    const std::vector<Part> feeds = feeds_of_rows(plan, hardware.chassis, site, floor, places);
    const auto number =
        static_cast<std::int64_t>(feeds.size()) * static_cast<std::int64_t>(site.feeds);
    domains.push_back(worst_of("feed of a row", number, tolls.of(feeds)));
  } else {
    const std::vector<Part> units = units_of_chain(plan, hardware.chassis, site.power_units).parts;
    domains.push_back(
        worst_of("power unit", static_cast<std::int64_t>(units.size()), tolls.of(units)));
  }
  if (power.cdus > 0) domains.push_back(cooling_units(plan, hardware, site, tolls, power));
  domains.push_back(cross_trays(plan, tolls, floor, places));
  domains.push_back(dark("hall", hall));
  return domains;
}

}  // namespace planner::site
