#include "planner/calibration/intervals.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "planner/calibration/fit.hpp"
#include "planner/perf/calibrated/certainty.hpp"

namespace planner::inline calibration {

namespace {

Generation generation_of(const RowResidual& at) {
  return at.row->run->workload.system.accelerator.generation;
}

bool is_moe(const RowResidual& at) {
  return at.row->run->workload.model.moe.has_value();
}

using Rows = std::vector<RowResidual>;

Rows only(const Rows& rows, const auto& wanted) {
  Rows kept;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(kept), wanted);
  return kept;
}

ResidualClass class_from(const Rows& rows, std::optional<Generation> generation, bool moe,
                         double tail) {
  std::vector<std::pair<double, double>> residuals;
  std::set<std::string> sources;
  ResidualClass made{.generation = generation, .mixture_of_experts = moe};
  for (const RowResidual& at : rows) {
    residuals.emplace_back(at.residual, at.weight);
    sources.insert(at.row->source_key);
    made.most_gpus = std::max(made.most_gpus, at.row->run->workload.gpus);
    made.longest_sequence = std::max(made.longest_sequence, at.row->run->workload.run.sequence);
  }
  made.low = weighted_quantile(residuals, tail);
  made.high = weighted_quantile(residuals, 1 - tail);
  made.rows = std::ssize(rows);
  made.sources = std::ssize(sources);
  return made;
}

/// Dense or not, with `tail` of the weight below and above.
std::vector<ResidualClass> classes_from(const Rows& rows, bool moe, double tail) {
  std::vector<ResidualClass> classes;
  const Rows alike = only(rows, [&](const RowResidual& at) { return is_moe(at) == moe; });
  if (alike.size() < kSmallestClass) return classes;
  classes.push_back(class_from(alike, std::nullopt, moe, tail));
  std::set<Generation> generations;
  for (const RowResidual& at : alike) generations.insert(generation_of(at));
  for (const Generation generation : generations) {
    const Rows of =
        only(alike, [&](const RowResidual& at) { return generation_of(at) == generation; });
    if (of.size() >= kSmallestClass) classes.push_back(class_from(of, generation, moe, tail));
  }
  return classes;
}

/// Of the rows that are wanted.
Coverage covered(const Rows& rows, const Inside& inside, const auto& wanted) {
  Coverage found;
  double all = 0, held = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!inside[i] || !wanted(rows[i])) continue;
    ++found.rows;
    all += rows[i].weight;
    if (*inside[i]) held += rows[i].weight;
  }
  found.held = all > 0 ? held / all : 0;
  return found;
}

/// Of the rows of one kind, by intervals taken without a row's own source.
Inside inside_without_source(const Rows& rows, bool moe, double tail) {
  std::map<std::string, std::vector<ResidualClass>> without;
  for (const RowResidual& at : rows) without[at.row->source_key];
  for (auto& kept_out : without) {
    const auto of_others = [&](const RowResidual& at) {
      return at.row->source_key != kept_out.first;
    };
    kept_out.second = classes_from(only(rows, of_others), moe, tail);
  }
  Inside inside(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const RowResidual& at = rows[i];
    if (is_moe(at) != moe) continue;
    const ResidualClass* const of =
        class_of(without.at(at.row->source_key), generation_of(at), moe);
    if (of != nullptr) inside[i] = of->low <= at.residual && at.residual <= of->high;
  }
  return inside;
}

}  // namespace

double weighted_quantile(std::vector<std::pair<double, double>> values, double q) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  double all = 0;
  for (const auto& [value, weight] : values) all += weight;
  double before = 0, last_middle = 0, last = values.front().first;
  for (const auto& [value, weight] : values) {
    const double middle = (before + weight / 2) / all;
    if (q <= middle) {
      if (before == 0) return value;
      return last + (value - last) * (q - last_middle) / (middle - last_middle);
    }
    before += weight;
    last_middle = middle;
    last = value;
  }
  return last;
}

std::vector<RowResidual> residuals_of(const std::vector<const MeasuredRow*>& rows,
                                      const std::vector<double>& predictions) {
  const std::vector<double> weights = row_weights(rows);
  std::vector<RowResidual> residuals;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double time = *measured(*rows[i]->run, Validated::time);
    residuals.push_back(
        {.row = rows[i], .residual = std::log(time / predictions[i]), .weight = weights[i]});
  }
  return residuals;
}

CoverageByKind coverage_by_kind(const Rows& rows, const Inside& inside) {
  const auto of = [&](const auto& wanted) { return covered(rows, inside, wanted); };
  const auto core = [](const RowResidual& at) { return at.row->run->core; };
  CoverageByKind kinds{
      .all = of([](const RowResidual&) { return true; }),
      .dense = of([](const RowResidual& at) { return !is_moe(at); }),
      .moe = of(is_moe),
      .core = of(core),
      .moe_core = of([&](const RowResidual& at) { return core(at) && is_moe(at); })};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (inside[i]) kinds.by_source[rows[i].row->source_key];
  }
  for (auto& [source, coverage] : kinds.by_source) {
    const std::string& name = source;
    coverage = of([&](const RowResidual& at) { return at.row->source_key == name; });
  }
  return kinds;
}

Inside inside_intervals(const Rows& rows, const CalibrationPtr& calibration) {
  Inside inside;
  for (const RowResidual& at : rows) {
    Workload workload = at.row->run->workload;
    workload.timing = calibration;
    const Seconds unit{1};
    const std::optional<TimeInterval> interval = time_interval(workload, unit);
    inside.push_back(interval ? std::optional(interval->holds(std::exp(at.residual) * unit))
                              : std::nullopt);
  }
  return inside;
}

Intervals kept_out_intervals(const std::vector<RowResidual>& rows) {
  std::set<std::string> sources;
  for (const RowResidual& at : rows) sources.insert(at.row->source_key);
  Intervals intervals;
  intervals.inside.resize(rows.size());
  if (std::ssize(sources) < kFewestIntervalSources) return intervals;
  for (const bool moe : {false, true}) {
    const auto alike = [&](const RowResidual& at) { return is_moe(at) == moe; };
    int percent = 10;
    Inside inside = inside_without_source(rows, moe, percent / 100.0);
    Coverage held = covered(rows, inside, alike);
    while (held.held < kIntervalShare && percent > 1) {
      inside = inside_without_source(rows, moe, --percent / 100.0);
      held = covered(rows, inside, alike);
    }
    const auto classes = classes_from(rows, moe, percent / 100.0);
    intervals.classes.insert(intervals.classes.end(), classes.begin(), classes.end());
    (moe ? intervals.moe : intervals.dense) = held;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (inside[i]) intervals.inside[i] = inside[i];
    }
  }
  return intervals;
}

}  // namespace planner::calibration
