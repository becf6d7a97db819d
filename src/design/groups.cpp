#include "planner/design/groups.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

#include "planner/design/floor.hpp"
#include "planner/job/used_gpus.hpp"

namespace planner::design {

namespace {

/// What numbers of GPUs hold another part of the usable ones: these, from there on.
using Arrivals = std::vector<std::pair<std::int64_t, Seconds>>;

void add_steps(const std::vector<std::int64_t>& bought, Arrivals arrivals,
               std::vector<UsableCounts::Step>& steps) {
  std::sort(arrivals.begin(), arrivals.end());
  std::size_t place = 0;
  for (const auto& [gpus, floor] : arrivals) {
    while (bought[place] < gpus) ++place;
    const Seconds least = steps.empty() ? floor : std::min(steps.back().least, floor);
    if (steps.empty() || steps.back().place != place) {
      steps.push_back({bought[place], place, least});
    }
    steps.back().least = least;
  }
}

UsableCounts usable_counts(const Space& space, std::size_t system, std::size_t batch,
                           double confidence, const std::vector<std::int64_t>& bought) {
  const std::int64_t most = bought.back();
  UsableCounts counts;
  Arrivals arrivals;
  Workload job = job_of(space, system, batch, 1);
  const TimeFloor floor(job);
  job.gpus = most;  // what pipelines there may be depends on the GPUs
  for (const std::int64_t used : legal_gpu_counts(job, space.systems[system].strategies, most)) {
    const std::vector<std::int64_t> held_by = gpus_that_hold(job.system.hb_domain, used, most);
    if (held_by.empty()) continue;
    job.gpus = used;
    counts.all.push_back({.used = used,
                          .bought = held_by.front(),
                          .floor = floor.of(used),
                          .late = lateness(job, confidence)});
    for (const std::int64_t gpus : held_by) arrivals.emplace_back(gpus, floor.of(used));
  }
  add_steps(bought, std::move(arrivals), counts.steps);
  std::sort(counts.all.begin(), counts.all.end(), [](const UsableCount& a, const UsableCount& b) {
    return std::tie(a.floor, a.used) < std::tie(b.floor, b.used);
  });
  return counts;
}

}  // namespace

std::vector<std::int64_t> gpus_that_hold(std::int64_t hb_domain, std::int64_t used,
                                         std::int64_t most) {
  std::vector<std::int64_t> all;
  const job::GpuSupply supply{.bought = std::min(used, most / hb_domain) * hb_domain,
                              .hb_domain = hb_domain};
  for (const job::GpuUse& use : job::uses_of_domains(supply, used)) {
    all.push_back(use.domains * hb_domain);
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

Seconds UsableCounts::least_time(std::int64_t bought) const {
  const auto behind =
      std::upper_bound(steps.begin(), steps.end(), bought,
                       [](std::int64_t gpus, const Step& step) { return gpus < step.gpus; });
  return behind == steps.begin() ? Seconds{std::numeric_limits<double>::infinity()}
                                 : std::prev(behind)->least;
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
    entry->second = usable_counts(space_, system, batch, confidence_, counts);
  }
  return entry->second;
}

namespace {

/// An iteration beyond which a run takes longer than it may.
Seconds longest_iteration(const Space& space, std::size_t batch, const BriefLimits& limits) {
  constexpr double kRoom = 1 + 1e-9;  // of rounding
  const double days = limits.days.value_or(std::numeric_limits<double>::infinity());
  return kRoom * days * units::day / iterations(space, batch);
}

}  // namespace

Groups::Groups(const Space& space, std::uint32_t system, std::uint32_t batch,
               const Question& question, KnownCounts& counts, const Judge& judge,
               const PartsFloor& parts)
    : system_(system),
      batch_(batch),
      networks_(static_cast<std::uint32_t>(space.systems[system].networks.size())),
      goal_(at(question.goals.front().measure)),
      one_by_one_(!grows(question.goals.front().measure)),
      counts_(&counts.bought(system)),
      usable_(&counts.usable(system, batch)),
      judge_(&judge),
      parts_(&parts) {
  const std::vector<UsableCounts::Step>& steps = usable_->steps;
  const Seconds longest = longest_iteration(space, batch, question.limits);
  const auto first = std::partition_point(
      steps.begin(), steps.end(),
      [longest](const UsableCounts::Step& step) { return step.least > longest; });
  unusable_ = static_cast<std::int64_t>(first == steps.end() ? counts_->size() : first->place);
  for (auto step = static_cast<std::size_t>(first - steps.begin()); step < steps.size(); ++step) {
    push(steps[step].place, step);
    if (one_by_one_) break;
  }
}

std::size_t Groups::end_of(std::size_t step) const {
  const std::vector<UsableCounts::Step>& steps = usable_->steps;
  return step + 1 < steps.size() ? steps[step + 1].place : counts_->size();
}

void Groups::push(std::size_t at, std::size_t step) {
  if (at == end_of(step)) {
    if (!one_by_one_ || at == counts_->size()) return;
    ++step;
  }
  const std::int64_t gpus = (*counts_)[at];
  const Seconds least = usable_->steps[step].least;
  stretches_.push({.least = judge_->least(parts_->of(gpus), first_design(gpus), least)[goal_],
                   .at = at,
                   .step = step});
}

std::optional<Groups::Next> Groups::next() {
  if (last_) push(last_->at + 1, last_->step);
  last_.reset();
  if (stretches_.empty()) return std::nullopt;
  last_ = stretches_.top();
  stretches_.pop();
  return Next{.gpus = (*counts_)[last_->at], .least = last_->least};
}

std::int64_t Groups::rest() {
  const std::size_t end = end_of(last_->step);
  const auto all = static_cast<std::int64_t>(end - last_->at);
  last_->at = end - 1;
  return all;
}

std::int64_t Groups::ruled_out(std::int64_t gpus) const {
  const auto behind = ruled_out_.upper_bound(gpus);
  return behind == ruled_out_.begin() ? 0 : *std::prev(behind);
}

}  // namespace planner::design
