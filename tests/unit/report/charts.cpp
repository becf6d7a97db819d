#include "planner/report/charts.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "planner/domain/plan_parts.hpp"
#include "planner/report/charts_parts.hpp"

using namespace planner;

namespace {

/// One category of a cluster's capital cost.
Json amount(double expected, int unpriced = 0) {
  return {{"amount", {{"low", expected}, {"expected", expected}, {"high", expected}}},
          {"unpriced_lines", unpriced}};
}

Json cluster(const std::string& title, double switches, double transceivers, double seconds) {
  return {{"title", "GPT on 8 GPUs, " + title},
          {"currency", "USD"},
          {"capex_usd", switches + transceivers},
          {"unpriced_lines", 0},
          {"capex_by_category",
           {{"switches", amount(switches)}, {"transceivers", amount(transceivers)}}},
          {"lines", {{{"category", "switches"}, {"power_w", 1500.0}}}},
          {"training",
           {{"iteration_time_s", seconds},
            {"plan", {{"breakdown_s", {{"last_stage_compute", seconds - 1}, {"sync", 1.0}}}}}}}};
}

Json compared(std::initializer_list<Json> clusters) {
  return {{"command", "compare"}, {"result", {{"clusters", clusters}}}};
}

const Json& named(const Json& list, const std::string& name) {
  for (const Json& chart : list) {
    if (chart["name"] == name) return chart;
  }
  throw std::out_of_range(name);
}

double sum(const Json& spec, const std::string& bar) {
  double total = 0;
  for (const Json& row : spec["data"]["values"]) {
    const std::string name = row.contains("cluster") ? row["cluster"] : row["strategy"];
    if (name == bar) total += row["value"].get<double>();
  }
  return total;
}

}  // namespace

TEST_CASE("a comparison has four charts, each a Vega-Lite specification with its data inside") {
  const Json list = charts(compared({cluster("tree", 60, 40, 3), cluster("rails", 30, 30, 3)}));
  REQUIRE(list.size() == 4);
  for (const Json& chart : list) {
    CHECK(chart["spec"]["$schema"] == "https://vega.github.io/schema/vega-lite/v5.json");
    CHECK(chart["spec"]["title"]["text"] == chart["title"]);
    CHECK(chart.dump().find("\"url\"") == std::string::npos);
  }
}

TEST_CASE("the segments of a bar sum to what the answer says, and lie end to end") {
  const Json list = charts(compared({cluster("tree", 60, 40, 3), cluster("rails", 30, 30, 2)}));
  const Json& cost = named(list, "cost_by_category")["spec"];
  CHECK(sum(cost, "tree") == 100);
  CHECK(sum(cost, "rails") == 60);
  CHECK(sum(named(list, "time_by_term")["spec"], "rails") == 2);
  CHECK(sum(named(list, "power_by_part")["spec"], "tree") == 1500);
  CHECK(cost["data"]["values"][0]["start"] == 0);
  CHECK(cost["data"]["values"][1]["start"] == cost["data"]["values"][0]["end"]);
  CHECK(named(list, "cost_by_category")["title"] == "rails costs least, 40.0 % less than tree");
}

TEST_CASE("bars start at zero") {
  const Json list = charts(compared({cluster("tree", 60, 40, 3), cluster("rails", 30, 30, 2)}));
  for (const char* name : {"cost_by_category", "time_by_term", "power_by_part"}) {
    CHECK(named(list, name)["spec"]["layer"][0]["encoding"]["x"]["scale"]["domain"][0] == 0);
  }
}

TEST_CASE("a bar with lines that have no price is marked") {
  Json partly = cluster("tree", 60, 40, 3);
  partly["unpriced_lines"] = 2;
  partly["capex_by_category"]["compute"] = amount(0, 2);
  const Json list = charts(compared({partly, cluster("rails", 30, 30, 3)}));
  const Json& chart = named(list, "cost_by_category");
  const std::string spec = chart["spec"].dump();
  CHECK(spec.find("at least $100") != std::string::npos);
  CHECK(spec.find("at least $60") == std::string::npos);
  // Sums that lack different prices do not compare.
  CHECK(chart["title"].get<std::string>().find("less than") == std::string::npos);
}

TEST_CASE("the Pareto front") {
  CHECK(on_front({{"a", 1, 3}, {"b", 2, 2}, {"c", 3, 3}}) == std::vector{true, true, false});
  CHECK(on_front({{"a", 1, 3}, {"b", 1, 2}}) == std::vector{false, true});
  CHECK(on_front({{"same", 1, 2}, {"same", 1, 2}}) == std::vector{true, true});
  // A lower bound says nothing about what is beaten.
  CHECK(on_front({{"a", 1, 3, true}, {"b", 1, 2}}) == std::vector{false, false});
}

TEST_CASE("what the answer has no figures for has no chart") {
  CHECK(charts(Json::object()).empty());
  CHECK(charts({{"result", {{"clusters", Json::array()}}}}).empty());
  CHECK(charts(compared({Json::object(), Json("text")})).empty());
  Json untrained = cluster("tree", 60, 40, 3);
  untrained["training"] = nullptr;
  CHECK(charts(compared({untrained, untrained})).size() == 2);
}

TEST_CASE("bars show every part of a plan's time and memory") {
  const auto keys = [](const std::vector<Category>& categories) {
    std::set<std::string> all;
    for (const Category& category : categories) all.insert(category.key);
    return all;
  };
  const auto keys_of_parts = [](const auto& parts) {
    std::set<std::string> all;
    for (const auto& part : parts) all.emplace(part.key);
    return all;
  };
  CHECK(keys(time_terms()) == keys_of_parts(time_parts()));
  CHECK(keys(memory_categories()) == keys_of_parts(memory_parts()));
}
