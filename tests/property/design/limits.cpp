// Where the search of designs stops looking, figure by figure: not a little too early, and not a
// little too late. Each is held against what it stands for from both sides.
#include <doctest/doctest.h>

#include <cmath>

#include "planner/cost/estimate_math.hpp"
#include "planner/cost/rent_terms.hpp"
#include "planner/design/counted.hpp"
#include "planner/design/groups.hpp"
#include "planner/design/rent.hpp"
#include "planner/design/search.hpp"
#include "support/design_spaces.hpp"

using namespace planner;
using namespace planner::design;
using namespace planner::testing;

namespace {

constexpr Seconds kWithoutLimit{1e30};

/// What renting so many GPUs for so many runs comes to, by no other means than its definition.
/// Nothing fails.
struct RentedRun {
  double days = 0, late_days = 0, dollars = 0, late_dollars = 0;
  std::int64_t gpus = 0;
};

/// Of an hour of the GPUs from one year to another, after what rents lower taxes by.
double rent_between(const Space& space, const std::string& gpu, RentTerm term, double from,
                    double to) {
  const double growth = 1 + space.economics.cost_of_capital.value_or(0);
  double worth = 0;
  for (double year = from; year < to; year += 1) {
    const double end = std::min(year + 1, to);
    worth += (end - year) / std::pow(growth, end);
  }
  return worth * (1 - space.economics.tax_rate.value_or(0)) * units::year.si() *
         rent_of(space.economics, gpu, term)->rent.expected.si();
}

/// Of all terms of several kinds, one after the other.
double least_mixed(const Space& space, const std::string& gpu, const RentedRun& run,
                   std::int64_t runs) {
  const double years = static_cast<double>(runs) * run.days / 365;
  double least = std::numeric_limits<double>::infinity();
  for (double threes = 0; 3 * threes < years + 3; ++threes) {
    for (double ones = 0; 3 * threes + ones < years + 1; ++ones) {
      const double committed = 3 * threes + ones, end = std::max(years, committed);
      const int kinds = (threes > 0 ? 1 : 0) + (ones > 0 ? 1 : 0) + (end > committed ? 1 : 0);
      if (kinds < 2) continue;
      const double one = rent_between(space, gpu, RentTerm::three_years, 0, 3 * threes) +
                         rent_between(space, gpu, RentTerm::one_year, 3 * threes, committed) +
                         rent_between(space, gpu, RentTerm::on_demand, committed, end);
      least = std::min(least, static_cast<double>(run.gpus) * one);
    }
  }
  return least;
}

std::vector<RentedRun> every_rented(const Space& space, std::size_t system, const CloudPrice& price,
                                    double confidence, std::int64_t runs) {
  const double n = static_cast<double>(runs);
  std::vector<RentedRun> all;
  Times times(space, 1);
  const SystemOption& option = space.systems[system];
  for (std::size_t batch = 0; batch < space.batches.size(); ++batch) {
    for (std::int64_t used = 1; used <= space.gpus.to; ++used) {
      const Workload job = job_of(space, system, batch, used);
      const std::int64_t whole = bought_together(option), gpus = whole * ceil_div(used, whole);
      const auto best = times.best({.system = system, .batch = batch, .used = used, .bought = gpus},
                                   {}, kWithoutLimit);
      if (!best) continue;
      const Seconds run = iterations(space, batch) * best->time;
      const Seconds late = lateness(job, confidence).factor * run;
      const auto dollars = [&](Seconds taken, double rate) {
        // Each year's at its end, after what it lowers taxes by.
        const double paid = years_paid(price.term, taken.in(units::year));
        const double growth = 1 + space.economics.cost_of_capital.value_or(0);
        double worth = paid - std::floor(paid);
        worth /= std::pow(growth, paid);
        for (int year = 1; year <= static_cast<int>(paid); ++year) worth += std::pow(growth, -year);
        worth *= 1 - space.economics.tax_rate.value_or(0);
        return static_cast<double>(gpus) * rate * worth * units::year.si();
      };
      const double rate = price.rent.expected.si();
      all.push_back(
          {.days = run.in(units::day),
           .late_days = late.in(units::day),
           .dollars = dollars(n * run, rate),
           .late_dollars = excess(rate, price.rent.high.si(), confidence) * dollars(n * late, rate),
           .gpus = gpus});
    }
  }
  return all;
}

}  // namespace

