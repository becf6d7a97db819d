#include "planner/calibration/own.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "planner/perf/calibrated/certainty.hpp"
#include "planner/perf/calibrated/own_runs.hpp"

namespace planner::inline calibration {

namespace {

/// What runs have in common that say the same of further ones.
using Kind = std::tuple<std::string, SoftwareClass, bool, Precision>;
/// Errors of mixtures of experts belong to the model: its parameters; 0 of all that are dense.
using OwnKind = std::tuple<std::string, SoftwareClass, double, Precision>;

Kind kind_of(const MeasuredRow& row) {
  const Workload& of = row.run->workload;
  return {of.system.accelerator.name, of.software.stack, of.model.moe.has_value(),
          counted_as(of.run.precision)};
}

OwnKind own_kind_of(const MeasuredRow& row) {
  const Workload& of = row.run->workload;
  const double parameters = of.model.moe ? rounded(total_parameters(of.model, of.run.sequence)) : 0;
  return {of.system.accelerator.name, of.software.stack, parameters, counted_as(of.run.precision)};
}

template <class KindOf>
auto by_kind(const std::vector<const MeasuredRow*>& rows, const KindOf& kind) {
  std::map<decltype(kind(*rows.front())), std::vector<const MeasuredRow*>> kinds;
  for (const MeasuredRow* row : rows) kinds[kind(*row)].push_back(row);
  return kinds;
}

OwnFit fit_of(const OwnKind& kind, const std::vector<const MeasuredRow*>& rows,
              const CalibrationPtr& without) {
  const auto& [accelerator, stack, parameters, precision] = kind;
  const bool moe = parameters > 0;
  OwnFit fit{.runs = {.accelerator = accelerator,
                      .stack = stack,
                      .mixture_of_experts = moe,
                      .parameters = parameters,
                      .precision = precision,
                      .rows = std::ssize(rows)}};
  std::vector<double> residuals;
  for (const MeasuredRow* row : rows) {
    const Workload& of = row->run->workload;
    fit.runs.most_gpus = std::max(fit.runs.most_gpus, of.gpus);
    fit.runs.longest_sequence = std::max(fit.runs.longest_sequence, of.run.sequence);
    const double predicted = MeasuredPrediction(*row->run, without)(Validated::time, without);
    residuals.push_back(std::log(*measured(*row->run, Validated::time) / predicted));
  }
  Workload like = rows.front()->run->workload;
  like.timing = without;
  const Evidence evidence = *evidence_of(like);
  const bool unseen = !evidence.measured() && evidence.outside;
  const OwnLevel level =
      own_level(residuals, unseen ? usual_level(*evidence.outside) : usual_level(moe));
  fit.runs.factor = rounded(level.factor);
  fit.runs.low = rounded(level.low);
  fit.runs.high = rounded(level.high);
  std::vector<double> before, after;
  for (const double residual : residuals) {
    before.push_back(std::exp(-residual) - 1);
    after.push_back(fit.runs.factor * std::exp(-residual) - 1);
  }
  fit.before = summarise(before);
  fit.after = summarise(after);
  const MeasuredRange range = measured_range(like);
  if (range.nearest != nullptr) {
    const auto [low, high] = range.of_class();
    fit.low_before = low;
    fit.high_before = high;
  }
  return fit;
}

}  // namespace

double rounded(double value) {
  constexpr int kDigits = 4;
  char text[32];
  const auto written = std::to_chars(std::begin(text), std::end(text), value,
                                     std::chars_format::scientific, kDigits - 1);
  double read = value;
  std::from_chars(std::begin(text), written.ptr, read);
  return read;
}

std::vector<MeasuredRuns> measured_runs(const std::vector<const MeasuredRow*>& rows) {
  std::vector<MeasuredRuns> found;
  for (const auto& [kind, of_kind] : by_kind(rows, kind_of)) {
    const auto& [accelerator, stack, moe, precision] = kind;
    std::set<std::string> sources;
    for (const MeasuredRow* row : of_kind) sources.insert(row->source_key);
    found.push_back({.accelerator = accelerator,
                     .generation = of_kind.front()->run->workload.system.accelerator.generation,
                     .stack = stack,
                     .mixture_of_experts = moe,
                     .precision = precision,
                     .rows = std::ssize(of_kind),
                     .sources = {sources.begin(), sources.end()}});
  }
  return found;
}

std::vector<OutsideRuns> outside_runs(const std::vector<const MeasuredRow*>& rows,
                                      const CalibrationPtr& calibration) {
  constexpr double kTail = (1 - kIntervalShare) / 2;
  std::vector<const MeasuredRow*> unseen;
  for (const MeasuredRow* row : rows) {
    const auto& seen = calibration->measured;
    const bool fitted = std::any_of(seen.begin(), seen.end(), [&](const MeasuredRuns& runs) {
      return alike(runs, row->run->workload);
    });
    if (!fitted) unseen.push_back(row);
  }
  std::vector<OutsideRuns> found;
  for (const auto& [kind, of_kind] : by_kind(unseen, kind_of)) {
    std::vector<double> residuals;
    for (const MeasuredRow* row : of_kind) {
      const double predicted =
          MeasuredPrediction(*row->run, calibration)(Validated::time, calibration);
      residuals.push_back(std::log(*measured(*row->run, Validated::time) / predicted));
    }
    found.push_back({.of = measured_runs(of_kind).front(),
                     .low = rounded(quantile(residuals, kTail)),
                     .high = rounded(quantile(residuals, 1 - kTail))});
  }
  return found;
}

std::vector<OwnFit> own_fits(const std::vector<const MeasuredRow*>& rows,
                             const CalibrationPtr& calibration) {
  auto without = std::make_shared<Calibration>(*calibration);
  without->own.clear();
  std::vector<OwnFit> fits;
  for (const auto& [kind, of_kind] : by_kind(rows, own_kind_of)) {
    fits.push_back(fit_of(kind, of_kind, without));
  }
  return fits;
}

}  // namespace planner::calibration
