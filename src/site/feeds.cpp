#include "planner/site/feeds.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "planner/core/ceil_div.hpp"

namespace planner::site {

Watts circuit_power(double volts, double amps, double breaker_share) {
  return std::sqrt(3.0) * volts * amps * breaker_share * units::W;
}

std::int64_t circuits_of(Watts rack, Watts circuit) {
  return static_cast<std::int64_t>(std::ceil(rack / circuit - 1e-9));
}

bool survives_a_feed(std::int64_t psus, std::int64_t needed, std::int64_t feeds) {
  if (feeds < 2) return false;
  return psus - ceil_div(psus, feeds) >= needed;
}

std::int64_t last_rack(const std::vector<PowerUnit>& units) {
  std::int64_t last = 0;
  for (const PowerUnit& unit : units) {
    for (const std::int64_t rack : unit.racks) last = std::max(last, rack);
  }
  return last;
}

std::vector<CarriedUnit> carried(const std::vector<PowerUnit>& units,
                                 const std::vector<Watts>& racks) {
  std::map<std::int64_t, std::int64_t> shared;
  for (const PowerUnit& unit : units) {
    for (const std::int64_t rack : unit.racks) ++shared[rack];
  }
  std::vector<CarriedUnit> all;
  std::map<std::string, std::size_t> index;
  for (const PowerUnit& unit : units) {
    index[unit.name] = all.size();
    all.push_back({.name = unit.name, .load = {}, .limit = unit.limit});
  }
  for (const PowerUnit& unit : units) {
    Watts own{};
    for (const std::int64_t rack : unit.racks) {
      if (rack > static_cast<std::int64_t>(racks.size())) continue;  // there is none: no load
      own += racks[rack - 1] / static_cast<double>(shared[rack]);
    }
    // Up to the root; a chain longer than there are units goes in circles.
    const PowerUnit* at = &unit;
    for (std::size_t step = 0; step <= units.size(); ++step) {
      all[index[at->name]].load += own;
      const auto above = at->of ? index.find(*at->of) : index.end();
      if (above == index.end()) break;
      at = &units[above->second];
    }
  }
  return all;
}

double air_m3_per_s(Watts heat, double delta_k) {
  return heat.si() / (1206 * delta_k);
}

double coolant_l_per_min(Watts heat, double delta_k) {
  return heat.si() / (4190 * delta_k) * 60;
}

Power power_of(const RackPlan& plan, const Site& site, const Floor& floor, const Places& places) {
  Power power{.spare = plan.spare_power,
              .circuit = circuit_power(site.volts, site.amps, site.breaker_share),
              .busway = circuit_power(site.volts, site.busway_amps, site.breaker_share)};
  std::map<std::pair<std::int64_t, std::int64_t>, RowPower> rows;
  std::vector<Watts> by_rack;
  for (std::size_t i = 0; i < plan.racks.size(); ++i) {
    const Rack& rack = plan.racks[i];
    power.it += rack.power;
    power.liquid += rack.liquid;
    power.densest_rack = std::max(power.densest_rack, rack.power);
    power.circuits +=
        circuits_of(rack.power, power.circuit) * static_cast<std::int64_t>(site.feeds);
    by_rack.push_back(rack.power);
    const std::int64_t row = floor.row(places[i]);
    const std::int64_t block = floor.col(places[i]) / floor.block_racks();
    RowPower& of = rows[{row, block}];
    of.row = row_letters(row) + std::to_string(block + 1);
    of.power += rack.power;
    of.gpus += rack.gpus;
    ++of.racks;
  }
  for (auto& [where, row] : rows) power.by_row.push_back(std::move(row));
  power.chain = carried(site.power_units, by_rack);
  power.facility = power.it * site.pue;
  power.air_m3_s = air_m3_per_s(power.it - power.liquid, site.air_delta_k);
  if (power.liquid > Watts{}) {
    power.coolant_l_min = coolant_l_per_min(power.liquid, site.liquid_delta_k);
    power.cdus =
        static_cast<std::int64_t>(std::ceil(power.liquid.si() / (site.cdu_kw * 1000) - 1e-9)) + 1;
  }
  return power;
}

namespace {

/// What parts of a plan take with them when they fail together.
class Losses {
 public:
  Losses(const RackPlan& plan, const Hardware& hardware) : plan_(plan), hardware_(hardware) {
    for (const DeviceKind& kind : plan.wiring.kinds) {
      if (kind.name == "gpu") cards_ = static_cast<std::size_t>(&kind - plan.wiring.kinds.data());
    }
    ports_.assign(plan.wiring.kinds[cards_].count, 0);
    each_host([&](const Link& link, std::int32_t, std::int32_t) { ++ports_[link.from]; });
  }

