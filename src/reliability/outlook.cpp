#include "planner/reliability/outlook.hpp"

#include <algorithm>

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

/// An availability below it is one of these: at the far ends of what rates may be.
constexpr double kLeast = 1e-100;
constexpr double kLow = 0.1, kHigh = 0.9;  // the ends of 80 of 100

}  // namespace

std::vector<LawNode> run_nodes(const JobReliability& job, const std::vector<Exposure>& exposed,
                               Seconds ideal, const Unknown& unknown) {
  Scaled scaled(job, exposed);
  return law_nodes(
      [&](double rates, double recovery) {
        const FailureLoad load = scaled.load(rates, recovery);
        const Goodput result = goodput(load, scaled.policy());
        if (result.availability < kLeast) return log_law(ideal.si() / kLeast, ideal.si() / kLeast);
        const RunDays days = run_moments(ideal, load, scaled.policy(), result);
        return log_law(days.mean.si(), days.deviation.si());
      },
      unknown.rates, unknown.recovery);
}

Seconds mean_time(const JobReliability& job, const std::vector<Exposure>& exposed, Seconds ideal,
                  double rates, double recovery) {
  Scaled scaled(job, exposed);
  const FailureLoad load = scaled.load(rates, recovery);
  return ideal / std::max(kLeast, goodput(load, scaled.policy()).availability);
}

Estimate<double> availability_range(const JobReliability& job, const std::vector<Exposure>& exposed,
                                    const Goodput& expected, const Unknown& unknown) {
  Scaled scaled(job, exposed);
  const OutcomeLaw law = outcome_law(
      [&](double rates, double recovery) {
        const FailureLoad load = scaled.load(rates, recovery);
        return log_law(std::max(kLeast, goodput(load, scaled.policy()).availability), 0);
      },
      {.rates = unknown.rates, .recovery = unknown.recovery});
  return {.low = std::min(expected.availability, law.quantile(kLow)),
          .expected = expected.availability,
          .high = std::max(expected.availability, law.quantile(kHigh))};
}

Estimate<Seconds> days_range(const JobReliability& job, const std::vector<Exposure>& exposed,
                             const RunDays& days, const Unknown& unknown) {
  const OutcomeLaw law = outcome_law(run_nodes(job, exposed, days.ideal, unknown), {});
  return {.low = std::min(days.mean, Seconds{law.quantile(kLow)}),
          .expected = days.mean,
          .high = std::max(days.mean, Seconds{law.quantile(kHigh)})};
}

}  // namespace planner::reliability
