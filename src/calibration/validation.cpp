#include "planner/calibration/validation.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "planner/calibration/fit.hpp"

namespace planner::inline calibration {

namespace {

/// Everything by which two runs of a rank group can differ apart from a repetition.
auto distinct_key(const MeasuredRun& run) {
  const Strategy& s = run.strategy;
  return std::tuple(run.workload.gpus, run.workload.run.global_batch, s.tp.total(), s.pp.total(),
                    s.cp.total(), s.dp.total(), s.ep.total(), s.expert_tp, s.interleave,
                    s.micro_batch, s.recompute, s.recompute_modules, s.recomputed_layers, s.zero,
                    s.sequence_parallel, s.shard_ranks, s.without_interleaving,
                    run.workload.software.attention, run.workload.software.expert_overlap,
                    run.workload.software.dispatcher, run.workload.software.dropless);
}

struct Pair {
  const MeasuredRun* run;
  double measured, predicted;
};

RankedTime median_of(const std::vector<Pair>& repeats) {
  std::vector<double> seen, computed;
  for (const Pair& pair : repeats) {
    seen.push_back(pair.measured);
    computed.push_back(pair.predicted);
  }
  return {.measured = quantile(std::move(seen), 0.5),
          .predicted = quantile(std::move(computed), 0.5)};
}

RankStatistics ranks(const std::vector<Pair>& pairs) {
  using Key = decltype(distinct_key(std::declval<const MeasuredRun&>()));
  std::map<std::string, std::map<Key, std::vector<Pair>>> by_group;
  for (const Pair& pair : pairs) {
    if (pair.run->rank_group.empty()) continue;
    by_group[pair.run->rank_group][distinct_key(*pair.run)].push_back(pair);
  }
  std::vector<std::vector<RankedTime>> groups;
  for (const auto& [name, strategies] : by_group) {
    groups.emplace_back();
    for (const auto& [key, repeats] : strategies) groups.back().push_back(median_of(repeats));
  }
  return rank_statistics(groups);
}

template <class Key>
std::map<Key, ErrorSummary> summaries(const std::map<Key, std::vector<double>>& errors) {
  std::map<Key, ErrorSummary> all;
  for (const auto& [key, values] : errors) all[key] = summarise(values);
  return all;
}

/// @param residuals  of some of the rows
void add_intervals(const std::vector<MeasuredRow>& rows, const std::vector<RowResidual>& residuals,
                   const Inside& inside, Validation& result) {
  result.intervals = coverage_by_kind(residuals, inside);
  for (std::size_t i = 0; i < residuals.size(); ++i) {
    result.rows[static_cast<std::size_t>(residuals[i].row - rows.data())].inside = inside[i];
  }
}

/// Of some of the rows, into their places among those of all.
std::vector<double> predict(const std::vector<const MeasuredRow*>& some, Validated what,
                            const CalibrationPtr& calibration, const std::vector<MeasuredRow>& rows,
                            std::vector<double>& all) {
  std::vector<double> predictions;
  for (const MeasuredRow* row : some) {
    predictions.push_back(MeasuredPrediction(*row->run, calibration)(what, calibration));
    all[static_cast<std::size_t>(row - rows.data())] = predictions.back();
  }
  return predictions;
}

}  // namespace

Validation validate_predictions(const std::vector<MeasuredRow>& rows, Validated what,
                                const std::vector<double>& predictions) {
  Validation result{.what = what};
  std::vector<Pair> pairs;
  std::vector<double> total, core, moe_core, moe, larger, beside;
  std::map<std::int64_t, std::vector<double>> by_year;
  std::map<std::string, std::vector<double>> by_source, unsuspected;
  std::map<MemoryMetric, std::vector<double>> by_metric;
  std::map<std::string, bool> has_suspects;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const MeasuredRow& row = rows[i];
    const auto value = row.run ? measured(*row.run, what) : std::nullopt;
    if (!value) {
      const char* const missing = what == Validated::time ? "missing: derived_iteration_time_s"
                                                          : "missing: measured_peak_gb";
      result.rows.push_back({.id = row.id, .skipped = row.run ? missing : row.skipped});
      continue;
    }
    const MeasuredRun& run = *row.run;
    const double error = predictions[i] / *value - 1;
    result.rows.push_back({.id = row.id,
                           .measured = *value,
                           .predicted = predictions[i],
                           .error = error,
                           .in_fit = run.in_fit});
    if (!run.in_fit) {
      beside.push_back(error);
      continue;
    }
    pairs.push_back({&run, *value, predictions[i]});
    total.push_back(error);
    if (run.core) core.push_back(error);
    if (run.core && run.workload.model.moe) moe_core.push_back(error);
    if (run.workload.model.moe) moe.push_back(error);
    if (row.year > 0) by_year[row.year].push_back(error);
    by_source[row.source_key].push_back(error);
    if (!run.suspect) unsuspected[row.source_key].push_back(error);
    has_suspects[row.source_key] |= run.suspect;
    if (what == Validated::memory) by_metric[run.memory->metric].push_back(error);
  }
  std::erase_if(unsuspected, [&](const auto& entry) { return !has_suspects[entry.first]; });
  for (const auto& [source, errors] : by_source) {
    if (static_cast<std::int64_t>(errors.size()) < kSmallestSource) continue;
    larger.insert(larger.end(), errors.begin(), errors.end());
  }
  result.total = summarise(total);
  result.core = summarise(core);
  result.moe_core = summarise(moe_core);
  result.moe = summarise(moe);
  result.beside = summarise(beside);
  result.by_year = summaries(by_year);
  result.by_source = summaries(by_source);
  result.without_suspects = summaries(unsuspected);
  result.by_metric = summaries(by_metric);
  if (what == Validated::memory) result.larger_sources = summarise(larger);
  if (what == Validated::time) result.rank = ranks(pairs);
  return result;
}

