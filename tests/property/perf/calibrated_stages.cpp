// The stages of the calibrated model: whole layers, the loss layer on the last one, and an
// iteration that is no faster than any of them.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "planner/perf/calibrated/calibrated.hpp"
#include "planner/perf/calibrated/partition.hpp"
#include "planner/perf/model/constraints.hpp"
#include "support/near.hpp"
#include "support/random_workloads.hpp"

using namespace planner;
using namespace planner::testing;

TEST_CASE("the slowest stage is the slowest of all, and no stage has a part of a layer") {
  Random random(23);
  int pipelines = 0, experts = 0, uneven = 0;
  for (int i = 0; i < 20000; ++i) {
    CAPTURE(i);
    Workload workload = random_calibrated_workload(random);
    Strategy strategy{.tp = {1, 1}, .pp = {1, random.pick({2, 3, 4, 6, 8, 12})}};
    strategy.dp = {1, workload.gpus / strategy.pp.net};
    if (!violations(workload, strategy).empty()) continue;
    const Calibrated model(workload);
    const Calibrated::MicroBatch micro = model.micro_batch(strategy);
    const Calibrated::Pipeline on = model.pipeline(strategy);
    const CalibratedShape shape(workload.model, workload);
    const Partition layers_of(shape, on.p);
    double layers = 0;
    Seconds slowest{};
    for (double stage = 0; stage < on.p; ++stage) {
      const double here = layers_of(stage).all;
      CHECK(here >= 1);
      CHECK(here == std::floor(here));
      layers += here;
      Seconds time = here * micro.layer.total();
      if (stage == on.p - 1) time += shape.mtp * micro.layer.total() + micro.head;
      slowest = std::max(slowest, time);
    }
    CHECK(layers == shape.L);
    CHECK(model.stage(on.p, micro).slowest.si() == near(slowest.si()));
    CHECK(model.evaluate(strategy).time.total() >= on.m * micro.head);
    ++pipelines;
    experts += shape.L_moe > 0 ? 1 : 0;
    uneven += std::fmod(shape.L, on.p) != 0 ? 1 : 0;
  }
  CHECK(pipelines > 100);
  CHECK(experts > 20);
  CHECK(uneven > 10);
}
