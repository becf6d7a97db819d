#include "planner/design/rent.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "planner/core/ceil_div.hpp"
#include "planner/core/diagnostic.hpp"
#include "planner/core/real.hpp"
#include "planner/cost/estimate_math.hpp"
#include "planner/cost/rent_terms.hpp"
#include "planner/design/floor.hpp"
#include "planner/job/reliability.hpp"

namespace planner::design {

namespace {

constexpr double kCent = 0.01;             // dollars
constexpr double kForRounding = 1 + 1e-9;  // cents of sums of money come beside it

/// GPUs that a run may use.
struct Rentable {
  std::int64_t used = 0;
  std::size_t batch = 0;
  std::int64_t gpus = 0;  ///< that are paid for
  Seconds floor{};        ///< that no run beats
  double iterations = 0;  ///< of it
  Lateness late{};
  Seconds beyond{-1};  ///< no iteration is within that
};

/// All of a system that may be within the limits, whatever the term.
std::vector<Rentable> rentable(const Space& space, const Question& question, std::size_t system) {
  const std::int64_t most = question.limits.gpus.value_or(space.gpus.to);
  const std::int64_t whole = bought_together(space.systems[system]);
  const double longest = question.limits.days.value_or(HUGE_VAL);
  std::map<std::int64_t, Lateness> late;
  std::vector<Rentable> all;
  for (std::size_t batch = 0; batch < space.batches.size(); ++batch) {
    Workload job = job_of(space, system, batch, 1);
    const TimeFloor floor(job);
    const double rounds = iterations(space, batch);
    job.gpus = most;
    for (const std::int64_t used :
         legal_gpu_counts(job, run_on(space, system, batch).strategies, most)) {
      const auto [entry, is_new] = late.try_emplace(used);
      if (is_new) {
        job.gpus = used;
        entry->second = lateness(job, question.confidence);
      }
      const Seconds least = rounds * floor.of(used);
      if ((entry->second.factor * least).in(units::day) > kForRounding * longest) continue;
      all.push_back({.used = used,
                     .batch = batch,
                     .gpus = whole * ceil_div(used, whole),
                     .floor = least,
                     .iterations = rounds,
                     .late = entry->second});
    }
  }
  return all;
}

/// One system, for one kind of terms or for several, one after the other.
class Renting {
 public:
  /// @param all  of the system
  /// @param term  nothing: the cheapest terms one after the other
  /// @param cheapest  whatever is asked for and may be paid
  /// @param to_beat  what costs more is of no interest; nothing: all is
  Renting(const Space& space, const Question& question, Times& times, std::size_t system,
          std::vector<Rentable>& all, std::optional<RentTerm> term, std::int64_t runs,
          bool cheapest, const std::optional<Money>& to_beat)
      : space_(space),
        question_(question),
        times_(times),
        all_(all),
        term_(term),
        step_(term ? years_of(*term) : 0),
        runs_(runs),
        cheapest_(cheapest),
        best_{.system = system} {
    if (to_beat && !by_days()) to_beat_ = to_beat->dollars();
  }

  std::optional<Rented> run(const Control& control) {
    for (const auto& [least, one] : by_least()) {
      if (least > kForRounding * to_beat_) break;
      if (control.between) control.between();
      if (control.out_of_time && control.out_of_time()) throw Interrupted();
      look_at(*one);
    }
    return found_ ? std::optional(best_) : std::nullopt;
  }

 private:
  static constexpr double kLongest = 100;  // years, beyond which no run is of interest

  /// What no run is below comes first, see goal(): what is found early ends the searches of what
  /// comes later.
  std::vector<std::pair<double, Rentable*>> by_least() {
    std::vector<std::pair<double, Rentable*>> by_least;
    for (Rentable& one : all_) {
      const double least =
          by_days() ? one.floor.si() : cost_of(one.gpus, all_runs(one.floor)).expected.si() - kCent;
      if (least <= kForRounding * to_beat_) by_least.emplace_back(least, &one);
    }
    std::sort(by_least.begin(), by_least.end(), [](const auto& a, const auto& b) {
      return std::tie(a.first, a.second->batch, a.second->used) <
             std::tie(b.first, b.second->batch, b.second->used);
    });
    return by_least;
  }

  [[nodiscard]] bool by_days() const {
    return !cheapest_ && runs_ == 1 && question_.goals.front().measure == Measure::days;
  }
  [[nodiscard]] Seconds all_runs(Seconds one) const { return real(runs_) * one; }

