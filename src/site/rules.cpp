#include <algorithm>
#include <cmath>
#include <set>

#include "planner/core/ceil_div.hpp"
#include "planner/core/grouped.hpp"
#include "planner/site/apart.hpp"
#include "planner/site/build.hpp"
#include "planner/site/remedies.hpp"

namespace planner::site {
namespace {

double kw(Watts power) {
  return power.in(1000 * units::W);
}

class Rules {
 public:
  Rules(const Build& built, const Hardware& hardware, const Site& site, const Media& media,
        const BuildOptions& options, const std::vector<std::string>& given)
      : built_(built),
        hardware_(hardware),
        site_(site),
        media_(media),
        remedies_(built, hardware, site, media, options) {
    given_.insert(given.begin(), given.end());
  }

  std::vector<Broken> all() {
    check_racks();
    check_trays();
    check_busways();
    check_halls();
    check_chain();
    check_feeds();
    check_cooling();
    check_planes();
    check_reach();
    return std::move(broken_);
  }

 private:
  Broken& add(std::string rule, std::string where, double need, double have, std::string unit,
              std::initializer_list<const char*> keys) {
    const bool given = std::any_of(keys.begin(), keys.end(),
                                   [&](const char* key) { return given_.count(key) > 0; });
    broken_.push_back({.rule = std::move(rule),
                       .where = std::move(where),
                       .need = need,
                       .have = have,
                       .unit = std::move(unit),
                       .given = given});
    return broken_.back();
  }

  [[nodiscard]] const char* unpriced() const { return remedies_.unpriced(); }

  /// The rack that has the most of something.
  template <class Figure>
  static const Rack& most(const Build& built, Figure figure) {
    const auto& racks = built.plan.racks;
    return *std::max_element(racks.begin(), racks.end(),
                             [&](const Rack& a, const Rack& b) { return figure(a) < figure(b); });
  }

  void check_racks() {
    const auto power = [](const Rack& rack) { return kw(rack.power); };
    const auto kg = [](const Rack& rack) { return rack.kg; };
    const Limit limit = [this](const Site& site) { return kw(rack_limit(hardware_, site)); };
    const Rack& hottest = most(built_, power);
    if (power(hottest) > limit(site_) * (1 + 1e-9)) {
      Broken& broken =
          add("rack-power", hottest.name, power(hottest), limit(site_), "kW", {"rack_kW"});
      Site stronger = site_;
      stronger.rack_kw = std::ceil(power(hottest) - site_.rack_door_kw);
      broken.remedy = remedies_.of_rack(
          hottest, [&](const Build& built) { return power(most(built, power)); }, limit,
          {{"racks of " + grouped(*stronger.rack_kw, 0) + " kW", stronger}});
    }
    check_air();
    const Rack& heaviest = most(built_, kg);
    if (site_.rack_kg && kg(heaviest) > *site_.rack_kg) {
      Broken& broken =
          add("rack-weight", heaviest.name, kg(heaviest), *site_.rack_kg, "kg", {"rack_kg"});
      Site stronger = site_;
      stronger.rack_kg = std::ceil(kg(heaviest) / 50) * 50;
      broken.remedy = remedies_.of_rack(
          heaviest, [&](const Build& built) { return kg(most(built, kg)); },
          [](const Site& site) { return *site.rack_kg; },
          {{"racks that carry " + grouped(*stronger.rack_kg, 0) + " kg", stronger}});
    }
  }

  /// A rack may be given more power than air carries away.
  void check_air() {
    const auto air = [](const Rack& rack) { return kw(rack.power - rack.liquid); };
    const Limit limit = [](const Site& site) { return kAirRackKw + site.rack_door_kw; };
    const Rack& worst = most(built_, air);
    if (air(worst) <= limit(site_) * (1 + 1e-9)) return;
    Broken& broken =
        add("rack-air", worst.name, air(worst), limit(site_), "kW into air", {"rack_door_kW"});
    Site cooler = site_, door = site_;
    cooler.rack_kw = kAirRackKw;
    door.rack_door_kw += std::ceil(air(worst) - limit(site_));
    // As much power as before: the door is there for the heat.
    door.rack_kw = kw(rack_limit(hardware_, site_)) - door.rack_door_kw;
    std::vector<Remedies::Other> others{{"racks of " + grouped(kAirRackKw, 0) + " kW", cooler}};
    if (*door.rack_kw > 0) {
      others.push_back(
          {"rear-door heat exchangers of " + grouped(door.rack_door_kw, 0) + " kW", door});
    }
    broken.remedy = remedies_.of_rack(
        worst, [&](const Build& built) { return air(most(built, air)); }, limit, others);
  }