Validation validate_kept_out(const std::vector<MeasuredRow>& rows, Validated what,
                             LeaveOut leave_out, FitOptions options) {
  const auto expected = std::make_shared<const Calibration>(prior_calibration());
  options.steps = kKeptOutSteps;
  const std::vector<const MeasuredRow*> usable = rows_with(rows, what);
  const std::vector<double> kept =
      predicted_kept_out(usable, what, folds_of(usable, leave_out), expected, options);
  std::vector<double> predictions(rows.size());
  for (std::size_t i = 0; i < usable.size(); ++i) {
    predictions[static_cast<std::size_t>(usable[i] - rows.data())] = kept[i];
  }
  if (const auto beside = rows_beside(rows, what); !beside.empty()) {
    predict(beside, what,
            std::make_shared<const Calibration>(fitted(usable, what, expected, options)), rows,
            predictions);
  }
  Validation result = validate_predictions(rows, what, predictions);
  if (what == Validated::time) {
    const std::vector<RowResidual> residuals = residuals_of(usable, kept);
    add_intervals(rows, residuals, kept_out_intervals(residuals).inside, result);
  }
  return result;
}

Validation validate_measured(const std::vector<MeasuredRow>& rows, Validated what,
                             const CalibrationPtr& calibration) {
  std::vector<double> predictions(rows.size());
  const std::vector<const MeasuredRow*> usable = rows_with(rows, what);
  const std::vector<double> of_usable = predict(usable, what, calibration, rows, predictions);
  predict(rows_beside(rows, what), what, calibration, rows, predictions);
  Validation result = validate_predictions(rows, what, predictions);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!result.rows[i].skipped.empty()) continue;
    const MeasuredRun& run = *rows[i].run;
    // JAX keeps, offloads and runs again single tensors, of which the memory has no count.
    if (run.workload.software.stack == SoftwareClass::jax) continue;
    const bool fits = MeasuredPrediction(run, calibration).fits(calibration);
    result.rows[i].fits = fits;
    result.fits.add(fits);
    if (run.core) result.core_fits.add(fits);
    if (!run.recompute_unstated) result.stated_fits.add(fits);
  }
  if (what == Validated::time) {
    const std::vector<RowResidual> residuals = residuals_of(usable, of_usable);
    add_intervals(rows, residuals, inside_intervals(residuals, calibration), result);
  }
  return result;
}

}  // namespace planner::calibration
