#include "planner/reliability/outlook.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "planner/core/normal.hpp"

namespace planner::inline reliability {

namespace {

/// A job whose rates and recovery times are multiplied. Holds what it is made of, so that a
/// hundred of them copy nothing.
class Scaled {
 public:
  Scaled(const JobReliability& job, const std::vector<Exposure>& exposed)
      : job_(job), exposed_(exposed), now_(job), scaled_(exposed) {
    const FailureLoad load = failure_load(job, exposed);
    now_.checkpoint.interval = goodput(load, job.checkpoint).interval;
  }

  FailureLoad load(double rates, double recovery) {
    now_.restart = recovery * job_.restart;
    for (std::size_t i = 0; i < exposed_.size(); ++i) {
      scaled_[i].rate = rates * exposed_[i].rate;
      scaled_[i].detect = recovery * exposed_[i].detect;
      scaled_[i].diagnose = recovery * exposed_[i].diagnose;
      if (!exposed_[i].swapped) continue;  // a pause of a checkpoint and a restart
      scaled_[i].pause = exposed_[i].pause + (recovery - 1) * job_.restart;
    }
    return failure_load(now_, scaled_);
  }
  [[nodiscard]] const CheckpointPolicy& policy() const { return now_.checkpoint; }

 private:
  const JobReliability& job_;
  const std::vector<Exposure>& exposed_;
  JobReliability now_;
  std::vector<Exposure> scaled_;
};

/// A job at such rates, with its checkpoints.
struct Met {
  FailureLoad load;
  Goodput goodput;
  CheckpointPolicy policy;
};

/// The same where the loss of one of two links may be met either way.
class Meeting {
 public:
  Meeting(const JobReliability& job, const std::vector<Exposure>& exposed, bool better_link_loss)
      : as_is_(job, exposed) {
    if (!better_link_loss || job.access == AccessLinks::single_tor) return;
    other_job_ = job;
    other_job_.link_loss = job.link_loss == LinkLoss::swap ? LinkLoss::slow : LinkLoss::swap;
    other_exposed_ = exposures(other_job_);
    other_.emplace(other_job_, other_exposed_);
  }
  Meeting(const Meeting&) = delete;
  Meeting& operator=(const Meeting&) = delete;

  Met at(double rates, double recovery) {
    Met met = of(as_is_, rates, recovery);
    if (!other_) return met;
    Met other = of(*other_, rates, recovery);
    return other.goodput.availability > met.goodput.availability ? other : met;
  }

 private:
  static Met of(Scaled& scaled, double rates, double recovery) {
    FailureLoad load = scaled.load(rates, recovery);
    const Goodput result = goodput(load, scaled.policy());
    return {std::move(load), result, scaled.policy()};
  }

  Scaled as_is_;
  JobReliability other_job_;
  std::vector<Exposure> other_exposed_;
  std::optional<Scaled> other_;
};

/// An availability below it is one of these: at the far ends of what rates may be.
constexpr double kLeast = 1e-100;
constexpr double kLow = 0.1, kHigh = 0.9;  // the ends of 80 of 100

/// The run by how many rare losses it meets: ln of its time as split normal, by the middle and the
/// ends of 80 of 100.
std::vector<LawNode> cases_of(const RunDays& days, const std::vector<LuckCase>& cases) {
  std::vector<LawNode> nodes;
  nodes.reserve(cases.size());
  const double reach = normal_quantile(kHigh);
  for (const LuckCase& one : cases) {
    const auto at = [&](double z) { return std::log((days.least + luck_at(one, z)).si()); };
    const double median = at(0);
    nodes.push_back(
        {median, {(median - at(-reach)) / reach, (at(reach) - median) / reach}, one.weight});
  }
  return nodes;
}

}  // namespace

std::vector<LawNode> run_nodes(const JobReliability& job, const std::vector<Exposure>& exposed,
                               Seconds ideal, const Unknown& unknown) {
  Meeting meeting(job, exposed, unknown.better_link_loss);
  const Seconds longest = ideal / kLeast;
  const auto moments = [&](const Met& met) {
    if (met.goodput.availability < kLeast) {
      return RunDays{.ideal = ideal, .mean = longest, .least = ideal, .deviation = longest};
    }
    return run_moments(ideal, met.load, met.policy, met.goodput);
  };
  const auto whole = [](const RunDays& days) {
    return log_law(days.mean.si(), days.deviation.si());
  };
  return law_nodes(
      [&](double rates, double recovery) { return whole(moments(meeting.at(rates, recovery))); },
      [&](double rates, double recovery) {
        const Met met = meeting.at(rates, recovery);
        const RunDays days = moments(met);
        const std::vector<LuckCase> cases = luck_of(days, met.load);
        return cases.size() > 1 ? cases_of(days, cases) : std::vector{law_node(whole(days))};
      },
      unknown.rates, unknown.recovery);
}

Seconds mean_time(const JobReliability& job, const std::vector<Exposure>& exposed, Seconds ideal,
                  double rates, double recovery, bool better_link_loss) {
  Meeting meeting(job, exposed, better_link_loss);
  return ideal / std::max(kLeast, meeting.at(rates, recovery).goodput.availability);
}

Estimate<double> availability_range(const JobReliability& job, const std::vector<Exposure>& exposed,
                                    const Goodput& expected, const Unknown& unknown) {
  Meeting meeting(job, exposed, unknown.better_link_loss);
  const OutcomeLaw law = outcome_law(
      [&](double rates, double recovery) {
        return log_law(std::max(kLeast, meeting.at(rates, recovery).goodput.availability), 0);
      },
      {.rates = unknown.rates, .recovery = unknown.recovery});
  return {.low = std::min(expected.availability, law.quantile(kLow)),
          .expected = expected.availability,
          .high = std::max(expected.availability, law.quantile(kHigh))};
}

Estimate<Seconds> days_range(const JobReliability& job, const std::vector<Exposure>& exposed,
                             const RunDays& days, const Unknown& unknown) {
  const OutcomeLaw law = outcome_law(run_nodes(job, exposed, days.ideal, unknown), {});
  // Nothing goes faster than without failures, whatever shape stands for the luck of a run.
  return {
      .low = std::clamp(Seconds{law.quantile(kLow)}, std::min(days.ideal, days.mean), days.mean),
      .expected = days.mean,
      .high = std::max(days.mean, Seconds{law.quantile(kHigh)})};
}

}  // namespace planner::reliability
