#include "planner/design/groups.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

#include "planner/design/floor.hpp"
#include "planner/job/used_gpus.hpp"

namespace planner::design {

namespace {

/// GPUs of the fewest whole domains that hold so many.
std::int64_t gpus_to_hold(std::int64_t hb_domain, std::int64_t used) {
  std::int64_t domains = used;
  const job::GpuSupply enough{.bought = used * hb_domain, .hb_domain = hb_domain};
  for (const job::GpuUse& use : job::uses_of_domains(enough, used)) {
    domains = std::min(domains, use.domains);
  }
  return domains * hb_domain;
}

UsableCounts usable_counts(const Space& space, std::size_t system, std::size_t batch,
                           double confidence, std::int64_t most) {
  UsableCounts counts;
  Workload job = job_of(space, system, batch, 1);
  const TimeFloor floor(job);
  job.gpus = most;  // what pipelines there may be depends on the GPUs
  for (const std::int64_t used : legal_gpu_counts(job, space.systems[system].strategies, most)) {
    const std::int64_t holds = gpus_to_hold(job.system.hb_domain, used);
    if (holds > most) continue;
    job.gpus = used;
    counts.all.push_back({.used = used,
                          .bought = holds,
                          .floor = floor.of(used),
                          .late = lateness(job, confidence)});
  }
  std::sort(counts.all.begin(), counts.all.end(), [](const UsableCount& a, const UsableCount& b) {
    return std::tie(a.bought, a.floor, a.used) < std::tie(b.bought, b.floor, b.used);
  });
  auto& least_times = counts.least_times;
  for (const UsableCount& count : counts.all) {
    if (!least_times.empty() && least_times.back().second <= count.floor) continue;
    least_times.emplace_back(count.bought, count.floor);
  }
  std::sort(least_times.begin(), least_times.end());
  std::sort(counts.all.begin(), counts.all.end(), [](const UsableCount& a, const UsableCount& b) {
    return std::tie(a.floor, a.used) < std::tie(b.floor, b.used);
  });
  return counts;
}

}  // namespace

Seconds UsableCounts::least_time(std::int64_t bought) const {
  const auto behind =
      std::upper_bound(least_times.begin(), least_times.end(), bought,
                       [](std::int64_t gpus, const auto& entry) { return gpus < entry.first; });
  return behind == least_times.begin() ? Seconds{std::numeric_limits<double>::infinity()}
                                       : std::prev(behind)->second;
}

const std::vector<std::int64_t>& KnownCounts::bought(std::size_t system) {
  const auto [entry, is_new] = bought_.try_emplace(system);
  if (is_new) entry->second = gpu_counts(space_.systems[system], space_.gpus);
  return entry->second;
}

const UsableCounts& KnownCounts::usable(std::size_t system, std::size_t batch) {
  const auto [entry, is_new] = usable_.try_emplace({system, batch});
  const std::vector<std::int64_t>& counts = bought(system);
  if (is_new && !counts.empty()) {
    entry->second = usable_counts(space_, system, batch, confidence_, counts.back());
  }
  return entry->second;
}

Groups::Groups(const Space& space, std::uint32_t system, std::uint32_t batch,
               const Question& question, KnownCounts& counts, const Judge& judge,
               const PartsFloor& parts)
    : system_(system),
      batch_(batch),
      networks_(static_cast<std::uint32_t>(space.systems[system].networks.size())),
      goal_(at(question.goals.front().measure)),
      counts_(&counts.bought(system)),
      usable_(&counts.usable(system, batch)),
      judge_(&judge),
      parts_(&parts) {
  if (!counts_->empty()) add_stretches();
}

void Groups::add_stretches() {
  const auto place_of = [this](std::int64_t gpus) {
    const auto found = std::lower_bound(counts_->begin(), counts_->end(), gpus);
    return static_cast<std::size_t>(found - counts_->begin());
  };
  const auto& least_times = usable_->least_times;
  for (std::size_t i = 0; i < least_times.size(); ++i) {
    const std::size_t begin = place_of(least_times[i].first);
    if (i == 0) unusable_ = static_cast<std::int64_t>(begin);
    push(begin, i + 1 < least_times.size() ? place_of(least_times[i + 1].first) : counts_->size());
  }
  if (least_times.empty()) unusable_ = static_cast<std::int64_t>(counts_->size());
}

void Groups::push(std::size_t at, std::size_t end) {
  if (at >= end) return;
  const std::int64_t gpus = (*counts_)[at];
  stretches_.push(
      {.least = judge_->least(parts_->of(gpus), first_design(gpus), least_time(gpus))[goal_],
       .at = at,
       .end = end});
}

std::optional<Groups::Next> Groups::next() {
  if (stretches_.empty()) return std::nullopt;
  const Stretch first = stretches_.top();
  stretches_.pop();
  push(first.at + 1, first.end);
  return Next{.gpus = (*counts_)[first.at], .least = first.least};
}

}  // namespace planner::design
