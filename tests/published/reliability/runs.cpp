// Runs that meet few large losses: mean, median and 95th of 100 against simulations of whole runs
// (tools/simulate-goodput).
#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "planner/reliability/goodput.hpp"
#include "support/near.hpp"
#include "support/reliability.hpp"
#include "support/run_outlook.hpp"

using namespace planner;
using namespace planner::testing;
using nlohmann::json;

namespace {

/// Crashes that are cured by the recovery under way, some of them of units that wait for a spare.
JobReliability job_of(const json& in) {
  JobReliability job{.checkpoint = {.interval = hours(in["tau_h"]), .stall = hours(in["stall_h"])}};
  for (const json& one : in["classes"]) {
    FailureRate rate = rate_of(FailureUnit::job, one[0]);
    rate.detect = hours(one[1]);
    job.rates.components.push_back(rate);
  }
  if (!in.contains("units")) return job;
  FailureRate of_unit = rate_of(FailureUnit::node, in["unit_rate_h"]);
  of_unit.detect = hours(in["recovery_h"]);
  of_unit.needs_spare = true;
  job.rates.components.push_back(of_unit);
  const std::int64_t units = in["units"];
  job.counts = {.gpus = units, .nodes = units};
  job.spares = SparePolicy{.spares = in["spares"], .repair = hours(in["repair_h"]), .unit_gpus = 1};
  return job;
}

}  // namespace

TEST_CASE("a run that meets few large losses meets none, or one, or two") {
  const json cases = json::parse(std::ifstream(
      PLANNER_SOURCE_DIR "/tests/published/reliability/data/goodput_cases.json"))["cases"];
  int seen = 0;
  for (const json& of : cases) {
    const std::string id = of["id"];
    const json& in = of["inputs"];
    if (!id.starts_with("run/") || !in.contains("during_recovery")) continue;
    CAPTURE(id);
    ++seen;
    const RunDays run = run_outlook(job_of(in), hours(in["useful_h"])).days;
    for (const auto& [key, expected] : of["expected"].items()) {
      CAPTURE(key);
      const Seconds time = key == "mean" ? run.mean : key == "p50" ? run.p50 : run.p95;
      CHECK(time.in(units::hour) == near(expected, of["tolerance"]));
      CHECK(time.in(units::hour) == near(of["mc"][key], 0.01));
    }
  }
  CHECK(seen == 5);
}

TEST_CASE("of a loss that one of twenty runs meets the mean has its share, and p95 has none") {
  JobReliability job = of_nodes(16, 4e-6);
  job.rates.components.front().needs_spare = true;
  job.spares = SparePolicy{.spares = 0, .repair = hours(72), .unit_gpus = 8};
  job.checkpoint = {.interval = hours(2)};
  const RunDays run = run_outlook(job, hours(720)).days;
  CHECK(run.failures == near(0.046, 0.01));
  CHECK(run.mean > hours(723));
  CHECK(run.p95 < hours(721));
  CHECK(run.quantile(0.97) > hours(740));  // who meets one waits
  // Many losses of the same mean are what they were: gamma distributed.
  const RunDays many = run_outlook(of_nodes(2048, 1e-4), hours(720)).days;
}
