#include "planner/perf/calibrated/pipeline_grid.hpp"

#include <algorithm>
#include <limits>

#include "planner/core/vector_clones.hpp"
#include "planner/perf/calibrated/stage_memory.hpp"

namespace planner::inline perf {

namespace {

constexpr double kPadding = std::numeric_limits<double>::quiet_NaN();

PLANNER_VECTOR_CLONES
void memories_of_first(const Calibrated::StageMemory& stage, const Calibrated::Reserve& reserve,
                       std::size_t vectors, const double* __restrict__ b,
                       const double* __restrict__ ahead, const double* __restrict__ deferred,
                       const double* __restrict__ chunks, double* __restrict__ bytes) {
  const Calibrated::StageMemory at = stage;
  const Calibrated::Reserve outside = reserve;
  for (std::size_t i = 0; i < vectors * kLanes; ++i) {
    bytes[i] =
        Calibrated::memory(
            at, b[i], {.ahead = ahead[i], .deferred = deferred[i], .chunks = chunks[i]}, outside)
            .total()
            .si();
  }
}

PLANNER_VECTOR_CLONES
void memories_if_greater(const Calibrated::StageMemory& stage, const Calibrated::Reserve& reserve,
                         std::size_t vectors, const double* __restrict__ b,
                         const double* __restrict__ ahead, const double* __restrict__ deferred,
                         const double* __restrict__ chunks, double* __restrict__ bytes) {
  const Calibrated::StageMemory at = stage;
  const Calibrated::Reserve outside = reserve;
  for (std::size_t i = 0; i < vectors * kLanes; ++i) {
    const double here =
        Calibrated::memory(
            at, b[i], {.ahead = ahead[i], .deferred = deferred[i], .chunks = chunks[i]}, outside)
            .total()
            .si();
    bytes[i] = here > bytes[i] ? here : bytes[i];
  }
}

}  // namespace

void PipelineGrid::reset(std::size_t size) {
  pipelines_.clear();
  b_.assign((size + kLanes - 1) / kLanes * kLanes, kPadding);
  stages_ = 0;
}

void PipelineGrid::add(const Calibrated::Pipeline& on) {
  b_[pipelines_.size()] = on.b;
  pipelines_.push_back(on);
}

const PipelineGrid::Held& PipelineGrid::held_on(double stage) {
  for (std::size_t i = 0; i < stages_; ++i) {
    if (held_[i].stage == stage) return held_[i];
  }
  if (stages_ == held_.size()) held_.emplace_back();
  Held& held = held_[stages_++];
  held.stage = stage;
  held.ahead.assign(b_.size(), kPadding);
  held.deferred.assign(b_.size(), kPadding);
  held.chunks.assign(b_.size(), kPadding);
  for (std::size_t i = 0; i < pipelines_.size(); ++i) {
    const Calibrated::InFlight in_flight = Calibrated::in_flight(pipelines_[i], stage);
    held.ahead[i] = in_flight.ahead;
    held.deferred[i] = in_flight.deferred;
    held.chunks[i] = in_flight.chunks;
  }
  return held;
}

void PipelineGrid::total_memories(const Calibrated::MemoryTerms& terms,
                                  const Calibrated::Reserve& outside, std::span<double> bytes) {
  const std::size_t vectors = padded_size() / kLanes;
  for (std::size_t i = 0; i < terms.count; ++i) {
    const Held& held = held_on(terms.stages[i].index);
    (i == 0 ? memories_of_first : memories_if_greater)(terms.stages[i], outside, vectors, b_.data(),
                                                       held.ahead.data(), held.deferred.data(),
                                                       held.chunks.data(), bytes.data());
  }
}

}  // namespace planner::perf