  /// @param part  of each rack: which of the domains it is in
  FailureDomain of(std::string kind, const std::vector<std::int64_t>& part) const {
    const std::int64_t parts = part.empty() ? 0 : *std::max_element(part.begin(), part.end()) + 1;
    std::vector<std::int64_t> cut(parts, 0), slowed(parts, 0), links(parts, 0);
    for (std::size_t i = 0; i < plan_.racks.size(); ++i) cut[part[i]] += plan_.racks[i].gpus;
    for (const WiredLayer& layer : plan_.wiring.layers) {
      if (layer.name == kDomainLayer) continue;
      for (const Link& link : layer.links) {
        const std::int64_t a = part[plan_.rack_of[layer.from][link.from]];
        const std::int64_t b = part[plan_.rack_of[layer.to][link.to]];
        ++links[a];
        if (a != b) ++links[b];
      }
    }
    add_cards(part, cut, slowed);
    std::int64_t worst = 0;
    for (std::int64_t p = 1; p < parts; ++p) {
      if (std::tie(cut[p], slowed[p], links[p]) > std::tie(cut[worst], slowed[worst], links[worst]))
        worst = p;
    }
    FailureDomain domain{.kind = std::move(kind), .count = parts};
    if (parts == 0) return domain;
    domain.gpus_cut = cut[worst];
    domain.gpus_slowed = slowed[worst];
    domain.links_lost = links[worst];
    return domain;
  }

 private:
  template <class Visit>
  void each_host(Visit visit) const {
    for (const WiredLayer& layer : plan_.wiring.layers) {
      if (layer.name != "host" && layer.name != "chip_ocs") continue;
      for (const Link& link : layer.links) {
        visit(link, plan_.rack_of[layer.from][link.from], plan_.rack_of[layer.to][link.to]);
      }
    }
  }

  /// Cards outside the domain whose switches are in it: without any port, or with fewer.
  void add_cards(const std::vector<std::int64_t>& part, std::vector<std::int64_t>& cut,
                 std::vector<std::int64_t>& slowed) const {
    std::map<std::pair<std::int64_t, std::uint32_t>, std::int64_t> lost;
    each_host([&](const Link& link, std::int32_t card, std::int32_t at) {
      if (part[card] != part[at]) ++lost[{part[at], link.from}];
    });
    const auto cards = static_cast<double>(std::max<std::size_t>(ports_.size(), 1));
    const double gpus_each = static_cast<double>(hardware_.gpus) / cards;
    std::map<std::int64_t, std::pair<std::int64_t, std::int64_t>> by_part;
    for (const auto& [where, ports] : lost) {
      auto& [off, slow] = by_part[where.first];
      ++(ports == ports_[where.second] ? off : slow);
    }
    for (const auto& [p, number] : by_part) {
      cut[p] +=
          static_cast<std::int64_t>(std::llround(static_cast<double>(number.first) * gpus_each));
      slowed[p] +=
          static_cast<std::int64_t>(std::llround(static_cast<double>(number.second) * gpus_each));
    }
  }

