#include "planner/present/charts/charts.hpp"

namespace planner::present {

Json chart_frame(const std::string& title, const std::string& subtitle) {
  return {
      {"$schema", "https://vega.github.io/schema/vega-lite/v5.json"},
      {"title", {{"text", title}, {"subtitle", subtitle}, {"anchor", "start"}}},
      {"description", title + ". " + subtitle + "."},
      {"width", "container"},
      {"autosize", {{"type", "fit-x"}, {"contains", "padding"}}},
      {"background", "transparent"},
      {"padding", 4},
      {"config",
       {{"font", "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif"},
        {"view", {{"stroke", nullptr}}},
        {"axis",
         {{"labelFontSize", 12},
          {"titleFontSize", 12},
          {"titleFontWeight", "normal"},
          {"labelColor", color::kQuietInk},
          {"titleColor", color::kQuietInk},
          {"domain", false},
          {"ticks", false},
          {"labelPadding", 6},
          {"gridColor", color::kGrid}}},
        {"legend", {{"labelFontSize", 12}, {"labelColor", color::kQuietInk}, {"rowPadding", 4}}}}}};
}

Chart drawn(std::string name, std::string title, Json spec) {
  return {.name = std::move(name),
          .title = std::move(title),
          .spec = std::make_shared<const Json>(std::move(spec))};
}

Json charts_of(const Document& document) {
  Json list = Json::array();
  for (const Block& block : document.blocks) {
    const auto* const charts = std::get_if<Charts>(&block.content);
    if (charts == nullptr) continue;
    for (const Chart& chart : charts->draw()) {
      list.push_back({{"name", chart.name}, {"title", chart.title}, {"spec", *chart.spec}});
    }
  }
  return list;
}

}  // namespace planner::present
