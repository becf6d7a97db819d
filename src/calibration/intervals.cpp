#include "planner/calibration/intervals.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

namespace planner {

namespace {

Generation generation_of(const KeptOutRow& at) {
  return at.row->run->workload.system.accelerator.generation;
}

bool is_moe(const KeptOutRow& at) {
  return at.row->run->workload.model.moe.has_value();
}

using Rows = std::vector<KeptOutRow>;

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
  for (const KeptOutRow& at : rows) {
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
  const Rows alike = only(rows, [&](const KeptOutRow& at) { return is_moe(at) == moe; });
  if (alike.size() < kSmallestClass) return classes;
  classes.push_back(class_from(alike, std::nullopt, moe, tail));
  std::set<Generation> generations;
  for (const KeptOutRow& at : alike) generations.insert(generation_of(at));
  for (const Generation generation : generations) {
    const Rows of =
        only(alike, [&](const KeptOutRow& at) { return generation_of(at) == generation; });
    if (of.size() >= kSmallestClass) classes.push_back(class_from(of, generation, moe, tail));
  }
  return classes;
}

/// Share of the weight that lies inside intervals taken without its own source.
double share_held(const Rows& rows, bool moe, double tail) {
  std::set<std::string> sources;
  for (const KeptOutRow& at : rows) sources.insert(at.row->source_key);
  double held = 0, all = 0;
  for (const std::string& source : sources) {
    const auto classes = classes_from(
        only(rows, [&](const KeptOutRow& at) { return at.row->source_key != source; }), moe, tail);
    for (const KeptOutRow& at : rows) {
      if (at.row->source_key != source || is_moe(at) != moe) continue;
      const ResidualClass* const of = class_of(classes, generation_of(at), moe);
      if (of == nullptr) continue;
      all += at.weight;
      if (of->low <= at.residual && at.residual <= of->high) held += at.weight;
    }
  }
  return all > 0 ? held / all : 0;
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

const ResidualClass* class_of(const std::vector<ResidualClass>& classes,
                              std::optional<Generation> generation, bool mixture_of_experts) {
  const ResidualClass* any = nullptr;
  for (const ResidualClass& each : classes) {
    if (each.mixture_of_experts != mixture_of_experts) continue;
    if (!each.generation) any = &each;
    if (generation && each.generation == generation) return &each;
  }
  return any;
}

Intervals kept_out_intervals(const std::vector<KeptOutRow>& rows) {
  std::set<std::string> sources;
  for (const KeptOutRow& at : rows) sources.insert(at.row->source_key);
  Intervals intervals;
  if (std::ssize(sources) < kFewestIntervalSources) return intervals;
  for (const bool moe : {false, true}) {
    int percent = 10;
    double held = share_held(rows, moe, percent / 100.0);
    while (held < kIntervalShare && percent > 1) held = share_held(rows, moe, --percent / 100.0);
    const auto classes = classes_from(rows, moe, percent / 100.0);
    intervals.classes.insert(intervals.classes.end(), classes.begin(), classes.end());
    (moe ? intervals.held_moe : intervals.held_dense) = held;
  }
  return intervals;
}

}  // namespace planner
