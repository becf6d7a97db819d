#include "planner/api/measured.hpp"

#include <memory>

#include "planner/api/options.hpp"

namespace planner {

Response validate_measured_runs(const Request& request, const io::Catalog& catalog) {
  const std::string calibration = request.calibration.value_or(std::string{defaults::kCalibration});
  const Validated what = request.peak_memory ? Validated::memory : Validated::time;
  const auto constants = std::make_shared<const Calibration>(catalog.load_calibration(calibration));
  const std::vector<MeasuredRow> rows =
      request.data ? catalog.load_measured(*request.data)
                   : catalog.load_shipped_measured(request.peak_memory ? "memory" : "runs");
  return {.command = Command::validate,
          .result = MeasuredResult{.data = request.data,
                                   .calibration = constants->name,
                                   .validation = validate_measured(rows, what, constants)}};
}

}  // namespace planner
