#pragma once

#include "planner/api/response.hpp"
#include "planner/catalog/catalog.hpp"

namespace planner {

/// Predictions of the calibrated model beside measured runs: ours, or those of --data. With
/// --leave-out each row as predicted by a fit without it.
Response validate_measured_runs(const Request& request, const catalog::Catalog& catalog,
                                const Control& control);

/// The rows as an answer: an error and exit code 1 for each one that is missed().
Response validated(published::Checks rows);

/// A fit's steps, threads and ways to watch and end it, as the request and its caller want them.
FitOptions fit_options(const Request& request, const Control& control);

}  // namespace planner
