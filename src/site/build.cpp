#include "planner/site/build.hpp"

#include <algorithm>
#include <utility>

#include "planner/site/bound.hpp"
#include "planner/site/filler.hpp"

namespace planner::site {
namespace {

constexpr std::int64_t kRounds = 400;
/// Kicks cost as much as there are racks: so many racks × kicks at most.
constexpr std::int64_t kRegularKicked = 400'000, kSearchedKicked = 1'500'000;
constexpr std::int64_t kMostKicks = 5000;
/// Beyond so many racks the regular arrangement is found without kicks, from one pattern.
constexpr std::int64_t kFewRacks = 1500;

std::int64_t kicks_for(const RackPlan& plan, std::int64_t kicked) {
  const auto racks = std::max<std::int64_t>(1, static_cast<std::int64_t>(plan.racks.size()));
  return racks > kFewRacks && kicked == kRegularKicked ? 0 : std::min(kMostKicks, kicked / racks);
}
constexpr double kUsualDrops = 5;  // metres, where a medium's reach is compared with tray metres

Worth worth_of(const Site& site, const Media& media) {
  Worth worth{.steps_at = {}, .step = site.medium_step_m};
  double reach = 0;
  for (const Medium& medium : media.all) {
    if (medium.is_copper()) continue;
    if (reach > 0 && medium.reach_m > reach) worth.steps_at.push_back(reach - kUsualDrops);
    reach = std::max(reach, medium.reach_m);
  }
  return worth;
}

struct Placed {
  Floor floor;
  Places places;
  double worth = 0;  ///< of all cables, in metres
  std::int64_t swaps = 0;
  bool tried = true;
};

/// Groups side by side in each pattern, the best first.
std::vector<Placed> patterns(const RackPlan& plan, const Rows& flows, const Site& site) {
  std::vector<Placed> all;
  for (int way = 0; way < 8; ++way) {
    const Pattern pattern{
        .own_bays = (way & 4) != 0, .compact = (way & 2) != 0, .late = (way & 1) != 0};
    auto floor = Floor::with_room(site, need_of(plan, site, pattern));
    if (!floor) continue;
    Places places = place_groups(plan, site, *floor, pattern);
    const double metres = tray_metres(flows, *floor, places);
    all.push_back({.floor = *std::move(floor), .places = std::move(places), .worth = metres});
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Placed& a, const Placed& b) { return a.worth < b.worth; });
  return all;
}

/// The pattern that is best after swaps within classes, of those on the smallest floor.
std::optional<Placed> place_regularly(const RackPlan& plan, const Rows& flows, const Site& site,
                                      const Worth& worth, const BuildOptions& options) {
  std::vector<Placed> all = patterns(plan, flows, site);
  if (all.empty()) return std::nullopt;
  double least = all.front().floor.area();
  for (const Placed& one : all) least = std::min(least, one.floor.area());
  std::erase_if(all, [&](const Placed& one) { return one.floor.area() > least; });
  if (static_cast<std::int64_t>(plan.racks.size()) > kFewRacks) {
    all.erase(all.begin() + 1, all.end());
  }
  if (options.arrangement == Arrangement::naive || !options.swaps) return std::move(all.front());
  const auto swap = [&](Placed& placed, std::int64_t kicks) {
    Swapped swapped = swap_racks(plan, flows, placed.floor, std::move(placed.places), worth,
                                 {.free = false,
                                  .rounds = kRounds,
                                  .seed = options.seed,
                                  .kicks = kicks,
                                  .stop = options.stop,
                                  .progress = options.progress});
    placed.places = std::move(swapped.places);
    placed.swaps += swapped.swaps;
    placed.tried = swapped.tried;
    if (swapped.tried) placed.worth = swapped.worth;
  };
  for (Placed& placed : all) swap(placed, 0);
  Placed& best = *std::min_element(
      all.begin(), all.end(), [](const Placed& a, const Placed& b) { return a.worth < b.worth; });
  if (const std::int64_t kicks = kicks_for(plan, kRegularKicked); kicks > 0) swap(best, kicks);
  return std::move(best);
}

NoBuild too_small(const RackPlan& plan, const Site& site) {
  const double have = site.rows.value_or(0) * site.row_blocks.value_or(1) * site.block_racks;
  return {.why = NoBuild::Why::floor_too_small,
          .need = static_cast<double>(plan.racks.size()),
          .have = have,
          .unit = "racks"};
}

}  // namespace

