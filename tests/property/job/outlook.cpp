// Days and dollars with all that is unknown, against a million seeded draws of it; and that nothing
// which is worse makes them look better.
#include "planner/job/outlook.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "planner/core/normal.hpp"
#include "planner/reliability/outlook.hpp"
#include "support/near.hpp"

using namespace planner;
using namespace planner::job;
using namespace planner::testing;

namespace {

/// What is unknown of a run of 30 days without failures, and of what it pays.
struct Case {
  double model_low = 1, model_high = 1;
  double per_gpu_hour = 0;  ///< failures of a GPU; 0: no failures are looked at
  double rate_factor = 1;
  bool recovery_known = true;
  double unlucky = 1;  ///< the 95th draw of paths over the mean
  std::vector<CostCause> causes = {};
};

CostCause cause(double share, double low, double high) {
  return {.name = "price",
          .factor = {low, 1, high},
          .tco = share * 1e9 * units::usd,
          .per_gpu_hour = share * 2 * units::usd};
}

constexpr Seconds kRouted = 30 * units::day;

FailureRates rates(const Case& of) {
  FailureRates rates{.name = "some", .title = "some", .components = {}};
  rates.components.push_back({.component = "GPU",
                              .unit = FailureUnit::gpu,
                              .rate = of.per_gpu_hour * units::per_hour,
                              .origin = {}});
  if (of.recovery_known) {
    rates.components.front().detect = Seconds{60};
    rates.components.front().diagnose = Seconds{600};
    rates.restart = Seconds{300};
  }
  rates.checkpoint_stall = Seconds{10};
  return rates;
}

/// The inputs of an outlook, which point at what stands here too.
struct Known {
  Plan plan;
  std::optional<Forecast> forecast;
  OutlookInputs inputs;

  explicit Known(const Case& of) {
    plan.time.last_stage_compute = Seconds{10};
    plan.interval = TimeInterval{of.model_low * Seconds{10}, of.model_high * Seconds{10}};
    inputs = {.plan = &plan, .ideal = kRouted};
    Usd expected = 1e6 * units::usd;
    if (of.per_gpu_hour > 0 || of.unlucky > 1) {
      forecast.emplace();
      if (of.per_gpu_hour > 0) {
        std::vector<std::string> warnings;
        forecast->reliability =
            job_reliability({.rate_factor = of.rate_factor}, rates(of), 4096, kRouted, warnings);
      }
      forecast->iteration = IterationTimes{.ideal = Seconds{10},
                                           .routed = Seconds{10},
                                           .expected = Seconds{10},
                                           .unlucky = of.unlucky * Seconds{10}};
      forecast->run =
          expected_run(*forecast->iteration, kRouted / Seconds{10}, forecast->reliability);
      expected = forecast->run->mean / kRouted * expected;
      inputs.forecast = &*forecast;
    }
    inputs.run = PricedRun{.causes = of.causes,
                           .gpu_hour = 2 * units::usd,
                           .ideal = 1e6 * units::usd,
                           .expected = expected};
    inputs.cluster = {.tco = 1e9 * units::usd, .causes = of.causes};
  }
  Known(const Known&) = delete;
  Known& operator=(const Known&) = delete;

  [[nodiscard]] Outlook at(double p) const {
    OutlookInputs asked = inputs;
    asked.confidence = p;
    return outlook_of(asked);
  }
};

double draw(std::mt19937_64& random, std::normal_distribution<double>& unit,
            const LogSpread& spread) {
  const double z = unit(random);
  return std::exp(z * (z < 0 ? spread.below : spread.above));
}

/// Days of runs, by how far rates and recovery times lie from what is expected, and by luck: looked
/// up between points so close that quantiles are straight between them.
class Failures {
 public:
  explicit Failures(const ReliabilityResult& of) {
    job_ = of.job;
    job_.checkpoint.interval = of.goodput.interval;  // as planned, whatever comes
    for (int i = 0; i < kPoints; ++i) {
      for (int k = 0; k < kPoints; ++k) table_.push_back(quantiles_at(of, z_of(i), z_of(k)));
    }
  }
  /// Days of one run, drawn.
  double draw(std::mt19937_64& random, double z_rates, double z_recovery) const {
    const double luck = std::normal_distribution<double>()(random);
    const auto [i, x] = place_of(z_rates, kPoints);
    const auto [k, y] = place_of(z_recovery, kPoints);
    const auto [j, w] = place_of(luck, kShares);
    const auto at = [&, place = j, share = w](std::size_t a, std::size_t b) {
      const Quantiles& days = table_[a * kPoints + b];
      return (1 - share) * days[place] + share * days[place + 1];
    };
    return (1 - x) * ((1 - y) * at(i, k) + y * at(i, k + 1)) +
           x * ((1 - y) * at(i + 1, k) + y * at(i + 1, k + 1));
  }

