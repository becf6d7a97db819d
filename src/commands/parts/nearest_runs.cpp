#include "planner/commands/parts/nearest_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "planner/commands/parts/younger_field.hpp"
#include "planner/domain/names.hpp"
#include "planner/json/answer_fields.hpp"
#include "planner/perf/model/flops.hpp"
#include "planner/present/text.hpp"

namespace planner::commands {

namespace {

using namespace present;

std::string degrees(const Strategy& s) {
  std::string text = fmt::format("tp {} pp {} dp {}", s.tp.total(), s.pp.total(), s.dp.total());
  if (s.cp.total() > 1) text += fmt::format(" cp {}", s.cp.total());
  if (s.ep.total() > 1) text += fmt::format(" ep {}", s.ep.total());
  return text;
}

/// "tp8 pp16 dp128" of "tp 8 pp 16 dp 128".
std::string closed_up(const std::string& degrees) {
  std::string text;
  for (std::size_t i = 0; i < degrees.size(); ++i) {
    const bool before_number = degrees[i] == ' ' && i + 1 < degrees.size() &&
                               degrees[i + 1] >= '0' && degrees[i + 1] <= '9';
    if (!before_number) text += degrees[i];
  }
  return text;
}

NearestRow row_of(const NearRun& near) {
  const MeasuredRun& run = *near.row->run;
  const Seconds measured = *run.iteration_time;
  const Flops flops = iteration_flops(run.workload.model, run.workload.run, {}).total();
  return {.id = near.row->id,
          .source = run.workload.system.title,
          .model = run.workload.model.title,
          .gpu = run.workload.system.accelerator.name,
          .precision = run.workload.run.precision,
          .gpus = run.workload.gpus,
          .sequence = run.workload.run.sequence,
          .global_batch = run.workload.run.global_batch,
          .strategy = degrees(run.strategy),
          .unlikeness = near.unlikeness,
          .measured = measured,
          .predicted = near.predicted,
          .model_flops_per_gpu = flops / measured / static_cast<double>(run.workload.gpus),
          .in_fit = run.in_fit};
}

}  // namespace

std::vector<NearestRow> nearest_rows(const std::vector<MeasuredRow>& rows, const Workload& workload,
                                     std::int64_t most) {
  const auto constants = std::make_shared<const Calibration>(workload.timing.constants());
  std::vector<NearestRow> found;
  for (const NearRun& near :
       nearest_runs(rows, subject_of(workload), static_cast<std::size_t>(most), constants)) {
    found.push_back(row_of(near));
  }
  return found;
}

const json::FieldTable<NearestRow>& nearest_row_fields() {
  using namespace json;
  using R = NearestRow;
  static const json::FieldTable<R> kTable{
      .type = "row",
      .doc = "a measured run like the one in question",
      .fields = {required("id", &R::id, any_text(), "of the row in the file"),
                 required("source", &R::source, any_text(), "where it is published"),
                 required("model", &R::model, any_text(), "that was trained"),
                 required("gpu", &R::gpu, any_text(), "on which"),
                 required("precision", &R::precision, json::choice(kPrecisions), "of products"),
                 required("gpus", &R::gpus, whole(), "in all"),
                 required("sequence", &R::sequence, whole(), "tokens"),
                 required("global_batch", &R::global_batch, whole(), "sequences"),
                 required("strategy", &R::strategy, any_text(), "its degrees"),
                 required("unlikeness", &R::unlikeness, figure(),
                          "in doublings of the model's size; 0: alike"),
                 required("measured_s", &R::measured, measure(units::second), "iteration"),
                 required("predicted_s", &R::predicted, measure(units::second), "by us"),
                 shown<R, double>(
                     "error_pct", [](const R& r) { return 100 * (r.predicted / r.measured - 1); },
                     figure(), "of the prediction, with its sign"),
                 younger(required("in_fit", &R::in_fit, boolean(),
                                  "whether constants are fitted to it")),
                 required("model_tflops_per_gpu", &R::model_flops_per_gpu, measure(units::TFLOPs),
                          "as measured, full attention counted")},
      .open = true};
  return kTable;
}

void add_nearest(const std::vector<NearestRow>& rows, Document& document) {
  // A terminal has no room for spaces in the strategy.
  Table table{.header = {"model", "on", "strategy", "measured", "ours", "error"}};
  Table narrow = table;
  for (const NearestRow& row : rows) {
    const double error = row.predicted / row.measured - 1;
    for (Table* const to : {&table, &narrow}) {
      to->add({words(row.in_fit ? row.model : row.model + " *"),
               words(fmt::format("{} {}", grouped(row.gpus), row.gpu)),
               words(to == &table ? row.strategy : closed_up(row.strategy)),
               present::time(row.measured), present::time(row.predicted),
               said(share(error), fmt::format("{:+.1f} %", 100 * error))});
    }
  }
  document.detail(std::move(table));
  document.blocks.push_back({std::move(narrow), Where::terminal});
  document.add(present::Text{
      "Nearest first; each is the fastest of runs that differ in strategy only. Unlike are, by "
      "judgement, doublings of the active parameters, half those of all parameters, GPUs and "
      "tokens, 3 for another GPU generation, 4 for experts or none, 1.5 for other bits. --json has "
      "that figure, sources and ids."});
  const bool beside =
      std::any_of(rows.begin(), rows.end(), [](const NearestRow& row) { return !row.in_fit; });
  if (beside) {
    document.add(
        present::Text{"* No constant is fitted to it: its source leaves out settings, which are "
                      "assumed, or the model has no terms for what ran."});
  }
  Table sources{.header = {"id", "source"}};
  for (const NearestRow& row : rows) sources.add({words(row.id), words(row.source)});
  document.detail(Section{"Sources of the measured runs"});
  document.detail(std::move(sources));
}

}  // namespace planner::commands