std::int64_t Build::empty_rows() const {
  std::vector<char> used(static_cast<std::size_t>(floor.rows()), 0);
  for (const std::int32_t place : places) used[static_cast<std::size_t>(floor.row(place))] = 1;
  return std::count(used.begin(), used.end(), 0);
}

std::variant<Build, NoBuild> build(const Hardware& hardware, const Site& site, const Media& media,
                                   const BuildOptions& options) {
  if (hardware.links() > kMostCables) {
    return NoBuild{.why = NoBuild::Why::too_large,
                   .need = static_cast<double>(hardware.links()),
                   .have = static_cast<double>(kMostCables),
                   .unit = "cables"};
  }
  if (const Packing packing = pack(hardware, site); packing.nodes == 0) {
    NoBuild none{.why = NoBuild::Why::node_fits_no_rack};
    switch (packing.bound_by) {
      case RackLimit::power:
        none.need = node_draw(hardware).in(1000 * units::W);
        none.have = rack_limit(hardware, site).in(1000 * units::W);
        none.unit = "kW";
        break;
      case RackLimit::weight:
        none.need = hardware.chassis.kg + site.empty_rack_kg;
        none.have = *site.rack_kg;
        none.unit = "kg";
        break;
      default:
        none.need = static_cast<double>(hardware.node_units);
        none.have = site.rack_units;
        none.unit = "rack units";
    }
    return none;
  }
  if (const double racks = racks_without_switches(hardware, site);
      racks > static_cast<double>(kMostRacks)) {
    return NoBuild{.why = NoBuild::Why::too_large,
                   .need = racks,
                   .have = static_cast<double>(kMostRacks),
                   .unit = "racks"};
  }
  Wiring wiring = wire(hardware.network.design, hardware.network.count);
  for (const NetworkHardware& network : hardware.beside) {
    add_network(wiring, network.name, wire(network.design, network.count));
  }
  RackPlan plan = fill_racks(hardware, site, std::move(wiring));
  Rows flows = all_flows(plan);
  const Worth worth = worth_of(site, media);
  auto placed = place_regularly(plan, flows, site, worth, options);
  if (!placed) return too_small(plan, site);
  Build built{.plan = std::move(plan),
              .flows = std::move(flows),
              .floor = std::move(placed->floor),
              .places = std::move(placed->places),
              .swaps = placed->swaps,
              .swaps_tried = placed->tried};
  const RackPlan& racks = built.plan;
  if (options.arrangement == Arrangement::naive) built.places = place_naively(racks, built.floor);
  if (options.arrangement == Arrangement::searched) {
    Swapped swapped = swap_racks(racks, built.flows, built.floor, std::move(built.places), worth,
                                 {.free = true,
                                  .rounds = kRounds,
                                  .seed = options.seed,
                                  .kicks = kicks_for(racks, kSearchedKicked),
                                  .stop = options.stop,
                                  .progress = options.progress});
    built.swaps += swapped.swaps;
    built.places = std::move(swapped.places);
  }
  built.laid = lay_cables(racks, hardware, site, built.floor, built.places, media);
  draw_by_medium(hardware, built.laid, built.plan);
  built.trays =
      fill_trays(racks, hardware.chassis, site, built.floor, built.places, built.laid, media);
  built.power = power_of(racks, hardware.chassis, site, built.floor, built.places);
  built.notes = racks.wiring.notes;
  if (!options.judged) return built;
  built.domains = failure_domains(racks, hardware, site, built.floor, built.places, built.power);
  built.bound_m = least_tray_metres(racks, built.floor) +
                  Lengths(racks, site, built.floor, built.places).fixed_metres();
  return built;
}

}  // namespace planner::site
