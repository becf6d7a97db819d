#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "planner/present/blocks.hpp"
#include "planner/present/charts/charts.hpp"
#include "planner/present/charts/colors.hpp"
#include "planner/present/currency.hpp"
#include "planner/present/text.hpp"

namespace planner::present {

namespace {

// Lengths in pixels.
constexpr double kRowHeight = 68, kBarHeight = 30;
constexpr double kLine = 12;          ///< of the text in a segment
constexpr double kCharacter = 6.6;    ///< mean width of one at 11 px, generous
constexpr double kRoomForMore = 0.1;  ///< of the axis, for the mark at an incomplete bar's end

std::vector<Unit> units_of(Measured quantity) {
  switch (quantity) {
    case Measured::money: {
      const std::string sign = currency_sign(money_unit());
      return {{sign, "", 1}, {sign, " k", 1e3}, {sign, " M", 1e6}, {sign, " B", 1e9}};
    }
    case Measured::power:
      return {{"", " W", 1}, {"", " kW", 1e3}, {"", " MW", 1e6}};
    case Measured::time:
      return {{"", " µs", 1e-6}, {"", " ms", 1e-3}, {"", " s", 1}};
    case Measured::days:
      return {{"", " days", 1}};
    case Measured::memory:
      return {{"", " MB", 1e6}, {"", " GB", 1e9}};
    case Measured::share:
      return {{"", " %", 0.01}};
    case Measured::relative_money:
      break;
  }
  return {{"", "", 1}};
}

std::string amount_of(const BarChart& chart, double value) {
  return unit_of(chart.quantity, value).format(value);
}

/// One row per segment. Both ends are here, so that a label can stand in the middle.
Json segments(const BarChart& chart) {
  Json rows = Json::array();
  for (const Bar& bar : chart.bars) {
    double start = 0;
    for (std::size_t i = 0; i < chart.categories.size(); ++i) {
      const double value = bar.values[i];
      if (value <= 0) continue;
      const Category& category = chart.categories[i];
      const std::string amount = amount_of(chart, value);
      const std::size_t characters = std::max(display_width(category.label), display_width(amount));
      rows.push_back({{chart.bar_is, bar.name},
                      {"part", category.label},
                      {"value", value},
                      {"start", start},
                      {"end", start + value},
                      {"middle", start + value / 2},
                      {"amount", amount},
                      {"label", Json::array({category.label, amount})},
                      {"share", fmt::format("{:.1f} %", 100 * value / bar.total())},
                      {"ink", category.ink},
                      {"room", kCharacter * static_cast<double>(characters) + 8}});
      start += value;
    }
  }
  return rows;
}

/// One row per bar, for what stands above it and at its end.
Json totals(const BarChart& chart) {
  Json rows = Json::array();
  for (const Bar& bar : chart.bars) {
    std::string total = amount_of(chart, bar.total());
    if (bar.total() <= 0) {
      total = "not known";
    } else if (bar.at_least) {
      total.insert(0, kAtLeast);
    }
    rows.push_back({{chart.bar_is, bar.name},
                    {"end", bar.total()},
                    {"total", total},
                    {"more", bar.at_least ? "+ ?" : ""}});
  }
  return rows;
}

Json colors(const BarChart& chart) {
  Json labels = Json::array(), range = Json::array(), legend;
  for (std::size_t i = 0; i < chart.categories.size(); ++i) {
    const bool drawn = std::any_of(chart.bars.begin(), chart.bars.end(),
                                   [&](const Bar& bar) { return bar.values[i] > 0; });
    if (!drawn) continue;
    labels.push_back(chart.categories[i].label);
    range.push_back(chart.categories[i].color);
  }
  if (labels.size() > 1) {
    legend = {{"orient", "bottom"},
              {"title", nullptr},
              {"symbolType", "square"},
              {"columns", {{"expr", "max(2, floor(width / 170))"}}}};
  }
  return {{"field", "part"},
          {"type", "nominal"},
          {"sort", nullptr},
          {"scale", {{"domain", labels}, {"range", range}}},
          {"legend", legend}};
}

Json value_axis(const BarChart& chart, double largest) {
  return {{"type", "quantitative"},
          {"scale", {{"domain", {0, largest}}, {"nice", false}, {"zero", true}}},
          {"axis",
           {{"title", nullptr},
            {"tickCount", {{"expr", "max(2, floor(width / 110))"}}},
            {"labelFlush", true},
            {"labelExpr", tick_label(axis_unit(chart.quantity, largest))}}}};
}

Json with_field(Json channel, const char* field) {
  channel["field"] = field;
  return channel;
}

Json text_mark(const char* align, double dx, double dy, const char* color) {
  return {{"type", "text"}, {"align", align}, {"baseline", "middle"}, {"dx", dx},
          {"dy", dy},       {"fontSize", 13}, {"color", color}};
}

Json bar_layer(const BarChart& chart, const Json& axis) {
  Json tip = Json::array();
  for (const std::string& field :
       {chart.bar_is, std::string{"part"}, std::string{"amount"}, std::string{"share"}}) {
    tip.push_back({{"field", field}, {"type", "nominal"}, {"title", field}});
  }
  return {
      {"name", "segment"},
      {"mark",
       {{"type", "bar"}, {"height", kBarHeight}, {"stroke", color::kWhite}, {"strokeWidth", 1}}},
      {"encoding",
       {{"x", with_field(axis, "start")},
        {"x2", {{"field", "end"}}},
        {"color", colors(chart)},
        {"tooltip", tip}}}};
}

/// What a segment is and how much, where there is room inside it.
Json segment_label(const Json& axis, double largest) {
  Json mark = text_mark("center", 0, -kLine / 2, color::kWhite);
  mark["fontSize"] = 11;
  mark["lineHeight"] = kLine;
  const std::string fits = fmt::format("datum.value / {} * width > datum.room", largest);
  return {
      {"name", "segment_label"},
      {"mark", mark},
      {"encoding",
       {{"x", with_field(axis, "middle")},
        {"text",
         {{"condition", {{"test", fits}, {"field", "label"}, {"type", "nominal"}}}, {"value", ""}}},
        {"color", {{"field", "ink"}, {"type", "nominal"}, {"scale", nullptr}}}}}};
}

Json row_labels(const BarChart& chart, const Json& axis) {
  const double above = -kBarHeight / 2 - 12;
  Json name = text_mark("left", 0, above, color::kInk);
  name["fontWeight"] = 600;
  const Json rows = totals(chart);
  std::size_t characters = 0;
  for (const Json& row : rows) {
    characters = std::max(characters, display_width(row["total"].get<std::string>()));
  }
  constexpr double kTotalCharacter = 8;  // mean width at 13 px, generous
  name["limit"] = {
      {"expr", fmt::format("width - {}", kTotalCharacter * static_cast<double>(characters) + 15)}};
  const Json data{{"values", rows}};
  const auto text_of = [](const char* field) -> Json {
    return {{"field", field}, {"type", "nominal"}};
  };
  return {{{"name", "cluster_label"},
           {"data", data},
           {"mark", name},
           {"encoding", {{"x", {{"value", 0}}}, {"text", text_of(chart.bar_is.c_str())}}}},
          {{"name", "total_label"},
           {"data", data},
           {"mark", text_mark("right", 0, above, color::kInk)},
           {"encoding", {{"x", {{"value", {{"expr", "width"}}}}}, {"text", text_of("total")}}}},
          {{"name", "more_label"},
           {"data", data},
           {"mark", text_mark("left", 5, 0, color::kQuietInk)},
           {"encoding", {{"x", with_field(axis, "end")}, {"text", text_of("more")}}}}};
}

/// A dashed line through all bars.
Json limit_rule(const BarChart& chart, const Json& axis) {
  return {{"name", "limit"},
          {"data", {{"values", Json::array({{{"limit", chart.limit}}})}}},
          {"mark", {{"type", "rule"}, {"color", color::kInk}, {"strokeDash", {4, 3}}}},
          {"encoding", {{"x", with_field(axis, "limit")}, {"y", nullptr}}}};
}

}  // namespace

double Bar::total() const {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

std::string Unit::format(double value) const {
  return before + significant(value / scale) + after;
}

Unit unit_of(Measured quantity, double value) {
  const std::vector<Unit> units = units_of(quantity);
  Unit chosen = units.front();
  for (const Unit& unit : units) {
    if (value >= unit.scale) chosen = unit;
  }
  return chosen;
}

Unit axis_unit(Measured quantity, double largest) {
  return unit_of(quantity, largest / 2);
}

std::string tick_label(const Unit& unit) {
  return fmt::format("'{}' + format(datum.value / {}, ',~r') + '{}'", unit.before, unit.scale,
                     unit.after);
}

double largest_total(const std::vector<Bar>& bars) {
  double largest = 0;
  for (const Bar& bar : bars) largest = std::max(largest, bar.total());
  return largest;
}

std::string largest_share(const std::vector<Bar>& bars, const std::vector<Category>& categories) {
  std::vector<double> sums(categories.size());
  double total = 0;
  for (const Bar& bar : bars) {
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += bar.values[i];
    total += bar.total();
  }
  const auto largest = std::max_element(sums.begin(), sums.end());
  const auto index = static_cast<std::size_t>(largest - sums.begin());
  return fmt::format("{}: {:.0f} %", categories[index].label, 100 * *largest / total);
}

bool any_at_least(const std::vector<Bar>& bars) {
  return std::any_of(bars.begin(), bars.end(), [](const Bar& bar) { return bar.at_least; });
}

Chart stacked_bars(const BarChart& chart) {
  double largest = std::max(largest_total(chart.bars), chart.limit);
  if (any_at_least(chart.bars)) largest *= 1 + kRoomForMore;
  const Json axis = value_axis(chart, largest);
  Json spec = chart_frame(chart.title, chart.subtitle);
  spec["height"] = kRowHeight * static_cast<double>(chart.bars.size());
  spec["data"] = {{"values", segments(chart)}};
  spec["encoding"] = {{"y",
                       {{"field", chart.bar_is},
                        {"type", "nominal"},
                        {"sort", nullptr},
                        {"axis", nullptr},
                        {"scale", {{"padding", 0}}}}}};
  spec["layer"] = {bar_layer(chart, axis), segment_label(axis, largest)};
  for (Json& layer : row_labels(chart, axis)) spec["layer"].push_back(std::move(layer));
  if (chart.limit > 0) spec["layer"].push_back(limit_rule(chart, axis));
  return drawn(chart.name, chart.title, std::move(spec));
}

Chart time_by_term(const std::string& title, std::vector<Bar> bars, const std::string& bar_is) {
  return stacked_bars({.name = "time_by_term",
                       .title = title,
                       .subtitle = "Time of one iteration by term, without failures",
                       .categories = time_terms(),
                       .bars = std::move(bars),
                       .quantity = Measured::time,
                       .bar_is = bar_is});
}

}  // namespace planner::present
