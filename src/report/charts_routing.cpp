#include "planner/report/charts_parts.hpp"

namespace planner {

Json link_load_chart(const Json& answer) {
  const Json& load = at(answer, {"result", "link_load"});
  const Json& bins = at(load, {"bins"});
  if (!bins.is_array() || bins.empty()) return nullptr;
  Json values = Json::array();
  for (const Json& bin : bins) {
    const double low = number(bin, {"low_of_mean"}).value_or(0);
    const double high = number(bin, {"high_of_mean"}).value_or(0);
    values.push_back({{"load", (low + high) / 2}, {"share", number(bin, {"share"}).value_or(0)}});
  }
  Json spec = chart_frame("How evenly " + text(load, {"stage"}) + " are loaded",
                          "Share of links by their load over the mean");
  spec["height"] = 220;
  spec["data"] = {{"values", values}};
  spec["mark"] = {{"type", "bar"}, {"color", "#2f74b8"}, {"size", 12}};
  spec["encoding"] = {{"x",
                       {{"field", "load"},
                        {"type", "quantitative"},
                        {"axis", {{"title", "load over mean"}, {"grid", false}}}}},
                      {"y",
                       {{"field", "share"},
                        {"type", "quantitative"},
                        {"scale", {{"zero", true}}},
                        {"axis", {{"title", nullptr}, {"format", "%"}}}}},
                      {"tooltip",
                       {{{"field", "load"}, {"type", "quantitative"}, {"format", ".2f"}},
                        {{"field", "share"}, {"type", "quantitative"}, {"format", ".1%"}}}}};
  return {{"name", "link_load"},
          {"title", "How evenly " + text(load, {"stage"}) + " are loaded"},
          {"spec", spec}};
}

}  // namespace planner
