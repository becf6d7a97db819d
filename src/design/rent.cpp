#include "planner/design/rent.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <utility>

#include "planner/core/ceil_div.hpp"
#include "planner/core/diagnostic.hpp"
#include "planner/core/real.hpp"
#include "planner/cost/estimate_math.hpp"
#include "planner/cost/rent_terms.hpp"
#include "planner/design/each_system.hpp"
#include "planner/design/rentable.hpp"
#include "planner/design/rents_told.hpp"
#include "planner/job/reliability.hpp"

namespace planner::design {

namespace {

constexpr double kCent = 0.01;  // dollars

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
        whole_(bought_together(space.systems[system])),
        term_(term),
        step_(term ? years_of(*term) : 0),
        runs_(runs),
        cheapest_(cheapest),
        best_{.system = system} {
    if (to_beat && !by_days()) to_beat_ = to_beat->dollars();
  }

  /// What no rent is below; endless: there is none.
  [[nodiscard]] double least_cost() const {
    double least = std::numeric_limits<double>::infinity();
    for (const Rentable& one : all_) {
      least = std::min(least, cost_of(gpus_of(one), all_runs(one.floor)).expected.si());
    }
    return least;
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
      const double least = by_days()
                               ? one.floor.si()
                               : cost_of(gpus_of(one), all_runs(one.floor)).expected.si() - kCent;
      if (least <= kForRounding * to_beat_) by_least.emplace_back(least, &one);
    }
    std::sort(by_least.begin(), by_least.end(), [](const auto& a, const auto& b) {
      return std::tie(a.first, a.second->batch, a.second->used) <
             std::tie(b.first, b.second->batch, b.second->used);
    });
    return by_least;
  }

  /// That are paid for.
  [[nodiscard]] std::int64_t gpus_of(const Rentable& one) const {
    return whole_ * ceil_div(one.used, whole_);
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
      most = std::min(most, (*days * units::day).si() / one.late->factor);
    }
    if (to_beat_ < std::numeric_limits<double>::infinity()) {
      most = std::min(most,
                      by_days() ? to_beat_ : paid_by(to_beat_ + kCent, gpus_of(one)) / real(runs_));
    }
    return Seconds{kForRounding * most / iterations(space_, one.batch)};
  }

  void look_at(Rentable& what) {
    const Seconds limit = longest(what);
    if (what.beyond >= limit || what.floor > iterations(space_, what.batch) * limit) return;
    const UsedGpus gpus{
        .system = best_.system, .batch = what.batch, .used = what.used, .bought = gpus_of(what)};
    if (!times_.any_within(gpus, limit)) {
      what.beyond = limit;
      return;
    }
    const auto time = times_.best(gpus, {}, limit);
    if (!time) return;
    Rented one = best_;
    one.batch = what.batch;
    one.gpus = gpus.bought;
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
    const Lateness& late = *what.late;
    const Seconds ideal = iterations(space_, what.batch) * best.time;
    if (!space_.failures) return RunTimes{ideal, late.factor * ideal};
    const SystemOption& option = space_.systems[best_.system];
    std::vector<std::string> warnings;
    const job::JobOutlook outlook =
        job::job_outlook(job::in_nodes(space_.failures->recovery, option.node, what.used),
                         space_.failures->rates, what.used, warnings);
    if (!outlook.advances()) return std::nullopt;
    const Seconds mean = outlook.days_of(ideal).mean;
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
  std::int64_t whole_;  ///< GPUs that are paid together
  std::optional<RentTerm> term_;
  double step_;  ///< years that are paid at once; 0: any
  std::int64_t runs_;
  bool cheapest_;
  Rented best_;
  bool found_ = false;
  double to_beat_ = std::numeric_limits<double>::infinity();  ///< of goal()
};

Money lesser(Money one, std::optional<Money> other) {
  return std::min(one, other.value_or(one));
}

/// What the GPUs of systems are rented for, asked for so many runs or for others.
class Rents {
 public:
  Rents(const Space& space, const Question& question, Times& times, const Control& control)
      : space_(space),
        question_(question),
        times_(times),
        control_(control),
        rentable_(space.systems.size()) {}

