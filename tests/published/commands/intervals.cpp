// Whether 80 % intervals hold 80 % of measured runs: runs whose whole source was left out of the
// fit that predicts them and out of the interval.
#include "planner/calibration/intervals.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <tuple>

#include "planner/calibration/error_summary.hpp"
#include "planner/calibration/kept_out.hpp"
#include "planner/calibration/validation.hpp"
#include "planner/catalog/catalog.hpp"
#include "planner/domain/names.hpp"
#include "planner/perf/calibrated/certainty.hpp"
#include "planner/perf/calibrated/own_runs.hpp"
#include "support/shipped.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

const std::vector<MeasuredRow>& shipped_rows() {
  static const auto rows = shipped().load_shipped_measured("runs");
  return rows;
}

/// With fits of the full number of steps.
const std::vector<RowResidual>& kept_out_fully();

std::vector<RowResidual> kept_out(const FitOptions& options) {
  const auto rows = rows_with(shipped_rows(), Validated::time);
  const auto expected = std::make_shared<const Calibration>(prior_calibration());
  return residuals_of(
      rows, predicted_kept_out(rows, Validated::time, folds_of(rows, LeaveOut::source), expected,
                               options));
}

/// Share of the dense rows beyond a size that intervals of the others of their generation hold, by
/// sources that are not theirs.
double held_beyond(const std::vector<RowResidual>& all, std::int64_t size, auto&& size_of) {
  double held = 0, weight = 0;
  for (const RowResidual& at : all) {
    const Workload& large = at.row->run->workload;
    if (large.model.moe || size_of(large) <= size) continue;
    std::vector<std::pair<double, double>> own, any;
    for (const RowResidual& other : all) {
      const Workload& small = other.row->run->workload;
      if (small.model.moe || size_of(small) > size) continue;
      if (other.row->source_key == at.row->source_key) continue;
      any.emplace_back(other.residual, other.weight);
      if (small.system.accelerator.generation == large.system.accelerator.generation) {
        own.push_back(any.back());
      }
    }
    const auto& alike = own.size() < kSmallestClass ? any : own;
    const double low = weighted_quantile(alike, 0.1), high = weighted_quantile(alike, 0.9);
    const ResidualClass of{.low = low, .high = high};
    MeasuredRange range{.nearest = &of};
    (size_of(large) == large.gpus ? range.gpu_doublings : range.sequence_doublings) =
        std::log2(static_cast<double>(size_of(large)) / static_cast<double>(size));
    const auto ends = range.ends();
    weight += at.weight;
    if (ends.low <= at.residual && at.residual <= ends.high) held += at.weight;
  }
  return held / weight;
}

const std::vector<RowResidual>& kept_out_fully() {
  static const std::vector<RowResidual> kRows = kept_out({});
  return kRows;
}

/// What three runs of a source are worth for its others, over many choices of the three.
struct OwnErrors {
  std::vector<double> before, after;  ///< |predicted/measured - 1|
  double held = 0;                    ///< share of the others inside the interval
};

struct OwnRow {
  double residual = 0;
  double parameters = 0;  ///< of a mixture of experts: of these a run says nothing of another
};

OwnErrors with_three_own(const std::vector<OwnRow>& rows) {
  OwnErrors errors;
  const std::size_t third = rows.size() / 3, step = std::max<std::size_t>(1, third / 20);
  std::int64_t held = 0, with_own = 0;
  for (std::size_t first = 0; first < third; first += step) {
    const std::array chosen{first, first + third, first + 2 * third};
    std::map<double, std::vector<double>> of_model;
    for (const std::size_t i : chosen) of_model[rows[i].parameters].push_back(rows[i].residual);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (std::find(chosen.begin(), chosen.end(), i) != chosen.end()) continue;
      const auto& [residual, parameters] = rows[i];
      errors.before.push_back(std::abs(std::exp(-residual) - 1));
      errors.after.push_back(errors.before.back());
      if (of_model.count(parameters) == 0) continue;
      const OwnLevel own = own_level(of_model.at(parameters), usual_level(parameters > 0));
      const double left = residual - std::log(own.factor);
      errors.after.back() = std::abs(std::exp(-left) - 1);
      held += own.low <= left && left <= own.high ? 1 : 0;
      ++with_own;
    }
  }
  errors.held = static_cast<double>(held) / static_cast<double>(with_own);
  return errors;
}

std::string accuracy_page() {
  std::ifstream file(std::string{PLANNER_SOURCE_DIR} + "/docs/accuracy.md");
  std::ostringstream page;
  page << file.rdbuf();
  return page.str();
}

/// Median, mean and 90 % of |predicted/measured - 1|, in percent, as docs print them.
using Printed = std::array<double, 3>;

std::string words(const Printed& of) {
  return fmt::format("{:.1f}, {:.1f}, {:.1f} %", of[0], of[1], of[2]);
}

