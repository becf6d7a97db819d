// The jobs of C4 and Llama 3, as the cases of goodput say them.
#pragma once

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "planner/reliability/rate_basis.hpp"
#include "support/near.hpp"
#include "support/reliability.hpp"

namespace planner::testing {

struct Month {
  double rate;                              // of a GPU, per hour of the calendar
  double detect, diagnose, restart, every;  // seconds
};
inline constexpr Month kJune{3.83102e-05, 1335.6, 7696.8, 235.2, 5880};
inline constexpr Month kDecember{1.15162e-05, 65.4, 952.2, 195.6, 600};

inline Month month_of(const nlohmann::json& in) {
  return in["rates"] == "c4-2023-06" ? kJune : kDecember;
}

inline RecoveryMode mode_of(const nlohmann::json& in) {
  const std::string name = in.value("during_recovery", "merge");
  for (const RecoveryMode mode : kRecoveryModes) {
    if (name_of(mode) == name) return mode;
  }
  throw std::runtime_error(name);
}

/// C4's job on so many GPUs.
inline JobReliability c4_job(const nlohmann::json& in) {
  const Month month = month_of(in);
  JobReliability job{.rates = {.components = {{.component = "all",
                                               .unit = FailureUnit::gpu,
                                               .rate = month.rate * units::per_hour,
                                               .basis = RateBasis::job_calendar,
                                               .detect = Seconds{month.detect},
                                               .diagnose = Seconds{month.diagnose},
                                               .observed_units = 2400}},
                               .restart = Seconds{month.restart}},
                     .counts = {.gpus = in["gpus"]},
                     .checkpoint = {.interval = Seconds{month.every}},
                     .restart = Seconds{month.restart},
                     .recovery = mode_of(in)};
  const nlohmann::json basis = in.value("basis", "job_calendar");
  if (basis == "part_calendar") job.rates.components.front().basis = RateBasis::part_calendar;
  job.running_share = running_share(job.rates);
  if (!in.value("recovery_is_observed", false)) return job;
  FailureRate& all = job.rates.components.front();
  const CrashClass observed{2400 * active_rate(all, job.running_share), *all.detect + *all.diagnose,
                            job.restart};
  const double share = undisturbed_share(std::array{observed}, job.recovery);
  CHECK(share * (observed.cured + observed.redone).in(units::hour) ==
        near(in["pure_recovery_h"].get<double>(), 1e-6));
  all.detect = share * *all.detect;
  all.diagnose = share * *all.diagnose;
  job.restart = share * job.restart;
  return job;
}

/// Llama 3's: 419 interruptions that grow with the GPUs, 47 planned ones of any job.
inline JobReliability llama_job(const nlohmann::json& in) {
  const double gpus = in["gpus"];
  JobReliability job{.rates = {.components = {rate_of(FailureUnit::gpu, 419.0 / 1296 / 16384),
                                              rate_of(FailureUnit::job, 47.0 / 1296)}},
                     .counts = {.gpus = static_cast<std::int64_t>(gpus)},
                     .checkpoint = {.stall = Seconds{in["stall_s"].get<double>()}},
                     .restart = in.contains("restart_min")
                                    ? minutes(in["restart_min"].get<double>())
                                    : Seconds{in["restart_s"].get<double>()},
                     .recovery = mode_of(in)};
  for (FailureRate& rate : job.rates.components) rate.basis = RateBasis::job_calendar;
  if (in.contains("checkpoint_s")) {
    job.checkpoint.interval = Seconds{in["checkpoint_s"].get<double>()};
  }
  job.running_share = in["running_share"].is_number()
                          ? in["running_share"].get<double>()
                          : 1 - 466.0 / 1296 * job.restart.in(units::hour);
  return job;
}

}  // namespace planner::testing
