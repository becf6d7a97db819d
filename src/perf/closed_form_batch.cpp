#include "planner/perf/closed_form_batch.hpp"

// One binary for every x86-64: the loader picks the widest vectors the CPU has. Vector additions,
// multiplications and divisions round like scalar ones, so the choice never changes a result.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define PLANNER_VECTOR_CLONES \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define PLANNER_VECTOR_CLONES
#endif

namespace planner {

void InnerGrid::clear() {
  micro_batch.clear();
  microbatches.clear();
  interleave.clear();
}

void InnerGrid::add(std::int64_t samples_per_rank, std::int64_t b, std::int64_t v) {
  micro_batch.push_back(static_cast<double>(b));
  microbatches.push_back(static_cast<double>(samples_per_rank / b));
  interleave.push_back(static_cast<double>(v));
}

namespace {

PLANNER_VECTOR_CLONES
void times_and_memories(const ClosedForm::Terms& terms, std::size_t n,
                        const double* __restrict__ b, const double* __restrict__ m,
                        const double* __restrict__ v, double* __restrict__ time_s,
                        double* __restrict__ memory_bytes) {
  const ClosedForm::Terms local = terms;
  for (std::size_t i = 0; i < n; ++i) {
    const Estimate estimate = ClosedForm::finish(local, b[i], m[i], v[i]);
    time_s[i] = estimate.time.total().si();
    memory_bytes[i] = estimate.memory.total().si();
  }
}

PLANNER_VECTOR_CLONES
void memories(const ClosedForm::Terms& terms, std::size_t n, const double* __restrict__ b,
              const double* __restrict__ m, const double* __restrict__ v,
              double* __restrict__ memory_bytes) {
  const ClosedForm::Terms local = terms;
  for (std::size_t i = 0; i < n; ++i) {
    memory_bytes[i] = ClosedForm::finish(local, b[i], m[i], v[i]).memory.total().si();
  }
}

}  // namespace

void evaluate_grid(const ClosedForm::Terms& terms, const InnerGrid& grid, std::span<double> time_s,
                   std::span<double> memory_bytes) {
  times_and_memories(terms, grid.size(), grid.micro_batch.data(), grid.microbatches.data(),
                     grid.interleave.data(), time_s.data(), memory_bytes.data());
}

void evaluate_grid_memory(const ClosedForm::Terms& terms, const InnerGrid& grid,
                          std::span<double> memory_bytes) {
  memories(terms, grid.size(), grid.micro_batch.data(), grid.microbatches.data(),
           grid.interleave.data(), memory_bytes.data());
}

}  // namespace planner