  void check_trays() {
    const Trays& trays = built_.trays;
    if (trays.overfilled == 0) return;
    const double row = trays.fill(trays.fullest_row), cross = trays.fill(trays.fullest_cross);
    const double most = std::max(row, cross);
    Broken& broken = add("tray-fill", row > cross ? "a row tray" : "a cross tray",
                         100 * most * site_.tray_fill, 100 * site_.tray_fill, "% of its section",
                         {"tray_fill", "tray_width_m", "tray_depth_m"});
    broken.remedy = grouped(std::ceil(most - 1e-9), 0) + " tiers of " +
                    grouped(site_.tray_width_m, 2) + " × " + grouped(site_.tray_depth_m, 2) + " m" +
                    unpriced();
    Site closer = site_;
    closer.bay_racks = std::max(4.0, std::floor(site_.bay_racks / 4) * 2);
    if (closer.bay_racks >= site_.bay_racks) return;
    const std::string with =
        remedies_.healed(closer, [](const Build& built) { return built.trays.overfilled == 0; });
    if (!with.empty()) {
      broken.remedy +=
          "; or bays of " + grouped(closer.bay_racks, 0) + " racks, twice the cross trays: " + with;
    }
  }

  void check_busways() {
    const auto& rows = built_.power.by_row;
    const auto worst =
        std::max_element(rows.begin(), rows.end(),
                         [](const RowPower& a, const RowPower& b) { return a.power < b.power; });
    const double limit = kw(built_.power.busway);
    if (worst == rows.end()) return;
    const double need = kw(of_each_feed(worst->power, site_.feeds));
    if (need <= limit * (1 + 1e-9)) return;
    Broken& broken = add("row-busway", "row " + worst->row, need, limit, "kW",
                         {"busway_amps", "volts", "breaker_share"});
    const double number = std::ceil(need / limit - 1e-9);
    broken.remedy = grouped(number, 0) + " busways a feed over each row block" + unpriced();
    Site shorter = site_;
    shorter.block_racks =
        std::floor(site_.block_racks / number / site_.bay_racks) * site_.bay_racks;
    if (shorter.block_racks < site_.bay_racks || shorter.row_blocks) return;
    const std::string with = remedies_.healed(shorter, [&](const Build& built) {
      return std::all_of(built.power.by_row.begin(), built.power.by_row.end(),
                         [&](const RowPower& row) {
                           return kw(of_each_feed(row.power, site_.feeds)) <= limit * (1 + 1e-9);
                         });
    });
    if (!with.empty()) {
      broken.remedy += "; or row blocks of " + grouped(shorter.block_racks, 0) + " racks: " + with;
    }
  }

  /// Megawatts of each hall, cooling included.
  [[nodiscard]] std::vector<double> halls(const Build& built) const {
    std::vector<double> all(built.floor.halls(), 0);
    for (std::size_t i = 0; i < built.plan.racks.size(); ++i) {
      all[built.floor.hall(built.places[i])] +=
          (built.plan.racks[i].power * site_.pue).in(1e6 * units::W);
    }
    return all;
  }
  [[nodiscard]] std::string at_pue(double megawatts) const {
    return grouped(megawatts / site_.pue, 2) + " MW of IT at PUE " + grouped(site_.pue, 2);
  }

  void check_halls() {
    const std::vector<double> all = halls(built_);
    const auto worst = std::max_element(all.begin(), all.end());
    if (site_.hall_mw && *worst > *site_.hall_mw) {
      const std::int64_t hall = worst - all.begin();
      Broken& broken = add("hall-power", "hall " + std::to_string(hall + 1), *worst, *site_.hall_mw,
                           "MW", {"hall_MW"});
      broken.why = at_pue(*worst);
      broken.remedy = of_hall(hall, *worst);
    }
    const Load facility = [](const Build& built) {
      return built.power.facility.in(1e6 * units::W);
    };
    if (site_.facility_mw && facility(built_) > *site_.facility_mw) {
      const double need = facility(built_);
      Broken& broken = add("facility-power", "the building", need, *site_.facility_mw, "MW",
                           {"facility_MW", "pue"});
      broken.why = at_pue(need);
      broken.remedy =
          remedies_.of_power(facility, *site_.facility_mw, [](std::size_t) { return true; });
      const auto gpus = static_cast<std::int64_t>(static_cast<double>(hardware_.gpus) *
                                                  *site_.facility_mw / need);
      broken.remedy += (broken.remedy.empty() ? "" : "; ") +
                       std::string("by proportion, not built: about ") + grouped(gpus) + " GPUs";
    }
  }

