#pragma once

#include <vector>

#include "planner/commands/command.hpp"
#include "planner/job/forecast.hpp"

namespace planner::commands {

const json::Table<job::Forecast>& forecast_fields();
/// What to expect of a run: days, dollars, time lost.
void add_forecast(const job::Forecast& forecast, present::Document& document);
/// What a sweep shows of it.
std::vector<SweepFigure> forecast_figures(const job::Forecast& forecast);

}  // namespace planner::commands
