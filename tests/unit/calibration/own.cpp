#include "planner/calibration/own.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <memory>

#include "planner/calibration/calibrate.hpp"
#include "planner/perf/calibrated/certainty.hpp"
#include "support/gpt.hpp"
#include "support/near.hpp"

using namespace planner;
using planner::testing::near;

namespace {

CalibrationPtr constants() {
  static const auto kConstants = [] {
    auto made = std::make_shared<Calibration>(prior_calibration());
    made->residuals = {{.generation = Generation::ampere,
                        .low = -0.09,
                        .high = 0.22,
                        .rows = 90,
                        .sources = 9,
                        .most_gpus = 1024,
                        .longest_sequence = 8192}};
    return made;
  }();
  return kConstants;
}

/// A run on a machine of one's own that takes so many times what is predicted.
MeasuredRow run(const char* id, std::int64_t tp, double slower, const char* source = "ours") {
  MeasuredRun run{.workload = {.model = testing::gpt(16, 2048, 16),
                               .system = testing::a100_cluster(),
                               .run = {.global_batch = 256, .sequence = 2048},
                               .gpus = 64,
                               .software = software_of(SoftwareClass::flash)},
                  .strategy = {.tp = {1, tp}, .dp = {1, 64 / tp}, .micro_batch = 1}};
  Accelerator& part = run.workload.system.accelerator;
  part.name = "our-a100";
  part.generation = Generation::ampere;
  part.memory_bandwidth = 2039 * units::GBps;
  const double predicted = MeasuredPrediction(run, constants())(Validated::time, constants());
  run.iteration_time = Seconds{slower * predicted};
  return {.id = id, .source_key = source, .run = run};
}

std::vector<MeasuredRow> three(double slower) {
  return {run("a", 1, slower), run("b", 2, slower), run("c", 4, slower)};
}

}  // namespace

TEST_CASE("three own runs: the bias is halved at least, the interval narrower, constants stay") {
  for (const double slower : {1.135, 0.9, 1.4}) {
    CAPTURE(slower);
    const CalibrationFit fit = calibrate({.own = three(slower)}, constants(), {});
    REQUIRE(fit.own.size() == 1);
    const OwnFit& of = fit.own.front();
    CHECK(of.before.bias == near(1 / slower - 1));
    CHECK(std::abs(of.after.bias) < std::abs(of.before.bias) / 2);
    CHECK(of.runs.high - of.runs.low < of.high_before - of.low_before);
    CHECK(fit.calibration.values == constants()->values);
    CHECK(fit.calibration.residuals == constants()->residuals);
    // What a plan on that machine is told, and on another.
    const auto made = std::make_shared<const Calibration>(fit.calibration);
    MeasuredRow again = run("again", 8, slower);
    CHECK(MeasuredPrediction(*again.run, made)(Validated::time, made) ==
          near(of.runs.factor *
               MeasuredPrediction(*again.run, constants())(Validated::time, constants())));
    again.run->workload.system.accelerator.name = "another";
    CHECK(MeasuredPrediction(*again.run, made)(Validated::time, made) ==
          MeasuredPrediction(*again.run, constants())(Validated::time, constants()));
  }
}

TEST_CASE("own runs take the place of earlier ones, and leave those of other machines") {
  auto before = std::make_shared<Calibration>(*constants());
  before->own = {{.accelerator = "our-a100",
                  .stack = SoftwareClass::flash,
                  .factor = 3,
                  .low = -1,
                  .high = 1,
                  .rows = 1},
                 {.accelerator = "theirs",
                  .stack = SoftwareClass::flash,
                  .factor = 1.5,
                  .low = -0.1,
                  .high = 0.1,
                  .rows = 2}};
  const CalibrationFit fit = calibrate({.own = three(1.135)}, before, {});
  REQUIRE(fit.calibration.own.size() == 2);
  CHECK(fit.calibration.own[0].accelerator == "theirs");
  CHECK(fit.calibration.own[0].factor == 1.5);
  CHECK(fit.calibration.own[1].rows == 3);
  // Not on top of the factor that was there.
  CHECK(fit.calibration.own[1].factor ==
        calibrate({.own = three(1.135)}, constants(), {}).calibration.own[0].factor);
}

