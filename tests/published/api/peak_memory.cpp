// The error of peak memory that plans are warned by is that of the measured rows.
#include <doctest/doctest.h>

#include <memory>

#include "planner/api/range_warnings.hpp"
#include "planner/calibration/validation.hpp"
#include "planner/io/catalog.hpp"

using namespace planner;

TEST_CASE("nine of ten measured peaks are within the error that the warning says") {
  const io::Catalog catalog({PLANNER_SOURCE_DIR});
  const auto constants = std::make_shared<const Calibration>(catalog.load_calibration("default"));
  const Validation measured =
      validate_measured(catalog.load_shipped_measured("memory"), Validated::memory, constants);
  CHECK(measured.larger_sources.count == 73);
  CHECK(measured.larger_sources.p90 <= kPeakMemoryError);
  CHECK(measured.larger_sources.p90 > 0.95 * kPeakMemoryError);
}