  /// More halls with fewer racks each, or nodes that draw less.
  [[nodiscard]] std::string of_hall(std::int64_t hall, double need) const {
    const double share = *site_.hall_mw / need;
    std::int64_t number = 0;
    const auto holds = [&](const Build& with) {
      number = with.floor.halls();
      const std::vector<double> all = halls(with);
      return *std::max_element(all.begin(), all.end()) <= *site_.hall_mw * (1 + 1e-9);
    };
    Site more = site_;
    more.rows_per_hall = std::ceil(static_cast<double>(built_.floor.rows()) /
                                   static_cast<double>(built_.floor.halls()));
    const double rows = *more.rows_per_hall;
    more.rows_per_hall = std::floor(std::min(rows - 1, rows * share) / 2) * 2;
    for (int tries = 0; tries < 4 && *more.rows_per_hall >= 2; ++tries, *more.rows_per_hall -= 2) {
      if (const std::string with = remedies_.healed(more, holds); !with.empty()) {
        return grouped(number) + " halls of " + grouped(*more.rows_per_hall, 0) + " rows: " + with;
      }
    }
    Site shorter = site_;
    shorter.row_blocks = 1;
    shorter.rows_per_hall = site_.rows_per_hall.value_or(2);
    const bool free = !site_.row_blocks && !site_.rows;
    for (double racks = site_.block_racks - site_.bay_racks; free && racks >= site_.bay_racks;
         racks -= site_.bay_racks) {
      shorter.block_racks = racks;
      if (const std::string with = remedies_.healed(shorter, holds); !with.empty()) {
        return grouped(number) + " halls with rows of " + grouped(racks, 0) + " racks: " + with;
      }
    }
    const Load load = [this](const Build& built) {
      const std::vector<double> all = halls(built);
      return *std::max_element(all.begin(), all.end());
    };
    return remedies_.of_power(load, *site_.hall_mw, [&](std::size_t rack) {
      return built_.floor.hall(built_.places[rack]) == hall;
    });
  }

  void check_chain() {
    for (const CarriedUnit& unit : built_.power.chain) {
      if (!unit.broken()) continue;
      const std::string when = unit.lost.empty() ? "" : " when " + unit.lost + " is lost";
      add("power-chain", unit.name + when, kw(unit.worst), kw(unit.limit), "kW", {"power_units"})
          .remedy = remedies_.of_chain(unit);
    }
  }

  void check_feeds() {
    const Chassis& chassis = hardware_.chassis;
    const auto feeds = static_cast<std::int64_t>(site_.feeds);
    const bool known = chassis.psus && chassis.psus_needed;
    if (!known && feeds < 2) {
      add("feed-loss", "every rack", 2, 1, "feeds", {"feeds"}).remedy =
          std::string("2 feeds: switches then live when one is lost, of nodes it is not known") +
          unpriced();
    }
    if (!known || survives_a_feed(*chassis.psus, *chassis.psus_needed, feeds)) return;
    const std::int64_t left = *chassis.psus - ceil_div(*chassis.psus, feeds);
    Broken& broken = add("feed-loss", "every node", static_cast<double>(*chassis.psus_needed),
                         static_cast<double>(left), "power supplies on the feeds left", {"feeds"});
    if (const auto more = feeds_to_survive(*chassis.psus, *chassis.psus_needed, feeds)) {
      broken.remedy = grouped(*more) + " feeds: a node then lives when one is lost" + unpriced();
    }
  }