/// Fits on other processors end a little apart: 2 %, or half of the last digit that is printed.
doctest::Approx near_printed(double printed) {
  return doctest::Approx(printed).epsilon(std::max(0.02, 0.06 / printed));
}

void check(const ErrorSummary& errors, const Printed& printed) {
  CHECK(100 * errors.median == near_printed(printed[0]));
  CHECK(100 * errors.mean == near_printed(printed[1]));
  CHECK(100 * errors.p90 == near_printed(printed[2]));
}

}  // namespace

TEST_CASE("an 80 % interval holds about 80 % of the rows of sources that were kept out") {
  // Fits of a few steps: nearly those of the full number, and much sooner.
  const std::vector<RowResidual> rows = kept_out({.steps = 4});
  const Intervals intervals = kept_out_intervals(rows);
  CHECK(intervals.dense.rows > 1600);
  CHECK(intervals.dense.held >= 0.8);
  CHECK(intervals.dense.held < 0.87);
  CHECK(intervals.moe.rows > 100);
  CHECK(intervals.moe.held >= 0.8);
  CHECK(intervals.moe.held < 0.92);  // few rows of few sources

  const auto gpus = [](const Workload& workload) { return workload.gpus; };
  const auto sequence = [](const Workload& workload) { return workload.run.sequence; };
  for (const std::int64_t most : {64, 256, 512}) {
    CAPTURE(most);
    CHECK(held_beyond(rows, most, gpus) > 0.75);
  }
  // Nine doublings beyond are too many, as docs/calibrated.md says.
  CHECK(100 * held_beyond(rows, 16, gpus) == doctest::Approx(75).epsilon(0.02));
  for (const std::int64_t longest : {2048, 4096, 8192}) {
    CAPTURE(longest);
    CHECK(held_beyond(rows, longest, sequence) > 0.7);
  }
}

TEST_CASE("README and docs/calibrated.md: errors of sources that were kept out") {
  std::vector<double> core, mixtures;
  const std::vector<RowResidual>& kept = kept_out_fully();
  for (const RowResidual& at : kept) {
    const MeasuredRun& run = *at.row->run;
    const double error = std::exp(-at.residual) - 1;
    if (run.core) core.push_back(error);
    if (run.core && run.workload.model.moe) mixtures.push_back(error);
  }
  const Intervals intervals = kept_out_intervals(kept);
  CHECK(100 * intervals.dense.held == doctest::Approx(81).epsilon(0.01));
  CHECK(100 * intervals.moe.held == doctest::Approx(82).epsilon(0.01));
  const ErrorSummary all = summarise(core), moe = summarise(mixtures);
  CHECK(all.count == 375);
  // Printed with a tenth of a percent; fits on other processors end a little apart.
  CHECK(100 * all.median == doctest::Approx(3.7).epsilon(0.02));
  CHECK(100 * all.mean == doctest::Approx(5.9).epsilon(0.02));
  CHECK(100 * all.p90 == doctest::Approx(14.1).epsilon(0.02));
  CHECK(100 * moe.median == doctest::Approx(5.9).epsilon(0.02));
  CHECK(100 * moe.p90 == doctest::Approx(20.7).epsilon(0.02));
}

TEST_CASE("docs/accuracy.md: rows by fits without their rank groups, sources and years") {
  const std::string docs = accuracy_page();
  struct Row {
    const char* words;
    LeaveOut leave_out;
    Printed core, moe_core, moe, all;
    double dense, of_moe, regret, within;
  };
  constexpr std::array kRows{Row{"rank groups",
                                 LeaveOut::group,
                                 {3.4, 5.4, 12.0},
                                 {7.0, 9.6, 22.7},
                                 {7.8, 13.6, 31.5},
                                 {3.8, 6.2, 13.9},
                                 80,
                                 83,
                                 2.9,
                                 82},
                             Row{"sources",
                                 LeaveOut::source,
                                 {3.7, 5.9, 14.1},
                                 {5.9, 8.5, 20.7},
                                 {8.0, 13.6, 31.8},
                                 {4.8, 6.8, 15.0},
                                 81,
                                 82,
                                 2.9,
                                 82},
                             Row{"years",
                                 LeaveOut::year,
                                 {4.8, 6.8, 14.7},
                                 {7.7, 10.2, 21.9},
                                 {9.7, 14.6, 30.6},
                                 {5.3, 7.8, 17.8},
                                 80,
                                 80,
                                 3.3,
                                 81}};
  for (const Row& row : kRows) {
    CAPTURE(row.words);
    const std::string line =
        fmt::format("| {} | {} | {} | {} | {} | {}, {} % | {:.1f} % | {} % |", row.words,
                    words(row.core), words(row.moe_core), words(row.moe), words(row.all), row.dense,
                    row.of_moe, row.regret, row.within);
    CAPTURE(line);
    CHECK(docs.find(line) != std::string::npos);
    const Validation kept_out =
        validate_kept_out(shipped_rows(), Validated::time, row.leave_out, {});
    check(kept_out.core, row.core);
    check(kept_out.moe_core, row.moe_core);
    check(kept_out.moe, row.moe);
    check(kept_out.total, row.all);
    CHECK(std::abs(100 * kept_out.intervals.dense.held - row.dense) < 1);
    CHECK(std::abs(100 * kept_out.intervals.moe.held - row.of_moe) < 1.5);
    CHECK(100 * kept_out.rank.mean_regret == near_printed(row.regret));
    CHECK(std::abs(100 * kept_out.rank.within_5_pct - row.within) < 1);
    REQUIRE(kept_out.rank.curse);
    // Strategies predicted best are no more too good than all others: by 1 % at most.
    const Curse& curse = *kept_out.rank.curse;
    CHECK(curse.mean_slower - curse.all_mean_slower < 0.01);
  }
}

