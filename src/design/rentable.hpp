#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "planner/design/failures.hpp"
#include "planner/design/goals.hpp"

// What of a system a run may be rented on.
namespace planner::design {

/// What bounds of rents and their times may be off by; cents of sums of money come beside it.
inline constexpr double kForRounding = 1 + 1e-9;

/// GPUs that a run may use: there are very many.
struct Rentable {
  std::int64_t used = 0;
  std::uint32_t batch = 0;
  Seconds floor{};  ///< that no run beats
  const Lateness* late = nullptr;
  Seconds beyond{-1};  ///< no iteration is within that
};

/// All of a system that may be within the limits, whatever the term.
struct RentableGpus {
  RentableGpus() = default;
  RentableGpus(RentableGpus&&) = default;
  RentableGpus& operator=(RentableGpus&&) = default;
  RentableGpus(const RentableGpus&) = delete;  // `all` refers to `late`
  RentableGpus& operator=(const RentableGpus&) = delete;

  std::vector<Rentable> all;
  std::map<std::int64_t, Lateness> late{};  ///< by GPUs that are used
};

/// @param system  its place in the space, which is for one run
RentableGpus rentable(const Space& space, const Question& question, std::size_t system);

}  // namespace planner::design
