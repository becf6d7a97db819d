#include "planner/perf/calibrated/certainty.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "planner/core/real.hpp"

namespace planner::inline perf {

namespace {

double doublings_beyond(std::int64_t value, std::int64_t most) {
  return most > 0 ? std::max(0.0, std::log2(real(value) / real(most))) : 0;
}

double widened(double sequence_doublings, double width) {
  return (1 + kWiderPerSequenceDoubling * sequence_doublings) * width / 2;
}

}  // namespace

const ResidualClass* class_of(const std::vector<ResidualClass>& classes,
                              std::optional<Generation> generation, bool mixture_of_experts) {
  const ResidualClass* any = nullptr;
  for (const ResidualClass& each : classes) {
    if (each.mixture_of_experts != mixture_of_experts) continue;
    if (!each.generation) any = &each;
    if (generation && each.generation == generation) return &each;
  }
  return any;
}

/// Vocabularies are padded, and norms and biases counted or not.
bool same_model(const OwnRuns& runs, const Workload& workload) {
  constexpr double kAlike = 0.02;
  const double here = total_parameters(workload.model, workload.run.sequence);
  return std::abs(here / runs.parameters - 1) <= kAlike;
}

const OwnRuns* own_runs(const Workload& workload) {
  if (!workload.timing.calibrated()) return nullptr;
  for (const OwnRuns& runs : workload.timing.constants().own) {
    if (runs.accelerator == workload.system.accelerator.name &&
        runs.stack == workload.software.stack &&
        runs.mixture_of_experts == workload.model.moe.has_value() &&
        (!runs.precision || *runs.precision == counted_as(workload.run.precision)) &&
        (!runs.mixture_of_experts || same_model(runs, workload))) {
      return &runs;
    }
  }
  return nullptr;
}

double own_factor(const Workload& workload) {
  const OwnRuns* const runs = own_runs(workload);
  return runs == nullptr ? 1 : runs->factor;
}

MeasuredRange::Ends MeasuredRange::of_class() const {
  const double middle = (nearest->low + nearest->high) / 2, width = nearest->high - nearest->low;
  const double half = widened(sequence_doublings, width);
  Ends ends{.low = middle - half,
            .high = middle + half + kSlowerPerGpuDoubling * gpu_doublings * width};
  if (own_generation && own_software) return ends;
  if (!outside) {
    ends.high = std::max(ends.high, ends.high * kSlowSideUnknown);
    return ends;
  }
  ends.low = std::min(ends.low, outside->low);
  ends.high = std::max(ends.high, outside->high);
  return ends;
}

MeasuredRange::Ends MeasuredRange::ends() const {
  if (own == nullptr) return of_class();
  const double middle = (own->low + own->high) / 2, width = own->high - own->low;
  const double half = widened(own_sequence_doublings, width);
  Ends ends{.low = middle - half,
            .high = middle + half + kSlowerPerGpuDoubling * own_gpu_doublings * width};
  if (nearest == nullptr) return ends;
  const Ends farthest = of_class();
  ends.low = std::max(ends.low, std::min(own->low, farthest.low));
  ends.high = std::min(ends.high, std::max(own->high, farthest.high));
  return ends;
}

double MeasuredRange::middle() const {
  const bool known = own != nullptr || (own_generation && own_software);
  return known || !outside ? 0 : (outside->low + outside->high) / 2;
}

double MeasuredRange::widening() const {
  const auto [low, high] = ends();
  const double width = own == nullptr ? nearest->high - nearest->low : own->high - own->low;
  return width > 0 ? (high - low) / width : 1;
}

MeasuredRange measured_range(const Workload& workload) {
  const Generation generation = workload.system.accelerator.generation;
  MeasuredRange range{.nearest = class_of(workload.timing.constants().residuals, generation,
                                          workload.model.moe.has_value()),
                      .own = own_runs(workload)};
  if (range.own != nullptr) {
    range.own_gpu_doublings = doublings_beyond(workload.gpus, range.own->most_gpus);
    range.own_sequence_doublings =
        doublings_beyond(workload.run.sequence, range.own->longest_sequence);
  }
  if (range.nearest == nullptr) return range;
  const Evidence evidence = *evidence_of(workload);
  range.own_generation = range.nearest->generation == generation;
  range.own_software = evidence.measured();
  range.outside = evidence.outside;
  range.gpu_doublings = doublings_beyond(workload.gpus, range.nearest->most_gpus);
  range.sequence_doublings =
      doublings_beyond(workload.run.sequence, range.nearest->longest_sequence);
  return range;
}

std::optional<TimeInterval> time_interval(const Workload& workload, Seconds predicted) {
  if (!workload.timing.calibrated()) return std::nullopt;
  const MeasuredRange range = measured_range(workload);
  if (range.nearest == nullptr && range.own == nullptr) return std::nullopt;
  const auto [low, high] = range.ends();
  return TimeInterval{.low = std::exp(low) * predicted,
                      .high = std::exp(high) * predicted,
                      .middle = std::exp(range.middle()) * predicted};
}

bool alike(const MeasuredRuns& runs, const Workload& workload) {
  const Accelerator& part = workload.system.accelerator;
  if (runs.generation != part.generation || runs.stack != workload.software.stack ||
      runs.mixture_of_experts != workload.model.moe.has_value()) {
    return false;
  }
  if (runs.precision && *runs.precision != counted_as(workload.run.precision)) return false;
  return part.generation != Generation::tpu || runs.accelerator == part.name;
}

namespace {

/// Both together.
void join(std::optional<MissedRuns>& all, const OutsideRuns& more) {
  if (!all) all = MissedRuns{.rows = 0, .low = more.low, .high = more.high};
  all->rows += more.of.rows;
  all->low = std::min(all->low, more.low);
  all->high = std::max(all->high, more.high);
}

}  // namespace

std::optional<Evidence> evidence_of(const Workload& workload) {
  if (!workload.timing.calibrated()) return std::nullopt;
  const Calibration& constants = workload.timing.constants();
  const Accelerator& part = workload.system.accelerator;
  Evidence evidence{.accelerator = part.title,
                    .generation = part.generation,
                    .stack = workload.software.stack,
                    .mixture_of_experts = workload.model.moe.has_value(),
                    .precision = counted_as(workload.run.precision)};
  if (const OwnRuns* const own = own_runs(workload)) evidence.own = own->rows;
  std::set<std::string> sources;
  for (const MeasuredRuns& runs : constants.measured) {
    if (!alike(runs, workload)) continue;
    evidence.runs += runs.rows;
    sources.insert(runs.sources.begin(), runs.sources.end());
  }
  evidence.sources = std::ssize(sources);
  for (const OutsideRuns& runs : constants.outside) {
    join(evidence.outside, runs);
    if (runs.of.accelerator == part.name && alike(runs.of, workload)) join(evidence.missed, runs);
  }
  if (!constants.measured.empty()) return evidence;
  const ResidualClass* const of =
      class_of(constants.residuals, part.generation, evidence.mixture_of_experts);
  if (of != nullptr && of->generation == part.generation) {
    evidence.runs = of->rows;
    evidence.sources = of->sources;
  }
  return evidence;
}

}  // namespace planner::perf
