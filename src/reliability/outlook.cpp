#include "planner/reliability/outlook.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "planner/reliability/shortage_curves.hpp"

namespace planner::inline reliability {

namespace {

/// Crashes that differ by their name and rate only as one: they come to the same.
std::vector<Exposure> alike_as_one(const std::vector<Exposure>& exposed) {
  const auto met = [](const Exposure& e) {
    return std::tie(e.action, e.needs_spare, e.of_switch, e.of_feed, e.detect, e.diagnose,
                    e.detect_unknown, e.diagnose_unknown, e.repair, e.pause, e.degraded_speed,
                    e.swapped);
  };
  std::vector<Exposure> found;
  for (const Exposure& one : exposed) {
    const auto alike = std::find_if(found.begin(), found.end(), [&](const Exposure& other) {
      return one.action == FailureAction::crash && met(one) == met(other);
    });
    if (alike == found.end()) {
      found.push_back(one);
    } else {
      alike->rate += one.rate;
    }
  }
  return found;
}

/// What a time that is not known is multiplied by, some standard deviations from what is expected.
/// Kept, as the next one is mostly alike.
class Factor {
 public:
  double at(const LogSpread& unknown, double deviations) {
    const double logarithm = deviations * (deviations < 0 ? unknown.below : unknown.above);
    if (logarithm != logarithm_) {
      logarithm_ = logarithm;
      factor_ = std::exp(logarithm);
    }
    return factor_;
  }

 private:
  double logarithm_ = 0, factor_ = 1;
};

/// A job at other rates and recovery times: all that are not known as long as each is where so
/// many of 100 are shorter. Holds what it is made of, so that a hundred of them copy nothing.
class Scaled {
 public:
  /// @param curves  of the pools of this job, and of others that meet losses of links otherwise
  Scaled(const JobReliability& job, const std::vector<Exposure>& exposed, ShortageCurves& curves)
      : job_(job), exposed_(alike_as_one(exposed)), now_(job), scaled_(exposed_), curves_(curves) {
    now_.checkpoint.interval = checkpoint_interval(crash_rate(exposed), job.checkpoint);
  }

  /// @param rates  a factor
  /// @param recovery  standard deviations from what is expected
  FailureLoad load(double rates, double recovery) {
    now_.restart =
        job_.load + restart_.at(job_.restart_unknown, recovery) * (job_.restart - job_.load);
    for (std::size_t i = 0; i < exposed_.size(); ++i) {
      scaled_[i].rate = rates * exposed_[i].rate;
      scaled_[i].detect = detect_.at(exposed_[i].detect_unknown, recovery) * exposed_[i].detect;
      scaled_[i].diagnose =
          diagnose_.at(exposed_[i].diagnose_unknown, recovery) * exposed_[i].diagnose;
      if (!exposed_[i].swapped) continue;  // a pause of a checkpoint and a restart
      scaled_[i].pause = exposed_[i].pause + (now_.restart - job_.restart);
    }
    return failure_load(now_, scaled_, &curves_);
  }
  [[nodiscard]] const CheckpointPolicy& policy() const { return now_.checkpoint; }

 private:
  const JobReliability& job_;
  const std::vector<Exposure> exposed_;
  JobReliability now_;
  std::vector<Exposure> scaled_;
  ShortageCurves& curves_;
  Factor detect_, diagnose_, restart_;
};

/// A job at such rates, with its checkpoints.
struct Met {
  FailureLoad load;
  Goodput goodput;
  CheckpointPolicy policy;
};

/// Of the time that is known least.
double recovery_spread(const JobReliability& job, const std::vector<Exposure>& exposed) {
  double most = 0;
  const auto look_at = [&](const LogSpread& one) { most = std::max({most, one.below, one.above}); };
  look_at(job.restart_unknown);
  for (const Exposure& one : exposed) {
    look_at(one.detect_unknown);
    look_at(one.diagnose_unknown);
  }
  return most;
}

/// The same where the loss of one of two links may be met either way.
class Meeting {
 public:
  Meeting(const JobReliability& job, const std::vector<Exposure>& exposed, const Unknown& unknown)
      : spread_{unknown.rates, recovery_spread(job, exposed)}, as_is_(job, exposed, curves_) {
    if (!unknown.better_link_loss || job.access == AccessLinks::single_tor) return;
    other_job_ = job;
    other_job_.link_loss = job.link_loss == LinkLoss::swap ? LinkLoss::slow : LinkLoss::swap;
    other_.emplace(other_job_, exposures(other_job_), curves_);
  }
  Meeting(const Meeting&) = delete;
  Meeting& operator=(const Meeting&) = delete;

