#include <fmt/format.h>

#include "planner/present/text.hpp"
#include "planner/report/document.hpp"
#include "planner/report/lost_causes.hpp"

namespace planner {

namespace {

Json in_percent(const Json& json, std::initializer_list<std::string_view> path) {
  const std::optional<double> share = number(json, path);
  return share ? Json(100 * *share) : Json(nullptr);
}

}  // namespace

DataTable improvement_table(const Json& result) {
  DataTable table{
      .title = "What to improve next",
      .header = {"step", "takes (s)", "a second less (points)", "a tenth less (points)"}};
  for (const Json& row : needed_array(result, {"improve_next", "steps"})) {
    table.rows.push_back({at(row, {"step"}), at(row, {"takes_s"}),
                          in_percent(row, {"availability_per_second"}),
                          in_percent(row, {"availability_of_a_tenth_less"})});
  }
  return table;
}

}  // namespace planner
