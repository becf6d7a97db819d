#include <fmt/format.h>

#include <algorithm>

#include "planner/report/charts_parts.hpp"
#include "planner/report/sweep_view.hpp"

namespace planner {

namespace {

std::string words(std::string key) {
  std::replace(key.begin(), key.end(), '_', '-');
  return key;
}

bool all_positive(const Json& values) {
  return std::all_of(values.begin(), values.end(), [](const Json& value) {
    return value.is_number() && value.get<double>() > 0;
  });
}

bool all_numbers(const Json& values) {
  return std::all_of(values.begin(), values.end(),
                     [](const Json& value) { return value.is_number(); });
}

/// Values that span more than a factor of ten are spread evenly by their logarithm.
bool wide(const Json& values) {
  constexpr double kDecade = 10;
  if (!all_positive(values)) return false;
  const auto [low, high] = std::minmax_element(
      values.begin(), values.end(),
      [](const Json& a, const Json& b) { return a.get<double>() < b.get<double>(); });
  return high->get<double>() > kDecade * low->get<double>();
}

Json x_axis(const std::string& name, const Json& values) {
  Json x{{"field", name}, {"axis", {{"title", words(name)}}}};
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

Json data_of_chart(const SweepLines& sweep, const std::vector<std::string>& parameters,
                   const Figure& figure) {
  Json data = Json::array();
  for (const SweepLine& line : sweep.lines) {
    const Json value = figure_in(line, figure);
    // A strategy that does not fit has its figures, but is no point of the curve.
    if (value.is_null() || !error_of(*line.row).empty()) continue;
    Json point = Json::object();
    for (const std::string& name : parameters) point[name] = at(*line.row, {name});
    if (!sweep.part.empty()) point[sweep.part] = line.part;
    point["value"] = value;
    data.push_back(std::move(point));
  }
  return data;
}

}  // namespace

Json sweep_charts(const Json& answer) {
  const Json& varied = at(answer, {"result", "parameters"});
  if (!varied.is_object()) return Json::array();
  const SweepLines sweep = lines_of(answer);
  const std::vector<Figure> figures = figures_of(answer, sweep);
  if (figures.empty()) return Json::array();
  std::vector<std::string> parameters = parameters_of(answer);
  const std::string along = *std::max_element(parameters.begin(), parameters.end(),
                                              [&](const std::string& a, const std::string& b) {
                                                return varied[a].size() < varied[b].size();
                                              });
  const Figure& figure = figures.front();
  const Json data = data_of_chart(sweep, parameters, figure);
  if (data.empty()) return Json::array();

  const std::string title = fmt::format("{} over {}", figure.header, words(along));
  Json spec = chart_frame(title, "planner " + text(answer, {"result", "command"}) +
                                     ", each point an answer of its own");
  spec["height"] = 320;
  spec["data"] = {{"values", data}};
  // Words have no order that a line could follow.
  spec["mark"] = all_numbers(varied[along])
                     ? Json{{"type", "line"}, {"point", true}}
                     : Json{{"type", "point"}, {"filled", true}, {"size", 60}};
  spec["encoding"] = {
      {"x", x_axis(along, varied[along])},
      {"y", {{"field", "value"}, {"type", "quantitative"}, {"axis", {{"title", figure.header}}}}}};
  parameters.erase(std::find(parameters.begin(), parameters.end(), along));
  if (!parameters.empty()) {
    spec["encoding"]["color"] = {{"field", parameters.front()},
                                 {"type", "ordinal"},
                                 {"sort", varied[parameters.front()]},
                                 {"title", words(parameters.front())}};
  }
  if (!sweep.part.empty()) {
    // Where the colours are taken: shapes of the points, and a line for each.
    const bool colours_taken = !parameters.empty();
    spec["encoding"][colours_taken ? "shape" : "color"] = {
        {"field", sweep.part}, {"type", "nominal"}, {"sort", nullptr}, {"title", sweep.part}};
    if (colours_taken) spec["encoding"]["detail"] = {{"field", sweep.part}, {"type", "nominal"}};
  }
  return Json::array({{{"name", "sweep"}, {"title", title}, {"spec", std::move(spec)}}});
}

}  // namespace planner
