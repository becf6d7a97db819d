#include <fmt/format.h>

#include "planner/report/charts_parts.hpp"
#include "planner/report/text.hpp"

// `optimize` and `estimate`.
namespace planner {

namespace {

/// The best strategies, best first; the one that was estimated; none in other answers.
std::vector<Json> plans_of(const Json& answer) {
  const Json& top = at(answer, {"result", "top"});
  if (top.is_array()) return top.get<std::vector<Json>>();
  const Json& result = at(answer, {"result"});
  return at(result, {"strategy"}).is_object() ? std::vector<Json>{result} : std::vector<Json>{};
}

/// "2. TP 8 · PP 16 · DP 256": its rank and the degrees that divide something.
std::string strategy_name(const Json& plan, std::size_t rank) {
  std::string name;
  for (const auto& [key, words] :
       {std::pair{"tp", "TP"}, {"cp", "CP"}, {"pp", "PP"}, {"dp", "DP"}, {"ep", "EP"}}) {
    const double degree = number(plan, {"strategy", key}).value_or(1);
    if (degree > 1) name += fmt::format("{}{} {}", name.empty() ? "" : " · ", words, degree);
  }
  return fmt::format("{}. {}", rank, name.empty() ? "one GPU" : name);
}

std::vector<Bar> bars_of(const std::vector<Json>& plans, const char* part,
                         const std::vector<Category>& categories) {
  std::vector<Bar> bars;
  for (const Json& plan : plans) {
    Bar bar{.name = strategy_name(plan, bars.size() + 1), .values = {}};
    for (const Category& category : categories) {
      bar.values.push_back(number(plan, {part, category.key}).value_or(0));
    }
    bars.push_back(std::move(bar));
  }
  return bars;
}

/// "compute: 84 %" of the best strategy.
std::string share_of_best(const std::vector<Bar>& bars, const std::vector<Category>& categories) {
  return largest_share({bars.front()}, categories);
}

Json time_chart(const std::vector<Json>& plans) {
  const std::vector<Bar> bars = bars_of(plans, "breakdown_s", time_terms());
  if (largest_total({bars.front()}) <= 0) return nullptr;
  return stacked_bars({.name = "time_by_term",
                       .title = share_of_best(bars, time_terms()) + " of the iteration time" +
                                (bars.size() > 1 ? " of the best strategy" : ""),
                       .subtitle = "Time of one iteration by term, without failures",
                       .categories = time_terms(),
                       .bars = bars,
                       .quantity = Measured::time,
                       .bar_is = "strategy"});
}

Json memory_chart(const std::vector<Json>& plans) {
  const std::vector<Bar> bars = bars_of(plans, "memory", memory_categories());
  const auto capacity = number(plans.front(), {"memory", "capacity_bytes"});
  if (largest_total({bars.front()}) <= 0 || !capacity) return nullptr;
  return stacked_bars({.name = "memory_by_part",
                       .title = share_of_best(bars, memory_categories()) + " of the memory in use" +
                                (bars.size() > 1 ? " with the best strategy" : ""),
                       .subtitle = "Memory of the fullest GPU by part; it has " +
                                   unit_of(Measured::memory, *capacity).format(*capacity),
                       .categories = memory_categories(),
                       .bars = bars,
                       .quantity = Measured::memory,
                       .bar_is = "strategy"});
}

Json memory_against_time(const Json& answer) {
  const Json& front = at(answer, {"result", "pareto"});
  if (!front.is_array() || front.empty()) return nullptr;
  Json values = Json::array();
  for (const Json& plan : front) {
    const auto time = number(plan, {"iteration_time_s"});
    const auto memory = number(plan, {"memory", "total_bytes"});
    if (time && memory) values.push_back({{"memory", *memory / 1e9}, {"time", *time}});
  }
  if (values.empty()) return nullptr;
  const Json &least = values.front(), &fastest = values.back();
  const std::string title = fmt::format(
      "{} GB take {} s per iteration, {} GB take {} s", significant(least["memory"].get<double>()),
      significant(least["time"].get<double>()), significant(fastest["memory"].get<double>()),
      significant(fastest["time"].get<double>()));
  Json spec = chart_frame(title,
                          "The front of time against memory of the fullest GPU: no strategy is "
                          "faster in as little. The axes do not start at zero.");
  spec["height"] = 320;
  spec["data"] = {{"values", values}};
  const auto axis = [](const char* field, const char* of) {
    return Json{{"field", field},
                {"type", "quantitative"},
                {"scale", {{"zero", false}}},
                {"axis", {{"title", of}}}};
  };
  spec["mark"] = {{"type", "line"},
                  {"interpolate", "step-after"},
                  {"strokeWidth", 2},
                  {"color", "#2f74b8"},
                  {"point", {{"filled", true}, {"size", 40}, {"color", "#2f74b8"}}}};
  spec["encoding"] = {{"x", axis("memory", "GB of the fullest GPU")},
                      {"y", axis("time", "seconds per iteration")}};
  return {{"name", "memory_against_time"}, {"title", title}, {"spec", spec}};
}

}  // namespace

std::vector<Json> plan_charts(const Json& answer) {
  std::vector<Json> list;
  const std::vector<Json> plans = plans_of(answer);
  if (plans.empty()) return list;
  for (Json chart : {time_chart(plans), memory_chart(plans), memory_against_time(answer)}) {
    if (!chart.is_null()) list.push_back(std::move(chart));
  }
  return list;
}

}  // namespace planner
