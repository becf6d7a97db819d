#include "planner/calibration/nearest_runs.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "planner/core/real.hpp"

namespace planner::inline calibration {

namespace {

// In doublings of the model's size.
constexpr double kGpus = 0.5, kSequence = 0.5, kTotal = 0.5;
constexpr double kGeneration = 3, kExperts = 4, kBits = 1.5;

double doublings(double a, double b) {
  return std::abs(std::log2(std::max(a, 1.0) / std::max(b, 1.0)));
}

/// fp16 is as fast as bf16.
int bits(Precision precision) {
  switch (precision) {
    case Precision::fp4:
      return 4;
    case Precision::fp8:
      return 8;
    case Precision::fp32:
    case Precision::tf32:
    case Precision::fp16:
    case Precision::bf16:
      return 16;
  }
  return 16;
}

}  // namespace

RunSubject subject_of(const Workload& workload) {
  const TransformerSpec& model = workload.model;
  const std::int64_t sequence = workload.run.sequence;
  return {.parameters = total_parameters(model, sequence),
          .active_parameters = active_parameters(model, sequence),
          .mixture_of_experts = model.moe.has_value(),
          .generation = workload.system.accelerator.generation,
          .precision = workload.run.precision,
          .gpus = workload.gpus,
          .sequence = sequence};
}

double unlikeness(const RunSubject& a, const RunSubject& b) {
  return doublings(a.active_parameters, b.active_parameters) +
         kTotal * doublings(a.parameters, b.parameters) +
         kGpus * doublings(real(a.gpus), real(b.gpus)) +
         kSequence * doublings(real(a.sequence), real(b.sequence)) +
         (a.generation == b.generation ? 0 : kGeneration) +
         (a.mixture_of_experts == b.mixture_of_experts ? 0 : kExperts) +
         (bits(a.precision) == bits(b.precision) ? 0 : kBits);
}

std::vector<NearRun> nearest_runs(const std::vector<MeasuredRow>& rows, const RunSubject& subject,
                                  std::size_t most, const CalibrationPtr& calibration) {
  std::map<std::string, const MeasuredRow*> fastest;
  for (const MeasuredRow& row : rows) {
    if (!row.run || !row.run->iteration_time) continue;
    const std::string& group = row.run->rank_group;
    const MeasuredRow*& best = fastest[group.empty() ? "row " + row.id : "group " + group];
    if (best == nullptr || *row.run->iteration_time < *best->run->iteration_time) best = &row;
  }
  std::vector<NearRun> found;
  for (const auto& [group, row] : fastest) {
    found.push_back(
        {.row = row, .unlikeness = unlikeness(subject, subject_of(row->run->workload))});
  }
  std::stable_sort(found.begin(), found.end(), [](const NearRun& a, const NearRun& b) {
    return std::pair(a.unlikeness, a.row) < std::pair(b.unlikeness, b.row);
  });
  if (found.size() > most) found.resize(most);
  for (NearRun& near : found) {
    near.predicted =
        Seconds{MeasuredPrediction(*near.row->run, calibration)(Validated::time, calibration)};
  }
  return found;
}

}  // namespace planner::calibration
