// Away from the data: along sweeps of sequence length, batch and GPUs the calibrated model has no
// jump that physics does not explain.
#include <doctest/doctest.h>

#include <cmath>

#include "planner/perf/calibrated/calibrated.hpp"
#include "planner/search/search.hpp"
#include "support/gpt.hpp"
#include "support/random_workloads.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

/// H100s with NVLink in domains of eight and 400 Gb/s, by their datasheet.
Workload h100_workload(TransformerSpec model, std::int64_t gpus) {
  Workload workload{.model = std::move(model),
                    .system = gh200_cluster(8, 80 * units::GB),
                    .run = {.global_batch = 1024, .sequence = 2048},
                    .gpus = gpus};
  workload.timing = prior_calibration();
  workload.system.accelerator.generation = Generation::hopper;
  workload.system.accelerator.memory_bandwidth = 3350 * units::GBps;
  workload.software = software_of(SoftwareClass::te);
  return workload;
}

TransformerSpec mixture() {
  TransformerSpec model = gpt(32, 4096, 32);
  model.moe = MoeSpec{.experts = 8, .top_k = 2, .expert_ffn_hidden = 14336};
  return model;
}

constexpr Strategy kStrategy{.tp = {8, 1}, .pp = {1, 4}, .dp = {1, 4}};

double time_of(const Workload& workload, const Strategy& strategy) {
  return Calibrated(workload).evaluate(strategy).time.total().si();
}

/// d log(time) / d log(x) between two points of a sweep.
double slope(double x0, double t0, double x1, double t1) {
  return std::log(t1 / t0) / std::log(x1 / x0);
}

}  // namespace

TEST_CASE("time grows with the sequence, at most as its square") {
  for (const TransformerSpec& model : {gpt_175b(), mixture()}) {
    Workload workload = h100_workload(model, 128);
    double s = 1024, before = 0;
    for (int i = 0; i < 100; ++i, s += 512) {
      CAPTURE(s);
      workload.run.sequence = static_cast<std::int64_t>(s);
      const double now = time_of(workload, kStrategy);
      if (i > 0) {
        const double exponent = slope(s - 512, before, s, now);
        CHECK(exponent > 0);
        CHECK(exponent < 2);
      }
      before = now;
    }
  }
}

TEST_CASE("time grows with the batch, at most in proportion") {
  for (const TransformerSpec& model : {gpt_175b(), mixture()}) {
    for (const std::int64_t interleave : {1, 4}) {
      Workload workload = h100_workload(model, 128);
      Strategy strategy = kStrategy;
      strategy.interleave = interleave;
      double before = 0;
      for (std::int64_t batch = 4; batch <= 400; batch += 4) {
        CAPTURE(batch);
        workload.run.global_batch = batch;
        const double now = time_of(workload, strategy), x = static_cast<double>(batch);
        if (batch > 4) {
          const double exponent = slope(x - 4, before, x, now);
          CHECK(exponent > 0);
          CHECK(exponent <= 1 + 1e-9);
        }
        before = now;
      }
    }
  }
}

TEST_CASE(
    "twice the GPUs, from 8 to 131,072: never slower while every domain has a sample, never much "
    "more than twice as fast") {
  for (const TransformerSpec& model : {gpt_22b(), gpt_175b(), mixture()}) {
    double before = 0;
    for (std::int64_t gpus = 8; gpus <= 131'072; gpus *= 2) {
      CAPTURE(gpus);
      const SearchResult found = rank_strategies(h100_workload(model, gpus), {}, {.top = 1});
      const double now = found.best.empty() ? 0 : found.best.front().time.si();
      if (before > 0) {
        const double exponent = slope(1, before, 2, now);
        // Beyond, tensor parallelism leaves the domain or pipelines have no turns to interleave.
        const bool used_up = gpus > 8 * 1024;
        CHECK(exponent < (used_up ? 0.1 : 0));
        // Memory to spare lets go of recomputation and small micro-batches.
        CHECK(exponent > -1.3);
      }
      before = now;
    }
    CHECK(before > 0);
  }
}
