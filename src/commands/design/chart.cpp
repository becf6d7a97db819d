#include <fmt/format.h>

#include "planner/commands/design/design.hpp"
#include "planner/present/charts/charts.hpp"
#include "planner/present/currency.hpp"
#include "planner/present/text.hpp"

namespace planner::commands {

namespace {

using present::Json;

/// A measure as a chart has it.
struct Axis {
  std::string title;  ///< with its unit
  const char* words;
  double (*value)(const DesignSummary&);
};

double millions(Money amount) {
  return present::shown_amount(amount.dollars()) / 1e6;
}

Axis axis_of(Measure measure, const std::optional<std::string>& judged_by) {
  using D = DesignSummary;
  const std::string of_money = ", million " + present::money_words();
  switch (measure) {
    case Measure::tco:
      return {judged_by.value_or(kTotalCost) + of_money, "cost of ownership",
              [](const D& d) { return millions(d.owning().expected); }};
    case Measure::capex:
      return {"purchase" + of_money, "purchase", [](const D& d) { return millions(to_pay(d)); }};
    case Measure::run_cost:
      return {"cost of the run" + of_money, "cost of the run",
              [](const D& d) { return millions(d.run_cost); }};
    case Measure::days:
      return {"days", "days", [](const D& d) { return d.from_order().in(units::day); }};
    case Measure::power:
      return {"IT power, MW", "power", [](const D& d) { return d.it.si() / 1e6; }};
    case Measure::facility_power:
      return {"power with cooling, MW", "power with cooling",
              [](const D& d) { return d.facility.value_or(Watts{}).si() / 1e6; }};
    case Measure::energy:
      return {"energy of the run, MWh", "energy",
              [](const D& d) { return d.energy.in(1000 * units::kWh); }};
    case Measure::co2:
      return {"CO₂ of the run, t", "CO₂", [](const D& d) { return d.co2_kg.value_or(0) / 1000; }};
    case Measure::gpus:
      return {"GPUs bought", "GPUs", [](const D& d) { return static_cast<double>(d.gpus); }};
  }
  return {"", "", [](const D&) { return 0.0; }};
}

Json encoded(const char* field, const std::string& title) {
  return {{"field", field},
          {"type", "quantitative"},
          {"scale", {{"type", "log"}, {"nice", false}}},
          {"axis", {{"title", title}, {"format", "~r"}, {"labelOverlap", true}}}};
}

}  // namespace

std::optional<present::Chart> front_chart(const DesignAnswer& answer) {
  if (answer.front.size() < 2 || answer.brief.front.size() < 2) return std::nullopt;
  const Axis x = axis_of(answer.brief.front[0], answer.judged_by),
             y = axis_of(answer.brief.front[1], answer.judged_by);
  Json values = Json::array();
  for (const DesignSummary& design : answer.front) {
    values.push_back({{"x", x.value(design)},
                      {"y", y.value(design)},
                      {"system", design.cluster.system},
                      {"design", design.cluster.title},
                      {"days", in_days(design.from_order())},
                      {"to buy", present::money(design.capex.expected).text},
                      {"to own", present::money(design.owning().expected).text},
                      {"MW", design.it.si() / 1e6}});
  }
  const std::string title = fmt::format("{} designs that nothing beats in both {} and {}",
                                        answer.front.size(), x.words, y.words);
  Json spec = present::chart_frame(
      title, "Each point is a cluster that can be bought; its size is its power.");
  spec["height"] = 360;
  spec["data"] = {{"values", std::move(values)}};
  spec["mark"] = {{"type", "point"}, {"filled", true}, {"opacity", 0.85}};
  const auto told = [](const char* field) { return Json{{"field", field}, {"type", "nominal"}}; };
  spec["encoding"] = {{"x", encoded("x", x.title)},
                      {"y", encoded("y", y.title)},
                      {"color", {{"field", "system"}, {"type", "nominal"}}},
                      {"size", {{"field", "MW"}, {"type", "quantitative"}}},
                      {"tooltip",
                       {told("design"),
                        told("days"),
                        told("to buy"),
                        told("to own"),
                        {{"field", "MW"}, {"type", "quantitative"}, {"format", ".3~g"}}}}};
  return present::drawn("front", title, std::move(spec));
}

}  // namespace planner::commands
