#pragma once

#include <optional>

#include "planner/api/forecast.hpp"
#include "planner/report/table_writer.hpp"

namespace planner {

/// Days and dollars of a run, ideal and to be expected, and what takes the time between.
/// @param at_least  some of the cost is not known
void write_forecast(const std::optional<Forecast>& forecast, bool at_least, TableWriter& out);

/// "lost work": a cause of lost time in words.
std::string cause_in_words(std::string_view cause);

}  // namespace planner