TEST_CASE("the least time of GPUs bought is that of the fastest that they hold") {
  Random random(51);
  int compared = 0;
  for (int round = 0; round < 60; ++round) {
    CAPTURE(round);
    const Space space = random_space(random, 1 + static_cast<std::size_t>(round % 3));
    KnownCounts counts(space, 0.8);
    for (std::uint32_t s = 0; s < space.systems.size(); ++s) {
      const UsableCounts& usable = counts.usable(s);
      for (const std::int64_t gpus : counts.bought(s)) {
        Seconds all{};
        for (const UsableByRun& run : usable.runs) {
          Seconds least{HUGE_VAL};
          for (const UsableCount& count : run.all) {
            if (count.bought <= gpus) least = std::min(least, count.floor);
          }
          all += least;
        }
        CHECK(usable.least_time(gpus) == all);
        ++compared;
      }
    }
  }
  CHECK(compared > 500);
}

TEST_CASE("figures grow with the time of the runs as a second of it is said to add") {
  Random random(52);
  int compared = 0;
  for (int round = 0; round < 30; ++round) {
    CAPTURE(round);
    const Space space = random_space(random);
    const Judge judge(space, 0.8);
    CountedDesigns designs(space);
    PricedDesigns priced(space, designs);
    for (std::uint32_t s = 0; s < space.systems.size(); ++s) {
      for (const std::int64_t gpus : gpu_counts(space.systems[s], space.gpus)) {
        const DesignId id{.system = s, .gpus = gpus};
        const BoughtResult result = priced.of(id);
        const auto* const cluster = std::get_if<Bought>(&result);
        if (cluster == nullptr) continue;
        const Piece parts = as_piece(*cluster);
        const Seconds time = iterations(space, 0) * random.scale(1, 1000) * units::second;
        const Figures is = judge.judge(*cluster, {{time, time}}).expected;
        const Figures at_once = judge.least(parts, id, Seconds{});
        const Figures second = judge.per_second(parts);
        for (const Measure measure :
             {Measure::days, Measure::run_cost, Measure::energy, Measure::co2}) {
          CAPTURE(name_of(measure));
          const double said = at_once[at(measure)] + time.si() * second[at(measure)];
          const double cent = in_money(measure) ? 2 : 0;
          CHECK(said <= (1 + 1e-9) * is[at(measure)] + cent);
          CHECK(said >= (1 - 1e-6) * is[at(measure)] - cent);
        }
        ++compared;
      }
    }
  }
  CHECK(compared > 300);
}

TEST_CASE("a run whose mean is just within the deadline is looked at in all its cases") {
  Random random(53);
  int asked = 0, spread = 0;
  for (int round = 0; round < 300; ++round) {
    CAPTURE(round);
    Space space = random_space(random);
    if (!space.failures) continue;
    // So that failures alone make a run late: what is later by the model's error is not looked at.
    for (SystemOption& option : space.systems) {
      Workload& job = option.runs.front().job;
      Calibration surely = job.timing.constants();
      surely.residuals.clear();
      job.timing = std::make_shared<const Calibration>(std::move(surely));
    }
    Question question{.goals = {{.measure = Measure::tco}}, .confidence = 0.95};
    {
      Times times(space, 1);
      const Outcome any = find_designs(space, question, times);
      if (any.found.empty()) continue;
      // That design alone.
      const DesignId id = any.found.front().place.id;
      space.gpus.counts = {id.gpus};
      space.batches = {space.batches[any.found.front().place.runs.front().batch]};
      space.systems = {space.systems[id.system]};
      space.systems.front().networks = {space.systems.front().networks[id.network]};
    }
    Times times(space, 1);
    const Outcome alone = find_designs(space, question, times);
    if (alone.found.empty()) continue;
    const Found& one = alone.found.front();
    const RunTimes run = one.judged.runs.front();
    const double lead = one.cluster.lead.in(units::day);
    const double mean = run.expected.in(units::day), late = run.confident.in(units::day);
    for (const double more : {1.002, 1.005, 1.009}) {
      const double within = mean * more;
      question.limits.days = lead + within;
      const Outcome limited = find_designs(space, question, times);
      ++asked;
      spread += late > mean ? 1 : 0;
      for (const Found& found : limited.found) {
        const BestTime& best = found.times.front();
        const Workload job = job_of(space, found.place.id, found.cluster, best);
        const auto exact = run_times(space, found.place.id, found.cluster, best,
                                     lateness(job, question.confidence), question.confidence);
        REQUIRE(exact);
        CHECK(found.judged.runs.front().confident == exact->confident);
        CHECK(exact->confident.in(units::day) + lead <= (1 + 1e-9) * *question.limits.days);
      }
    }
  }
  MESSAGE(asked, " asked, ", spread, " of them later than that in some cases");
  CHECK(asked > 50);
  CHECK(spread > 10);
}

