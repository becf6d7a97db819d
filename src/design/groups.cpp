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

}  // namespace

Groups::Groups(const Space& space, std::uint32_t system, std::uint32_t batch,
               const Question& question, const std::vector<std::int64_t>& counts,
               const Judge& judge, const PartsFloor& parts)
    : system_(system),
      batch_(batch),
      networks_(static_cast<std::uint32_t>(space.systems[system].networks.size())),
      goal_(at(question.goals.front().measure)),
      counts_(&counts),
      judge_(&judge),
      parts_(&parts) {
  if (counts.empty()) return;
  add_usable(space, question);
  add_stretches();
}

void Groups::add_usable(const Space& space, const Question& question) {
  const std::int64_t most = counts_->back();
  Workload job = job_of(space, system_, batch_, 1);
  const TimeFloor floor(job);
  job.gpus = most;  // what pipelines there may be depends on the GPUs
  for (const std::int64_t used : legal_gpu_counts(job, space.systems[system_].strategies, most)) {
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
}

void Groups::add_stretches() {
  const auto place_of = [this](std::int64_t gpus) {
    const auto found = std::lower_bound(counts_->begin(), counts_->end(), gpus);
    return static_cast<std::size_t>(found - counts_->begin());
  };
  for (std::size_t i = 0; i < least_times_.size(); ++i) {
    const std::size_t begin = place_of(least_times_[i].first);
    if (i == 0) unusable_ = static_cast<std::int64_t>(begin);
    push(begin,
         i + 1 < least_times_.size() ? place_of(least_times_[i + 1].first) : counts_->size());
  }
  if (least_times_.empty()) unusable_ = static_cast<std::int64_t>(counts_->size());
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

Seconds Groups::least_time(std::int64_t bought) const {
  const auto behind =
      std::upper_bound(least_times_.begin(), least_times_.end(), bought,
                       [](std::int64_t gpus, const auto& entry) { return gpus < entry.first; });
  return behind == least_times_.begin() ? Seconds{std::numeric_limits<double>::infinity()}
                                        : std::prev(behind)->second;
}

}  // namespace planner::design
