#include "planner/job/outlook.hpp"

#include <algorithm>
#include <cmath>

#include "planner/core/normal.hpp"
#include "planner/cost/estimate_math.hpp"
#include "planner/job/price_law.hpp"
#include "planner/reliability/outlook.hpp"
#include "planner/reliability/product_law.hpp"

namespace planner::job {

namespace {

constexpr double kLow = kLowShare, kMedian = 0.5, kHigh = kHighShare, kP95 = 0.95;

/// @param early, late  quantiles of the amount, by a share of all cases, at the better and at the
/// worse end of what is known as two ends only
template <class Q, class E, class L>
Likely<Q> likely(Q expected, double confidence, E early, L late) {
  const auto at = [&](double p) { return p >= kHigh ? std::max(expected, late(p)) : late(p); };
  const Q high = at(kHigh);
  return {.range = {std::min(expected, early(kLow)), expected, high},
          .at_confidence = confidence == kHigh ? high : at(confidence),
          .p95 = at(kP95),
          .median = late(kMedian)};
}

/// Failures and uneven links only add: no share of the cases does better than without them,
/// whatever the shape that stands for the luck of a run.
template <class Q>
Likely<Q> no_better_than(Likely<Q> likely, const Likely<Q>& without) {
  likely.range.low = std::clamp(without.range.low, likely.range.low, likely.range.expected);
  likely.range.high = std::max(likely.range.high, without.range.high);
  likely.at_confidence = std::max(likely.at_confidence, without.at_confidence);
  likely.p95 = std::max(likely.p95, without.p95);
  if (likely.median && without.median) likely.median = std::max(*likely.median, *without.median);
  return likely;
}

/// Of the predicted time, whose own is what is expected.
Estimate<double> model_factor(const OutlookInputs& inputs) {
  if (inputs.plan == nullptr || !inputs.plan->interval) return {1, 1, 1};
  const Seconds predicted = inputs.plan->time.total();
  const auto& [low, high, middle] = *inputs.plan->interval;
  return {std::min(1.0, low / predicted), 1, std::max(1.0, high / predicted)};
}

/// What half of all cases stay within, of the predicted time.
double model_middle(const OutlookInputs& inputs) {
  if (inputs.plan == nullptr || !inputs.plan->interval) return 1;
  const Seconds middle = inputs.plan->interval->middle;  // 0 of older answers: the prediction
  return middle > Seconds{} ? middle / inputs.plan->time.total() : 1;
}

/// About the middle.
LogSpread model_spread(const OutlookInputs& inputs) {
  const Estimate<double> factor = model_factor(inputs);
  const double middle = model_middle(inputs);
  return spread_of({std::min(1.0, factor.low / middle), 1, std::max(1.0, factor.high / middle)});
}

/// The spread of hashed paths, which only slow: that of the run, drawn anew with each failure.
double paths_spread(const Forecast* forecast) {
  if (forecast == nullptr || !forecast->run || !forecast->run->paths_vary) return 0;
  const double failures = forecast->reliability ? forecast->reliability->days->failures : 0;
  return std::log1p(longer_by_paths(*forecast->iteration, failures)) / normal_quantile(kP95);
}

SumLaw law_of(const std::vector<CostCause>& causes, Usd CostCause::*part, Usd expected) {
  return price_law(causes, expected, [part](const CostCause& cause) { return cause.*part; });
}

std::optional<Likely<Usd>> likely_sum(const std::vector<CostCause>& causes, Usd CostCause::*part,
                                      const std::optional<Usd>& expected, double confidence) {
  if (!expected) return std::nullopt;
  const SumLaw law = law_of(causes, part, *expected);
  const auto quantile = [&](double p) { return law.quantile(p) * units::usd; };
  return likely<Usd>(*expected, confidence, quantile, quantile);
}

Likely<Usd> scaled(const Likely<Usd>& likely, double factor) {
  const auto& [low, expected, high] = likely.range;
  return {.range = {factor * low, factor * expected, factor * high},
          .at_confidence = factor * likely.at_confidence,
          .p95 = factor * likely.p95,
          .median = likely.median ? std::optional(factor * *likely.median) : std::nullopt};
}

/// Time of a run as a law, and what it is expected to be.
struct Run {
  Seconds expected{};
  OutcomeLaw law;
  LogSpread model{};
  /// At the longest stall that a checkpoint may have; none where the stall is known.
  std::optional<OutcomeLaw> late_law{};

