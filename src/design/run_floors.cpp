#include "planner/design/run_floors.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "planner/design/rounding.hpp"

namespace planner::design {

namespace {

/// Laws of runs are summed up on cells of their own, of a few thousandths of the time.
constexpr double kCellsApart = 0.99;

/// A design's parts and recovery where nothing of the network fails and a spare is always at hand.
/// A card stands idle only with its GPUs; nodes of a job that uses a part of each are more.
ReliabilitySettings least_of(const Space& space, const SystemOption& option, std::int64_t used) {
  ReliabilitySettings least = space.failures->recovery;
  const Node& node = option.node;
  least.nics = least.nics ? 0 : used * node.nics / node.accelerators;
  for (auto* const of_network :
       {&least.switches, &least.upper_switches, &least.chassis_switches, &least.feeds}) {
    *of_network = 0;
  }
  least.gpus_per_node = std::min(used, least.gpus_per_node.value_or(node.accelerators));
  for (auto* const of_spares : {&least.spares, &least.spare_pools, &least.crews, &least.swap_unit,
                                &least.tray, &least.spare_trays, &least.shrink}) {
    of_spares->reset();
  }
  least.visits.reset();
  least.hazard.reset();
  return least;
}

}  // namespace

// The load of a job with spares is that of one without but for the hours W waited for them:
//   A = kept·v/(1 + L·D + W + stalls),
// so that its availability is not above that at W = 0; nor is it where more parts can fail. Of its
// run the losses are those of the other one too, some of them with a wait besides. And a run is
// not earlier at any quantile where losses are more or longer: not at known rates and recovery
// times (LuckLaw), nor where this is so in every node of what is not known (outcome_law()), nor
// times the error of the timing model, which has nothing to do with either.
RunFloors::Floor& RunFloors::floor_of(std::size_t system, const UsableCount& count) {
  const Key key{space_.batches[count.batch].run, count.used};
  const auto known = known_[system].find(key);
  if (known != known_[system].end()) return known->second;
  std::vector<std::string> warnings;
  Floor floor{.outlook = job::job_outlook(least_of(space_, space_.systems[system], count.used),
                                          space_.failures->rates, count.used, warnings)};
  return known_[system].emplace(key, std::move(floor)).first->second;
}

// A run of more work is not done earlier.
bool RunFloors::confident_beyond(Floor& floor, Seconds ideal, const Lateness& late, Seconds limit) {
  std::map<Seconds, Seconds>& known = floor.confident;
  const auto next = known.lower_bound(ideal);
  if (next != known.end() && next->second <= limit) return false;
  if (next != known.begin() && std::prev(next)->second > limit) return true;
  if (next != known.end() && next->first == ideal) return true;
  const Seconds least = kCellsApart * confident_time(floor.outlook, ideal, late, share_);
  known.emplace_hint(next, ideal, least);
  return least > limit;
}

// With two access switches it is not only more that fails: how the loss of one is met may be
// another.
bool RunFloors::unknown(Seconds expected, Seconds confident) const {
  return !space_.failures || space_.failures->recovery.access == AccessLinks::dual_tor ||
         std::min(expected, confident) == kNever;
}

bool RunFloors::beyond(std::size_t system, const UsableCount& count, Seconds ideal,
                       Seconds expected, Seconds confident) {
  if (unknown(expected, confident)) return false;
  Floor& floor = floor_of(system, count);
  const Seconds mean = kRounding * (ideal / floor.outlook.goodput.availability);
  if (mean > expected || mean > confident) return true;
  return confident < kNever && confident_beyond(floor, ideal, *count.late, confident);
}

// What is confident of a run grows about as it does: of the first run that is beyond the limit it
// says which others are, until one is within.
Seconds RunFloors::longest(std::size_t system, const UsableCount& count, Seconds most,
                           Seconds expected, Seconds confident) {
  constexpr double kClose = 1.002;
  constexpr double kRoom = 1 + 1e-8;  // of rounding
  if (unknown(expected, confident)) return most;
  Floor& floor = floor_of(system, count);
  Seconds longest =
      std::min(most, kRoom * floor.outlook.goodput.availability * std::min(expected, confident));
  if (confident == kNever || !(longest > Seconds{})) return longest;
  if (!confident_beyond(floor, longest, *count.late, confident)) return longest;
  for (;;) {
    const auto first =
        std::find_if(floor.confident.begin(), floor.confident.end(),
                     [confident](const auto& known) { return known.second > confident; });
    longest = std::min(longest, first->first);
    Seconds next = kClose * (confident / first->second) * longest, within{};
    if (first != floor.confident.begin()) {
      within = std::prev(first)->first;
      next = Seconds{std::sqrt(within.si() * longest.si())};
    }
    if (longest <= kClose * std::max(within, next)) return longest;
    confident_beyond(floor, next, *count.late, confident);
  }
}

void RunFloors::forget() {
  for (auto& of_system : known_) of_system.clear();
}

}  // namespace planner::design
