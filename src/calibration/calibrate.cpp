#include "planner/calibration/calibrate.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "planner/calibration/kept_out.hpp"

namespace planner::inline calibration {

namespace {

std::int64_t count_sources(const std::vector<const MeasuredRow*>& rows) {
  std::set<std::string> sources;
  for (const MeasuredRow* row : rows) sources.insert(row->source_key);
  return std::ssize(sources);
}

/// Which rows speak of a constant, and whether they outweigh what was expected of it.
/// @param jax  whether it is fitted to what XLA compiled, or to all that ran on GPUs
ConstantOrigin origin_of(std::size_t j, const std::vector<const MeasuredRow*>& rows,
                         const std::vector<double>& weights,
                         const std::vector<std::vector<double>>& slopes, double spread, bool jax) {
  constexpr double kMoves = 1e-3;     // relative, of the constant's own change
  constexpr double kNearlyAll = 0.9;  // of the information
  ConstantOrigin origin;
  std::map<std::string, double> information;
  double all = 0;
  std::set<std::string> sources;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (jax ? !compiled(*rows[i]) : on_tpu(*rows[i])) continue;
    const double slope = slopes[i][j];
    const double of_row = weights[i] * slope * slope / (kFitScale * kFitScale);
    information[rows[i]->source_key] += of_row;
    all += of_row;
    if (std::abs(slope) < kMoves) continue;
    ++origin.rows;
    sources.insert(rows[i]->source_key);
  }
  origin.sources = std::ssize(sources);
  if (information.empty()) return origin;
  const auto most =
      std::max_element(information.begin(), information.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  if (origin.sources == 1) {
    origin.note = "one source only: " + *sources.begin();
  } else if (all > 0 && most->second > kNearlyAll * all) {
    origin.note = "nine tenths of the evidence are from one source: " + most->first;
  }
  if (all * spread * spread < 1) {
    origin.note += origin.note.empty() ? "" : "; ";
    origin.note += "the rows say less of it than its expected value";
  }
  return origin;
}

/// Where no row speaks of a constant, what it rested on before still holds.
void set_origins(CalibrationFit& fit, const std::vector<const MeasuredRow*>& rows, Validated what,
                 const FitOptions& options) {
  Calibration& calibration = fit.calibration;
  const auto slopes =
      sensitivities(rows, what, std::make_shared<const Calibration>(calibration), options.threads);
  const std::vector<double> weights = row_weights(rows);
  const std::vector<Constant> constants = constants_of(what);
  for (std::size_t j = 0; j < constants.size(); ++j) {
    const auto i = static_cast<std::size_t>(constants[j]);
    const ConstantOrigin origin =
        origin_of(j, rows, weights, slopes, constant_specs()[i].spread, of_jax(constants[j]));
    if (origin.rows > 0 && !options.fixed.contains(constants[j])) fit.fitted.insert(constants[j]);
    if (origin.rows > 0 || calibration.origins[i].rows == 0) calibration.origins[i] = origin;
  }
}

void fit_part(CalibrationFit& fit, const std::vector<const MeasuredRow*>& rows, Validated what,
              const CalibrationPtr& expected, const FitOptions& options) {
  auto from = std::make_shared<Calibration>(*expected);
  for (const Constant constant : constants_of(Validated::memory)) {
    const auto i = static_cast<std::size_t>(constant);
    from->values[i] = what == Validated::time ? fit.calibration.values[i] : expected->values[i];
  }
  const Calibration best = fitted(rows, what, from, options);
  for (const Constant constant : constants_of(what)) {
    if (options.fixed.contains(constant)) continue;
    const auto i = static_cast<std::size_t>(constant);
    fit.calibration.values[i] = rounded(best.values[i]);
  }
  set_origins(fit, rows, what, options);
}

/// Each source as a fit without it predicts it.
std::vector<RowResidual> kept_out_rows(const std::vector<const MeasuredRow*>& rows,
                                       const CalibrationPtr& expected, const FitOptions& options) {
  FitOptions few = options;
  few.steps = kKeptOutSteps;
  return residuals_of(rows, predicted_kept_out(rows, Validated::time,
                                               folds_of(rows, LeaveOut::source), expected, few));
}

bool same_kind(const MeasuredRuns& a, const MeasuredRuns& b) {
  return a.accelerator == b.accelerator && a.stack == b.stack &&
         a.mixture_of_experts == b.mixture_of_experts && a.precision == b.precision;
}

/// Those that the fit started from, and the new rows'.
std::vector<MeasuredRuns> joined(std::vector<MeasuredRuns> before,
                                 const std::vector<MeasuredRuns>& found) {
  for (const MeasuredRuns& more : found) {
    const auto same = std::find_if(before.begin(), before.end(),
                                   [&](const MeasuredRuns& runs) { return same_kind(runs, more); });
    if (same == before.end()) {
      before.push_back(more);
      continue;
    }
    std::set<std::string> sources(same->sources.begin(), same->sources.end());
    sources.insert(more.sources.begin(), more.sources.end());
    same->rows += more.rows;
    same->sources.assign(sources.begin(), sources.end());
  }
  return before;
}

/// What was measured outside the fit: of the rows given, and as before of kinds that they have none
/// of and that no constant is fitted to by now.
void set_outside(CalibrationFit& fit, const std::vector<MeasuredRow>& rows) {
  std::vector<OutsideRuns>& outside = fit.calibration.outside;
  const std::vector<OutsideRuns> found = outside_runs(
      rows_beside(rows, Validated::time), std::make_shared<const Calibration>(fit.calibration));
  std::erase_if(outside, [&](const OutsideRuns& old) {
    const auto now = [&](const OutsideRuns& each) { return same_kind(each.of, old.of); };
    const auto fitted = [&](const MeasuredRuns& each) { return same_kind(each, old.of); };
    const auto& measured = fit.calibration.measured;
    return std::any_of(found.begin(), found.end(), now) ||
           std::any_of(measured.begin(), measured.end(), fitted);
  });
  outside.insert(outside.end(), found.begin(), found.end());
}

/// The classes of intervals, new ones in the place of old ones of the same kind of run.
std::vector<ResidualClass> renewed(std::vector<ResidualClass> classes,
                                   const std::vector<ResidualClass>& found) {
  for (const ResidualClass& more : found) {
    std::erase_if(classes, [&](const ResidualClass& old) {
      return old.generation == more.generation && old.mixture_of_experts == more.mixture_of_experts;
    });
    classes.push_back(more);
  }
  return classes;
}

void add_own_runs(const std::vector<MeasuredRow>& rows, CalibrationFit& fit) {
  fit.own = own_fits(rows_with(rows, Validated::time),
                     std::make_shared<const Calibration>(fit.calibration));
  for (const OwnFit& each : fit.own) {
    std::erase_if(fit.calibration.own, [&](const OwnRuns& old) {
      return old.accelerator == each.runs.accelerator && old.stack == each.runs.stack &&
             old.mixture_of_experts == each.runs.mixture_of_experts &&
             old.parameters == each.runs.parameters;
    });
    fit.calibration.own.push_back(each.runs);
  }
}

}  // namespace

CalibrationFit calibrate(const CalibrationData& data, const CalibrationPtr& expected,
                         const FitOptions& options) {
  auto from = std::make_shared<Calibration>(*expected);
  CalibrationFit fit;
  FitOptions with_fixed = options;
  for (const auto& [constant, value] : data.measured) {
    const auto i = static_cast<std::size_t>(constant);
    from->values[i] = rounded(value);
    from->origins[i] = {};
    with_fixed.fixed.insert(constant);
    fit.measured.insert(constant);
  }
  fit.calibration = *from;
  const auto memories = rows_with(data.memories, Validated::memory);
  const auto times = rows_with(data.times, Validated::time);
  fit.memory_rows = std::ssize(memories);
  fit.time_rows = std::ssize(times);
  fit.memory_sources = count_sources(memories);
  fit.time_sources = count_sources(times);
  if (!memories.empty()) fit_part(fit, memories, Validated::memory, from, with_fixed);
  if (!times.empty()) {
    fit_part(fit, times, Validated::time, from, with_fixed);
    fit.calibration.measured = joined(fit.calibration.measured, measured_runs(times));
    set_outside(fit, data.times);
  }
  for (const Constant constant : fit.measured) {
    fit.calibration.origins[static_cast<std::size_t>(constant)] = {.note = "measured by itself"};
  }
  const auto kept_out_from = std::make_shared<Calibration>(*from);
  for (const Constant constant : constants_of(Validated::memory)) {
    const auto i = static_cast<std::size_t>(constant);
    kept_out_from->values[i] = fit.calibration.values[i];
  }
  if (fit.time_sources >= kFewestIntervalSources) {
    Intervals intervals = kept_out_intervals(kept_out_rows(times, kept_out_from, with_fixed));
    for (ResidualClass& each : intervals.classes) {
      each.low = rounded(each.low);
      each.high = rounded(each.high);
    }
    fit.calibration.residuals = renewed(fit.calibration.residuals, intervals.classes);
    fit.held_dense = intervals.dense.held;
    fit.held_moe = intervals.moe.held;
  }
  if (!data.own.empty()) add_own_runs(data.own, fit);
  return fit;
}

}  // namespace planner::calibration
