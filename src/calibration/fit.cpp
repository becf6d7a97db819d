#include "planner/calibration/fit.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "planner/calibration/least_squares.hpp"
#include "planner/search/for_each_index.hpp"

namespace planner::inline calibration {

namespace {

const ConstantSpec& spec_of(Constant constant) {
  return constant_specs()[static_cast<std::size_t>(constant)];
}

/// The calibration with some constants at other values.
CalibrationPtr with_values(const Calibration& base, const std::vector<Constant>& constants,
                           const Point& logarithms) {
  auto changed = std::make_shared<Calibration>(base);
  for (std::size_t j = 0; j < constants.size(); ++j) {
    changed->values[static_cast<std::size_t>(constants[j])] = std::exp(logarithms[j]);
  }
  return changed;
}

/// ln(predicted) of each row under each calibration: [calibration][row].
std::vector<std::vector<double>> log_predictions(std::vector<MeasuredPrediction>& rows,
                                                 Validated what,
                                                 const std::vector<CalibrationPtr>& calibrations,
                                                 std::size_t threads) {
  std::vector<std::vector<double>> all(calibrations.size(), std::vector<double>(rows.size()));
  for_each_index(rows.size(), threads, [&](std::size_t i) {
    for (std::size_t c = 0; c < calibrations.size(); ++c) {
      all[c][i] = std::log(rows[i](what, calibrations[c]));
    }
  });
  return all;
}

std::vector<MeasuredPrediction> predictions_of(const std::vector<const MeasuredRow*>& rows,
                                               const CalibrationPtr& presumed) {
  std::vector<MeasuredPrediction> all;
  all.reserve(rows.size());
  for (const MeasuredRow* row : rows) all.emplace_back(*row->run, presumed);
  return all;
}

/// Square root of Cauchy's loss, with the sign of the miss.
double robust(double miss) {
  const double z = miss / kFitScale;
  return std::copysign(std::sqrt(std::log1p(z * z)), z);
}

std::vector<const MeasuredRow*> measured_rows(const std::vector<MeasuredRow>& rows, Validated what,
                                              bool in_fit) {
  std::vector<const MeasuredRow*> found;
  for (const MeasuredRow& row : rows) {
    if (row.run && row.run->in_fit == in_fit && measured(*row.run, what)) found.push_back(&row);
  }
  return found;
}

}  // namespace

std::vector<Constant> constants_of(Validated what) {
  const bool time = what == Validated::time;
  std::vector<Constant> constants;
  for (std::size_t i = time ? 0 : kTimeConstants; i < (time ? kTimeConstants : kConstants); ++i) {
    constants.push_back(static_cast<Constant>(i));
  }
  return constants;
}

std::vector<const MeasuredRow*> rows_with(const std::vector<MeasuredRow>& rows, Validated what) {
  return measured_rows(rows, what, true);
}

std::vector<const MeasuredRow*> rows_beside(const std::vector<MeasuredRow>& rows, Validated what) {
  return measured_rows(rows, what, false);
}

bool on_tpu(const MeasuredRow& row) {
  return row.run->workload.system.accelerator.generation == Generation::tpu;
}

bool compiled(const MeasuredRow& row) {
  return row.run->workload.software.stack == SoftwareClass::jax;
}

std::vector<double> row_weights(const std::vector<const MeasuredRow*>& rows) {
  std::map<std::string, double> counts;
  for (const MeasuredRow* row : rows) ++counts[row->source_key];
  std::vector<double> weights;
  weights.reserve(rows.size());
  for (const MeasuredRow* row : rows) {
    weights.push_back(std::min(1.0, kFitSourceRows / counts[row->source_key]));
  }
  return weights;
}

namespace {

/// @param own  constants of jax alone, or all
Calibration fitted_part(const std::vector<const MeasuredRow*>& rows, Validated what, bool own,
                        const CalibrationPtr& expected, const FitOptions& options) {
  std::vector<Constant> constants = constants_of(what);
  std::erase_if(constants,
                [&](Constant c) { return options.fixed.contains(c) || (own && !of_jax(c)); });
  Point start, low, high;
  for (const Constant constant : constants) {
    const ConstantSpec& spec = spec_of(constant);
    start.push_back(std::log((*expected)[constant]));
    low.push_back(std::log(spec.low));
    high.push_back(std::log(spec.high));
  }
  const std::vector<double> weights = row_weights(rows);
  std::vector<MeasuredPrediction> predict = predictions_of(rows, expected);
  const auto residuals_at = [&](const std::vector<Point>& points) {
    std::vector<CalibrationPtr> calibrations;
    calibrations.reserve(points.size());
    for (const Point& point : points) {
      calibrations.push_back(with_values(*expected, constants, point));
    }
    std::vector<Point> residuals = log_predictions(predict, what, calibrations, options.threads);
    for (std::size_t p = 0; p < points.size(); ++p) {
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const double miss = residuals[p][i] - std::log(*measured(*rows[i]->run, what));
        residuals[p][i] = std::sqrt(weights[i]) * robust(miss);
      }
      for (std::size_t j = 0; j < constants.size(); ++j) {
        residuals[p].push_back((points[p][j] - start[j]) / spec_of(constants[j]).spread);
      }
    }
    return residuals;
  };
  FitProgress progress{.done = own ? options.steps : 0, .total = 2 * std::int64_t{options.steps}};
  const auto stop = [&] {
    if (options.progress) options.progress(progress);
    ++progress.done;
    return options.stop != nullptr && options.stop->load();
  };
  const LeastSquaresResult best =
      minimise(residuals_at, start, low, high, {.steps = options.steps, .stop = stop});
  return *with_values(*expected, constants, best.point);
}

}  // namespace

Calibration fitted(const std::vector<const MeasuredRow*>& rows, Validated what,
                   const CalibrationPtr& expected, const FitOptions& options) {
  if (what == Validated::memory) return fitted_part(rows, what, false, expected, options);
  std::vector<const MeasuredRow*> on_gpus, by_jax;
  for (const MeasuredRow* row : rows) {
    if (!on_tpu(*row)) on_gpus.push_back(row);
    if (compiled(*row)) by_jax.push_back(row);
  }
  auto all = *expected;
  if (!on_gpus.empty()) all = fitted_part(on_gpus, what, false, expected, options);
  if (by_jax.empty()) return all;
  for (const Constant constant : constants_of(what)) {
    const auto i = static_cast<std::size_t>(constant);
    if (of_jax(constant)) all.values[i] = expected->values[i];
  }
  return fitted_part(by_jax, what, true, std::make_shared<const Calibration>(all), options);
}

std::vector<std::vector<double>> sensitivities(const std::vector<const MeasuredRow*>& rows,
                                               Validated what, const CalibrationPtr& calibration,
                                               std::size_t threads) {
  const std::vector<Constant> constants = constants_of(what);
  constexpr double kStep = 1e-2;
  std::vector<CalibrationPtr> moved{calibration};
  for (const Constant constant : constants) {
    moved.push_back(
        with_values(*calibration, {constant}, {std::log((*calibration)[constant]) + kStep}));
  }
  std::vector<MeasuredPrediction> predict = predictions_of(rows, calibration);
  const auto logs = log_predictions(predict, what, moved, threads);
  std::vector<std::vector<double>> slopes(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < constants.size(); ++j) {
      slopes[i].push_back((logs[j + 1][i] - logs[0][i]) / kStep);
    }
  }
  return slopes;
}

}  // namespace planner::calibration