  [[nodiscard]] RentedGpus rented(std::int64_t gpus) const {
    return {space_.systems[best_.system].system().accelerator.name, gpus};
  }
  /// The terms that are paid for so long.
  [[nodiscard]] TermsCost paid(std::int64_t gpus, Seconds time) const {
    const Economics& economics = space_.economics;
    const double years = time.in(units::year);
    if (!term_) return *cheapest_terms(economics, rented(gpus), years);
    const RentTerms terms = terms_alone(*term_, years);
    return {terms, *rent_of_terms(economics, rented(gpus), terms)};
  }
  [[nodiscard]] Estimate<Usd> cost_of(std::int64_t gpus, Seconds time) const {
    return paid(gpus, time).cost;
  }
  /// What is paid where these terms turn out to be too short.
  [[nodiscard]] Estimate<Usd> late_cost(std::int64_t gpus, const RentTerms& terms,
                                        Seconds time) const {
    const RentedGpus what = rented(gpus);
    const double years = time.in(units::year);
    return *rent_of_terms(space_.economics, what,
                          term_ ? terms_alone(*term_, years)
                                : prolonged(space_.economics, what.accelerator, terms, years));
  }

  /// What is to be least: seconds, or dollars.
  [[nodiscard]] double goal(const Rented& one) const {
    return by_days() ? one.run.expected.si() : one.cost.expected.dollars();
  }

  /// The time on so many GPUs beyond which they cost more than that.
  [[nodiscard]] double paid_by(double dollars, std::int64_t gpus) const {
    const bool whole = step_ > 0;
    const double step = whole ? step_ : 1;
    const auto within = [&](double steps) {
      return cost_of(gpus, step * steps * units::year).expected.si() <= kForRounding * dollars;
    };
    // Rising with the years: `paid` are within, `beyond` are not. Of terms whole ones are paid.
    const double most = std::floor(kLongest / step);
    const double first = cost_of(gpus, step * units::year).expected.si();
    double paid = std::min(most, dollars / first);  // later years are worth no more
    if (whole) paid = std::floor(paid);
    double beyond = whole ? paid + 1 : kForRounding * kForRounding * paid;
    if (within(beyond)) {
      if (within(most)) return std::numeric_limits<double>::infinity();
      beyond = most;
    } else if (!within(paid)) {  // of several terms a part of the first may cost more
      beyond = std::exchange(paid, 0.0);
    }
    while (beyond - paid > (whole ? 1 : 1e-8 * beyond)) {
      const double middle = whole ? std::floor((paid + beyond) / 2) : (paid + beyond) / 2;
      (within(middle) ? paid : beyond) = middle;
    }
    return (whole ? paid : beyond) * step * units::year.si();
  }

  /// An iteration beyond which it does not matter.
  [[nodiscard]] Seconds longest(const Rentable& one) const {
    double most = std::numeric_limits<double>::infinity();
    if (const auto& days = question_.limits.days) {
      most = std::min(most, (*days * units::day).si() / one.late.factor);
    }
    if (to_beat_ < std::numeric_limits<double>::infinity()) {
      most =
          std::min(most, by_days() ? to_beat_ : paid_by(to_beat_ + kCent, one.gpus) / real(runs_));
    }
    return Seconds{kForRounding * most / one.iterations};
  }

  void look_at(Rentable& what) {
    const Seconds limit = longest(what);
    if (what.beyond >= limit || what.floor > what.iterations * limit) return;
    const UsedGpus gpus{
        .system = best_.system, .batch = what.batch, .used = what.used, .bought = what.gpus};
    if (!times_.any_within(gpus, limit)) {
      what.beyond = limit;
      return;
    }
    const auto time = times_.best(gpus, {}, limit);
    if (!time) return;
    Rented one = best_;
    one.batch = what.batch;
    one.gpus = what.gpus;
    one.time = *time;
    const auto run = run_of(what, *time);
    if (!run) return;
    one.run = *run;
    const auto [terms, cost] = paid(one.gpus, all_runs(run->expected));
    one.terms = terms;
    const auto cents = in_cents(cost);
    if (!cents) return;
    one.cost = *cents;
    const Usd late = late_cost(one.gpus, terms, all_runs(run->confident)).expected;
    const double dearer = excess(cost.expected.si(), cost.high.si(), question_.confidence);
    const auto confident = Money::from_dollars(dearer * late.si());
    if (!confident) return;
    one.confident = *confident;
    if (within_limits(one) && (!found_ || before(one, best_))) {
      best_ = one;
      found_ = true;
      to_beat_ = goal(best_);
    }
  }

  /// The provider replaces what fails: a spare is always at hand.
  [[nodiscard]] std::optional<RunTimes> run_of(const Rentable& what, const BestTime& best) const {
    const Lateness& late = what.late;
    const Seconds ideal = what.iterations * best.time;
    if (!space_.failures) return RunTimes{ideal, late.factor * ideal};
    const SystemOption& option = space_.systems[best_.system];
    std::vector<std::string> warnings;
    const job::JobOutlook outlook =
        job::job_outlook(job::in_nodes(space_.failures->recovery, option.node, what.used),
                         space_.failures->rates, what.used, warnings);
    if (!outlook.advances()) return std::nullopt;
    const Seconds mean = outlook.days(ideal).mean;
    const OutcomeLaw law =
        run_law(outlook.job, outlook.exposed, late.middle * ideal, outlook.unknown)
            .times(late.model);
    return RunTimes{
        mean, std::max({mean, late.factor * ideal, Seconds{law.quantile(question_.confidence)}})};
  }