TEST_CASE("which systems are measured is what the rows say") {
  std::vector<MeasuredRow> rows = three(1);
  rows[2].source_key = "others";
  rows.push_back(run("d", 8, 1));
  rows[3].run->workload.software.stack = SoftwareClass::te;
  rows.push_back({.id = "left out", .skipped = "marked unusable"});
  const auto found = measured_runs(rows_with(rows, Validated::time));
  REQUIRE(found.size() == 2);
  CHECK(found[0].accelerator == "our-a100");
  CHECK(found[0].stack == SoftwareClass::flash);
  CHECK(found[0].rows == 3);
  CHECK(found[0].sources == std::vector<std::string>{"others", "ours"});
  CHECK(found[1].stack == SoftwareClass::te);
  CHECK(found[1].rows == 1);
}

TEST_CASE("own runs of a mixture of experts say nothing of another") {
  const auto moe_run = [](std::int64_t experts, double slower) {
    MeasuredRow row = run("m", 1, 1);
    row.run->workload.model.moe =
        MoeSpec{.experts = experts, .top_k = 2, .expert_ffn_hidden = 2048};
    const double predicted =
        MeasuredPrediction(*row.run, constants())(Validated::time, constants());
    row.run->iteration_time = Seconds{slower * predicted};
    return row;
  };
  const std::vector<MeasuredRow> rows{moe_run(8, 1.3), moe_run(8, 1.3), moe_run(16, 0.9)};
  const CalibrationFit fit = calibrate({.own = rows}, constants(), {});
  REQUIRE(fit.own.size() == 2);
  CHECK(fit.own[0].runs.rows == 2);
  CHECK(fit.own[0].runs.factor > 1);
  CHECK(fit.own[1].runs.factor < 1);
  const auto made = std::make_shared<const Calibration>(fit.calibration);
  const auto moved = [&](const MeasuredRow& row) {
    return MeasuredPrediction(*row.run, made)(Validated::time, made) /
           MeasuredPrediction(*row.run, constants())(Validated::time, constants());
  };
  CHECK(moved(rows[0]) == near(fit.own[0].runs.factor));
  CHECK(moved(rows[2]) == near(fit.own[1].runs.factor));
  CHECK(moved(moe_run(64, 1)) == 1);
  CHECK(moved(run("dense", 1, 1)) == 1);
}

TEST_CASE("own runs in one format say nothing of another") {
  MeasuredRow fp8 = run("fp8", 8, 1.3);
  fp8.run->workload.run.precision = Precision::fp8;
  const CalibrationFit fit = calibrate({.own = three(1.3)}, constants(), {});
  const auto made = std::make_shared<const Calibration>(fit.calibration);
  Workload of = run("again", 8, 1).run->workload;
  of.timing = made;
  CHECK(own_factor(of) > 1.1);
  CHECK(evidence_of(of)->own == 3);
  of.run.precision = Precision::fp16;  // as bf16
  CHECK(own_factor(of) > 1.1);
  of.run.precision = Precision::fp8;
  CHECK(own_factor(of) == 1);
  CHECK(evidence_of(of)->own == 0);
}

TEST_CASE("on a machine that no fit has seen own runs are believed") {
  auto unseen = std::make_shared<Calibration>(*constants());
  unseen->measured = {{.accelerator = "h100", .generation = Generation::hopper, .rows = 9}};
  unseen->outside = {{.of = {.accelerator = "another", .rows = 27}, .low = 0.1, .high = 0.9}};
  const OwnFit seldom = calibrate({.own = three(2)}, unseen, {}).own.front();
  const OwnFit usual = calibrate({.own = three(2)}, constants(), {}).own.front();
  CHECK(seldom.runs.factor > 1.8);
  CHECK(usual.runs.factor < seldom.runs.factor);
  // One run says where the level is, and no more.
  const OwnFit one = calibrate({.own = {run("a", 1, 2)}}, unseen, {}).own.front();
  CHECK(one.runs.high - one.runs.low > seldom.runs.high - seldom.runs.low);
  CHECK(one.runs.high > 0.25);
}