  /// @param cheapest  of all, whatever may be paid: what costs more than another may be left out
  std::vector<Rented> of_runs(std::int64_t runs, bool cheapest) {
    std::vector<std::uint32_t> systems;
    for (std::uint32_t system = 0; system < space_.systems.size(); ++system) {
      if (space_.tokens.size() == 1 && !terms_of(system).empty()) systems.push_back(system);
    }
    std::vector<std::vector<Rented>> found(space_.systems.size());
    std::mutex cheaper;
    std::optional<Money> least;  // so far, of a cheapest one
    const auto ask_one = [&](std::uint32_t system, const Control& control) {
      const auto least_now = [&] {
        const std::lock_guard lock(cheaper);
        return least;
      };
      found[system] = of_system(system, runs, cheapest, least_now, control);
      if (!cheapest) return;
      const std::lock_guard lock(cheaper);
      for (const Rented& one : found[system]) least = lesser(one.cost.expected, least);
    };
    const auto ask = [&](const std::vector<std::uint32_t>& some, WhoseSystems whose) {
      if (!ask_side_by_side(some, whose, times_, control_, ask_one)) return;
      share_searches(times_);
      throw Interrupted();
    };
    const bool apart = systems.size() >= times_.side_by_side();
    if (apart) {
      systems = cheapest ? cheapest_first(systems, runs) : most_work_first(space_, systems);
      if (cheapest && !systems.empty()) {  // what it costs bounds all others
        ask({systems.front()}, WhoseSystems::own);
        const Team* const team = times_.team();
        if (team != nullptr && team->rank > 0) found[systems.front()].clear();  // the first tells
        systems.erase(systems.begin());
      }
      ask(systems, WhoseSystems::all);
    } else {
      for (const std::uint32_t system : systems) ask_one(system, control_);
    }
    std::vector<Rented> all;
    for (std::vector<Rented>& of_system : found) {
      all.insert(all.end(), of_system.begin(), of_system.end());
    }
    if (apart) share_searches(times_);
    return apart ? with_others(std::move(all), times_) : all;
  }

 private:
  [[nodiscard]] std::vector<RentTerm> terms_of(std::uint32_t system) const {
    const std::string& gpu = space_.systems[system].system().accelerator.name;
    std::vector<RentTerm> terms;
    for (const RentTerm term : kRentTerms) {
      if (rent_of(space_.economics, gpu, term) != nullptr) terms.push_back(term);
    }
    return terms;
  }

  RentableGpus& rentable_of(std::uint32_t system) {
    std::optional<RentableGpus>& gpus = rentable_[system];
    if (!gpus) gpus = rentable(space_, question_, system);
    return *gpus;
  }

  /// By what none of their rents is below: what is cheap bounds what is dear.
  std::vector<std::uint32_t> cheapest_first(std::vector<std::uint32_t> systems, std::int64_t runs) {
    std::map<std::uint32_t, double> least;
    for (const std::uint32_t system : systems) {
      least[system] = Renting(space_, question_, times_, system, rentable_of(system).all,
                              std::nullopt, runs, true, std::nullopt)
                          .least_cost();
    }
    std::stable_sort(systems.begin(), systems.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return least[a] < least[b]; });
    return in_order_of_first(systems, times_.team());
  }

  std::vector<Rented> of_system(std::uint32_t system, std::int64_t runs, bool cheapest,
                                const std::function<std::optional<Money>()>& least_now,
                                const Control& control) {
    RentableGpus& gpus = rentable_of(system);
    const auto best = [&](std::optional<RentTerm> term, const std::optional<Money>& to_beat) {
      return Renting(space_, question_, times_, system, gpus.all, term, runs, cheapest, to_beat)
          .run(control);
    };
    std::vector<Rented> all;
    std::optional<Money> least_alone;
    const auto beside = [&] {
      return least_alone ? lesser(*least_alone, least_now()) : least_now();
    };
    const std::vector<RentTerm> terms = terms_of(system);
    for (const RentTerm term : terms) {
      auto alone = best(term, cheapest ? beside() : std::nullopt);
      if (!alone) continue;
      least_alone = lesser(alone->cost.expected, least_alone);
      all.push_back(*std::move(alone));
    }
    if (terms.size() < 2) return all;
    auto mixed = best(std::nullopt, beside());
    if (!mixed || mixed->terms.kinds() < 2) return all;
    if (!least_alone || mixed->cost.expected < *least_alone) all.push_back(*std::move(mixed));
    return all;
  }

  const Space& space_;
  const Question& question_;
  Times& times_;
  Control control_;
  std::vector<std::optional<RentableGpus>> rentable_;  ///< of each system, as far as it was asked
};

}  // namespace

std::vector<Rented> rented(const Space& space, const Question& question, Times& times,
                           const Control& control, std::int64_t runs) {
  return Rents(space, question, times, control).of_runs(runs, false);
}

RentOfRuns cheapest_rent(const Space& space, const Question& question, Times& times,
                         const Control& control) {
  const auto rents = std::make_shared<Rents>(space, question, times, control);
  return [rents](std::int64_t runs) -> std::optional<Rented> {
    const std::vector<Rented> all = rents->of_runs(runs, true);
    const auto least = std::min_element(
        all.begin(), all.end(),
        [](const Rented& a, const Rented& b) { return a.cost.expected < b.cost.expected; });
    return least == all.end() ? std::nullopt : std::optional(*least);
  };
}

}  // namespace planner::design
