#include "planner/design/groups.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "planner/design/floor.hpp"
#include "planner/design/rounding.hpp"
#include "planner/job/used_gpus.hpp"

namespace planner::design {

namespace {

UsableByRun usable_by_run(const Space& space, std::size_t system, std::size_t run,
                          double confidence, std::int64_t most) {
  UsableByRun usable;
  std::map<std::int64_t, std::vector<std::int64_t>> held;  // by clusters of so many GPUs
  for (std::size_t batch = 0; batch < space.batches.size(); ++batch) {
    if (space.batches[batch].run != run) continue;
    Workload job = job_of(space, system, batch, 1);
    const TimeFloor floor(job);
    job.gpus = most;  // what pipelines there may be depends on the GPUs
    const double rounds = iterations(space, batch);
    for (const std::int64_t used :
         legal_gpu_counts(job, run_on(space, system, batch).strategies, most)) {
      const auto [late, is_new] = usable.late.try_emplace(used);
      std::vector<std::int64_t>& held_by = held[used];
      if (is_new) {
        job.gpus = used;
        held_by = gpus_that_hold(job.system.hb_domain, used, most);
        late->second = lateness(job, confidence);
      }
      if (held_by.empty()) continue;
      usable.all.push_back({.batch = batch,
                            .used = used,
                            .bought = held_by.front(),
                            .floor = rounds * floor.of(used),
                            .iterations = rounds,
                            .late = &late->second});
    }
  }
  std::sort(usable.all.begin(), usable.all.end(), [](const UsableCount& a, const UsableCount& b) {
    return std::tie(a.floor, a.used, a.batch) < std::tie(b.floor, b.used, b.batch);
  });
  for (std::uint32_t at = 0; at < usable.all.size(); ++at) {
    for (const std::int64_t gpus : held[usable.all[at].used]) {
      usable.arrivals.emplace_back(gpus, at);
    }
  }
  std::sort(usable.arrivals.begin(), usable.arrivals.end());
  usable.all.shrink_to_fit();  // kept for all questions
  usable.arrivals.shrink_to_fit();
  return usable;
}

/// Where a cluster can be used by all runs, or in more ways than a smaller one.
std::vector<UsableCounts::Step> steps_of(const std::vector<UsableByRun>& runs,
                                         const std::vector<std::int64_t>& bought) {
  std::vector<UsableCounts::Step> steps;
  std::vector<Seconds> least(runs.size(), kNever);
  std::vector<std::size_t> at(runs.size());
  for (std::size_t place = 0; place < bought.size(); ++place) {
    bool more = false;
    for (std::size_t run = 0; run < runs.size(); ++run) {
      const auto& arrivals = runs[run].arrivals;
      for (; at[run] < arrivals.size() && arrivals[at[run]].first <= bought[place]; ++at[run]) {
        least[run] = std::min(least[run], runs[run].all[arrivals[at[run]].second].floor);
        more = true;
      }
    }
    const Seconds sum = std::accumulate(least.begin(), least.end(), Seconds{});
    if (more && sum < kNever) steps.push_back({bought[place], place, least, sum});
  }
  return steps;
}

UsableCounts usable_counts(const Space& space, std::size_t system, double confidence,
                           const std::vector<std::int64_t>& bought) {
  UsableCounts counts;
  for (std::size_t run = 0; run < space.tokens.size(); ++run) {
    counts.runs.push_back(usable_by_run(space, system, run, confidence, bought.back()));
  }
  counts.steps = steps_of(counts.runs, bought);
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

const UsableCounts::Step* UsableCounts::step_of(std::int64_t bought) const {
  const auto behind =
      std::upper_bound(steps.begin(), steps.end(), bought,
                       [](std::int64_t gpus, const Step& step) { return gpus < step.gpus; });
  return behind == steps.begin() ? nullptr : &*std::prev(behind);
}

Seconds UsableCounts::least_time(std::int64_t bought) const {
  const Step* const step = step_of(bought);
  return step == nullptr ? kNever : step->least;
}

const std::vector<std::int64_t>& KnownCounts::bought(std::size_t system) {
  auto& known = bought_[system];
  if (!known) known = gpu_counts(space_.systems[system], space_.gpus);
  return *known;
}

const UsableCounts& KnownCounts::usable(std::size_t system) {
  auto& known = usable_[system];
  if (!known) {
    const std::vector<std::int64_t>& counts = bought(system);
    known = counts.empty() ? UsableCounts{} : usable_counts(space_, system, confidence_, counts);
  }
  return *known;
}

Groups::Groups(const Space& space, std::uint32_t system, const Question& question,
               KnownCounts& counts, const Judge& judge, const PartsFloor& parts)
    : system_(system),
      networks_(static_cast<std::uint32_t>(space.systems[system].networks.size())),
      goal_(at(question.goals.front().measure)),
      one_by_one_(!grows(question.goals.front().measure)),
      counts_(&counts.bought(system)),
      usable_(&counts.usable(system)),
      judge_(&judge),
      parts_(&parts) {
  const std::vector<UsableCounts::Step>& steps = usable_->steps;
  constexpr double kRoom = 1 + 1e-9;  // of rounding
  const Seconds longest =
      question.limits.days ? kRoom * *question.limits.days * units::day : kNever;
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
