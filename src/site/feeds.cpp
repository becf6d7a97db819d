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

Watts of_each_feed(Watts load, double feeds) {
  return load / std::max(1.0, feeds - 1);
}

std::int64_t circuits_of(Watts rack, Watts circuit) {
  return static_cast<std::int64_t>(std::ceil(rack / circuit - 1e-9));
}

std::int64_t circuits_of(const Rack& rack, double feeds, Watts circuit) {
  return std::max<std::int64_t>(rack.power_known ? 0 : 1,
                                circuits_of(of_each_feed(rack.drawn(), feeds), circuit));
}

bool survives_a_feed(std::int64_t psus, std::int64_t needed, std::int64_t feeds) {
  if (feeds < 2) return false;
  return psus - ceil_div(psus, feeds) >= needed;
}

std::optional<std::int64_t> feeds_to_survive(std::int64_t psus, std::int64_t needed,
                                             std::int64_t more_than) {
  for (std::int64_t feeds = more_than + 1; feeds <= psus; ++feeds) {
    if (survives_a_feed(psus, needed, feeds)) return feeds;
  }
  return std::nullopt;
}

std::string words_of_lost_feed(const Chassis& chassis, std::int64_t feeds) {
  const auto text = [](std::int64_t number) { return std::to_string(number); };
  const bool known = chassis.psus && chassis.psus_needed;
  std::string words = feeds < 2 ? "a node has one feed and stops with it"
                                : "a node stops with any of its " + text(feeds) +
                                      " feeds, so that it stops " + text(feeds) +
                                      " times as often as with one";
  if (!known) {
    return words +
           ": what more feeds would do is not known (\"psus\" and \"psus_needed\" of the chassis)";
  }
  const std::int64_t psus = *chassis.psus, needed = *chassis.psus_needed;
  const auto enough = feeds_to_survive(psus, needed, feeds);
  const std::int64_t left = psus - ceil_div(psus, std::max<std::int64_t>(feeds, 2));
  if (left < needed) {
    words += feeds < 2 ? "; of 2 it would need both" : "";
    words += " (" + text(needed) + " of its " + text(psus) + " power supplies must work, " +
             text(left) + (feeds < 2 ? " would be" : " are") + " left)";
  }
  if (!enough) return words + ": no number of feeds carries it, since it needs every supply";
  words += ": with " + text(*enough) + " feeds it lives";
  if (feeds >= 2) {
    words += ", or with supplies of which " + text(left) + " carry it";
  }
  return words;
}

double air_m3_per_s(Watts heat, double delta_k) {
  return heat.si() / (1206 * delta_k);
}

double coolant_l_per_min(Watts heat, double delta_k) {
  return heat.si() / (4190 * delta_k) * 60;
}

Backup backup_of(const Site& site, Watts it, Watts facility) {
  Backup backup;
  if (site.ups_share || site.ups_minutes) backup.ups = it * site.ups_share.value_or(1);
  backup.ups_minutes = site.ups_minutes;
  if (site.ups_minutes) {
    backup.ups_kwh = backup.ups->in(1000 * units::W) * *site.ups_minutes / 60;
  }
  if (site.generator_share) backup.generators = facility * *site.generator_share;
  return backup;
}

PowerChain::Draws draws_of(const RackPlan& plan, const Chassis& chassis) {
  return [&](std::int64_t rack, std::int64_t feeds, std::int64_t lost) {
    const bool nodes = plan.racks[static_cast<std::size_t>(rack) - 1].nodes > 0;
    return (nodes ? fate_of_nodes(chassis, feeds, lost) : fate_of_switches(feeds, lost)) !=
           Fate::dies;
  };
}

namespace {

/// Units that carry the heat at the worst: all but one, where one may be lost.
double working(std::int64_t units, std::int64_t needed) {
  return static_cast<double>(units > needed ? units - 1 : units);
}

}  // namespace

Power power_of(const RackPlan& plan, const Chassis& chassis, const Site& site, const Floor& floor,
               const Places& places) {
  Power power{.spare_nodes = plan.spare_nodes,
              .spare = plan.spare_power,
              .circuit = circuit_power(site.volts, site.amps, site.breaker_share),
              .busway = circuit_power(site.volts, site.busway_amps, site.breaker_share)};
  std::map<std::pair<std::int64_t, std::int64_t>, RowPower> rows;
  std::vector<Watts> by_rack;
  for (std::size_t i = 0; i < plan.racks.size(); ++i) {
    const Rack& rack = plan.racks[i];
    power.it += rack.power;
    power.liquid += rack.liquid;
    power.densest_rack = std::max(power.densest_rack, rack.drawn());
    power.circuits +=
        circuits_of(rack, site.feeds, power.circuit) * static_cast<std::int64_t>(site.feeds);
    by_rack.push_back(rack.drawn());
    const std::int64_t row = floor.row(places[i]);
    const std::int64_t block = floor.col(places[i]) / floor.block_racks();
    RowPower& of = rows[{row, block}];
    of.row = row_letters(row) + std::to_string(block + 1);
    of.power += rack.drawn();
    of.gpus += rack.gpus;
    ++of.racks;
  }
  for (auto& [where, row] : rows) power.by_row.push_back(std::move(row));
  power.chain = PowerChain(site.power_units, by_rack, draws_of(plan, chassis)).carried();
  power.rated = power.it + plan.held;
  power.facility = power.it * site.pue;
  power.backup = backup_of(site, power.it, power.facility);
  power.air_m3_s = air_m3_per_s(power.it - power.liquid, site.air_delta_k);
  if (power.liquid > Watts{}) {
    power.cdu_limit = site.cdu_kw * 1000 * units::W;
    if (!plan.loops.empty() && chassis.sidecar_cooling) power.cdu_limit = *chassis.sidecar_cooling;
    power.coolant_l_min = coolant_l_per_min(power.liquid, site.liquid_delta_k);
    for (const CoolingLoop& loop : plan.loops) {
      power.cdus += loop.units;
      power.cdus_needed += loop.needed;
      Watts heat{};
      for (const std::int32_t rack : loop.racks) heat += plan.racks[rack].liquid;
      power.cdu_heat = std::max(power.cdu_heat, heat / working(loop.units, loop.needed));
    }
    if (plan.loops.empty()) {
      power.cdus_needed =
          static_cast<std::int64_t>(std::ceil(power.liquid.si() / (site.cdu_kw * 1000) - 1e-9));
      power.cdus = power.cdus_needed + static_cast<std::int64_t>(site.cdu_reserve.value_or(1));
      power.cdu_heat = power.liquid / working(power.cdus, power.cdus_needed);
    }
  }
  return power;
}

}  // namespace planner::site
