#include <doctest/doctest.h>

#include <memory>

#include "planner/domain/run.hpp"

using namespace planner;

TEST_CASE("the calibrated model has what the driver offers, the closed form the datasheet's") {
  Workload workload;
  Accelerator& gpu = workload.system.accelerator;
  gpu.memory = 80 * units::GB;
  gpu.driver_memory = 84.94 * units::GB;
  CHECK(memory_limit(workload) == 80 * units::GB);
  workload.timing = prior_calibration();
  CHECK(memory_limit(workload) == 84.94 * units::GB);
  gpu.driver_memory.reset();
  CHECK(memory_limit(workload) == 80 * units::GB);

  gpu.driver_memory = 84.94 * units::GB;
  set_memory(gpu, 96 * units::GB);
  CHECK(memory_limit(workload) == 96 * units::GB);
}
