#include "planner/report/json_calibrate.hpp"

#include <nlohmann/json.hpp>

#include "planner/catalog/tables/calibration.hpp"
#include "planner/report/report.hpp"

namespace planner {

namespace {

using Json = nlohmann::ordered_json;

Json part(std::int64_t rows, std::int64_t sources, const ErrorSummary& errors) {
  return {{"rows", rows}, {"sources", sources}, {"fitted", to_json(errors)}};
}

Json held(double share) {
  return share > 0 ? Json(100 * share) : Json(nullptr);
}

}  // namespace

Json to_json(const CalibrateResult& result) {
  const CalibrationFit& fit = result.fit;
  return {{"data", result.data},
          {"expected", result.expected},
          {"time", part(fit.time_rows, fit.time_sources, result.time)},
          {"memory", part(fit.memory_rows, fit.memory_sources, result.memory)},
          {"intervals_hold_pct",
           {{"dense", held(fit.held_dense)}, {"mixtures_of_experts", held(fit.held_moe)}}},
          {"calibration", catalog::to_json(fit.calibration)}};
}

std::string calibration_file(const CalibrateResult& result) {
  return catalog::to_json(result.fit.calibration).dump(2) + "\n";
}

}  // namespace planner
