#include "planner/published/cases.hpp"

namespace planner::published {

FabricCount counted(const FabricDesign& design) {
  return std::get<FabricCount>(count_fabric(design));
}

FabricProblem problem_of(const FabricDesign& design) {
  return std::get<FabricProblem>(count_fabric(design));
}

Ratio oversubscription_of(const FabricCount& count, std::string_view tier) {
  for (const SwitchTier& counted : count.switches) {
    if (counted.name == tier) return counted.oversubscription.value_or(Ratio{});
  }
  return {};
}

Checks checks(const Cases& cases, Kind kind) {
  Checks rows;
  for (const Case& item : cases) {
    for (const Figure& figure : item.figures) {
      rows.push_back({.id = item.name,
                      .source = item.source,
                      .quantity = figure.what,
                      .kind = kind,
                      .published = figure.published,
                      .ours = figure.ours,
                      .tolerance = 1e-9 * std::abs(figure.published),
                      .note = item.why,
                      .at_odds = figure.at_odds});
    }
  }
  return rows;
}

}  // namespace planner::published
