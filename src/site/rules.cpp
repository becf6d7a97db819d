#include <algorithm>
#include <cmath>
#include <set>

#include "planner/site/build.hpp"

namespace planner::site {
namespace {

double kw(Watts power) {
  return power.in(1000 * units::W);
}

/// Rounded as tables round.
std::string text(double value, int digits = 1) {
  const double scale = std::pow(10.0, digits);
  std::string all = std::to_string(std::round(value * scale) / scale);
  const std::size_t point = all.find('.');
  all.resize(point + (digits > 0 ? static_cast<std::size_t>(digits) + 1 : 0));
  return all;
}

class Rules {
 public:
  Rules(const Build& built, const Hardware& hardware, const Site& site, const Media& media,
        const BuildOptions& options, const std::vector<std::string>& given)
      : built_(built), hardware_(hardware), site_(site), media_(media), options_(options) {
    given_.insert(given.begin(), given.end());
    options_.arrangement = std::min(options_.arrangement, Arrangement::regular);
    options_.judged = false;
    // Large ones are tried as groups fall: swaps would only make them better.
    constexpr std::size_t kFewTried = 1500;
    options_.swaps = built.plan.racks.size() <= kFewTried;
  }

  std::vector<Broken> all() {
    check_racks();
    check_trays();
    check_busways();
    check_halls();
    check_chain();
    check_feeds();
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

  /// What a remedy that was built leads to, and what it costs.
  [[nodiscard]] std::string outcome(const Build& tried) const {
    return std::to_string(tried.plan.racks.size()) + " racks, longest cable " +
           text(tried.laid.longest_m) + " m" +
           (options_.priced ? ", " + options_.priced(tried) : std::string());
  }
  /// Of what no price book knows.
  [[nodiscard]] const char* unpriced() const { return options_.priced ? " (no price)" : ""; }

  /// The build with another site; nothing where there is none.
  [[nodiscard]] std::optional<Build> tried(const Site& site) const {
    auto result = build(hardware_, site, media_, options_);
    if (auto* const found = std::get_if<Build>(&result)) return std::move(*found);
    return std::nullopt;
  }

  void check_racks() {
    const double limit = kw(rack_limit(hardware_, site_));
    const Rack* hottest = nullptr;
    const Rack* heaviest = nullptr;
    for (const Rack& rack : built_.plan.racks) {
      if (hottest == nullptr || rack.power > hottest->power) hottest = &rack;
      if (heaviest == nullptr || rack.kg > heaviest->kg) heaviest = &rack;
    }
    if (kw(hottest->power) > limit * (1 + 1e-9)) {
      add("rack-power", hottest->name, kw(hottest->power), limit, "kW", {"rack_kW"});
    }
    check_air();
    if (site_.rack_kg && heaviest->kg > *site_.rack_kg) {
      add("rack-weight", heaviest->name, heaviest->kg, *site_.rack_kg, "kg", {"rack_kg"});
    }
  }

  /// A rack may be given more power than air carries away.
  void check_air() {
    const auto air = [](const Rack& rack) { return rack.power - rack.liquid; };
    const auto& racks = built_.plan.racks;
    const auto worst = std::max_element(
        racks.begin(), racks.end(), [&](const Rack& a, const Rack& b) { return air(a) < air(b); });
    const double limit = kAirRackKw + site_.rack_door_kw;
    if (kw(air(*worst)) <= limit * (1 + 1e-9)) return;
    Broken& broken =
        add("rack-air", worst->name, kw(air(*worst)), limit, "kW into air", {"rack_door_kW"});
    Site cooler = site_;
    cooler.rack_kw = kAirRackKw;
    if (const auto with = tried(cooler)) {
      broken.remedy = "racks of " + text(kAirRackKw, 0) + " kW: " + outcome(*with);
    }
  }

  void check_trays() {
    const Trays& trays = built_.trays;
    if (trays.overfilled == 0) return;
    const double row = trays.fill(trays.fullest_row), cross = trays.fill(trays.fullest_cross);
    const double most = std::max(row, cross);
    Broken& broken = add("tray-fill", row > cross ? "a row tray" : "a cross tray",
                         100 * most * site_.tray_fill, 100 * site_.tray_fill, "% of its section",
                         {"tray_fill", "tray_width_m", "tray_depth_m"});
    broken.remedy = std::to_string(static_cast<std::int64_t>(std::ceil(most - 1e-9))) +
                    " tiers of " + text(site_.tray_width_m, 2) + " × " +
                    text(site_.tray_depth_m, 2) + " m" + unpriced();
    Site closer = site_;
    closer.bay_racks = std::max(4.0, std::floor(site_.bay_racks / 4) * 2);
    if (closer.bay_racks >= site_.bay_racks) return;
    if (const auto with = tried(closer); with && with->trays.overfilled < trays.overfilled) {
      broken.remedy += "; or bays of " + text(closer.bay_racks, 0) +
                       " racks, twice the cross trays: " + std::to_string(with->trays.overfilled) +
                       " stretches over, " + outcome(*with);
    }
  }

  void check_busways() {
    const auto& rows = built_.power.by_row;
    const auto worst =
        std::max_element(rows.begin(), rows.end(),
                         [](const RowPower& a, const RowPower& b) { return a.power < b.power; });
    const double limit = kw(built_.power.busway);
    if (worst == rows.end() || kw(worst->power) <= limit * (1 + 1e-9)) return;
    Broken& broken = add("row-busway", "row " + worst->row, kw(worst->power), limit, "kW",
                         {"busway_amps", "volts", "breaker_share"});
    const double number = std::ceil(kw(worst->power) / limit - 1e-9);
    broken.remedy = text(number, 0) + " busways a feed over each row block" + unpriced();
    Site shorter = site_;
    shorter.block_racks =
        std::floor(site_.block_racks / number / site_.bay_racks) * site_.bay_racks;
    if (shorter.block_racks < site_.bay_racks || shorter.row_blocks) return;
    if (const auto with = tried(shorter)) {
      broken.remedy +=
          "; or row blocks of " + text(shorter.block_racks, 0) + " racks: " + outcome(*with);
    }
  }

  void check_halls() {
    std::vector<Watts> halls(built_.floor.halls());
    for (std::size_t i = 0; i < built_.plan.racks.size(); ++i) {
      halls[built_.floor.hall(built_.places[i])] += built_.plan.racks[i].power * site_.pue;
    }
    const auto worst = std::max_element(halls.begin(), halls.end());
    const double need = worst->in(1e6 * units::W);
    if (site_.hall_mw && need > *site_.hall_mw) {
      Broken& broken = add("hall-power", "hall " + std::to_string(worst - halls.begin() + 1), need,
                           *site_.hall_mw, "MW", {"hall_MW"});
      Site more = site_;
      const double rows =
          static_cast<double>(built_.floor.rows()) / static_cast<double>(halls.size());
      more.rows_per_hall = std::floor(rows * *site_.hall_mw / need / 2) * 2;
      if (*more.rows_per_hall >= 2) {
        if (const auto with = tried(more)) {
          broken.remedy = std::to_string(with->floor.halls()) + " halls of " +
                          text(*more.rows_per_hall, 0) + " rows: " + outcome(*with);
        }
      }
    }
    const double facility = built_.power.facility.in(1e6 * units::W);
    if (site_.facility_mw && facility > *site_.facility_mw) {
      Broken& broken = add("facility-power", "the building", facility, *site_.facility_mw, "MW",
                           {"facility_MW", "pue"});
      const double share = *site_.facility_mw / facility;
      const auto gpus = static_cast<std::int64_t>(static_cast<double>(hardware_.gpus) * share);
      broken.remedy =
          "about " + std::to_string(gpus) + " GPUs, or " +
          text(1000 * *site_.facility_mw / site_.pue / static_cast<double>(hardware_.gpus), 2) +
          " kW of IT for each GPU";
    }
  }

  void check_chain() {
    for (const CarriedUnit& unit : built_.power.chain) {
      if (!unit.broken()) continue;
      add("power-chain", unit.name, kw(unit.load), kw(unit.limit), "kW", {"power_units"});
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
    Broken& broken = add("feed-loss", "every node", static_cast<double>(*chassis.psus_needed),
                         static_cast<double>(*chassis.psus - (*chassis.psus + feeds - 1) / feeds),
                         "power supplies on the feeds left", {"feeds"});
    for (std::int64_t more = feeds + 1; more <= *chassis.psus; ++more) {
      if (!survives_a_feed(*chassis.psus, *chassis.psus_needed, more)) continue;
      broken.remedy =
          std::to_string(more) + " feeds: a node then lives when one is lost" + unpriced();
      break;
    }
  }

  /// What the ports of a card may have in common.
  struct Way {
    std::int64_t rack = -1, row = -1, tray = -1;  ///< of its switch; of the cable, negative: none
  };
  [[nodiscard]] Way way_of(const WiredLayer& layer, const Link& link) const {
    const Floor& floor = built_.floor;
    const std::int32_t rack = built_.plan.rack_of[layer.to][link.to];
    const std::int64_t at = built_.places[rack];
    const std::int64_t card = built_.places[built_.plan.rack_of[layer.from][link.from]];
    const std::int64_t block = floor.col(at) / floor.block_racks();
    return {
        .rack = rack,
        .row = floor.row(at) * floor.blocks() + block,
        .tray = floor.row(at) == floor.row(card) ? -1 : floor.via(floor.col(at), floor.col(card))};
  }

  /// The ports of one card on different racks, feeds and cross trays, so that none cuts it off.
  void check_planes() {
    constexpr std::int64_t kApart = -2;
    std::vector<Way> common;
    std::vector<std::int64_t> ports;
    for (const WiredLayer& layer : built_.plan.wiring.layers) {
      if (layer.name != "host") continue;
      common.resize(built_.plan.wiring.kinds[layer.from].count);
      ports.resize(common.size(), 0);
      for (const Link& link : layer.links) {
        const Way way = way_of(layer, link);
        Way& of = common[link.from];
        if (ports[link.from]++ == 0) {
          of = way;
          continue;
        }
        if (of.rack != way.rack) of.rack = kApart;
        if (of.row != way.row) of.row = kApart;
        if (of.tray != way.tray) of.tray = kApart;
      }
    }
    const auto check = [&](std::int64_t Way::*part, const char* parts,
                           std::initializer_list<const char*> keys) {
      std::int64_t cards = 0;
      for (std::size_t i = 0; i < common.size(); ++i) {
        if (ports[i] > 1 && common[i].*part >= 0) ++cards;
      }
      if (cards == 0) return;
      add("planes-apart", "each of " + std::to_string(cards) + " network cards", 2, 1, parts, keys);
    };
    check(&Way::rack, "racks of switches for its ports", {"switches_per_rack"});
    if (site_.feeds < 2) check(&Way::row, "feeds under its switches", {"feeds"});
    check(&Way::tray, "cross trays for its cables", {});
  }

  void check_reach() {
    const BeyondReach& beyond = built_.laid.beyond;
    if (beyond.cables == 0) return;
    Broken& broken =
        add("reach", "layer " + beyond.layer, beyond.longest_m, beyond.reach_m, "m", {"media"});
    for (const SwitchPosition position :
         {SwitchPosition::mid_row, SwitchPosition::network_row, SwitchPosition::tor}) {
      if (site_.switch_position == position) continue;
      Site other = site_;
      other.switch_position = position;
      const auto with = tried(other);
      if (!with || with->laid.beyond.cables > 0) continue;
      broken.remedy = "switches at " + std::string{name_of(position)} + ": " + outcome(*with);
      return;
    }
  }

  const Build& built_;
  const Hardware& hardware_;
  const Site& site_;
  const Media& media_;
  BuildOptions options_;
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
