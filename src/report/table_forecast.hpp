#pragma once

#include <optional>

#include "planner/api/job_names.hpp"
#include "planner/job/forecast.hpp"
#include "planner/report/table_writer.hpp"

namespace planner {

/// Days and dollars of a run, ideal and to be expected, and what takes the time between.
void write_forecast(const std::optional<Forecast>& forecast, TerminalWriter& out);

}  // namespace planner
