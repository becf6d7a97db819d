#include "planner/domain/calibration.hpp"

namespace planner {

Calibration prior_calibration() {
  Calibration calibration{.name = "prior", .title = "Before any fit"};
  for (std::size_t i = 0; i < kConstants; ++i) calibration.values[i] = kConstantSpecs[i].prior;
  return calibration;
}

}  // namespace planner