TEST_CASE("what is rented is the least of all that can be") {
  Random random(54);
  int compared = 0, refused = 0, mixed = 0;
  for (int round = 0; round < 60; ++round) {
    CAPTURE(round);
    Space space = random_space(random);
    space.failures.reset();
    space.owned_value = {};
    space.gpus = {.from = 1, .to = random.pick({24, 48, 72})};
    add_rents(random, space);
    Question question{.goals = {{.measure = Measure::tco}}, .confidence = 0.8};
    if (random.below(3) == 0) question.goals.front().measure = Measure::days;
    const auto check = [&](std::int64_t runs) {
      const bool by_days = runs == 1 && question.goals.front().measure == Measure::days;
      const auto goal = [&](const RentedRun& run) { return by_days ? run.days : run.dollars; };
      Times times(space, 1);
      const std::vector<Rented> found = rented(space, question, times, {}, runs);
      std::size_t at = 0;
      for (std::size_t s = 0; s < space.systems.size(); ++s) {
        const std::string& gpu = space.systems[s].system().accelerator.name;
        double alone = std::numeric_limits<double>::infinity();
        for (const RentTerm term : kRentTerms) {
          CAPTURE(name_of(term));
          std::optional<double> least;
          for (const RentedRun& run :
               every_rented(space, s, *rent_of(space.economics, gpu, term), 0.8, runs)) {
            if (question.limits.days && run.late_days > *question.limits.days) continue;
            if (question.limits.run_cost && runs == 1 &&
                run.late_dollars > question.limits.run_cost->dollars()) {
              continue;
            }
            least = std::min(goal(run), least.value_or(goal(run)));
          }
          if (least && !by_days) alone = std::min(alone, *least);
          const bool is = at < found.size() && found[at].system == s &&
                          found[at].terms.kinds() == 1 && found[at].terms.first() == term;
          REQUIRE(is == least.has_value());
          ++(is ? compared : refused);
          if (!is) continue;
          const Rented& one = found[at++];
          const double value =
              by_days ? one.run.expected.in(units::day) : one.cost.expected.dollars();
          CHECK(value <= (1 + 1e-9) * *least + (by_days ? 0 : 0.01));
          CHECK(value >= (1 - 1e-9) * *least - (by_days ? 0 : 0.01));
        }
        const bool is_mixed =
            at < found.size() && found[at].system == s && found[at].terms.kinds() > 1;
        if (is_mixed) ++at;
        if (by_days) continue;
        double least = std::numeric_limits<double>::infinity();
        const CloudPrice& any = *rent_of(space.economics, gpu, RentTerm::on_demand);
        for (const RentedRun& run : every_rented(space, s, any, 0.8, runs)) {
          if (question.limits.days && run.late_days > *question.limits.days) continue;
          least = std::min(least, least_mixed(space, gpu, run, runs));
        }
        const double near = 1e-9 * std::min(alone, 1e15) + 0.02;
        if (least < alone - near) CHECK(is_mixed);
        if (!is_mixed) continue;
        ++mixed;
        CHECK(std::abs(found[at - 1].cost.expected.dollars() - least) <= near);
        CHECK(least < alone + near);
      }
      CHECK(at == found.size());
      if (by_days) return found;
      const auto cheapest = cheapest_rent(space, question, times, {})(runs);
      REQUIRE(cheapest.has_value() == !found.empty());
      if (!cheapest) return found;
      const Rented& first = *std::min_element(
          found.begin(), found.end(),
          [](const Rented& a, const Rented& b) { return a.cost.expected < b.cost.expected; });
      CHECK(cheapest->system == first.system);
      CHECK(cheapest->terms == first.terms);
      CHECK(cheapest->gpus == first.gpus);
      CHECK(cheapest->cost.expected == first.cost.expected);
      return found;
    };
    const std::vector<Rented> all = check(1);
    if (all.empty()) continue;
    // As many as fill a term in part, as many as need a second one.
    static_cast<void>(check(1 + static_cast<std::int64_t>(random.below(200))));
    // As many as take years, for terms one after the other.
    const double years = all.front().run.expected.in(units::year);
    static_cast<void>(check(1 + static_cast<std::int64_t>(random.uniform(1, 9) / years)));
    // What one of them needs of the deadline, to the last digit.
    question.limits.days = all[all.size() / 2].run.confident.in(units::day);
    static_cast<void>(check(1));
  }
  MESSAGE(compared, " compared, ", refused, " beyond the deadline");
  CHECK(compared > 200);
  CHECK(refused > 10);
  CHECK(mixed > 0);
}
