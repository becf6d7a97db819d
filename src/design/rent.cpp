#include "planner/design/rent.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "planner/core/ceil_div.hpp"
#include "planner/core/diagnostic.hpp"
#include "planner/core/real.hpp"
#include "planner/cost/estimate_math.hpp"
#include "planner/cost/rent_or_buy.hpp"
#include "planner/design/floor.hpp"
#include "planner/job/reliability.hpp"

namespace planner::design {

namespace {

/// One system, batch and term.
class Renting {
 public:
  Renting(const Space& space, const Question& question, Times& times, std::size_t system,
          std::size_t batch, const CloudPrice& price)
      : space_(space),
        question_(question),
        times_(times),
        price_(price),
        best_{.system = system, .batch = batch, .term = price.term} {}

  std::optional<Rented> run(const Control& control) {
    Workload job = job_of(space_, best_.system, best_.batch, 1);
    const TimeFloor floor(job);
    const std::int64_t most = question_.limits.gpus.value_or(space_.gpus.to);
    job.gpus = most;
    const SearchSpace& strategies = space_.systems[best_.system].strategies;
    for (const std::int64_t used : legal_gpu_counts(job, strategies, most)) {
      if (control.between) control.between();
      if (control.out_of_time && control.out_of_time()) throw Interrupted();
      job.gpus = used;
      look_at(job, floor.of(used));
    }
    return found_ ? std::optional(best_) : std::nullopt;
  }

 private:
  [[nodiscard]] bool by_days() const { return question_.goals.front().measure == Measure::days; }

  [[nodiscard]] Estimate<Usd> cost_of(std::int64_t gpus, Seconds run) const {
    const Seconds paid = years_paid(price_.term, run.in(units::year)) * units::year;
    return each([&](UsdPerSecond one) { return real(gpus) * one * paid; }, price_.rent);
  }

  /// An iteration beyond which so many GPUs do not matter.
  [[nodiscard]] Seconds longest(std::int64_t gpus, const Lateness& late) const {
    constexpr double kRoom = 1 + 1e-9;
    const double runs = iterations(space_, best_.batch);
    double most = std::numeric_limits<double>::infinity();
    if (const auto& days = question_.limits.days) {
      most = std::min(most, (*days * units::day).si() / late.factor);
    }
    if (found_ && by_days()) most = std::min(most, best_.run.expected.si());
    if (found_ && !by_days() && price_.term == RentTerm::on_demand) {
      const double per_second = cost_of(gpus, units::second).expected.si();
      most = std::min(most, (best_.cost.expected.dollars() + 1) / per_second);
    }
    return Seconds{kRoom * most / runs};
  }

  void look_at(const Workload& job, Seconds floor) {
    const SystemOption& option = space_.systems[best_.system];
    const std::int64_t whole = bought_together(option);
    const std::int64_t gpus = whole * ceil_div(job.gpus, whole);
    const Lateness late = lateness(job, question_.confidence);
    const Seconds limit = longest(gpus, late);
    if (floor > limit) return;
    const auto time = times_.best(
        {.system = best_.system, .batch = best_.batch, .used = job.gpus, .bought = gpus}, {},
        limit);
    if (!time) return;
    Rented one = best_;
    one.gpus = gpus;
    one.time = *time;
    const auto run = run_of(job, *time, late);
    if (!run) return;
    one.run = *run;
    const Estimate<Usd> cost = cost_of(gpus, run->expected);
    const auto cents = in_cents(cost);
    if (!cents) return;
    one.cost = *cents;
    const Estimate<Usd> late_cost = cost_of(gpus, run->confident);
    const double dearer = excess(cost.expected.si(), cost.high.si(), question_.confidence);
    const auto confident = Money::from_dollars(dearer * late_cost.expected.si());
    if (!confident) return;
    one.confident = *confident;
    if (within_limits(one) && (!found_ || before(one, best_))) {
      best_ = one;
      found_ = true;
    }
  }

  /// The provider replaces what fails: a spare is always at hand.
  [[nodiscard]] std::optional<RunTimes> run_of(const Workload& job, const BestTime& best,
                                               const Lateness& late) const {
    const Seconds ideal = iterations(space_, best_.batch) * best.time;
    if (!space_.failures) return RunTimes{ideal, late.factor * ideal};
    const SystemOption& option = space_.systems[best_.system];
    std::vector<std::string> warnings;
    const job::JobOutlook outlook =
        job::job_outlook(job::in_nodes(space_.failures->recovery, option.node, job.gpus),
                         space_.failures->rates, job.gpus, warnings);
    if (!outlook.advances()) return std::nullopt;
    const Seconds mean = outlook.days(ideal).mean;
    const OutcomeLaw law =
        run_law(outlook.job, outlook.exposed, ideal, outlook.unknown).times(late.model);
    return RunTimes{
        mean, std::max({mean, late.factor * ideal, Seconds{law.quantile(question_.confidence)}})};
  }

  [[nodiscard]] bool within_limits(const Rented& one) const {
    const BriefLimits& limits = question_.limits;
    return (!limits.days || one.run.confident.in(units::day) <= *limits.days) &&
           (!limits.run_cost || one.confident <= *limits.run_cost) &&
           (!limits.capex ||
            one.confident.in_cents() - space_.owned_value.in_cents() <= limits.capex->in_cents()) &&
           (!limits.tco || one.confident <= *limits.tco) &&
           (!limits.gpus || one.gpus <= *limits.gpus);
  }

  /// Of equals the other, then the fewer GPUs.
  [[nodiscard]] bool before(const Rented& a, const Rented& b) const {
    const auto place = [&](const Rented& one) {
      const double days = one.run.expected.si(), dollars = one.cost.expected.dollars();
      return by_days() ? std::tuple{days, dollars, one.gpus} : std::tuple{dollars, days, one.gpus};
    };
    return place(a) < place(b);
  }

  const Space& space_;
  const Question& question_;
  Times& times_;
  const CloudPrice& price_;
  Rented best_;
  bool found_ = false;
};

}  // namespace

namespace {

std::vector<Rented> each_rented(const Space& space, const Question& question, Times& times,
                                const Control& control) {
  std::vector<Rented> all;
  for (std::size_t system = 0; system < space.systems.size(); ++system) {
    const std::string& gpu = space.systems[system].job.system.accelerator.name;
    for (const RentTerm term : kRentTerms) {
      const CloudPrice* const price = rent_of(space.economics, gpu, term);
      if (price == nullptr) continue;
      std::optional<Rented> best;
      for (std::size_t batch = 0; batch < space.batches.size(); ++batch) {
        auto one = Renting(space, question, times, system, batch, *price).run(control);
        if (!one) continue;
        const bool by_days = question.goals.front().measure == Measure::days;
        const bool better = best && (by_days ? one->run.expected < best->run.expected
                                             : one->cost.expected < best->cost.expected);
        if (!best || better) best = std::move(one);
      }
      if (best) all.push_back(*std::move(best));
    }
  }
  return all;
}

}  // namespace

std::vector<Rented> rented(const Space& space, const Question& question, Times& times,
                           const Control& control) {
  try {
    return each_rented(space, question, times, control);
  } catch (const Interrupted&) {
    return {};  // a part of the answer would not be the best
  }
}

}  // namespace planner::design