TEST_CASE("docs/accuracy.md: GPUs' rows by software class, each without its source") {
  struct Class {
    std::optional<SoftwareClass> stack;  ///< nothing: all but jax
    const char* rows;
    Printed before, now;
  };
  constexpr std::array kClasses{
      Class{SoftwareClass::eager, "1,009", {4.8, 6.7, 15.7}, {4.6, 6.4, 12.9}},
      Class{SoftwareClass::flash, "243", {10.9, 11.7, 19.3}, {5.1, 6.4, 12.8}},
      Class{SoftwareClass::torch, "150", {4.2, 6.2, 14.7}, {3.6, 5.7, 14.1}},
      Class{SoftwareClass::mcore, "26", {8.3, 7.5, 11.0}, {7.8, 7.0, 10.5}},
      Class{SoftwareClass::te, "391", {6.3, 8.7, 19.0}, {5.5, 8.3, 19.0}},
      Class{std::nullopt, "1,819", {5.5, 7.8, 16.9}, {4.8, 6.8, 14.7}}};
  const std::string docs = accuracy_page();
  for (const Class& of : kClasses) {
    const std::string line =
        fmt::format("| {} | {} | {} | {} |", of.stack ? name_of(*of.stack) : "all of them", of.rows,
                    words(of.before), words(of.now));
    CAPTURE(line);
    CHECK(docs.find(line) != std::string::npos);
    std::vector<double> errors;
    for (const RowResidual& at : kept_out_fully()) {
      const SoftwareClass stack = at.row->run->workload.software.stack;
      if (of.stack ? stack == *of.stack : stack != SoftwareClass::jax) {
        errors.push_back(std::exp(-at.residual) - 1);
      }
    }
    check(summarise(errors), of.now);
    for (std::size_t i = 0; i < of.now.size(); ++i) CHECK(of.now[i] <= of.before[i]);
  }
}

TEST_CASE("docs/calibrated.md: shipped sources as one's own, by three of their runs") {
  std::map<std::tuple<std::string, std::string, SoftwareClass, bool>, std::vector<OwnRow>> kinds;
  for (const RowResidual& at : kept_out_fully()) {
    const Workload& of = at.row->run->workload;
    kinds[{at.row->source_key, of.system.accelerator.name, of.software.stack,
           of.model.moe.has_value()}]
        .push_back({at.residual, of.model.moe ? total_parameters(of.model) : 0});
  }
  double before = 0, after = 0, held = 0, mixtures_before = 0, mixtures_after = 0;
  int dense = 0, mixtures = 0;
  for (const auto& [kind, residuals] : kinds) {
    constexpr std::size_t kFewest = 10;
    if (residuals.size() < kFewest) continue;
    const auto& [source, accelerator, stack, moe] = kind;
    const OwnErrors errors = with_three_own(residuals);
    const double b = quantile(errors.before, 0.5), a = quantile(errors.after, 0.5);
    MESSAGE(source << " " << accelerator << std::string{moe ? ", experts" : ""} << ": "
                   << residuals.size() << " rows, median error " << 100 * b << " before, "
                   << 100 * a << " after, held " << 100 * errors.held);
    if (moe) {
      ++mixtures;
      mixtures_before += b;
      mixtures_after += a;
      continue;
    }
    ++dense;
    before += b;
    after += a;
    held += errors.held;
  }
  CHECK(dense >= 10);
  CHECK(mixtures == 5);
  CHECK(100 * mixtures_before / mixtures == doctest::Approx(10.3).epsilon(0.03));
  CHECK(100 * mixtures_after / mixtures == doctest::Approx(9.4).epsilon(0.03));
  CHECK(100 * before / dense == doctest::Approx(4.5).epsilon(0.03));
  CHECK(100 * after / dense == doctest::Approx(3.6).epsilon(0.03));
  CHECK(held / dense > 0.8);
  CHECK(held / dense < 0.87);
}
