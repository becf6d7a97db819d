#include "planner/reliability/improve.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "planner/reliability/goodput.hpp"

namespace planner::inline reliability {

namespace {

void scale(std::optional<Seconds>& time, double factor) {
  if (time) *time = factor * *time;
}

/// The job with one step `factor` times as long.
JobReliability with(JobReliability job, Step step, double factor) {
  switch (step) {
    case Step::checkpoint_stall:
      job.checkpoint.stall = factor * job.checkpoint.stall;
      break;
    case Step::checkpoint_durable:
      job.checkpoint.durable = factor * job.checkpoint.durable;
      break;
    case Step::detect:
      for (FailureRate& rate : job.rates.components) scale(rate.detect, factor);
      break;
    case Step::diagnose:
      for (FailureRate& rate : job.rates.components) scale(rate.diagnose, factor);
      break;
    case Step::restart:
      job.restart = factor * job.restart;
      break;
    case Step::repair:
      for (FailureRate& rate : job.rates.components) scale(rate.repair, factor);
      if (job.spares) scale(job.spares->repair, factor);
      break;
  }
  return job;
}

double availability(const JobReliability& job) {
  return goodput(job).availability;
}

/// The repair time of the spares' policy, else the mean over the failures that slow the job.
Seconds repair_time(const JobReliability& job) {
  if (job.spares && job.spares->repair) return *job.spares->repair;
  double rates = 0, sum = 0;
  for (const Exposure& exposure : exposures(job)) {
    if (exposure.action == FailureAction::crash) continue;
    rates += exposure.rate.si();
    sum += exposure.rate * exposure.repair;
  }
  return rates > 0 ? Seconds{sum / rates} : Seconds{};
}

/// Mean over the crashes of one attempt's time, without what failures in it repeat.
Seconds of_crashes(const JobReliability& job, const FailureLoad& load, Seconds Exposure::*time) {
  Seconds mean{};
  for (const Exposure& exposure : exposures(job)) {
    if (exposure.action != FailureAction::crash || load.rate <= PerSecond{}) continue;
    mean += exposure.rate / load.rate * exposure.*time;
  }
  return mean;
}

Seconds time_of(const JobReliability& job, const FailureLoad& load, Step step) {
  switch (step) {
    case Step::checkpoint_stall:
      return job.checkpoint.stall;
    case Step::checkpoint_durable:
      return job.checkpoint.durable;
    case Step::detect:
      return of_crashes(job, load, &Exposure::detect);
    case Step::diagnose:
      return of_crashes(job, load, &Exposure::diagnose);
    case Step::restart:
      return load.rate > PerSecond{} ? job.restart : Seconds{};
    case Step::repair:
      return repair_time(job);
  }
  return {};
}

}  // namespace

std::string_view name_of(Step step) {
  constexpr std::array<std::string_view, 6> kNames{
      "checkpoint_stall", "checkpoint_durable", "detect", "diagnose", "restart", "repair"};
  return kNames[static_cast<std::size_t>(step)];
}

std::vector<Improvement> improvements(const JobReliability& job) {
  const FailureLoad load = failure_load(job, exposures(job));
  const double now = availability(job);
  std::vector<Improvement> found;
  constexpr double kSmall = 1e-4;  // errors of order kSmall² in the derivative
  for (const Step step : {Step::checkpoint_stall, Step::checkpoint_durable, Step::detect,
                          Step::diagnose, Step::restart, Step::repair}) {
    const Seconds takes = time_of(job, load, step);
    if (takes <= Seconds{}) continue;
    const double shorter = availability(with(job, step, 1 - kSmall));
    const double longer = availability(with(job, step, 1 + kSmall));
    const double change = (shorter - longer) / 2;
    if (change <= 0) continue;
    found.push_back(
        {step, takes, change / (kSmall * takes.si()), availability(with(job, step, 0.9)) - now});
  }
  // Steps of which each failure pays a second alike differ by rounding only: six digits count.
  const auto rank = [](const Improvement& one) {
    return std::pair(std::round(1e6 * std::log(one.per_second)), one.a_tenth);
  };
  std::stable_sort(found.begin(), found.end(),
                   [&](const Improvement& a, const Improvement& b) { return rank(a) > rank(b); });
  return found;
}

std::vector<double> gains_of_fewer_failures(const JobReliability& job) {
  const double now = availability(job);
  std::vector<double> gains;
  for (std::size_t i = 0; i < job.rates.components.size(); ++i) {
    JobReliability better = job;
    better.rates.components[i].rate = 0.9 * better.rates.components[i].rate;
    gains.push_back(availability(better) - now);
  }
  return gains;
}

}  // namespace planner::reliability
