// More of a resource never makes training slower, whatever surer plan a ranking then prefers.
#include <doctest/doctest.h>

#include "planner/commands/optimize/optimize.hpp"
#include "support/shipped.hpp"

using namespace planner;
using namespace planner::commands;
using namespace planner::testing;

TEST_CASE("what binds: no resource that is larger is slower") {
  struct Case {
    const char *model, *system;
    std::int64_t gpus, batch, sequence;
  };
  // With more memory or bandwidth each has a surer plan that is slower; the last shares cards, and
  // what its GPUs compute faster they wait.
  for (const auto& [model, system, gpus, batch, sequence] :
       {Case{"mixtral-8x7b", "dgx-b200", 12, 2304, 8192},
        {"mixtral-8x22b", "tpu-v4", 64, 512, 8192},
        {"deepseek-moe-16b", "fire-flyer-2-plain", 1024, 256, 2048}}) {
    CAPTURE(model);
    CAPTURE(system);
    PlanRequest request{.model = model,
                        .machine = {.system = system},
                        .gpus = {gpus},
                        .run = {.global_batch = batch, .sequence = sequence},
                        .threads = 1};
    if (gpus == 1024) {
      request.machine.network_bandwidth_GBps = 5;
      request.min_p_fits = 0.9;
    }
    Context context{.catalog = shipped()};
    const OptimizeAnswer answer = optimize_plan(request, context);
    REQUIRE(answer.result);
    CHECK(answer.result->what_binds.size() == 4);
    for (const job::Sensitivity& one : answer.result->what_binds) {
      CAPTURE(one.resource);
      CHECK(one.change <= 0);
    }
  }
}