  [[nodiscard]] const CheckpointPolicy& policy() const { return as_is_.policy(); }
  /// Standard deviations of the logarithms of rates and recovery times.
  struct Spread {
    double rates, recovery;
  };
  [[nodiscard]] const Spread& spread() const { return spread_; }
  /// So many of these from what is expected. Looks once at each pair.
  const Met& at(double rates, double recovery) {
    const auto [found, fresh] = met_.try_emplace({rates, recovery});
    Met& met = found->second;
    if (!fresh) return met;
    const double factor = std::exp(rates * spread_.rates);
    met = of(as_is_, factor, recovery);
    if (!other_) return met;
    Met other = of(*other_, factor, recovery);
    if (other.goodput.availability > met.goodput.availability) met = std::move(other);
    return met;
  }

 private:
  static Met of(Scaled& scaled, double rates, double recovery) {
    FailureLoad load = scaled.load(rates, recovery);
    const Goodput result = goodput(load, scaled.policy());
    return {std::move(load), result, scaled.policy()};
  }

  Spread spread_;
  ShortageCurves curves_;
  Scaled as_is_;
  JobReliability other_job_;
  std::optional<Scaled> other_;
  std::map<std::pair<double, double>, Met> met_;
};

constexpr double kLow = 0.1, kHigh = 0.9;  // the ends of 80 of 100

/// Cells of what the luck of a run adds at one of many pairs of rates and recovery times.
constexpr int kLuckCells = 48;
constexpr double kFinest = 2e-3;

OutcomeLaw run_law(Meeting& meeting, Seconds ideal) {
  const CheckpointPolicy& policy = meeting.policy();
  const double overhead =
      policy.interval && *policy.interval > Seconds{} ? 1 + policy.stall / *policy.interval : 1;
  const auto excess = [&](double rates, double recovery, const std::vector<double>& shares) {
    const Met& met = meeting.at(rates, recovery);
    std::vector<double> found(shares.size(), 1 / kLeastAvailability);
    if (met.goodput.availability <= kLeastAvailability) return found;
    const RunDays days = run_moments(ideal, met.load, met.policy, met.goodput);
    const LuckLaw luck = luck_of(days, met.load, kLuckCells, kFinest);
    for (std::size_t i = 0; i < shares.size(); ++i) {
      const double time = (days.least + luck.quantile(shares[i])) / (overhead * ideal);
      found[i] = std::max(0.0, time - 1);
    }
    return found;
  };
  const auto [of_rates, of_recovery] = meeting.spread();
  return outcome_law((overhead * ideal).si(), excess, of_rates, of_recovery);
}

OutcomeLaw unavailability_law(Meeting& meeting) {
  const auto excess = [&](double rates, double recovery, const std::vector<double>& /*shares*/) {
    return std::vector{1 / meeting.at(rates, recovery).goodput.availability - 1};
  };
  return outcome_law(1, excess, meeting.spread().rates, meeting.spread().recovery);
}

}  // namespace

OutcomeLaw run_law(const JobReliability& job, const std::vector<Exposure>& exposed, Seconds ideal,
                   const Unknown& unknown) {
  Meeting meeting(job, exposed, unknown);
  return run_law(meeting, ideal);
}

Seconds mean_time(const JobReliability& job, const std::vector<Exposure>& exposed, Seconds ideal,
                  const Unknown& unknown, double rates, double recovery) {
  Meeting meeting(job, exposed, unknown);
  return ideal / meeting.at(rates, recovery).goodput.availability;
}

OutlookRanges outlook_ranges(const JobReliability& job, const std::vector<Exposure>& exposed,
                             const Goodput& expected, const std::optional<RunDays>& days,
                             const Unknown& unknown) {
  Meeting meeting(job, exposed, unknown);
  const OutcomeLaw law = unavailability_law(meeting);
  OutlookRanges ranges{
      .availability = {.low = std::min(expected.availability, 1 / law.quantile(kHigh)),
                       .expected = expected.availability,
                       .high = std::max(expected.availability, 1 / law.quantile(kLow))}};
  if (!days) return ranges;
  const OutcomeLaw time = run_law(meeting, days->ideal);
  ranges.days = {.low = std::min(days->mean, Seconds{time.quantile(kLow)}),
                 .expected = days->mean,
                 .high = std::max(days->mean, Seconds{time.quantile(kHigh)})};
  return ranges;
}

}  // namespace planner::reliability
