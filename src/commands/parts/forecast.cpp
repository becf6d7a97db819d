#include "planner/commands/parts/forecast.hpp"

#include <nlohmann/json.hpp>

namespace planner::commands {

const json::Table<job::Forecast>& forecast_fields() {
  static const json::Table<job::Forecast> kTable{
      .type = "forecast", .doc = "stub", .fields = {}, .open = true};
  return kTable;
}
void add_forecast(const job::Forecast&, present::Document&) {}
std::vector<SweepFigure> forecast_figures(const job::Forecast&) {
  return {};
}

}  // namespace planner::commands
