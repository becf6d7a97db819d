#include "planner/present/charts/charts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "planner/commands/plans/plans.hpp"
#include "planner/domain/names.hpp"
#include "planner/domain/plan_parts.hpp"
#include "planner/present/text.hpp"

namespace planner::commands {

namespace {

using namespace present;

constexpr std::ptrdiff_t kMostBars = 10;

/// "TP 8 · PP 16 · DP 256": the split_degrees that divide something.
std::string split_degrees(const Strategy& s) {
  std::string name;
  for (const auto& [words, split] :
       {std::pair{"TP", s.tp}, {"CP", s.cp}, {"PP", s.pp}, {"DP", s.dp}, {"EP", s.ep}}) {
    if (split.total() == 1) continue;
    name += fmt::format("{}{} {}", name.empty() ? "" : " · ", words, split.total());
  }
  return name.empty() ? "one GPU" : name;
}

/// A setting in which strategies of the same split_degrees may differ; empty: it has none.
struct Setting {
  const char* name;
  std::string (*text)(const Strategy&);
};
constexpr auto kSettings = std::to_array<Setting>({
    {"vp", [](const Strategy& s) { return fmt::to_string(s.interleave); }},
    {"mbs", [](const Strategy& s) { return fmt::to_string(s.micro_batch); }},
    {"recompute", [](const Strategy& s) { return std::string{name_of(s.recompute)}; }},
    {"ZeRO", [](const Strategy& s) { return fmt::to_string(s.zero); }},
    {"shard ranks",
     [](const Strategy& s) {
       return s.zero == 3 ? fmt::to_string(s.ranks_per_replica()) : std::string{};
     }},
    {"SP", [](const Strategy& s) { return std::string{s.sequence_parallel ? "yes" : "no"}; }},
    {"ETP", [](const Strategy& s) { return fmt::to_string(s.expert_tp); }},
    {"schedule", [](const Strategy& s) { return std::string{name_of(s.schedule())}; }},
});

/// Names that tell the strategies apart: rank, split_degrees, and what those of the same
/// split_degrees differ in.
std::vector<std::string> names_of(const std::vector<Plan>& plans) {
  std::vector<std::string> names;
  for (const Plan& plan : plans) {
    const Strategy& mine = plan.strategy;
    std::string name = fmt::format("{}. {}", names.size() + 1, split_degrees(mine));
    for (const auto& [words, text] : kSettings) {
      const std::string value = text(mine);
      if (value.empty()) continue;
      const bool differs =
          std::any_of(plans.begin(), plans.end(), [&, text = text](const Plan& other) {
            return split_degrees(other.strategy) == split_degrees(mine) &&
                   text(other.strategy) != value;
          });
      if (differs) name += fmt::format(", {} {}", words, value);
    }
    names.push_back(std::move(name));
  }
  return names;
}

/// A bar of each plan's parts, in the order of the chart's categories.
template <class Parts, class Breakdown>
std::vector<Bar> bars_of(const std::vector<Plan>& plans, const Parts& parts,
                         Breakdown Plan::*breakdown, const std::vector<Category>& categories) {
  const std::vector<std::string> names = names_of(plans);
  std::vector<Bar> bars;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    Bar& bar = bars.emplace_back(Bar{.name = names[i], .values = {}});
    for (const Category& category : categories) {
      const auto part = std::find_if(parts.begin(), parts.end(),
                                     [&](const auto& p) { return p.key == category.key; });
      bar.values.push_back((plans[i].*breakdown.*part->amount).si());
    }
  }
  return bars;
}

std::optional<Chart> time_chart(const std::vector<Plan>& plans) {
  std::vector<Bar> bars = bars_of(plans, time_parts(), &Plan::time, time_terms());
  if (bars.front().total() <= 0) return std::nullopt;
  const std::string title = largest_share({bars.front()}, time_terms()) + " of the iteration time" +
                            (bars.size() > 1 ? " of the best strategy" : "");
  return time_by_term(title, std::move(bars), "strategy");
}

std::optional<Chart> memory_chart(const std::vector<Plan>& plans) {
  const std::vector<Bar> bars = bars_of(plans, memory_parts(), &Plan::memory, memory_categories());
  const double capacity = plans.front().capacity.si(), most = largest_total(bars);
  if (bars.front().total() <= 0) return std::nullopt;
  const auto in_gigabytes = [](double bytes) {
    return unit_of(Measured::memory, bytes).format(bytes);
  };
  std::string title = largest_share({bars.front()}, memory_categories()) + " of the memory in use" +
                      (bars.size() > 1 ? " with the best strategy" : "");
  if (most > capacity) {
    title = fmt::format("Does not fit: {} are more than the {} of a GPU", in_gigabytes(most),
                        in_gigabytes(capacity));
  }
  return stacked_bars({.name = "memory_by_part",
                       .title = title,
                       .subtitle = "Memory of the fullest GPU by part; the line is what it has, " +
                                   in_gigabytes(capacity),
                       .categories = memory_categories(),
                       .bars = bars,
                       .quantity = Measured::memory,
                       .bar_is = "strategy",
                       .limit = capacity});
}

Chart memory_against_time(const std::vector<Plan>& front) {
  Json values = Json::array();
  for (const Plan& plan : front) {
    values.push_back(
        {{"memory", plan.memory.total().in(units::GB)}, {"time", plan.time.total().si()}});
  }
  const auto gigabytes = [](const Plan& p) { return significant(p.memory.total().in(units::GB)); };
  const auto seconds = [](const Plan& p) { return significant(p.time.total().si()); };
  const std::string title =
      fmt::format("{} GB take {} s per iteration, {} GB take {} s", gigabytes(front.front()),
                  seconds(front.front()), gigabytes(front.back()), seconds(front.back()));
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
  return drawn("memory_against_time", title, std::move(spec));
}

}  // namespace

void add_plan_charts(const std::vector<Plan>& plans, const std::vector<Plan>& front,
                     const PlanExtras& extras, Document& document) {
  const std::vector<Plan> shown{plans.begin(),
                                plans.begin() + std::min(std::ssize(plans), kMostBars)};
  document.add(Charts{[=] {
    std::vector<Chart> charts;
    for (std::optional<Chart> chart : {time_chart(shown), memory_chart(shown)}) {
      if (chart) charts.push_back(*std::move(chart));
    }
    if (!front.empty()) charts.push_back(memory_against_time(front));
    if (extras.forecast) add_run_charts({charted(*extras.forecast, extras.outlook)}, charts);
    if (extras.outlook) {
      if (auto chart = decides_chart(*extras.outlook, {})) charts.push_back(*std::move(chart));
    }
    if (extras.traffic) add_traffic_charts(*extras.traffic, charts);
    return charts;
  }});
}

}  // namespace planner::commands
