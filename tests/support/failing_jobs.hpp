// Failures, and what becomes of a job that meets them.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "planner/job/reliability.hpp"

namespace planner::testing {

using Texts = std::vector<std::string>;

inline FailureRate crash(FailureUnit unit, double per_hour) {
  return {.component = "part",
          .unit = unit,
          .rate = per_hour * units::per_hour,
          .detect = Seconds{60},
          .diagnose = Seconds{600}};
}

/// With checkpoints of 10 s and restarts of 300 s.
inline FailureRates rates_of(std::vector<FailureRate> components) {
  return {.name = "some",
          .title = "some",
          .components = std::move(components),
          .restart = Seconds{300},
          .checkpoint_stall = Seconds{10}};
}

inline job::ReliabilityResult of(const ReliabilitySettings& asked, FailureRates rates,
                                 std::int64_t gpus = 512, std::optional<Seconds> ideal = {}) {
  Texts warnings;
  return job::job_reliability(asked, std::move(rates), gpus, ideal, warnings);
}

inline Texts warned(const ReliabilitySettings& asked, FailureRates rates) {
  Texts warnings;
  job::job_reliability(asked, std::move(rates), 512, {}, warnings);
  return warnings;
}

inline FailureRates of_gpus() {
  return rates_of({crash(FailureUnit::gpu, 1e-6)});
}

}  // namespace planner::testing