  /// Of each loop of cooling units any one may be lost, unless the site asks for none in reserve.
  void check_cooling() {
    const auto short_loops = [](const Build& built) {
      const auto& loops = built.plan.loops;
      return std::count_if(loops.begin(), loops.end(),
                           [](const CoolingLoop& loop) { return loop.units == loop.needed; });
    };
    const std::int64_t loops = short_loops(built_);
    if (loops > 0 && site_.cdu_reserve.value_or(1) > 0) {
      const CoolingLoop& first = built_.plan.loops.front();
      Broken& broken =
          add("cooling-loss",
              loops == 1 ? "the cooling unit" : "each of " + grouped(loops) + " cooling units",
              static_cast<double>(first.needed), static_cast<double>(first.units - 1),
              "other on its loop to take its place", {"cdu_reserve"});
      Site more = site_;
      more.cdu_reserve = 1;
      const std::string with =
          remedies_.healed(more, [&](const Build& built) { return short_loops(built) == 0; });
      if (!with.empty()) {
        broken.remedy =
            "one more for each unit's loop (cdu_reserve 1)" + std::string(unpriced()) + ": " + with;
      }
    }
    check_cooling_load();
  }

  /// What a cooling unit beside racks carries, with one of its loop lost where it has a reserve.
  void check_cooling_load() {
    if (built_.plan.loops.empty()) return;  // the hall has as many as the heat needs
    const double limit = kw(built_.power.cdu_limit);
    std::int64_t racks = 0;  // for each unit, as they then stand
    const auto holds = [&](const Build& built) {
      racks = 0;
      for (const CoolingLoop& loop : built.plan.loops) {
        const auto served = static_cast<std::int64_t>(loop.racks.size());
        racks = std::max(racks, (served + loop.needed - 1) / loop.needed);
      }
      return kw(built.power.cdu_heat) <= limit * (1 + 1e-9);
    };
    if (holds(built_)) return;
    const std::int64_t before = racks;
    Broken& broken = add("cooling-load", "the hottest cooling unit", kw(built_.power.cdu_heat),
                         limit, "kW of heat", {"cdu_reserve", "cdu_kW"});
    Hardware fewer = hardware_;
    while (--fewer.chassis.racks_per_sidecar > 0) {
      const std::string with = remedies_.healed(site_, fewer, holds);
      if (with.empty()) continue;
      broken.remedy = "one for " + grouped(racks) + " racks in place of " + grouped(before) +
                      unpriced() + ": " + with;
      return;
    }
  }

  /// The ports of one card on different racks, feeds and cross trays, so that none cuts it off.
  void check_planes() {
    const std::vector<Way> ways = ways_of_cards(built_);
    const auto check = [&](std::int64_t Way::*part, const char* parts,
                           std::initializer_list<const char*> keys) -> Broken* {
      const auto cards =
          std::count_if(ways.begin(), ways.end(), [&](const Way& way) { return way.*part >= 0; });
      if (cards == 0) return nullptr;
      return &add("planes-apart", "each of " + grouped(cards) + " network cards", 2, 1, parts,
                  keys);
    };
    if (Broken* const racks = check(&Way::rack, "racks of switches for its ports", {})) {
      racks->remedy = racks_apart(site_, remedies_);
    }
    if (site_.feeds < 2) {
      if (Broken* const rows = check(&Way::row, "feeds under its switches", {"feeds"})) {
        rows->remedy = std::string("2 feeds: switches then live when one is lost") + unpriced();
      }
    }
    if (Broken* const trays = check(&Way::tray, "cross trays for its cables", {})) {
      trays->remedy = trays_apart(built_, hardware_, site_, media_, remedies_);
    }
  }

  void check_reach() {
    const BeyondReach& beyond = built_.laid.beyond;
    if (beyond.cables == 0) return;
    Broken& broken =
        add("reach", "layer " + beyond.layer, beyond.longest_m, beyond.reach_m, "m", {"media"});
    const auto reached = [](const Build& with) { return with.laid.beyond.cables == 0; };
    for (const SwitchPosition position :
         {SwitchPosition::mid_row, SwitchPosition::network_row, SwitchPosition::tor}) {
      if (site_.switch_position == position) continue;
      Site other = site_;
      other.switch_position = position;
      const std::string with = remedies_.healed(other, reached);
      if (with.empty()) continue;
      broken.remedy = "switches at " + std::string{name_of(position)} + ": " + with;
      return;
    }
  }

  const Build& built_;
  const Hardware& hardware_;
  const Site& site_;
  const Media& media_;
  Remedies remedies_;
  std::set<std::string> given_;
  std::vector<Broken> broken_;
};

}  // namespace

std::vector<Broken> broken_rules(const Build& built, const Hardware& hardware, const Site& site,
                                 const Media& media, const BuildOptions& options,
                                 const std::vector<std::string>& given) {
  return Rules(built, hardware, site, media, options, given).all();
}

}  // namespace planner::site
