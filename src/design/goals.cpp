#include "planner/design/goals.hpp"

#include <algorithm>
#include <cmath>

#include "planner/core/normal.hpp"
#include "planner/core/real.hpp"
#include "planner/cost/run_cost.hpp"
#include "planner/design/rounding.hpp"

namespace planner::design {

namespace {

double cents(const Money& money) {
  return real(money.in_cents());
}

}  // namespace

double deviations(double share) {
  return normal_quantile(share);
}

double excess(double expected, double high, double share) {
  if (!(high > expected) || !(expected > 0)) return 1;
  return std::pow(high / expected, deviations(share) / deviations(kUpperEnd));
}

Judge::Judge(const Space& space, double confidence)
    : space_(space), confidence_(confidence), owned_(cents(space.owned_value)) {}

RunTimes Judged::all_runs() const {
  RunTimes sum;
  for (const RunTimes& run : runs) {
    sum.expected += run.expected;
    sum.confident += run.confident;
  }
  return sum;
}

Judged Judge::judge(const Bought& cluster, std::vector<RunTimes> runs) const {
  Judged judged{.runs = std::move(runs)};
  const RunTimes all = judged.all_runs();
  Figures& expected = judged.expected;
  expected[at(Measure::tco)] = cents(cluster.owning().expected);
  expected[at(Measure::capex)] = cents(cluster.capex.expected);
  expected[at(Measure::days)] = (cluster.lead + all.expected).in(units::day);
  expected[at(Measure::power)] = cluster.power.it.si();
  expected[at(Measure::gpus)] = real(cluster.gpus);
  if (cluster.power.facility) {
    expected[at(Measure::facility_power)] = cluster.power.facility->expected.si();
  }
  judged.confident = expected;
  Figures& confident = judged.confident;
  const auto dearer = [this](const auto& money) {
    return excess(money.expected.dollars(), money.high.dollars(), confidence_);
  };
  confident[at(Measure::tco)] *= dearer(cluster.owning());
  confident[at(Measure::capex)] *= dearer(cluster.capex);
  confident[at(Measure::days)] = (cluster.lead + all.confident).in(units::day);
  for (const RunTimes& times : judged.runs) {
    const auto run = run_cost({.gpus = cluster.gpus, .duration = times.expected}, cluster.gpus,
                              space_.economics, cluster.power, cluster.per_gpu_hour);
    if (!run) continue;
    const double late = times.confident / times.expected;
    const auto add = [&](Measure measure, double figure, double more) {
      expected[at(measure)] += figure;
      confident[at(measure)] += figure * more;
    };
    if (run->cost) add(Measure::run_cost, cents(run->cost->expected), late * dearer(*run->cost));
    if (run->energy) add(Measure::energy, run->energy->expected.si(), late);
    if (run->co2_kg) add(Measure::co2, run->co2_kg->expected, late);
  }
  expected[at(Measure::capex)] -= owned_;
  confident[at(Measure::capex)] -= owned_;
  return judged;
}

Figures Judge::least(const Piece& parts, const DesignId& id, Seconds sum) const {
  // The times of several runs are added in another order here and there.
  const Seconds all_runs = space_.tokens.size() > 1 ? kRounding * sum : sum;
  const Economics& economics = space_.economics;
  const Seconds lead = lead_of(space_.systems[id.system], id.gpus);
  const double joules = kRounding * parts.facility_watts * economics.load * all_runs.si();
  Figures least{};
  least[at(Measure::tco)] = std::floor(100 * parts.tco);
  least[at(Measure::capex)] = std::floor(100 * parts.capex) - owned_;
  least[at(Measure::run_cost)] =
      std::max(0.0, std::floor(kRounding * 100 * parts.usd_per_second * all_runs.si()) -
                        rounding_of(space_.tokens.size()));
  least[at(Measure::days)] = (lead + all_runs).in(units::day);
  least[at(Measure::power)] = parts.watts;
  least[at(Measure::facility_power)] = parts.facility_watts;
  least[at(Measure::energy)] = joules;
  least[at(Measure::co2)] =
      kRounding * economics.grid_kg_co2_per_kwh.value_or(0) * (joules / units::kWh.si());
  least[at(Measure::gpus)] = real(id.gpus);
  return least;
}

Figures Judge::per_second(const Piece& parts) const {
  const Economics& economics = space_.economics;
  const double joules = kRounding * parts.facility_watts * economics.load;
  Figures all{};
  all[at(Measure::days)] = Seconds{1}.in(units::day);
  all[at(Measure::run_cost)] = 100 * parts.usd_per_second;
  all[at(Measure::energy)] = joules;
  all[at(Measure::co2)] = economics.grid_kg_co2_per_kwh.value_or(0) * (joules / units::kWh.si());
  return all;
}

double figure(const Judged& judged, const Goal& goal) {
  return (goal.confident ? judged.confident : judged.expected)[at(goal.measure)];
}

std::optional<double> limit_of(const BriefLimits& limits, Measure measure) {
  const auto cents_of = [](const std::optional<Money>& money) {
    return money ? std::optional(cents(*money)) : std::nullopt;
  };
  // Megawatts in decimals are no whole watts in binary.
  constexpr double kDecimals = 1 + 1e-12;
  const auto watts_of = [](const std::optional<Watts>& watts) {
    return watts ? std::optional(kDecimals * watts->si()) : std::nullopt;
  };
  switch (measure) {
    case Measure::tco:
      return cents_of(limits.tco);
    case Measure::capex:
      return cents_of(limits.capex);
    case Measure::run_cost:
      return cents_of(limits.run_cost);
    case Measure::days:
      return limits.days;
    case Measure::power:
      return watts_of(limits.power);
    case Measure::facility_power:
      return watts_of(limits.facility_power);
    case Measure::gpus:
      return limits.gpus ? std::optional(real(*limits.gpus)) : std::nullopt;
    case Measure::energy:
    case Measure::co2:
      return std::nullopt;
  }
  return std::nullopt;
}

bool within(const Judged& judged, const BriefLimits& limits) {
  return std::all_of(kMeasures.begin(), kMeasures.end(), [&](Measure measure) {
    const std::optional<double> limit = limit_of(limits, measure);
    return !limit || judged.confident[at(measure)] <= *limit;
  });
}

bool rules_out(std::span<const double> values, std::span<const double> of, bool front, bool first) {
  bool less = false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] < of[i]) {
      if (!front) return true;
      less = true;
    } else if (values[i] > of[i]) {
      return false;
    }
  }
  return less || first;
}

}  // namespace planner::design
