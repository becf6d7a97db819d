#pragma once

#include <cstddef>

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

/// Doubles in the widest vector we compile for (AVX-512). Loops with clones run over whole vectors
/// only, which their bounds say as `vectors * kLanes`.
inline constexpr std::size_t kLanes = 8;

}  // namespace planner