  [[nodiscard]] OutcomeLaw early() const { return law.times(model); }
  [[nodiscard]] OutcomeLaw late() const { return (late_law ? *late_law : law).times(model); }
};

Run without_failures(const OutlookInputs& inputs) {
  return {.expected = *inputs.ideal,
          .law = OutcomeLaw(model_middle(inputs) * inputs.ideal->si()),
          .model = model_spread(inputs)};
}

OutcomeLaw law_of(const ReliabilityResult& failures, Seconds routed, Seconds stall) {
  JobReliability job = failures.job;
  job.checkpoint.stall = stall;
  return run_law(job, exposures(job), routed, failures.unknown);
}

Run as_forecast(const OutlookInputs& inputs, Run ideal) {
  const Forecast* const forecast = inputs.forecast;
  if (forecast == nullptr || !forecast->run) return ideal;
  ideal.expected = forecast->run->mean;
  ideal.model.above = std::hypot(ideal.model.above, paths_spread(forecast));
  if (const auto& failures = forecast->reliability) {
    const Seconds routed = model_middle(inputs) * forecast->run->routed,
                  stall = failures->job.checkpoint.stall;
    const auto unknown = failures->unknown_stall.value_or(Estimate<Seconds>::exactly(stall));
    ideal.law = law_of(*failures, routed, unknown.low);
    if (!unknown.exact()) ideal.late_law = law_of(*failures, routed, unknown.high);
  }
  return ideal;
}

Likely<Seconds> likely_time(const Run& run, double confidence) {
  const OutcomeLaw early = run.early(), late = run.late();
  return likely<Seconds>(
      run.expected, confidence, [&](double p) { return Seconds{early.quantile(p)}; },
      [&](double p) { return Seconds{late.quantile(p)}; });
}

/// Dollars: time times the price of a GPU-hour.
Likely<Usd> likely_cost(const Run& run, Usd expected, const SumLaw& price, Usd gpu_hour,
                        double confidence) {
  const ProductLaw early(run.early(), price);
  std::optional<ProductLaw> late;
  if (run.late_law) late.emplace(run.late(), price);
  const Usd one = expected / (run.expected.si() * gpu_hour.in(units::usd));
  return likely<Usd>(
      expected, confidence, [&](double p) { return early.quantile(p) * one; },
      [&](double p) { return (late ? *late : early).quantile(p) * one; });
}

/// Forty moments, from the first of a hundred runs to the last.
std::vector<DoneBy> done_by(const Run& run) {
  const OutcomeLaw law = run.late();
  constexpr int kPoints = 40;
  constexpr double kFirst = 0.005;
  const double from = law.quantile(kFirst), to = law.quantile(1 - kFirst);
  std::vector<DoneBy> points;
  if (!(to > from)) return points;
  for (int i = 0; i <= kPoints; ++i) {
    const double at = from + (to - from) * i / kPoints;
    points.push_back({Seconds{at}, law.share_within(at)});
  }
  return points;
}

Estimate<Seconds> times(Seconds expected, const Estimate<double>& factor) {
  return {factor.low * expected, expected, factor.high * expected};
}

/// What moves the time of a run.
std::vector<Decides> time_causes(const OutlookInputs& inputs, Seconds expected) {
  std::vector<Decides> causes;
  const auto add = [&](const char* name, const Estimate<double>& factor) {
    if (!factor.exact()) causes.push_back({.cause = name, .days = times(expected, factor)});
  };
  add("model of the iteration", model_factor(inputs));
  const double paths = paths_spread(inputs.forecast);
  add("luck of hashed paths", {1, 1, std::exp(normal_quantile(kHigh) * paths)});
  if (inputs.forecast == nullptr || !inputs.forecast->reliability) return causes;
  const ReliabilityResult& failures = *inputs.forecast->reliability;
  const Seconds routed = inputs.forecast->run->routed;
  const auto mean = [&](double rates, double recovery) {
    return mean_time(failures.job, failures.exposed, routed, failures.unknown, rates, recovery) /
           expected;
  };
  const double end = normal_quantile(kHigh);
  add("failure rates", {mean(-end, 0), 1, mean(end, 0)});
  add("recovery times", {mean(0, -end), 1, mean(0, end)});
  if (failures.unknown_stall) {
    JobReliability stalled = failures.job;
    stalled.checkpoint.stall = failures.unknown_stall->high;
    const Seconds most = mean_time(stalled, exposures(stalled), routed, {}, 0, 0);
    add("stall of a checkpoint", {1, 1, std::max(1.0, most / expected)});
  }
  const RunDays& days = *failures.days;
  add("luck of the run's failures", {std::min(1.0, days.quantile(kLow) / days.mean), 1,
                                     std::max(1.0, days.quantile(kHigh) / days.mean)});
  return causes;
}

Estimate<Usd> moved(Usd expected, Usd weight, const Estimate<double>& factor) {
  return {expected + (factor.low - 1) * weight, expected, expected + (factor.high - 1) * weight};
}

/// The causes of money that the run and the cluster have, each once.
std::vector<Decides> money_causes(const OutlookInputs& inputs) {
  std::vector<Decides> found;
  const auto& causes = inputs.run ? inputs.run->causes : inputs.cluster.causes;
  for (const CostCause& cause : causes) {
    Decides decides{.cause = cause.name};
    if (inputs.run && cause.per_gpu_hour > Usd{}) {
      const double share = cause.per_gpu_hour / inputs.run->gpu_hour;
      decides.cost = moved(inputs.run->expected, share * inputs.run->expected, cause.factor);
    }
    if (inputs.cluster.tco) decides.tco = moved(*inputs.cluster.tco, cause.tco, cause.factor);
    if (const auto& present = inputs.cluster.present; present && inputs.cluster.gpu_hour) {
      const double share = cause.per_gpu_hour / *inputs.cluster.gpu_hour;
      decides.present = moved(*present, share * *present, cause.factor);
    }
    if (decides.cost || decides.tco) found.push_back(std::move(decides));
  }
  return found;
}

std::vector<Decides> what_decides(const OutlookInputs& inputs, const std::optional<Seconds>& days) {
  std::vector<Decides> causes;
  if (days) causes = time_causes(inputs, *days);
  for (Decides& cause : causes) {
    if (!inputs.run) break;
    const Usd expected = inputs.run->expected;
    cause.cost = Estimate<Usd>{(cause.days->low / *days) * expected, expected,
                               (cause.days->high / *days) * expected};
  }
  for (Decides& cause : money_causes(inputs)) causes.push_back(std::move(cause));
  std::stable_sort(causes.begin(), causes.end(),
                   [](const Decides& a, const Decides& b) { return a.swing() > b.swing(); });
  return causes;
}

}  // namespace

double Decides::swing() const {
  const auto of = [](const auto& range) {
    return range ? (range->high - range->low) / range->expected : 0;
  };
  return std::max({of(days), of(cost), of(tco), of(present)});
}

std::vector<CostCause> rent_causes(const Estimate<UsdPerSecond>& rent) {
  if (rent.exact()) return {};
  return {{.name = "rent of a GPU",
           .factor = relative(rent),
           .per_gpu_hour = rent.expected * units::hour}};
}

Outlook outlook_of(const OutlookInputs& inputs) {
  Outlook outlook{.confidence = inputs.confidence};
  const PricedCluster& cluster = inputs.cluster;
  const auto sum = [&](Usd CostCause::*part, const std::optional<Usd>& expected) {
    return likely_sum(cluster.causes, part, expected, inputs.confidence);
  };
  outlook.capex = sum(&CostCause::capex, cluster.capex);
  outlook.opex_per_year = sum(&CostCause::opex_per_year, cluster.opex_per_year);
  outlook.tco = sum(&CostCause::tco, cluster.tco);
  outlook.gpu_hour = sum(&CostCause::per_gpu_hour, cluster.gpu_hour);
  if (cluster.present && outlook.gpu_hour) {
    outlook.present = scaled(*outlook.gpu_hour, *cluster.present / *cluster.gpu_hour);
  }
  std::optional<Seconds> days;
  if (inputs.ideal) {
    const Run ideal = without_failures(inputs);
    const Run run = as_forecast(inputs, ideal);
    days = run.expected;
    outlook.ideal_days = likely_time(ideal, inputs.confidence);
    outlook.days = no_better_than(likely_time(run, inputs.confidence), *outlook.ideal_days);
    outlook.done_by = done_by(run);
    if (const auto& paid = inputs.run) {
      const SumLaw price = law_of(paid->causes, &CostCause::per_gpu_hour, paid->gpu_hour);
      const auto cost = [&](const Run& of, Usd expected) {
        return likely_cost(of, expected, price, paid->gpu_hour, inputs.confidence);
      };
      outlook.ideal_cost = cost(ideal, paid->ideal);
      outlook.cost = no_better_than(cost(run, paid->expected), *outlook.ideal_cost);
    }
  }
  outlook.decides = what_decides(inputs, days);
  return outlook;
}

}  // namespace planner::job
