// The error of peak memory that plans are warned by is that of measured rows whose source was left
// out of the fit.
#include <doctest/doctest.h>

#include "planner/calibration/validation.hpp"
#include "planner/catalog/catalog.hpp"
#include "planner/job/workload.hpp"

using namespace planner;

TEST_CASE("nine of ten measured peaks are within the error that the warning says") {
  const auto rows = catalog::Catalog({PLANNER_SOURCE_DIR}).load_shipped_measured("memory");
  const ErrorSummary kept_out =
      validate_kept_out(rows, Validated::memory, LeaveOut::source, {}).larger_sources;
  CHECK(kept_out.count == 73);
  CHECK(kept_out.p90 <= job::kPeakMemoryError);
  CHECK(kept_out.p90 > 0.95 * job::kPeakMemoryError);
}
