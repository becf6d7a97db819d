#include <fmt/format.h>

#include "planner/core/real.hpp"
#include "planner/job/workload.hpp"
#include "planner/perf/model/placement.hpp"
#include "planner/perf/timing_model.hpp"
#include "planner/published/published.hpp"

// What choosing another cluster was printed to save, beside what our models say of both.
namespace planner::published {

namespace {

constexpr const char* kVTrain = "vTrain (Bang et al., MICRO 2024, arXiv 2312.12391), MT-NLG";

/// An iteration of MT-NLG 530B with all recomputed, batch 1,920 × 2,048, on A100 nodes of eight.
Seconds mt_nlg(const catalog::Catalog& catalog, std::int64_t dp, std::int64_t pp) {
  constexpr std::int64_t kTensorRanks = 8;
  std::vector<std::string> warnings;
  const Workload workload = job::workload_of({.model = catalog.load_model("gpt530b").spec,
                                              .system = catalog.load_system("dgx-a100"),
                                              .gpus = kTensorRanks * dp * pp,
                                              .run = {.global_batch = 1920, .sequence = 2048},
                                              .timing = catalog.load_calibration("default")},
                                             warnings);
  const Strategy strategy = placed_contiguously(
      {.tp = {1, kTensorRanks}, .pp = {1, pp}, .dp = {1, dp}, .recompute = Recompute::full},
      workload.system.hb_domain);
  return evaluate(workload, strategy).time.total();
}

}  // namespace

Checks designs(const catalog::Catalog& catalog) {
  constexpr double kPoints = 2;  // of what is printed
  const Seconds few = mt_nlg(catalog, 12, 21), many = mt_nlg(catalog, 8, 35);
  const double longer = 100 * (few / many - 1), dearer = 100 * (2016 * few / (2240 * many) - 1);
  const std::string note =
      "read from a secondary copy; all is recomputed, without which the larger does not fit, and "
      "micro-batches are of 1: neither is in that copy. Held to 2 points";
  return {{.id = "vtrain_mt_nlg",
           .source = kVTrain,
           .quantity = "270 B tokens on 2,016 GPUs (8, 12, 21) against 2,240 (8, 8, 35), cost",
           .unit = "%",
           .kind = Kind::timing,
           .published = -4.3,
           .ours = dearer,
           .tolerance = kPoints,
           .note = note},
          {.id = "vtrain_mt_nlg",
           .source = kVTrain,
           .quantity = "the same, time",
           .unit = "%",
           .kind = Kind::timing,
           .published = 6.3,
           .ours = longer,
           .tolerance = kPoints,
           .note = note}};
}

}  // namespace planner::published
