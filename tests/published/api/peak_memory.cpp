// The error of peak memory that plans are warned by is that of measured rows whose source was left
// out of the fit.
#include <doctest/doctest.h>

#include <memory>

#include "planner/api/measured.hpp"
#include "planner/job/workload.hpp"
#include "planner/calibration/validation.hpp"

using namespace planner;

TEST_CASE("nine of ten measured peaks are within the error that the warning says") {
  Request request;
  request.peak_memory = true;
  request.leave_out = LeaveOut::source;
  const Response response =
      validate_measured_runs(request, catalog::Catalog({PLANNER_SOURCE_DIR}), Control{});
  const ErrorSummary& kept_out =
      std::get<MeasuredResult>(response.result).validation.larger_sources;
  CHECK(kept_out.count == 73);
  CHECK(kept_out.p90 <= kPeakMemoryError);
  CHECK(kept_out.p90 > 0.95 * kPeakMemoryError);
}
