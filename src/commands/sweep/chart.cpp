#include <fmt/format.h>

#include <algorithm>

#include "planner/commands/sweep/sweep.hpp"
#include "planner/present/charts/charts.hpp"

namespace planner::commands {

namespace {

using json::Json;

/// The values of an axis as JSON has them.
Json values_of(const SweepAxis& axis) {
  Json values = Json::array();
  for (const std::string& value : axis.values) values.push_back(value_json(axis.option, value));
  return values;
}

bool all_numbers(const Json& values) {
  return std::all_of(values.begin(), values.end(),
                     [](const Json& value) { return value.is_number(); });
}

/// Values that span more than a factor of ten are spread evenly by their logarithm.
bool wide(const Json& values) {
  constexpr double kDecade = 10;
  const auto [low, high] = std::minmax_element(
      values.begin(), values.end(),
      [](const Json& a, const Json& b) { return a.get<double>() < b.get<double>(); });
  return low->get<double>() > 0 && high->get<double>() > kDecade * low->get<double>();
}

Json x_axis(const SweepAxis& axis, const Json& values) {
  Json x{{"field", key_of(axis.option)}, {"axis", {{"title", axis.option}}}};
  if (!all_numbers(values)) {
    x.update({{"type", "nominal"}, {"sort", nullptr}});
    return x;
  }
  x["type"] = "quantitative";
  x["axis"]["values"] = values;
  x["axis"]["labelOverlap"] = true;
  x["scale"] = {{"nice", false}};
  x["scale"].update(wide(values) ? Json{{"type", "log"}, {"base", 2}} : Json{{"zero", false}});
  return x;
}

Json json_of(const present::Cell& cell) {
  if (const auto* const whole = std::get_if<std::int64_t>(&cell.value)) return *whole;
  if (const auto* const real = std::get_if<double>(&cell.value)) return *real;
  return cell.text;
}

Json points(const SweepAnswer& answer, const SweepLines& sweep, const SweepFigure& figure) {
  Json data = Json::array();
  for (const auto& [row, line] : sweep.lines) {
    const auto found = std::find_if(line.figures.begin(), line.figures.end(),
                                    [&](const SweepFigure& f) { return f.key == figure.key; });
    // A strategy that does not fit has its figures, but is no point of the curve.
    const bool failed = !row->reply.errors.empty();
    if (found == line.figures.end() || !found->cell.is_number() || failed) continue;
    Json point = Json::object();
    for (std::size_t i = 0; i < answer.axes.size(); ++i) {
      const std::string& option = answer.axes[i].option;
      point[key_of(option)] = value_json(option, row->values[i]);
    }
    if (sweep.parts) point[answer.command->part] = json_of(line.part);
    point["value"] = json_of(found->cell);
    data.push_back(std::move(point));
  }
  return data;
}

}  // namespace

void add_sweep_chart(const SweepAnswer& answer, present::Document& document) {
  const SweepLines sweep = lines_of(answer);
  if (sweep.columns.empty()) return;
  const SweepFigure& figure = sweep.columns.front();
  const Json data = points(answer, sweep, figure);
  if (data.empty()) return;

  const auto along = std::max_element(
      answer.axes.begin(), answer.axes.end(),
      [](const SweepAxis& a, const SweepAxis& b) { return a.values.size() < b.values.size(); });
  const Json values = values_of(*along);
  const std::string title = fmt::format("{} over {}", figure.header, along->option);
  Json spec = present::chart_frame(
      title, "planner " + answer.command->name + ", each point an answer of its own");
  spec["height"] = 320;
  spec["data"] = {{"values", data}};
  // Words have no order that a line could follow.
  spec["mark"] = all_numbers(values) ? Json{{"type", "line"}, {"point", true}}
                                     : Json{{"type", "point"}, {"filled", true}, {"size", 60}};
  spec["encoding"] = {
      {"x", x_axis(*along, values)},
      {"y", {{"field", "value"}, {"type", "quantitative"}, {"axis", {{"title", figure.header}}}}}};
  const auto other = std::find_if(answer.axes.begin(), answer.axes.end(),
                                  [&](const SweepAxis& axis) { return &axis != &*along; });
  const bool colours_taken = other != answer.axes.end();
  if (colours_taken) {
    spec["encoding"]["color"] = {{"field", key_of(other->option)},
                                 {"type", "ordinal"},
                                 {"sort", values_of(*other)},
                                 {"title", other->option}};
  }
  if (sweep.parts) {
    // Where the colours are taken: shapes of the points, and a line for each.
    const std::string& part = answer.command->part;
    spec["encoding"][colours_taken ? "shape" : "color"] = {
        {"field", part}, {"type", "nominal"}, {"sort", nullptr}, {"title", part}};
    if (colours_taken) spec["encoding"]["detail"] = {{"field", part}, {"type", "nominal"}};
  }
  document.add(present::Charts{
      [chart = present::drawn("sweep", title, std::move(spec))] { return std::vector{chart}; }});
}

}  // namespace planner::commands
