#include "planner/calibration/fit.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "planner/calibration/calibrate.hpp"
#include "planner/calibration/kept_out.hpp"
#include "planner/calibration/validation.hpp"
#include "support/gpt.hpp"
#include "support/near.hpp"

using namespace planner;
using planner::testing::near;

namespace {

/// A calibration that differs from the priors in three constants.
CalibrationPtr truth() {
  auto changed = std::make_shared<Calibration>(prior_calibration());
  const auto set = [&](Constant constant, double factor) {
    changed->values[static_cast<std::size_t>(constant)] *= factor;
  };
  set(Constant::gemm_efficiency_bf16_ampere, 0.9);
  set(Constant::elementwise_flash, 1.3);
  set(Constant::activation_inventory, 1.1);
  return changed;
}

/// Runs of several sources whose times and memories are what `constants` predict.
std::vector<MeasuredRow> runs_under(const CalibrationPtr& constants) {
  std::vector<MeasuredRow> rows;
  int next = 0;
  for (const std::int64_t hidden : {1024, 2048, 4096}) {
    for (const std::int64_t t : {1, 2, 4, 8}) {
      for (const std::int64_t p : {1, 2, 4}) {
        for (const std::int64_t b : {1, 2, 4}) {
          MeasuredRun run;
          run.workload = {.model = testing::gpt(16, hidden, hidden / 128),
                          .system = testing::a100_cluster(),
                          .run = {.global_batch = 256, .sequence = 2048},
                          .gpus = 64,
                          .software = software_of(SoftwareClass::flash)};
          run.workload.system.accelerator.generation = Generation::ampere;
          run.workload.system.accelerator.memory_bandwidth = 2039 * units::GBps;
          run.strategy = {.tp = {1, t}, .pp = {1, p}, .dp = {1, 64 / (t * p)}, .micro_batch = b};
          run.memory = MeasuredMemory{};
          run.rank_group = "h" + std::to_string(hidden);
          MeasuredPrediction predict(run, constants);
          run.iteration_time = Seconds{predict(Validated::time, constants)};
          run.memory->peak = Bytes{predict(Validated::memory, constants)};
          rows.push_back({.id = "run " + std::to_string(next),
                          .source_key = "source " + std::to_string(next % 4),
                          .run = run});
          ++next;
        }
      }
    }
  }
  return rows;
}

/// How much of the way from the prior to the truth a fit has left, in logarithms.
double left_of_the_way(const Calibration& fit, Constant constant) {
  const double all = std::log((*truth())[constant] / prior_calibration()[constant]);
  return std::abs(std::log((*truth())[constant] / fit[constant]) / all);
}

const auto kPrior = std::make_shared<const Calibration>(prior_calibration());

}  // namespace

TEST_CASE("constants are recovered from runs that they produced") {
  const auto rows = runs_under(truth());
  const Calibration time = fitted(rows_with(rows, Validated::time), Validated::time, kPrior, {});
  CHECK(left_of_the_way(time, Constant::gemm_efficiency_bf16_ampere) < 0.15);
  CHECK(left_of_the_way(time, Constant::elementwise_flash) < 0.15);
  // No run was on a Hopper, and the fit of times leaves memory alone.
  CHECK(time[Constant::gemm_efficiency_bf16_hopper] ==
        near(prior_calibration()[Constant::gemm_efficiency_bf16_hopper]));
  CHECK(time[Constant::activation_inventory] ==
        prior_calibration()[Constant::activation_inventory]);
  const Calibration memory =
      fitted(rows_with(rows, Validated::memory), Validated::memory, kPrior, {});
  CHECK(left_of_the_way(memory, Constant::activation_inventory) < 0.15);
}

TEST_CASE("a bad row pulls little") {
  auto rows = runs_under(truth());
  rows[5].run->iteration_time = 10 * *rows[5].run->iteration_time;
  const Calibration time = fitted(rows_with(rows, Validated::time), Validated::time, kPrior, {});
  CHECK(left_of_the_way(time, Constant::gemm_efficiency_bf16_ampere) < 0.2);
}

TEST_CASE("the number of threads changes nothing, a fixed constant stays") {
  const auto rows = runs_under(truth());
  const auto usable = rows_with(rows, Validated::time);
  FitOptions options{.fixed = {Constant::elementwise_flash}, .steps = 3, .threads = 1};
  const Calibration one = fitted(usable, Validated::time, kPrior, options);
  options.threads = 4;
  CHECK(fitted(usable, Validated::time, kPrior, options) == one);
  CHECK(one[Constant::elementwise_flash] == prior_calibration()[Constant::elementwise_flash]);
}

TEST_CASE("a source counts as 36 rows at most") {
  std::vector<MeasuredRow> rows(80, {.id = "a", .source_key = "large", .run = MeasuredRun{}});
  rows.push_back({.id = "b", .source_key = "small", .run = MeasuredRun{}});
  std::vector<const MeasuredRow*> all;
  for (const MeasuredRow& row : rows) all.push_back(&row);
  CHECK(row_weights(all).front() == near(36.0 / 80));
  CHECK(row_weights(all).back() == 1);
}

