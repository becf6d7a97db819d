#pragma once

#include <array>

#include "planner/domain/reliability.hpp"

// Recovery times that a source observed have repeats in them, by a mode that no source tells.
namespace planner::job {

using ModeShares = std::array<double, kRecoveryModes.size()>;

/// By mode: the share of the file's recovery times that is left without failures during the
/// recovery, if they were observed in that mode. 1 where one of the times is not known.
/// @param running_share  of the job that the job_calendar rates are of
ModeShares undisturbed_shares(const FailureRates& rates, double running_share);

/// What the modes that are gentler than the job's read in the times of the file, beside what the
/// job's mode does; times that are given are the same in all.
std::array<LongerTimes, kRecoveryModes.size()> gentler_readings(const ReliabilitySettings& asked,
                                                                const JobReliability& job,
                                                                const ModeShares& shares);

}  // namespace planner::job
