#include "planner/calibration/nearest_runs.hpp"

#include <doctest/doctest.h>

#include <memory>

#include "planner/catalog/catalog.hpp"
#include "support/shipped.hpp"

using namespace planner;
using planner::testing::shipped;

namespace {

const std::vector<MeasuredRow>& shipped_rows() {
  static const auto rows = shipped().load_shipped_measured("runs");
  return rows;
}

const CalibrationPtr& constants() {
  static const CalibrationPtr kConstants = std::make_shared<const Calibration>(prior_calibration());
  return kConstants;
}

}  // namespace

TEST_CASE("a measured run is nearest to itself") {
  int tried = 0;
  for (std::size_t i = 0; i < shipped_rows().size(); i += 97) {
    const MeasuredRow& row = shipped_rows()[i];
    if (!row.run || !row.run->iteration_time) continue;
    CAPTURE(row.id);
    const auto near = nearest_runs(shipped_rows(), subject_of(row.run->workload), 3, constants());
    REQUIRE(near.size() == 3);
    CHECK(near.front().unlikeness == 0);
    CHECK(near[0].unlikeness <= near[1].unlikeness);
    CHECK(near[1].unlikeness <= near[2].unlikeness);
    CHECK(near.front().predicted > Seconds{});
    ++tried;
  }
  CHECK(tried > 10);
}

TEST_CASE("what makes runs unlike each other") {
  const RunSubject a{.parameters = 8e9,
                     .active_parameters = 8e9,
                     .generation = Generation::hopper,
                     .precision = Precision::bf16,
                     .gpus = 64,
                     .sequence = 8192};
  CHECK(unlikeness(a, a) == 0);
  RunSubject b = a;
  b.gpus = 256;
  CHECK(unlikeness(a, b) == 1);
  b.precision = Precision::fp16;
  CHECK(unlikeness(a, b) == 1);
  b.precision = Precision::fp8;
  CHECK(unlikeness(b, a) == unlikeness(a, b));
  CHECK(unlikeness(a, b) == 2.5);
}
