#include <algorithm>

#include "planner/present/charts/charts.hpp"
#include "planner/present/charts/colors.hpp"

namespace planner::present {

namespace {

constexpr double kRangeRowHeight = 46, kRangeHeight = 16;  // pixels
constexpr double kRoomForAmounts = 0.16;                   // of the axis, on either side

Json rows_of(const RangeChart& chart) {
  Json rows = Json::array();
  for (const RangeBar& bar : chart.bars) {
    const Unit unit = unit_of(chart.quantity, bar.high);
    rows.push_back({{"cause", bar.name},
                    {"low", bar.low},
                    {"high", bar.high},
                    {"from", unit.format(bar.low)},
                    {"to", unit.format(bar.high)}});
  }
  return rows;
}

Json text_layer(const char* name, const char* align, double dx, double dy, Json x, const char* text,
                const char* color) {
  return {{"name", name},
          {"mark",
           {{"type", "text"},
            {"align", align},
            {"baseline", "middle"},
            {"dx", dx},
            {"dy", dy},
            {"fontSize", 12},
            {"color", color}}},
          {"encoding", {{"x", std::move(x)}, {"text", {{"field", text}, {"type", "nominal"}}}}}};
}

}  // namespace

Chart range_bars(const RangeChart& chart) {
  double low = chart.middle, high = chart.middle;
  for (const RangeBar& bar : chart.bars) {
    low = std::min(low, bar.low);
    high = std::max(high, bar.high);
  }
  const double room = kRoomForAmounts * (high - low);
  const Json scale{{"domain", {low - room, high + room}}, {"nice", false}, {"zero", false}};
  const auto x = [&](const char* field) -> Json {
    return {{"field", field},
            {"type", "quantitative"},
            {"scale", scale},
            {"axis",
             {{"title", nullptr},
              {"tickCount", {{"expr", "max(2, floor(width / 130))"}}},
              {"labelExpr", tick_label(axis_unit(chart.quantity, high))}}}};
  };
  Json spec = chart_frame(chart.title, chart.subtitle);
  spec["height"] = kRangeRowHeight * static_cast<double>(chart.bars.size());
  spec["data"] = {{"values", rows_of(chart)}};
  spec["encoding"] = {{"y",
                       {{"field", "cause"},
                        {"type", "nominal"},
                        {"sort", nullptr},
                        {"axis", nullptr},
                        {"scale", {{"padding", 0}}}}}};
  const double above = -kRangeHeight / 2 - 9;
  spec["layer"] = {
      {{"name", "range"},
       {"mark", {{"type", "bar"}, {"height", kRangeHeight}, {"color", color::of(Shade::grey)}}},
       {"encoding",
        {{"x", x("low")},
         {"x2", {{"field", "high"}}},
         {"tooltip",
          {{{"field", "cause"}, {"type", "nominal"}},
           {{"field", "from"}, {"type", "nominal"}},
           {{"field", "to"}, {"type", "nominal"}}}}}}},
      text_layer("cause_label", "left", 0, above, {{"value", 0}}, "cause", color::kInk),
      text_layer("from_label", "right", -5, 0, x("low"), "from", color::kQuietInk),
      text_layer("to_label", "left", 5, 0, x("high"), "to", color::kQuietInk),
      {{"name", "expected"},
       {"data", {{"values", Json::array({{{"middle", chart.middle}}})}}},
       {"mark", {{"type", "rule"}, {"color", color::kInk}, {"strokeDash", {4, 3}}}},
       {"encoding", {{"x", x("middle")}, {"y", nullptr}}}}};
  return drawn(chart.name, chart.title, std::move(spec));
}

}  // namespace planner::present