TEST_CASE("a kept-out row does not take part in the fit that predicts it") {
  auto rows = runs_under(truth());
  auto usable = rows_with(rows, Validated::time);
  const auto folds = folds_of(usable, LeaveOut::source);
  CHECK(*std::max_element(folds.begin(), folds.end()) == 3);
  const FitOptions options{.steps = kKeptOutSteps};
  const auto before = predicted_kept_out(usable, Validated::time, folds, kPrior, options);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].source_key == "source 2") {
      rows[i].run->iteration_time = 3 * *rows[i].run->iteration_time;
    }
  }
  usable = rows_with(rows, Validated::time);
  const auto after = predicted_kept_out(usable, Validated::time, folds, kPrior, options);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CHECK((after[i] == before[i]) == (rows[i].source_key == "source 2"));
  }
}

TEST_CASE("rows of a rank group share a fold") {
  const auto rows = runs_under(truth());
  const auto usable = rows_with(rows, Validated::time);
  const auto folds = folds_of(usable, LeaveOut::group);
  for (std::size_t i = 1; i < usable.size(); ++i) {
    const bool same = usable[i]->run->rank_group == usable[i - 1]->run->rank_group;
    CHECK((folds[i] == folds[i - 1]) == same);
  }
}

TEST_CASE("rows of sources of a year share a fold, whatever their source") {
  auto rows = runs_under(truth());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].year = i % 3 == 0 ? 2021 : 2024;
  const auto folds = folds_of(rows_with(rows, Validated::time), LeaveOut::year);
  for (std::size_t i = 0; i < rows.size(); ++i) CHECK(folds[i] == (i % 3 == 0 ? 0 : 1));
}

TEST_CASE("a calibration says what each constant rests on") {
  const auto rows = runs_under(truth());
  const CalibrationFit fit =
      calibrate({.times = rows, .memories = rows, .measured = {{Constant::nic_efficiency, 0.81}}},
                kPrior, {.steps = 5});
  const auto& origins = fit.calibration.origins;
  CHECK(origins[static_cast<std::size_t>(Constant::gemm_efficiency_bf16_ampere)].rows == 108);
  CHECK(origins[static_cast<std::size_t>(Constant::gemm_efficiency_bf16_ampere)].sources == 4);
  CHECK(origins[static_cast<std::size_t>(Constant::gemm_efficiency_bf16_hopper)].rows == 0);
  CHECK(fit.calibration[Constant::nic_efficiency] == 0.81);
  CHECK(origins[static_cast<std::size_t>(Constant::nic_efficiency)].note == "measured by itself");
  REQUIRE(!fit.calibration.residuals.empty());
  CHECK(!fit.calibration.residuals.front().generation);
  CHECK(fit.calibration.residuals.front().rows == 108);
  CHECK(fit.calibration.residuals.front().sources == 4);
  CHECK(fit.calibration.residuals.front().most_gpus == 64);
  CHECK(fit.held_dense >= kIntervalShare);
}

TEST_CASE("runs on TPUs move constants of jax alone") {
  auto rows = runs_under(truth());
  const Calibration without = fitted(rows_with(rows, Validated::time), Validated::time, kPrior, {});
  const std::size_t before = rows.size();
  for (std::size_t i = 0; i < before; i += 3) {
    MeasuredRow row = rows[i];
    row.run->workload.software = software_of(SoftwareClass::jax);
    row.run->workload.system.accelerator.generation = Generation::tpu;
    MeasuredPrediction predict(*row.run, truth());
    row.run->iteration_time = Seconds{1.5 * predict(Validated::time, truth())};
    rows.push_back(row);
  }
  const Calibration with = fitted(rows_with(rows, Validated::time), Validated::time, kPrior, {});
  for (std::size_t i = 0; i < kTimeConstants; ++i) {
    const auto constant = static_cast<Constant>(i);
    CAPTURE(constant_specs()[i].name);
    if (!of_jax(constant)) CHECK(with[constant] == without[constant]);
  }
  CHECK(with[Constant::elementwise_jax] > 1.2 * without[Constant::elementwise_jax]);
}

TEST_CASE("runs beside the fit move nothing, and are told apart") {
  auto rows = runs_under(truth());
  const auto before = fitted(rows_with(rows, Validated::time), Validated::time, kPrior, {});
  rows.push_back(rows.front());
  rows.back().id = "beside";
  rows.back().run->in_fit = false;
  *rows.back().run->iteration_time = 2.0 * *rows.back().run->iteration_time;
  CHECK(fitted(rows_with(rows, Validated::time), Validated::time, kPrior, {}) == before);
  CHECK(rows_beside(rows, Validated::time).size() == 1);
  const Validation all = validate_measured(rows, Validated::time, truth());
  CHECK(all.total.count == std::ssize(rows) - 1);
  CHECK(all.total.max == near(0.0));
  CHECK(all.beside.count == 1);
  CHECK(all.beside.bias == near(-0.5));
  CHECK_FALSE(all.rows.back().in_fit);
  CHECK(all.fits.ran == std::ssize(rows));
  const Validation kept_out = validate_kept_out(rows, Validated::time, LeaveOut::source, {});
  CHECK(kept_out.beside.count == 1);
  CHECK(kept_out.beside.bias < -0.4);
  CHECK(kept_out.beside.bias > -0.6);
}
