#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "planner/site/floor.hpp"
#include "planner/site/flows.hpp"
#include "planner/site/racks.hpp"

namespace planner::site {

/// The place of each rack.
using Places = std::vector<std::int32_t>;

/// Metres in trays of all cables between racks.
double tray_metres(const Rows& flows, const Floor& floor, const Places& places);

/// Bays that the groups take, with `per_bay` racks other than hubs in each.
std::int64_t bays_of(const Group& group, std::int64_t per_bay);

/// Ways to put groups side by side.
struct Pattern {
  bool own_bays = false;  ///< the top tier stands in bays of its own, not in spare network places
  bool compact = false;   ///< no bay more than needed, those nearest the middle
  bool late = false;      ///< of cuts that are as good, the last
};

/// What a floor must have for the groups side by side.
FloorNeed need_of(const RackPlan& plan, const Site& site, const Pattern& pattern);

/// Groups take compact sets of bays, by halving the longer side at a row or bay boundary; hubs take
/// the network places nearest the middle of their group's bays. Regular: people can walk it.
Places place_groups(const RackPlan& plan, const Site& site, const Floor& floor,
                    const Pattern& pattern);

/// Racks in the order of the bill, row by row.
Places place_naively(const RackPlan& plan, const Floor& floor);

/// What a cable is worth by its metres in trays: metres, and a step where a dearer medium begins.
struct Worth {
  std::vector<double> steps_at;  ///< metres in trays
  double step = 0;               ///< metres

  [[nodiscard]] double operator()(double metres) const {
    double sum = metres;
    for (const double at : steps_at) sum += metres > at ? step : 0;
    return sum;
  }
};

struct SwapOptions {
  bool free = false;  ///< any two racks, and racks with free places; else nodes with nodes, and
                      ///< switches with switches and free network places
  std::int64_t rounds = 0;  ///< at most
  std::uint64_t seed = 1;   ///< of the kicks that leave a local optimum
  std::int64_t kicks = 0;
  std::function<bool()> stop{};  ///< asked after each round
  /// Told after each round and kick: how many of them are done, and are to be done at most.
  std::function<void(std::int64_t done, std::int64_t total)> progress{};
};

struct Swapped {
  Places places;
  std::int64_t swaps = 0, rounds = 0;
  double worth = 0;   ///< of all cables together
  bool tried = true;  ///< false: too many racks for it
};

/// Beyond this many racks × places, swaps are not tried: they would take too much memory.
inline constexpr std::int64_t kMostSwapCells = 30'000'000;

/// Swaps pairs of racks while the sum falls (a quadratic assignment): in each round the best swap
/// of every rack, best first. No clock: the same input gives the same places.
Swapped swap_racks(const RackPlan& plan, const Rows& flows, const Floor& floor, Places places,
                   const Worth& worth, const SwapOptions& options);

}  // namespace planner::site