 private:
  static constexpr int kPoints = 41, kShares = 201;
  using Quantiles = std::array<double, kShares>;
  static constexpr double kFarthest = 4.5;  // standard deviations

  static double z_of(int i, int points = kPoints) {
    return kFarthest * (2.0 * i / (points - 1) - 1);
  }
  /// The point before, and how far it is to the next.
  static std::pair<std::size_t, double> place_of(double z, int points) {
    const double at = std::clamp((z / kFarthest + 1) / 2 * (points - 1), 0.0, points - 1.000001);
    const auto before = static_cast<std::size_t>(at);
    return {before, at - static_cast<double>(before)};
  }
  Quantiles quantiles_at(const ReliabilityResult& of, double z_rates, double z_recovery) {
    JobReliability job = job_;
    const double rates = std::exp(of.unknown.rates * z_rates);
    const auto drawn = [&](Seconds expected, const LogSpread& unknown) {
      return std::exp(z_recovery * (z_recovery < 0 ? unknown.below : unknown.above)) * expected;
    };
    job.restart = job.load + drawn(job.restart - job.load, job.restart_unknown);
    std::vector<Exposure> exposed = of.exposed;
    for (Exposure& one : exposed) {
      one.rate = rates * one.rate;
      one.detect = drawn(one.detect, one.detect_unknown);
      one.diagnose = drawn(one.diagnose, one.diagnose_unknown);
    }
    const FailureLoad load = failure_load(job, exposed);
    const Goodput goodput = planner::goodput(load, job.checkpoint);
    const RunDays days = run_days(kRouted, load, job.checkpoint, goodput);
    Quantiles found{};
    for (int j = 0; j < kShares; ++j) {
      found[static_cast<std::size_t>(j)] = days.quantile(normal_share_below(z_of(j, kShares))).si();
    }
    return found;
  }

  JobReliability job_;
  std::vector<Quantiles> table_;
};

struct Drawn {
  std::vector<double> days, cost, tco;
};

Drawn simulate(const Case& of, const Known& known) {
  constexpr int kRuns = 1'000'000;
  std::mt19937_64 random(20261124);
  std::normal_distribution<double> unit;
  std::optional<Failures> failures;
  double draws = 1;
  if (of.per_gpu_hour > 0) {
    failures.emplace(*known.forecast->reliability);
    draws += known.forecast->reliability->days->failures;
  }
  const double paths = std::log1p((of.unlucky - 1) / std::sqrt(draws)) / 1.6448536269514722;
  Drawn drawn;
  for (auto* list : {&drawn.days, &drawn.cost, &drawn.tco}) list->reserve(kRuns);
  const Estimate<double> model{of.model_low, 1, of.model_high};
  const LogSpread with_model = log_spread(model);
  std::vector<LogSpread> spreads;
  for (const CostCause& one : of.causes) spreads.push_back(log_spread(one.factor));
  for (int run = 0; run < kRuns; ++run) {
    double days = kRouted.si();
    if (failures) days = failures->draw(random, unit(random), unit(random));
    const double z = unit(random);
    days *= std::exp(z * (z < 0 ? with_model.below : std::hypot(with_model.above, paths)));
    double price = 2, tco = 1e9;
    for (std::size_t i = 0; i < spreads.size(); ++i) {
      const CostCause& one = of.causes[i];
      const double factor = draw(random, unit, spreads[i]) - 1;
      price += one.per_gpu_hour.in(units::usd)*factor;
      tco += one.tco.in(units::usd)*factor;
    }
    drawn.days.push_back(days);
    drawn.cost.push_back(days / kRouted.si() * price / 2 * 1e6);
    drawn.tco.push_back(tco);
  }
  for (auto* list : {&drawn.days, &drawn.cost, &drawn.tco}) std::sort(list->begin(), list->end());
  return drawn;
}

/// Twenty runs: without failures, with rare, usual and many, their rates known or not, recovery
/// times known or not, a model that is too fast or too slow, and prices of one to six parts.
std::vector<Case> twenty() {
  const std::vector<CostCause> rent{cause(1, 0.52, 1.57)};
  const std::vector<CostCause> cluster{cause(.62, .87, 1.55), cause(.05, .9, 1.4),
                                       cause(.04, .8, 1.6),   cause(.09, .57, 2.3),
                                       cause(.15, .99, 1.18), cause(.03, .9, 1.1)};
  const std::vector<CostCause> two{cause(.5, .7, 1.1), cause(.5, .9, 1.6)};
  std::vector<Case> cases{{.9, 1.26},
                          {.95, 1.05},
                          {.7, 1.8, 0, 1, true, 1, rent},
                          {1, 1, 0, 1, true, 1, cluster},
                          {.9, 1.26, 0, 1, true, 1, two},
                          {.9, 1.1, 0, 1, true, 1.2, two}};
  for (const double per_gpu_hour : {1e-6, 2e-5, 8e-5}) {
    cases.push_back({.9, 1.26, per_gpu_hour, 1, true, 1, rent});
    cases.push_back({.9, 1.26, per_gpu_hour, 2.4, true, 1, cluster});
    cases.push_back({.97, 1.05, per_gpu_hour, 2.4, true, 1, two});
    cases.push_back({.85, 1.5, per_gpu_hour, 1.5, true, 1.1, cluster});
  }
  cases.push_back({.9, 1.26, 2e-5, 2.4, false, 1, cluster});
  cases.push_back({1, 1, 2e-5, 2.4, false, 1, {}});
  return cases;
}

}  // namespace

