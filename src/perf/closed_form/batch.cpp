#include "planner/perf/closed_form/batch.hpp"

#include <limits>

#include "planner/core/real.hpp"
#include "planner/core/vector_clones.hpp"

namespace planner::inline perf {

namespace {

constexpr double kPadding = std::numeric_limits<double>::quiet_NaN();

PLANNER_VECTOR_CLONES
void total_times(const ClosedForm::TimeTerms& shared_terms, std::size_t vectors,
                 const double* __restrict__ b, const double* __restrict__ m,
                 const double* __restrict__ v, const double* __restrict__ idle,
                 double* __restrict__ time_s) {
  const ClosedForm::TimeTerms terms = shared_terms;
  for (std::size_t i = 0; i < vectors * kLanes; ++i) {
    const StageSchedule on{.b = b[i], .m = m[i], .v = v[i], .idle = idle[i]};
    time_s[i] = ClosedForm::time(terms, on).total().si();
  }
}

PLANNER_VECTOR_CLONES
void total_memories(const ClosedForm::MemoryTerms& shared_terms, std::size_t vectors,
                    const double* __restrict__ b, const double* __restrict__ in_flight,
                    double* __restrict__ memory_bytes) {
  const ClosedForm::MemoryTerms terms = shared_terms;
  for (std::size_t i = 0; i < vectors * kLanes; ++i) {
    const StageSchedule on{.b = b[i], .in_flight = in_flight[i]};
    memory_bytes[i] = ClosedForm::memory(terms, on).total().si();
  }
}

PLANNER_VECTOR_CLONES
std::size_t count(std::size_t vectors, const double* __restrict__ values, double limit) {
  std::size_t within = 0;
  for (std::size_t i = 0; i < vectors * kLanes; ++i) within += values[i] <= limit ? 1 : 0;
  return within;
}

PLANNER_VECTOR_CLONES
std::size_t count(std::size_t vectors, const double* __restrict__ first, double first_limit,
                  const double* __restrict__ second, double second_limit) {
  std::size_t within = 0;
  for (std::size_t i = 0; i < vectors * kLanes; ++i) {
    within += ((first[i] <= first_limit) & (second[i] <= second_limit)) ? 1 : 0;
  }
  return within;
}

}  // namespace

void ScheduleGrid::reset(std::int64_t p, std::int64_t samples_per_rank) {
  size_ = 0;
  p_ = static_cast<double>(p);
  samples_per_rank_ = samples_per_rank;
  for (auto* column : {&b_, &m_, &v_, &idle_, &in_flight_}) column->clear();
}

void ScheduleGrid::add(std::int64_t b, std::int64_t v) {
  if (size_ == padded_size()) {
    for (auto* column : {&b_, &m_, &v_, &idle_, &in_flight_}) {
      column->insert(column->end(), kLanes, kPadding);
    }
  }
  const std::int64_t m = samples_per_rank_ / b;
  const StageSchedule on = ClosedForm::schedule(p_, real(b), real(m), real(v));
  b_[size_] = on.b;
  m_[size_] = on.m;
  v_[size_] = on.v;
  idle_[size_] = on.idle;
  in_flight_[size_] = on.in_flight;
  ++size_;
}

void evaluate_times(const ClosedForm::TimeTerms& terms, const ScheduleGrid& grid,
                    std::span<double> time_s) {
  total_times(terms, grid.padded_size() / kLanes, grid.b_.data(), grid.m_.data(), grid.v_.data(),
              grid.idle_.data(), time_s.data());
}

void evaluate_memories(const ClosedForm::MemoryTerms& terms, const ScheduleGrid& grid,
                       std::span<double> memory_bytes) {
  total_memories(terms, grid.padded_size() / kLanes, grid.b_.data(), grid.in_flight_.data(),
                 memory_bytes.data());
}

std::size_t count_within(std::span<const double> values, double limit) {
  return count(values.size() / kLanes, values.data(), limit);
}

std::size_t count_within(std::span<const double> first, double first_limit,
                         std::span<const double> second, double second_limit) {
  return count(first.size() / kLanes, first.data(), first_limit, second.data(), second_limit);
}

}  // namespace planner::perf
