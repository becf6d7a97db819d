#include "planner/report/charts_parts.hpp"

namespace planner {

Json link_load_chart(const std::vector<ExpectedSeries>& series) {
  Json values = Json::array();
  std::string stage;
  for (const ExpectedSeries& one : series) {
    const Json& load = at(one.routing(), {"link_load"});
    const Json& bins = at(load, {"bins"});
    if (!bins.is_array() || bins.empty()) continue;
    if (stage.empty()) stage = text(load, {"stage"});
    for (const Json& bin : bins) {
      const double low = number(bin, {"low_of_mean"}).value_or(0);
      const double high = number(bin, {"high_of_mean"}).value_or(0);
      values.push_back({{"load", (low + high) / 2},
                        {"share", number(bin, {"share"}).value_or(0)},
                        {"cluster", one.name}});
    }
  }
  if (values.empty()) return nullptr;
  const bool many = series.size() > 1;
  const std::string title =
      many ? "How evenly links are loaded" : "How evenly " + stage + " are loaded";
  Json spec = chart_frame(title, "Share of links by their load over the mean");
  spec["height"] = 220;
  spec["data"] = {{"values", values}};
  spec["mark"] = {{"type", "bar"}, {"size", 12}, {"opacity", many ? 0.6 : 1}};
  spec["encoding"] = {{"x",
                       {{"field", "load"},
                        {"type", "quantitative"},
                        {"scale", {{"nice", false}, {"padding", 12}}},
                        {"axis", {{"title", "load over mean"}, {"grid", false}}}}},
                      {"y",
                       {{"field", "share"},
                        {"type", "quantitative"},
                        {"stack", nullptr},
                        {"scale", {{"zero", true}}},
                        {"axis", {{"title", nullptr}, {"format", "%"}}}}},
                      {"color", series_colors(series, "square")},
                      {"tooltip",
                       {{{"field", "load"}, {"type", "quantitative"}, {"format", ".2f"}},
                        {{"field", "share"}, {"type", "quantitative"}, {"format", ".1%"}}}}};
  return {{"name", "link_load"}, {"title", title}, {"spec", spec}};
}

}  // namespace planner
