// Everything that `planner reliability` computes, for 100,000 GPUs. One core:
//   taskset -c 0 build/bench/bin/planner_bench --benchmark_filter=outlook
#include "support/reliability.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <optional>

#include "planner/job/outlook.hpp"
#include "planner/reliability/goodput.hpp"
#include "planner/reliability/improve.hpp"
#include "planner/reliability/outlook.hpp"
#include "support/run_outlook.hpp"

namespace {

using namespace planner;
using namespace planner::testing;

/// 19 kinds of failures, as many as Llama 3's, and spares.
JobReliability hundred_thousand_gpus(bool visits) {
  JobReliability job{
      .counts = {
          .gpus = 100'000, .nics = 100'000, .nodes = 12'500, .links = 100'000, .switches = 1563}};
  for (int i = 0; i < 19; ++i) {
    FailureRate rate = rate_of(i % 3 == 0 ? FailureUnit::node : FailureUnit::gpu, 1e-7 * (i + 1));
    rate.component = "a part with a name of usual length";
    rate.basis = RateBasis::part_calendar;
    rate.detect = Seconds{30};
    rate.diagnose = Seconds{120};
    rate.needs_spare = i % 4 != 0;
    job.rates.components.push_back(rate);
  }
  job.checkpoint = {.stall = Seconds{5}, .durable = Seconds{60}};
  job.restart = minutes(5);
  job.spares = SparePolicy{.spares = 500, .pools = 4};
  (visits ? job.spares->visits : job.spares->repair) = hours(72);
  return job;
}

void outlook(benchmark::State& state, bool visits) {
  const JobReliability job = hundred_thousand_gpus(visits);
  for (auto _ : state) benchmark::DoNotOptimize(run_outlook(job, 30 * units::day));
}
BENCHMARK_CAPTURE(outlook, repair, false);
BENCHMARK_CAPTURE(outlook, visits, true);

void whole_answer(benchmark::State& state, bool visits) {
  const JobReliability job = hundred_thousand_gpus(visits);
  for (auto _ : state) {
    const auto result = run_outlook(job, 30 * units::day);
    const auto load = failure_load(job, exposures(job));
    const RunDays& days = result.days;
    CheckpointPolicy policy = job.checkpoint;
    for (int i = -32; i <= 32; ++i) {
      policy.interval = minutes(20 * std::exp2(6.0 * i / 32));
      benchmark::DoNotOptimize(goodput(load, policy));
    }
    for (int i = 1; i < 50; ++i) benchmark::DoNotOptimize(days.quantile(i / 50.0));
    benchmark::DoNotOptimize(improvements(job));
    benchmark::DoNotOptimize(gains_of_fewer_failures(job));
  }
}
BENCHMARK_CAPTURE(whole_answer, repair, false);
BENCHMARK_CAPTURE(whole_answer, visits, true);

/// Availability and days with their ranges: a hundred jobs around the expected one.
void quantiles_of(benchmark::State& state, const JobReliability& of, bool better_link_loss) {
  const JobReliability job = with_unknown_times(of, 0.86);
  const auto exposed = exposures(job);
  for (auto _ : state) {
    const auto [goodput, days] = run_outlook(job, 30 * units::day);
    benchmark::DoNotOptimize(outlook_ranges(job, exposed, goodput, days,
                                            {.rates = 0.68, .better_link_loss = better_link_loss}));
  }
}

/// From a job that fails once in six runs to one that fails once an hour.
JobReliability job_of(std::int64_t gpus, std::optional<SparePolicy> spares) {
  JobReliability job = hundred_thousand_gpus(false);
  job.counts = {.gpus = gpus,
                .nics = gpus,
                .nodes = gpus / 8,
                .links = gpus,
                .switches = std::max<std::int64_t>(1, gpus / 64)};
  job.spares = spares;
  if (spares) job.spares->unit_gpus = 8;
  return job;
}

void quantiles(benchmark::State& state, std::optional<SparePolicy> spares) {
  quantiles_of(state, job_of(state.range(0), spares), false);
}
constexpr std::initializer_list<std::int64_t> kGpus{64, 512, 2048, 8192, 32'768, 100'000};
BENCHMARK_CAPTURE(quantiles, alone, std::nullopt)->ArgsProduct({kGpus});
BENCHMARK_CAPTURE(quantiles, no_spares, SparePolicy{.repair = hours(72)})->ArgsProduct({kGpus});
BENCHMARK_CAPTURE(quantiles, few_spares, SparePolicy{.spares = 8, .repair = hours(72)})
    ->ArgsProduct({kGpus});
BENCHMARK_CAPTURE(quantiles, pools, SparePolicy{.spares = 500, .pools = 4, .repair = hours(72)})
    ->ArgsProduct({kGpus});
BENCHMARK_CAPTURE(quantiles, crews, SparePolicy{.spares = 8, .repair = hours(72), .crews = 4})
    ->ArgsProduct({kGpus});

/// The same of hosts on two access switches each, which are swapped or work on at each of its
/// rates.
void dual_tor_quantiles(benchmark::State& state) {
  JobReliability job = job_of(state.range(0), SparePolicy{.spares = 500, .repair = hours(72)});
  FailureRate link = rate_of(FailureUnit::link, 7.9e-7);
  link.repair = hours(24);
  link.degraded_speed = 0.94;
  job.rates.components.push_back(link);
  job.access = AccessLinks::dual_tor;
  quantiles_of(state, with_better_link_loss(std::move(job)), true);
}
BENCHMARK(dual_tor_quantiles)->ArgsProduct({kGpus});

/// A job whose access switches take eight hosts with them, with so many spares, pools and crews
/// (0: as many as needed).
JobReliability with_switches(const benchmark::State& state) {
  SparePolicy spares{.spares = state.range(1), .pools = state.range(2), .repair = hours(72)};
  spares.switch_hosts = 8;
  if (state.range(3) > 0) spares.crews = state.range(3);
  return job_of(state.range(0), spares);
}

/// Quantiles where such switches fail beside all else.
void switch_quantiles(benchmark::State& state) {
  JobReliability job = with_switches(state);
  FailureRate access = rate_of(FailureUnit::network_switch, 7e-7);
  access.repair = hours(24);
  job.rates.components.push_back(access);
  quantiles_of(state, job, false);
}
BENCHMARK(switch_quantiles)
    ->ArgsProduct({{512, 8192, 100'000}, {8, 64, 500}, {1, 4}, {0, 1, 4, 20, 100}})
    ->ArgsProduct({{1'000'000}, {1000, 5000, 20'000}, {1, 4}, {0, 100, 1000}});

/// Where power feeds of 32 hosts fail too.
void feed_quantiles(benchmark::State& state) {
  JobReliability job = with_switches(state);
  job.counts.feeds = job.counts.gpus / 256;
  job.spares->feed_hosts = 32;
  FailureRate access = rate_of(FailureUnit::network_switch, 7e-7);
  FailureRate feed = rate_of(FailureUnit::feed, 1e-5);
  access.repair = hours(24);
  feed.repair = hours(12);
  job.rates.components.insert(job.rates.components.end(), {access, feed});
  quantiles_of(state, job, false);
}
BENCHMARK(feed_quantiles)->ArgsProduct({{8192, 100'000}, {64, 500}, {1, 4}, {0, 4, 20}});

/// Quantiles of HPN's links and switches alone: a link holds its host, a switch its eight.
void hpn_quantiles(benchmark::State& state) {
  JobReliability job = with_switches(state);
  FailureRate link = rate_of(FailureUnit::link, 7.91667e-7);
  FailureRate access = rate_of(FailureUnit::network_switch, 7.08333e-7);
  link.repair = access.repair = hours(72);
  job.rates.components = {link, access};
  quantiles_of(state, job, false);
}
BENCHMARK(hpn_quantiles)
    ->ArgsProduct({{1000, 3000, 15'000, 100'000}, {8, 64, 500}, {1, 4}, {0, 4, 20}});

/// Days, the cost of a run and the total cost with all that is unknown, and what decides them.
void outlook_to_the_end(benchmark::State& state, bool spares) {
  JobReliability job = with_unknown_times(hundred_thousand_gpus(false), 0.86);
  if (!spares) job.spares.reset();
  Plan plan;
  plan.time.last_stage_compute = Seconds{10};
  plan.interval = TimeInterval{Seconds{9}, Seconds{12.6}};
  job::Forecast forecast;
  forecast.iteration =
      job::IterationTimes{Seconds{10}, Seconds{10}, Seconds{10}, Seconds{10.5}, {}};
  forecast.reliability.emplace();
  forecast.reliability->job = job;
  forecast.reliability->exposed = exposures(job);
  forecast.reliability->unknown = {.rates = 0.68};
  forecast.reliability->days = run_outlook(job, 30 * units::day).days;
  forecast.run =
      job::expected_run(*forecast.iteration, 30 * units::day / Seconds{10}, forecast.reliability);
  std::vector<CostCause> causes;
  for (int i = 1; i < 9; ++i) {
    causes.push_back({.name = "price",
                      .factor = {1 - 0.02 * i, 1, 1 + 0.05 * i},
                      .capex = 1e7 * units::usd,
                      .opex_per_year = 1e5 * units::usd,
                      .tco = 1e8 * units::usd,
                      .per_gpu_hour = 0.2 * units::usd});
  }
  job::OutlookInputs inputs{.plan = &plan, .ideal = 30 * units::day, .forecast = &forecast};
  inputs.run = job::PricedRun{causes, 2 * units::usd, 1e6 * units::usd, 1.2e6 * units::usd};
  inputs.cluster = {.capex = 1e8 * units::usd,
                    .opex_per_year = 1e6 * units::usd,
                    .tco = 1e9 * units::usd,
                    .gpu_hour = 2 * units::usd,
                    .causes = causes};
  for (auto _ : state) benchmark::DoNotOptimize(job::outlook_of(inputs));
}
BENCHMARK_CAPTURE(outlook_to_the_end, alone, false);
BENCHMARK_CAPTURE(outlook_to_the_end, spares, true);

}  // namespace
