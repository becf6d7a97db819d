#pragma once

#include "planner/api/response.hpp"
#include "planner/io/catalog.hpp"

namespace planner {

/// Predictions of the calibrated model beside measured runs: ours, or those of --data.
Response validate_measured_runs(const Request& request, const io::Catalog& catalog);

}  // namespace planner
