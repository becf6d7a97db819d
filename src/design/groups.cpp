#include "planner/design/groups.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

#include "planner/design/floor.hpp"
#include "planner/design/used_gpus.hpp"
#include "planner/perf/calibrated/certainty.hpp"

namespace planner::design {

double lateness(const Workload& job, double confidence) {
  const auto interval = time_interval(job, units::second);
  return interval ? excess(1, interval->high.si(), confidence) : 1;
}

namespace {

/// GPUs of the fewest whole domains that hold so many.
std::int64_t gpus_to_hold(std::int64_t hb_domain, std::int64_t used) {
  std::int64_t domains = used;
  for (const DomainUse& use : uses_of(hb_domain, used)) domains = std::min(domains, use.domains);
  return domains * hb_domain;
}

}  // namespace

Groups::Groups(const Space& space, std::uint32_t system, std::uint32_t batch,
               const Question& question, const Judge& judge, const PartsFloor& parts)
    : system_(system),
      batch_(batch),
      networks_(static_cast<std::uint32_t>(space.systems[system].networks.size())) {
  const SystemOption& option = space.systems[system];
  const std::vector<std::int64_t> counts = gpu_counts(option, space.gpus);
  all_ = static_cast<std::int64_t>(counts.size());
  if (counts.empty()) return;
  const std::int64_t most = counts.back();
  Workload job = job_of(space, system, batch, 1);
  const TimeFloor floor(job);
  for (const std::int64_t used : usable_counts(job, most)) {
    const std::int64_t holds = gpus_to_hold(job.system.hb_domain, used);
    if (holds > most) continue;
    job.gpus = used;
    usable_.push_back({.used = used,
                       .bought = holds,
                       .floor = floor.of(used),
                       .late = lateness(job, question.confidence)});
  }
  std::sort(usable_.begin(), usable_.end(), [](const UsableCount& a, const UsableCount& b) {
    return std::tie(a.bought, a.floor, a.used) < std::tie(b.bought, b.floor, b.used);
  });
  for (const UsableCount& count : usable_) {
    if (!least_times_.empty() && least_times_.back().second <= count.floor) continue;
    least_times_.emplace_back(count.bought, count.floor);
  }
  std::sort(usable_.begin(), usable_.end(), [](const UsableCount& a, const UsableCount& b) {
    return std::tie(a.floor, a.used) < std::tie(b.floor, b.used);
  });
  const std::size_t goal = at(question.goals.front().measure);
  for (const std::int64_t gpus : counts) {
    if (least_times_.empty() || gpus < least_times_.front().first) continue;
    groups_.push_back(
        {.gpus = gpus, .least = judge.least(parts.of(gpus), gpus, batch, least_time(gpus))[goal]});
  }
  std::sort(groups_.begin(), groups_.end(), [](const Next& a, const Next& b) {
    return std::tie(a.least, a.gpus) < std::tie(b.least, b.gpus);
  });
}

std::optional<Groups::Next> Groups::next() {
  return at_ < groups_.size() ? std::optional(groups_[at_++]) : std::nullopt;
}

Seconds Groups::least_time(std::int64_t bought) const {
  const auto behind =
      std::upper_bound(least_times_.begin(), least_times_.end(), bought,
                       [](std::int64_t gpus, const auto& entry) { return gpus < entry.first; });
  return behind == least_times_.begin() ? Seconds{std::numeric_limits<double>::infinity()}
                                        : std::prev(behind)->second;
}

}  // namespace planner::design
