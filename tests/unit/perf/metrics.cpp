#include "planner/perf/metrics.hpp"

#include <doctest/doctest.h>

#include "support/gpt.hpp"
#include "support/near.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

/// Table 4's GPT-1T run: 512 GPUs, 70.688 s.
constexpr Strategy kSixtyFourStages{.tp = {8, 1}, .pp = {1, 64}};

Plan plan() {
  return make_plan(gpt_1t_on_a100s(), kSixtyFourStages);
}

}  // namespace

TEST_CASE(
    "Korthikanti et al. 2022, App. A: model FLOPs are 72·B·l·s·h²·(1 + s/(6h) + V/(12·h·l))") {
  // Korthikanti et al. 2022 (arXiv 2205.05198), Appendix A.
  const double base = 72.0 * 512 * 128 * 2048 * 25600 * 25600;
  CHECK(model_flops(gpt_1t_on_a100s()).si() ==
        near(base * (1 + 2048 / (6.0 * 25600) + 51200 / (12.0 * 25600 * 128))));
}

TEST_CASE("a sliding window leaves its share of the scores") {
  // Two of four layers with a window of 512 of 2048: rows of 1 to 512, then 512 each, of 1 to 2048.
  Workload windowed = gpt_1t_on_a100s();
  windowed.model = gpt(4, 1024, 16);
  const double weights = model_flops(windowed).si();
  const double scores = 12.0 * 4 * 512 * 2048 * 2048 * 1024;
  windowed.model.sliding_window = 512;
  windowed.model.sliding_window_layers = 2;
  const double share = (512.0 * 2048 - 512.0 * 512 / 2) / (2048.0 * 2048 / 2);
  CHECK(weights - model_flops(windowed).si() == near(scores / 2 * (1 - share)));
}

TEST_CASE("utilisations are FLOPs over peak and time") {
  const Plan found = plan();
  const double possible = 512 * 312e12 * found.time.total().si();
  const double base = 72.0 * 512 * 128 * 2048 * 25600 * 25600;
  CHECK(found.mfu == near(model_flops(gpt_1t_on_a100s()).si() / possible));
  // closed-form.md: HFU = base·(1 + s/(4.5h) + V/(12·h·l)) / (N·F·T).
  CHECK(found.hfu ==
        near(base * (1 + 2048 / (4.5 * 25600) + 51200 / (12.0 * 25600 * 128)) / possible));
  CHECK(found.model_flops_per_gpu.si() == near(found.mfu * 312e12));
}

TEST_CASE("throughput is tokens over time") {
  const Plan found = plan();
  CHECK(found.tokens_per_second == near(512 * 2048 / found.time.total().si()));
  CHECK(found.tokens_per_second_per_gpu == near(found.tokens_per_second / 512));
  CHECK(found.microbatches == 512);
  CHECK(found.capacity == 80 * units::GB);
  CHECK(found.strategy == kSixtyFourStages);
}

TEST_CASE("a training run is whole iterations") {
  const Plan found = plan();
  const double per_iteration = 512 * 2048;
  CHECK(training_totals(gpt_1t_on_a100s(), found, 10 * per_iteration).iterations == 10);
  CHECK(training_totals(gpt_1t_on_a100s(), found, 10 * per_iteration + 1).iterations == 11);
  CHECK(training_totals(gpt_1t_on_a100s(), found, 1).iterations == 1);

  const TrainingTotals totals = training_totals(gpt_1t_on_a100s(), found, 300e9);
  CHECK(totals.iterations == 286103);  // 300e9 / 1,048,576 = 286,102.3
  CHECK(totals.time.si() == near(286103 * found.time.total().si()));
  CHECK(totals.gpu_hours == near(512 * totals.time.si() / 3600));
}
