#include <fmt/format.h>

#include <algorithm>

#include "planner/present/text.hpp"
#include "planner/report/charts_parts.hpp"

// `optimize` and `estimate`.
namespace planner {

namespace {

constexpr std::ptrdiff_t kMostBars = 10;

/// The best few strategies, best first; the one that was estimated; none in other answers.
std::vector<Json> plans_of(const Json& answer) {
  const Json& top = at(answer, {"result", "top"});
  if (top.is_array()) {
    const auto shown = std::min(std::ssize(top), kMostBars);
    return {top.begin(), top.begin() + shown};
  }
  const Json& result = at(answer, {"result"});
  return at(result, {"strategy"}).is_object() ? std::vector<Json>{result} : std::vector<Json>{};
}

/// "TP 8 · PP 16 · DP 256": the degrees that divide something.
std::string degrees(const Json& strategy) {
  std::string name;
  for (const auto& [key, words] :
       {std::pair{"tp", "TP"}, {"cp", "CP"}, {"pp", "PP"}, {"dp", "DP"}, {"ep", "EP"}}) {
    const double degree = number(strategy, {key}).value_or(1);
    if (degree > 1) name += fmt::format("{}{} {}", name.empty() ? "" : " · ", words, degree);
  }
  return name.empty() ? "one GPU" : name;
}

std::string in_words(const Json& value) {
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// Names that tell the strategies apart: rank, degrees, and what those of the same degrees differ
/// in.
std::vector<std::string> strategy_names(const std::vector<Json>& plans) {
  std::vector<std::string> names;
  for (const Json& plan : plans) {
    const Json& mine = at(plan, {"strategy"});
    std::string name = fmt::format("{}. {}", names.size() + 1, degrees(mine));
    for (const auto& [key, words] : {std::pair{"interleave", "vp"},
                                     {"micro_batch", "mbs"},
                                     {"recompute", "recompute"},
                                     {"zero", "ZeRO"},
                                     {"shard_ranks", "shard ranks"},
                                     {"sequence_parallel", "SP"},
                                     {"expert_tp", "ETP"},
                                     {"schedule", "schedule"}}) {
      const Json& value = at(mine, {key});
      if (value.is_null()) continue;
      const bool differs =
          std::any_of(plans.begin(), plans.end(), [&, key = key](const Json& other) {
            const Json& theirs = at(other, {"strategy"});
            return degrees(theirs) == degrees(mine) && at(theirs, {key}) != value;
          });
      if (differs) name += fmt::format(", {} {}", words, in_words(value));
    }
    names.push_back(std::move(name));
  }
  return names;
}

std::vector<Bar> bars_of(const std::vector<Json>& plans, const char* part,
                         const std::vector<Category>& categories) {
  const std::vector<std::string> names = strategy_names(plans);
  std::vector<Bar> bars;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    bars.push_back(bar_of(names[i], at(plans[i], {part}), categories));
  }
  return bars;
}

Json time_chart(const std::vector<Json>& plans) {
  std::vector<Bar> bars = bars_of(plans, "breakdown_s", time_terms());
  if (bars.front().total() <= 0) return nullptr;
  const std::string title = largest_share({bars.front()}, time_terms()) + " of the iteration time" +
                            (bars.size() > 1 ? " of the best strategy" : "");
  return json_of(present::time_by_term(title, std::move(bars), "strategy"));
}

Json memory_chart(const std::vector<Json>& plans) {
  const std::vector<Bar> bars = bars_of(plans, "memory", memory_categories());
  const auto capacity = number(plans.front(), {"memory", "capacity_bytes"});
  const double most = largest_total(bars);
  if (bars.front().total() <= 0 || !capacity) return nullptr;
  const auto in_gigabytes = [](double bytes) {
    return unit_of(Measured::memory, bytes).format(bytes);
  };
  std::string title = largest_share({bars.front()}, memory_categories()) + " of the memory in use" +
                      (bars.size() > 1 ? " with the best strategy" : "");
  if (most > *capacity) {
    title = fmt::format("Does not fit: {} are more than the {} of a GPU", in_gigabytes(most),
                        in_gigabytes(*capacity));
  }
  return json_of(present::stacked_bars(
      {.name = "memory_by_part",
       .title = title,
       .subtitle =
           "Memory of the fullest GPU by part; the line is what it has, " + in_gigabytes(*capacity),
       .categories = memory_categories(),
       .bars = bars,
       .quantity = Measured::memory,
       .bar_is = "strategy",
       .limit = *capacity}));
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
                          "faster in as little.");
  spec["height"] = 320;
  spec["data"] = {{"values", values}};
  const auto axis = [](const char* field, const char* of, Json scale) {
    return Json{{"field", field},
                {"type", "quantitative"},
                {"scale", std::move(scale)},
                {"axis", {{"title", of}, {"format", "~r"}, {"labelOverlap", true}}}};
  };
  spec["mark"] = {{"type", "line"},
                  {"interpolate", "step-after"},
                  {"strokeWidth", 2},
                  {"color", color::of(Shade::blue)},
                  {"point", {{"filled", true}, {"size", 40}, {"color", color::of(Shade::blue)}}}};
  spec["encoding"] = {{"x", axis("memory", "GB of the fullest GPU", {{"zero", false}})},
                      {"y", axis("time", "seconds per iteration", {{"type", "log"}})}};
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
