#include "planner/perf/calibrated/certainty.hpp"

#include <algorithm>
#include <cmath>

#include "planner/core/real.hpp"

namespace planner::inline perf {

namespace {

double doublings_beyond(std::int64_t value, std::int64_t most) {
  return most > 0 ? std::max(0.0, std::log2(real(value) / real(most))) : 0;
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

MeasuredRange::Ends MeasuredRange::ends() const {
  const double middle = (nearest->low + nearest->high) / 2, width = nearest->high - nearest->low;
  const double half = (1 + kWiderPerSequenceDoubling * sequence_doublings) * width / 2;
  return {.low = middle - half,
          .high = middle + (own_generation ? 1 : kOtherGeneration) * half +
                  kSlowerPerGpuDoubling * gpu_doublings * width};
}

double MeasuredRange::widening() const {
  const auto [low, high] = ends();
  const double width = nearest->high - nearest->low;
  return width > 0 ? (high - low) / width : 1;
}

MeasuredRange measured_range(const std::vector<ResidualClass>& classes, const Workload& workload) {
  const Generation generation = workload.system.accelerator.generation;
  MeasuredRange range{.nearest = class_of(classes, generation, workload.model.moe.has_value())};
  if (range.nearest == nullptr) return range;
  range.own_generation = range.nearest->generation == generation;
  range.gpu_doublings = doublings_beyond(workload.gpus, range.nearest->most_gpus);
  range.sequence_doublings =
      doublings_beyond(workload.run.sequence, range.nearest->longest_sequence);
  return range;
}

std::optional<TimeInterval> time_interval(const Workload& workload, Seconds predicted) {
  if (!workload.timing.calibrated()) return std::nullopt;
  const MeasuredRange range = measured_range(workload.timing.constants().residuals, workload);
  if (range.nearest == nullptr) return std::nullopt;
  const auto [low, high] = range.ends();
  return TimeInterval{.low = std::exp(low) * predicted, .high = std::exp(high) * predicted};
}

}  // namespace planner::perf