  [[nodiscard]] bool within_limits(const Rented& one) const {
    const BriefLimits& limits = question_.limits;
    if (limits.days && one.run.confident.in(units::day) > *limits.days) return false;
    if (limits.gpus && one.gpus > *limits.gpus) return false;
    if (cheapest_ || runs_ > 1) return true;
    return (!limits.run_cost || one.confident <= *limits.run_cost) &&
           (!limits.capex ||
            one.confident.in_cents() - space_.owned_value.in_cents() <= limits.capex->in_cents()) &&
           (!limits.tco || one.confident <= *limits.tco);
  }

  /// Of equals the other, then the fewer GPUs, the first batch, the fewer used.
  [[nodiscard]] bool before(const Rented& a, const Rented& b) const {
    const auto place = [&](const Rented& one) {
      const double days = one.run.expected.si(), dollars = one.cost.expected.dollars();
      return std::tuple{by_days() ? days : dollars, by_days() ? dollars : days, one.gpus, one.batch,
                        one.time.use.gpus};
    };
    return place(a) < place(b);
  }

  const Space& space_;
  const Question& question_;
  Times& times_;
  std::vector<Rentable>& all_;
  std::optional<RentTerm> term_;
  double step_;  ///< years that are paid at once; 0: any
  std::int64_t runs_;
  bool cheapest_;
  Rented best_;
  bool found_ = false;
  double to_beat_ = std::numeric_limits<double>::infinity();  ///< of goal()
};

/// By system, as far as it was asked for.
using AllRentable = std::map<std::size_t, std::vector<Rentable>>;

/// @param cheapest  of all, whatever is asked for and may be paid: what costs more than another may
///                  be left out
std::vector<Rented> each_rented(const Space& space, const Question& question, Times& times,
                                const Control& control, std::int64_t runs, bool cheapest,
                                AllRentable& rentable_of) {
  if (space.tokens.size() > 1) return {};
  std::vector<Rented> all;
  std::optional<Money> least;
  for (std::size_t system = 0; system < space.systems.size(); ++system) {
    const std::string& gpu = space.systems[system].system().accelerator.name;
    const auto best = [&](std::optional<RentTerm> term, const std::optional<Money>& to_beat) {
      const auto [of_system, is_new] = rentable_of.try_emplace(system);
      if (is_new) of_system->second = rentable(space, question, system);
      return Renting(space, question, times, system, of_system->second, term, runs, cheapest,
                     to_beat)
          .run(control);
    };
    const auto add = [&](Rented one) {
      if (cheapest) least = std::min(one.cost.expected, least.value_or(one.cost.expected));
      all.push_back(std::move(one));
    };
    int terms = 0;
    std::optional<Money> least_alone;
    for (const RentTerm term : kRentTerms) {
      if (rent_of(space.economics, gpu, term) == nullptr) continue;
      ++terms;
      auto alone = best(term, least);
      if (!alone) continue;
      least_alone = std::min(alone->cost.expected, least_alone.value_or(alone->cost.expected));
      add(*std::move(alone));
    }
    if (terms < 2) continue;
    auto mixed = best(std::nullopt, cheapest ? least : least_alone);
    if (!mixed || mixed->terms.kinds() < 2) continue;
    if (!least_alone || mixed->cost.expected < *least_alone) add(*std::move(mixed));
  }
  return all;
}

}  // namespace

std::vector<Rented> rented(const Space& space, const Question& question, Times& times,
                           const Control& control, std::int64_t runs) {
  AllRentable rentable_of;
  return each_rented(space, question, times, control, runs, false, rentable_of);
}

RentOfRuns cheapest_rent(const Space& space, const Question& question, Times& times,
                         const Control& control) {
  return [&, rentable_of = AllRentable{}](std::int64_t runs) mutable -> std::optional<Rented> {
    const std::vector<Rented> all =
        each_rented(space, question, times, control, runs, true, rentable_of);
    const auto least = std::min_element(
        all.begin(), all.end(),
        [](const Rented& a, const Rented& b) { return a.cost.expected < b.cost.expected; });
    return least == all.end() ? std::nullopt : std::optional(*least);
  };
}

std::optional<BuyingPays> buying_pays(const Economics& economics, Seconds run, Money owning,
                                      const RentOfRuns& rent) {
  const double used = economics.utilisation * economics.horizon_years;
  BuyingPays pays{.most = static_cast<std::int64_t>(std::floor(used / run.in(units::year)))};
  if (pays.most == 0) return pays;
  std::optional<Rented> cheapest = rent(pays.most);
  if (!cheapest) return std::nullopt;
  pays.rented = *cheapest;
  if (cheapest->cost.expected <= owning) return pays;
  // Rents do not fall with more runs: of `high` owning costs less, of `low` it does not.
  std::int64_t low = 0, high = pays.most;
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    cheapest = rent(middle);
    if (!cheapest) return std::nullopt;
    if (owning < cheapest->cost.expected) {
      high = middle;
      pays.rented = *cheapest;
    } else {
      low = middle;
    }
  }
  pays.from = high;
  return pays;
}

}  // namespace planner::design
