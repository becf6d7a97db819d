#pragma once

#include "planner/core/quantity.hpp"
#include "planner/domain/estimate.hpp"

// What is taken for a time that nobody knows: 80 of 100 clusters lie within. An assumption of this
// project, by what was published.
namespace planner::inline reliability {

/// C4 paper, December 2023: 65 s; the hang that ends a silent failure: 30 minutes.
inline constexpr Estimate<Seconds> kUsualDetect{Seconds{60}, Seconds{600}, Seconds{1800}};
/// C4 paper, December and June 2023: 16 and 128 minutes.
inline constexpr Estimate<Seconds> kUsualDiagnose{Seconds{300}, Seconds{960}, Seconds{7680}};
/// C4 paper: 3.3 minutes; Kokolis et al. 2025 (RSC): 5.
inline constexpr Estimate<Seconds> kUsualRestart{Seconds{60}, Seconds{300}, Seconds{900}};

/// What a checkpoint stalls the training for. HPN paper (SIGCOMM'24), section 2.3: 30 GB of a GPU
/// in 100 s; Kokolis et al. 2025 (RSC): 20 s; the least is HPN's 30 GB copied to the host at 25
/// GB/s. Which it is depends on the storage and on what is written beside the training, so that the
/// expected case counts no stall and is a bound.
inline constexpr Estimate<Seconds> kUsualStall{Seconds{1}, Seconds{20}, Seconds{100}};

/// Rates of one cluster taken for another's: by such a factor either way, 80 of 100. The spread of
/// six published ones.
inline constexpr double kUsualRateFactor = 2.4;

}  // namespace planner::reliability
