#include "planner/job/reliability.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "planner/core/ceil_div.hpp"
#include "planner/core/real.hpp"
#include "planner/job/reliability_settings.hpp"
#include "planner/job/told.hpp"
#include "planner/reliability/checkpoint.hpp"
#include "planner/reliability/spares.hpp"

namespace planner::job {

namespace {

/// Both ways to count failures of a job that waits are shown from such a difference on.
constexpr double kHazardsDiffer = 0.02;

std::string hardly_advances(const FailureLoad& load) {
  const std::string crashes =
      load.rate > PerSecond{}
          ? fmt::format("a failure comes every {}, and ", span(Seconds{1 / load.rate.si()}))
          : "";
  return fmt::format(
      "{}less than one part in 10^100 of the time is work that stays: checkpoint more often "
      "(--checkpoint auto), recover faster, add spares, or use fewer GPUs",
      crashes);
}

/// Spares of all pools together that suffice between two repair visits.
std::optional<std::int64_t> spares_for(const ReliabilityResult& result, double confidence) {
  const JobReliability& job = result.job;
  if (!job.spares || !job.spares->visits) return std::nullopt;
  PerSecond rate{};
  for (const Exposure& exposure : result.exposed) {
    if (exposure.needs_spare) rate += exposure.rate;
  }
  const std::int64_t pools = job.spares->pools, nodes = job.spares->units(job.counts.gpus);
  return pools * spares_needed(ceil_div(nodes, pools), rate / real(nodes), *job.spares->visits,
                               std::pow(confidence, 1 / real(pools)));
}

/// 61 intervals, five to each factor of 2, up to 64 times longer and shorter than the
/// best, or than the one used where checkpoints cost nothing.
std::vector<IntervalPoint> curve(const ReliabilityResult& result) {
  constexpr int kPoints = 30;
  std::vector<IntervalPoint> points;
  if (!result.advised || !result.goodput.interval) return points;
  const Seconds best = result.advised->optimal;
  const Seconds middle = best > Seconds{} ? best : *result.goodput.interval;
  CheckpointPolicy policy = result.job.checkpoint;
  for (int i = -kPoints; i <= kPoints; ++i) {
    policy.interval = std::exp2(6.0 * i / kPoints) * middle;
    points.push_back({*policy.interval, goodput(result.load, policy).availability});
  }
  return points;
}

/// Availability by the hours in which units fail, and a warning where it matters which.
void compare_hazards(ReliabilityResult& result, std::vector<std::string>& warnings) {
  if (!result.job.spares || result.job.spares->visits) return;
  JobReliability job = result.job;
  std::array<double, kDownHazards.size()> found{};
  for (std::size_t i = 0; i < found.size(); ++i) {
    job.hazard = kDownHazards[i];
    found[i] = goodput(job).availability;
  }
  result.by_hazard = found;
  if (found[0] - found[1] <= kHazardsDiffer) return;
  warnings.push_back(fmt::format(
      "the job waits long for spares: {:.3g} of the time is work that stays if what waits does not "
      "fail, {:.3g} if it fails at all hours; the truth lies between (--hazard-while-down)",
      found[0], found[1]));
}

void advise_interval(bool stall_known, ReliabilityResult& result,
                     std::vector<std::string>& warnings) {
  if (result.load.rate <= PerSecond{}) return;
  const CheckpointPolicy& policy = result.job.checkpoint;
  const Seconds d = policy.stall, M{1 / result.load.rate.si()};
  if (policy.interval && *policy.interval > M) {
    warnings.push_back(
        fmt::format("{} between checkpoints, and a failure every {}: most work is done again",
                    span(*policy.interval), span(M)));
  }
  if (!stall_known) return;
  result.advised = AdvisedIntervals{std::max(optimal_interval(d, M), policy.durable),
                                    young_interval(d, M), daly_interval(d, M)};
}

/// What follows from the job itself.
void work_out(JobOutlook& outlook) {
  outlook.exposed = exposures(outlook.job);
  outlook.load = failure_load(outlook.job, outlook.exposed);
  outlook.goodput = goodput(outlook.load, outlook.job.checkpoint);
}

/// The job with checkpoints that stall it for so long.
JobOutlook stalled(JobOutlook outlook, Seconds stall) {
  outlook.job.checkpoint.stall = stall;
  work_out(outlook);
  return outlook;
}

/// What 80 of 100 such jobs come to, at the ends of what is usual for a stall that nobody knows.
void add_ranges(std::optional<Seconds> ideal, ReliabilityResult& result) {
  const auto ranges = [&](const JobOutlook& of) {
    std::optional<RunDays> days;
    if (ideal) days = run_moments(*ideal, of.load, of.job.checkpoint, of.goodput);
    return outlook_ranges(of.job, of.exposed, of.goodput, days, result.unknown);
  };
  const OutlookRanges expected = ranges(result);
  result.availability = expected.availability;
  result.days_range = expected.days;
  if (!result.unknown_stall) return;
  const OutlookRanges least = ranges(stalled(result, result.unknown_stall->low));
  const OutlookRanges most = ranges(stalled(result, result.unknown_stall->high));
  result.availability.low = most.availability.low;
  result.availability.high = std::max(result.availability.expected, least.availability.high);
  if (!ideal) return;
  result.days_range->low = std::min(result.days_range->expected, least.days->low);
  result.days_range->high = most.days->high;
}

}  // namespace

ReliabilitySettings in_nodes(ReliabilitySettings asked, const Node& node, std::int64_t gpus) {
  if (!asked.gpus_per_node) asked.gpus_per_node = node.accelerators;
  if (!asked.nics) asked.nics = ceil_div(gpus, node.accelerators) * node.nics;
  return asked;
}

bool swaps_trays(const ReliabilitySettings& asked) {
  return asked.reconfigure && !asked.tray;
}

ReliabilitySettings in_domains(ReliabilitySettings asked, std::int64_t hb_domain,
                               std::optional<std::int64_t> gpus_per_tray) {
  if (!asked.spares || asked.swap_unit) return asked;
  if (swaps_trays(asked)) {
    asked.swap_unit = gpus_per_tray;
  } else if (hb_domain > asked.gpus_per_node.value_or(kGpusPerNode)) {
    asked.swap_unit = hb_domain;
  }
  return asked;
}

namespace {

/// All that optical switches can put in the place of what fails: what is asked for, and whole units
/// of what the domains have left. Of several pools each has as many.
ReliabilitySettings with_all_left(ReliabilitySettings asked, std::int64_t left, std::int64_t used,
                                  std::optional<std::int64_t> gpus_per_tray, std::int64_t gpus) {
  if (!asked.swap_unit) asked.swap_unit = gpus_per_tray;
  const std::int64_t unit = asked.swap_unit.value_or(asked.gpus_per_node.value_or(kGpusPerNode));
  std::int64_t& spares = *asked.spares;
  const std::int64_t all = std::min(gpus / unit, spares + ceil_div(gpus, used) * (left / unit));
  spares = std::max(spares, all - all % asked.spare_pools.value_or(1));
  return asked;
}

}  // namespace

ReliabilitySettings with_idle_trays(ReliabilitySettings asked, std::int64_t domain,
                                    std::int64_t used, std::optional<std::int64_t> gpus_per_tray,
                                    std::int64_t gpus) {
  if (asked.spares && swaps_trays(asked)) {
    return with_all_left(std::move(asked), domain - used, used, gpus_per_tray, gpus);
  }
  // What is asked for is the number in all: trays that stand idle are among them.
  if (asked.spares && !asked.swap_unit && asked.tray && asked.spare_trays && used < domain) {
    asked.swap_unit = std::min(domain, used + *asked.tray * *asked.spare_trays);
    return asked;
  }
  const bool said = asked.swap_unit || asked.tray || asked.spare_trays;
  if (!asked.spares || said || asked.visits || !gpus_per_tray || domain % *gpus_per_tray != 0) {
    return asked;
  }
  const std::int64_t idle = (domain - used) / *gpus_per_tray;
  if (idle <= 0) return asked;
  asked.swap_unit = domain;
  asked.tray = gpus_per_tray;
  asked.spare_trays = idle;
  return asked;
}

ReliabilitySettings counted_parts(ReliabilitySettings asked, const std::optional<Node>& node,
                                  const FabricCount& network) {
  const bool pairs = asked.access == AccessLinks::dual_tor;
  if (!asked.gpus_per_node && node) asked.gpus_per_node = node->accelerators;
  if (!asked.nics) asked.nics = network.endpoints;
  if (network.switches.empty()) return asked;
  const std::int64_t leaves = network.switches.front().switches;
  if (!asked.switches) asked.switches = pairs ? ceil_div(leaves, 2) : leaves;
  if (!asked.upper_switches) asked.upper_switches = network.total_switches() - leaves;
  return asked;
}

bool JobOutlook::advances() const {
  return goodput.availability > kLeastAvailability;
}

RunDays JobOutlook::days_of(Seconds ideal) const {
  return run_days(ideal, load, job.checkpoint, goodput);
}

JobOutlook job_outlook(const ReliabilitySettings& asked, FailureRates rates, std::int64_t gpus,
                       std::vector<std::string>& warnings) {
  SettledJob settled = settle(asked, std::move(rates), gpus, warnings);
  JobOutlook outlook{.job = std::move(settled.job),
                     .assumed = std::move(settled.assumed),
                     .unknown = {settled.rate_spread, !asked.link_loss},
                     .unknown_stall = settled.unknown_stall};
  work_out(outlook);
  return outlook;
}

ReliabilityResult job_reliability(const ReliabilitySettings& asked, FailureRates rates,
                                  std::int64_t gpus, std::optional<Seconds> ideal,
                                  std::vector<std::string>& warnings) {
  ReliabilityResult result{job_outlook(asked, std::move(rates), gpus, warnings)};
  const JobReliability& job = result.job;
  if (!result.advances()) warnings.push_back(hardly_advances(result.load));
  const bool stall_known = asked.stall || asked.checkpoint_rate || job.rates.checkpoint_stall;
  advise_interval(stall_known, result, warnings);
  compare_hazards(result, warnings);
  add_ranges(ideal, result);
  result.spares_for_99 = spares_for(result, 0.99);
  result.by_interval = curve(result);
  result.improve = improvements(job);
  result.fewer_failures = gains_of_fewer_failures(job);
  if (ideal) result.days = result.days_of(*ideal);
  return result;
}

std::int64_t spare_gpus(const JobOutlook& outlook) {
  const auto& spares = outlook.job.spares;
  return spares ? spares->gpus_beside(outlook.job.counts.gpus) : 0;
}

FailureMoney failure_money(const ReliabilityResult& result, double usd) {
  const UsdPerSecond gpu = usd * units::usd / units::hour;
  const UsdPerSecond price = real(result.job.counts.gpus + spare_gpus(result)) * gpu;
  const FailureLoad& load = result.load;
  const Waste& waste = result.goodput.waste;
  FailureMoney money;
  if (load.rate > PerSecond{}) {
    const double per_wall_second = load.rate.si() / load.wall_per_active;
    const double waits = load.waiting > 0 ? load.crashes_wait / load.waiting : 0;
    const double share =
        waste.lost + waste.detect + waste.diagnose + waste.restart + waits * waste.spare_wait;
    money.per_failure = price * Seconds{share / per_wall_second};
  }
  if (const auto& optical = result.job.optical; optical && optical->ports && optical->port_price) {
    money.optical_switches = real(*optical->ports) * *optical->port_price;
  }
  if (result.days) {
    money.ideal = price * result.days->ideal;
    money.mean = price * result.days->mean;
    money.p95 = price * result.days->p95;
  }
  return money;
}

}  // namespace planner::job
