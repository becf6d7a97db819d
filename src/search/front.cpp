#include "planner/search/front.hpp"

#include <algorithm>
#include <limits>

namespace planner::inline search {

std::size_t ParetoFront::first_above(double bytes) const {
  const auto above = std::upper_bound(
      steps_.begin(), steps_.end(), bytes,
      [](double size, const Candidate& step) { return size < step.ranked.memory.si(); });
  return static_cast<std::size_t>(above - steps_.begin());
}

double ParetoFront::least_time_within(double bytes) const {
  const std::size_t above = first_above(bytes);
  return above == 0 ? std::numeric_limits<double>::infinity() : steps_[above - 1].ranked.time.si();
}

void ParetoFront::offer(const Candidate& candidate) {
  const Ranked& newcomer = candidate.ranked;
  std::size_t at = first_above(newcomer.memory.si());
  if (at > 0) {
    const Candidate& below = steps_[at - 1];
    if (below.ranked.time < newcomer.time) return;
    const bool equal = below.ranked.time == newcomer.time && below.ranked.memory == newcomer.memory;
    if (below.ranked.time == newcomer.time && !(equal && candidate.column < below.column)) return;
    if (below.ranked.memory == newcomer.memory) --at;
  }
  const auto begin = steps_.begin() + static_cast<std::ptrdiff_t>(at);
  const auto beaten_end = std::find_if(
      begin, steps_.end(), [&](const Candidate& step) { return step.ranked.time < newcomer.time; });
  steps_.insert(steps_.erase(begin, beaten_end), candidate);
}

}  // namespace planner::search
