#include <iterator>

#include "planner/design/rounding.hpp"
#include "planner/design/uses.hpp"

// What is known of one cluster after the other.
namespace planner::design {

std::optional<Seconds> LeastOfClusters::within(Seconds limit, std::int64_t gpus) const {
  const auto known = known_.lower_bound(gpus);
  if (known != known_.end() && known->second.from <= gpus) return known->second.least;
  const auto beyond = beyond_.lower_bound(gpus);
  return beyond != beyond_.end() && beyond->second >= limit ? std::optional(kNever) : std::nullopt;
}

void LeastOfClusters::is_beyond(Seconds limit, std::int64_t upto) {
  const auto behind = beyond_.upper_bound(upto);
  for (auto at = beyond_.begin(); at != behind;) {
    at = at->second <= limit ? beyond_.erase(at) : std::next(at);
  }
  beyond_[upto] = limit;
}

void FastestUses::add(std::int64_t gpus, const Known& use) {
  if (const Known* const known = of(gpus); known != nullptr && known->time <= use.time) return;
  auto behind = known_.insert_or_assign(gpus, use).first;
  for (++behind; behind != known_.end() && behind->second.time >= use.time;) {
    behind = known_.erase(behind);
  }
}

const FastestUses::Known* FastestUses::of(std::int64_t gpus) const {
  const auto behind = known_.upper_bound(gpus);
  return behind == known_.begin() ? nullptr : &std::prev(behind)->second;
}

}  // namespace planner::design