  const RackPlan& plan_;
  const Hardware& hardware_;
  std::size_t cards_ = 0;
  std::vector<std::int64_t> ports_;  ///< of each card
};

/// Numbers 0, 1, … in place of the keys.
template <class Key>
std::vector<std::int64_t> numbered_parts(const std::vector<Key>& keys) {
  std::map<Key, std::int64_t> number;
  for (const Key& key : keys) number.emplace(key, 0);
  std::int64_t next = 0;
  for (auto& [key, at] : number) at = next++;
  std::vector<std::int64_t> parts;
  for (const Key& key : keys) parts.push_back(number[key]);
  return parts;
}

/// The links and GPUs of the fullest cross tray: all that lies in it anywhere.
FailureDomain cross_tray(const RackPlan& plan, const Floor& floor, const Places& places) {
  std::vector<std::int64_t> links(floor.cross_trays().size(), 0);
  for (const WiredLayer& layer : plan.wiring.layers) {
    if (!has_cables(layer) || layer.name == kDomainLayer) continue;
    for (const Link& link : layer.links) {
      const std::int64_t a = places[plan.rack_of[layer.from][link.from]];
      const std::int64_t b = places[plan.rack_of[layer.to][link.to]];
      if (floor.row(a) != floor.row(b)) ++links[floor.via(floor.col(a), floor.col(b))];
    }
  }
  return {.kind = "cross tray",
          .count = static_cast<std::int64_t>(links.size()),
          .links_lost = *std::max_element(links.begin(), links.end())};
}

}  // namespace

namespace {

/// Whether nodes live when one of so many feeds is lost.
bool nodes_live(const Chassis& chassis, std::int64_t feeds) {
  if (feeds < 2) return false;
  if (!chassis.psus || !chassis.psus_needed) return true;
  return survives_a_feed(*chassis.psus, *chassis.psus_needed, feeds);
}

}  // namespace

FeedLosses feed_losses(const RackPlan& plan, const Hardware& hardware, const Site& site,
                       const Floor& floor, const Places& places) {
  const auto racks = static_cast<std::int64_t>(plan.racks.size());
  FeedLosses losses;
  std::int64_t cut = 0;
  const auto add = [&](std::int64_t feeds, std::int64_t nodes) {
    if (nodes == 0) return;
    losses.feeds += feeds;
    cut += feeds * nodes;
  };
  if (!site.power_units.empty()) {
    std::map<std::int64_t, std::int64_t> units_of;
    for (const PowerUnit& unit : site.power_units) {
      for (const std::int64_t rack : unit.racks) ++units_of[rack];
    }
    for (const PowerUnit& unit : site.power_units) {
      std::int64_t nodes = 0;
      for (const std::int64_t rack : unit.racks) {
        if (rack < 1 || rack > racks || nodes_live(hardware.chassis, units_of[rack])) continue;
        const Rack& of = plan.racks[static_cast<std::size_t>(rack - 1)];
        if (of.gpus > 0) nodes += of.nodes;
      }
      add(1, nodes);
    }
  } else if (const auto feeds = static_cast<std::int64_t>(site.feeds);
             !nodes_live(hardware.chassis, feeds)) {
    std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> rows;
    for (std::size_t i = 0; i < plan.racks.size(); ++i) {
      if (plan.racks[i].gpus == 0) continue;
      rows[{floor.row(places[i]), floor.col(places[i]) / floor.block_racks()}] +=
          plan.racks[i].nodes;
    }
    for (const auto& [row, nodes] : rows) add(feeds, nodes);
  }
  if (losses.feeds > 0) losses.hosts = ceil_div(cut, losses.feeds);
  return losses;
}

std::vector<FailureDomain> failure_domains(const RackPlan& plan, const Hardware& hardware,
                                           const Site& site, const Floor& floor,
                                           const Places& places, const Power& power) {
  const Losses losses(plan, hardware);
  const std::size_t racks = plan.racks.size();
  std::vector<std::int64_t> each(racks), hall(racks), row(racks);
  for (std::size_t i = 0; i < racks; ++i) {
    each[i] = static_cast<std::int64_t>(i);
    hall[i] = floor.hall(places[i]);
    row[i] = floor.row(places[i]) * floor.blocks() + floor.col(places[i]) / floor.block_racks();
  }
  std::vector<FailureDomain> domains{losses.of("rack", each)};
  domains.push_back(losses.of("row", numbered_parts(row)));
  // With several feeds a row loses one of them; nodes that do not live on the rest are cut off.
  FailureDomain feed = domains.back();
  feed.kind = "feed of a row";
  feed.count *= static_cast<std::int64_t>(site.feeds);
  const Chassis& chassis = hardware.chassis;
  const bool known = chassis.psus && chassis.psus_needed;
  const bool lives = known && survives_a_feed(*chassis.psus, *chassis.psus_needed,
                                              static_cast<std::int64_t>(site.feeds));
  if (site.feeds >= 2 && (lives || !known)) feed.gpus_cut = feed.gpus_slowed = feed.links_lost = 0;
  domains.push_back(feed);
  if (power.cdus > 1) {
    // Racks in order of their places, each unit cooling as many as it carries.
    const std::int64_t units = power.cdus - 1;
    std::vector<std::int64_t> cooled(racks);
    for (std::size_t i = 0; i < racks; ++i) {
      cooled[i] = places[i] * units / std::max<std::int64_t>(floor.places(), 1);
    }
    domains.push_back(losses.of("cooling unit", numbered_parts(cooled)));
  }
  domains.push_back(cross_tray(plan, floor, places));
  domains.push_back(losses.of("hall", numbered_parts(hall)));
  return domains;
}

}  // namespace planner::site