TEST_CASE("quantiles of days, of a run's cost and of the total cost agree with a million draws") {
  const std::vector<Case> cases = twenty();
  CHECK(cases.size() == 20);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    CAPTURE(i);
    const Known known(cases[i]);
    const Drawn drawn = simulate(cases[i], known);
    for (const double p : {0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95}) {
      CAPTURE(p);
      const auto at = static_cast<std::size_t>(p * 1e6);
      const Outlook outlook = known.at(p);
      CHECK(outlook.days->at_confidence.si() == near(drawn.days[at], 0.01));
      CHECK(outlook.cost->at_confidence.in(units::usd) == near(drawn.cost[at], 0.01));
      CHECK(outlook.tco->at_confidence.in(units::usd) == near(drawn.tco[at], 0.01));
    }
  }
}

TEST_CASE("nothing that is worse makes a run look sooner done, or cheaper") {
  const Case usual{.9, 1.26, 2e-5, 2.4, true, 1.1, {cause(.6, .8, 1.4), cause(.4, .9, 1.2)}};
  std::vector<Case> worse(6, usual);
  worse[0].model_high = 1.5;
  worse[1].per_gpu_hour = 4e-5;
  worse[2].rate_factor = 4;
  worse[3].unlucky = 1.3;
  worse[4].causes[0].factor.high = 2;
  worse[5].recovery_known = false;  // 10, 16 and 5 minutes are expected then
  const Outlook before = Known(usual).at(0.9);
  for (std::size_t i = 0; i < worse.size(); ++i) {
    CAPTURE(i);
    const Outlook after = Known(worse[i]).at(0.9);
    const bool price = i == 4;
    CHECK(after.days->range.expected >= before.days->range.expected);
    CHECK((price || after.days->at_confidence > before.days->at_confidence));
    CHECK((price || after.days->p95 > before.days->p95));
    CHECK(after.cost->at_confidence > before.cost->at_confidence);
    CHECK(after.cost->p95 > before.cost->p95);
    CHECK(after.tco->at_confidence >= before.tco->at_confidence);
  }
}

TEST_CASE("the high end of 80 of 100 is what 90 of 100 stay within, and ends hold the expected") {
  for (const Case& one : twenty()) {
    const Outlook outlook = Known(one).at(0.9);
    CHECK(outlook.days->range.high == outlook.days->at_confidence);
    CHECK(outlook.cost->range.high == outlook.cost->at_confidence);
    CHECK(outlook.days->range.low <= outlook.days->range.expected);
    CHECK(outlook.days->range.high <= outlook.days->p95);
  }
}

TEST_CASE("what decides is what swings most, and a cause that is known is none") {
  const Case one{.9, 1.26, 2e-5, 2.4, true, 1, {cause(.6, .5, 2), cause(.4, 1, 1)}};
  const Outlook outlook = Known(one).at(0.9);
  REQUIRE(outlook.decides.size() >= 3);
  CHECK(outlook.decides.front().cause == "price");
  for (std::size_t i = 1; i < outlook.decides.size(); ++i) {
    CHECK(outlook.decides[i - 1].swing() >= outlook.decides[i].swing());
  }
  const auto model = std::find_if(
      outlook.decides.begin(), outlook.decides.end(),
      [](const Decides& decides) { return decides.cause == "model of the iteration"; });
  REQUIRE(model != outlook.decides.end());
  CHECK(model->days->low == 0.9 * model->days->expected);
  CHECK(model->cost->high / model->cost->expected == near(1.26));
  CHECK_FALSE(model->tco);
}
