// What is told of clusters, of values made for the purpose.
#include "planner/commands/clusters/clusters.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "planner/commands/compare/compare.hpp"
#include "planner/commands/cost/cost.hpp"
#include "planner/cost/capex.hpp"
#include "planner/present/charts/charts.hpp"
#include "planner/present/html/html.hpp"

using namespace planner;
using namespace planner::commands;
using json::Json;

namespace {

BillLine line(PartCategory category, std::optional<double> dollars) {
  BillLine line{.part = {.id = "part",
                         .title = std::string{name_of(category)} + " part",
                         .category = category},
                .quantity = 1,
                .power = 1500.0 * units::W};
  if (dollars) {
    line.unit_price = Estimate<Money>::exactly(*Money::from_dollars(*dollars));
    line.total = line.unit_price;
  }
  line.origin.source = "list price";
  return line;
}

ClusterSummary cluster(const std::string& name, std::vector<BillLine> lines, double seconds) {
  ClusterSummary summary{.name = name, .title = "GPT on 8 GPUs, " + name, .gpus = 8};
  summary.bill.lines = std::move(lines);
  summary.capex = *capex(summary.bill);
  summary.categories = *capex_by_category(summary.bill);
  if (seconds > 0) {
    summary.training.emplace();
    summary.training->plan.time.last_stage_compute = (seconds - 1) * units::second;
    summary.training->plan.time.sync = 1 * units::second;
  }
  return summary;
}

ClusterSummary cluster(const std::string& name, double switches, double transceivers,
                       double seconds) {
  return cluster(
      name,
      {line(PartCategory::switches, switches), line(PartCategory::transceivers, transceivers)},
      seconds);
}

Json charts_of(const Clusters& clusters) {
  present::Document document;
  add_cluster_charts(clusters, document);
  return present::charts_of(document);
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
    if (row["cluster"] == bar) total += row["value"].get<double>();
  }
  return total;
}

/// The page without our own script, which is the same for all answers.
std::string page_of(const CompareAnswer& answer) {
  const std::string page = present::to_html(compare_view(answer));
  return page.substr(0, page.rfind("<script>"));
}

CompareAnswer answer_with(const std::string& text) {
  ClusterSummary one = cluster(text, 1, 1, 2);
  one.title = text;
  one.bill.lines.front().part.title = text;
  one.bill.lines.front().origin = {.source = text, .as_of = text};
  one.notes = {text};
  one.training->run.model = one.training->run.model_title = text;
  return {{.verdict = {.sentence = text, .turns = {text}}, .clusters = {one, one}}};
}

bool has(const std::string& page, const std::string& text) {
  return page.find(text) != std::string::npos;
}

}  // namespace

TEST_CASE("a comparison has four charts, each a Vega-Lite specification with its data inside") {
  const Json list = charts_of({cluster("tree", 60, 40, 3), cluster("rails", 30, 30, 3)});
  REQUIRE(list.size() == 4);
  for (const Json& chart : list) {
    CHECK(chart["spec"]["$schema"] == "https://vega.github.io/schema/vega-lite/v5.json");
    CHECK(chart["spec"]["title"]["text"] == chart["title"]);
    CHECK(chart.dump().find("\"url\"") == std::string::npos);
  }
}

TEST_CASE("the segments of a bar sum to what the answer says, and lie end to end") {
  const Json list = charts_of({cluster("tree", 60, 40, 3), cluster("rails", 30, 30, 2)});
  const Json& cost = named(list, "cost_by_category")["spec"];
  CHECK(sum(cost, "tree") == 100);
  CHECK(sum(cost, "rails") == 60);
  CHECK(sum(named(list, "time_by_term")["spec"], "rails") == 2);
  CHECK(sum(named(list, "power_by_part")["spec"], "tree") == 3000);
  CHECK(cost["data"]["values"][0]["start"] == 0);
  CHECK(cost["data"]["values"][1]["start"] == cost["data"]["values"][0]["end"]);
  CHECK(named(list, "cost_by_category")["title"] == "rails costs least, 40.0 % less than tree");
}

TEST_CASE("bars start at zero") {
  const Json list = charts_of({cluster("tree", 60, 40, 3), cluster("rails", 30, 30, 2)});
  for (const char* name : {"cost_by_category", "time_by_term", "power_by_part"}) {
    CHECK(named(list, name)["spec"]["layer"][0]["encoding"]["x"]["scale"]["domain"][0] == 0);
  }
}

TEST_CASE("a bar with lines that have no price is marked") {
  BillLine small = line(PartCategory::storage, std::nullopt);
  small.at_most = Money::from_dollars(5);
  const ClusterSummary partly = cluster(
      "tree", {line(PartCategory::switches, 60), line(PartCategory::transceivers, 40), small}, 3);
  const Json list = charts_of({partly, cluster("rails", 30, 30, 3)});
  const Json& chart = named(list, "cost_by_category");
  const std::string spec = chart["spec"].dump();
  CHECK(spec.find("at least $100") != std::string::npos);
  CHECK(spec.find("at least $60") == std::string::npos);
  // Sums that lack different prices do not compare.
  CHECK(chart["title"].get<std::string>().find("less than") == std::string::npos);
}

TEST_CASE("without a price of the nodes there is no bar of a total, but one of the network") {
  const auto with = [](std::optional<double> nodes, std::optional<double> switches) {
    return cluster("tree",
                   {line(PartCategory::compute, nodes), line(PartCategory::switches, switches)}, 3);
  };
  const Json list = charts_of({with(std::nullopt, 60), cluster("rails", 30, 10, 3)});
  const Json& chart = named(list, "cost_by_category");
  CHECK(sum(chart["spec"], "tree") == 60);
  CHECK(chart["title"] == "rails has the cheapest network, 33.3 % less than tree");
  for (const Json& other : charts_of({with(std::nullopt, std::nullopt)})) {
    CHECK(other["name"] != "cost_by_category");
  }
}

TEST_CASE("figures that rest on an unknown total are not there, whatever the format") {
  ClusterSummary bare = cluster(
      "tree", {line(PartCategory::compute, std::nullopt), line(PartCategory::switches, 60)}, 3);
  for (const SweepFigure& figure : cluster_figures(bare)) {
    if (figure.key == "capex_usd") CHECK_FALSE(figure.cell.known());
    CHECK(figure.key != "tco_usd");
  }
  const std::string page = page_of({{.verdict = {}, .clusters = {bare, bare}}});
  CHECK(has(page, "part key part"));
  CHECK(has(page, "not priced"));
}

TEST_CASE("what clusters have no figures for has no chart") {
  CHECK(charts_of({cluster("tree", 60, 40, 0), cluster("rails", 30, 30, 0)}).size() == 2);
  CHECK(charts_of({cluster("nothing", {}, 0)}).empty());
}

TEST_CASE("markup in an answer shows as text, wherever it stands") {
  const std::string page = page_of(answer_with("</script><script>alert(1)"));
  CHECK_FALSE(has(page, "<script>alert"));
  CHECK_FALSE(has(page, "</script><"));
  CHECK(has(page, "&lt;script&gt;alert(1)"));
  CHECK(has(page, "\\u003cscript>alert(1)"));  // in the data of the charts
}

TEST_CASE("no name turns the line it stands in, nor that of a chart") {
  CHECK_FALSE(has(page_of(answer_with("a\u202Eb")), "\u202E"));
}

TEST_CASE("a page names nothing to fetch and allows no script but its own, and names its sources") {
  const std::string page = page_of(answer_with("list price"));
  CHECK(has(page, "default-src 'none'"));
  CHECK(has(page, "script-src 'sha256-"));
  CHECK_FALSE(has(page, "<link rel=\"stylesheet\""));
  CHECK_FALSE(has(page, "src=\""));
  CHECK(has(page, "<li id=\"source-1\">list price"));
}

TEST_CASE("names tell clusters apart without the words that all begin with") {
  CHECK(short_names({cluster("fat tree", {}, 0), cluster("rail-only", {}, 0)}) ==
        std::vector<std::string>{"fat tree", "rail-only"});
  CHECK(short_names({cluster("fat tree", {}, 0)}) ==
        std::vector<std::string>{"GPT on 8 GPUs, fat tree"});
}

TEST_CASE("a short name keeps its letters and is no other cluster's") {
  CHECK(short_names({cluster("stage 1", {}, 0), cluster("stage 2", {}, 0)}) ==
        std::vector<std::string>{"GPT on 8 GPUs, stage 1", "GPT on 8 GPUs, stage 2"});
  Clusters files{cluster("fire-flyer-2", {}, 0), cluster("fire-flyer-dgx-a100", {}, 0)};
  for (ClusterSummary& file : files)
    file.title = "A title that is too long for a bar: " + file.name;
  files[0].title += ", of two zones and many nodes";
  CHECK(short_names(files) == std::vector<std::string>{"fire-flyer-2", "fire-flyer-dgx-a100"});
  CHECK(short_names({cluster("twin", {}, 0), cluster("twin", {}, 0)}) ==
        std::vector<std::string>{"twin [1]", "twin [2]"});
}

TEST_CASE("a run with more tokens trains the same, but its days and dollars have no best") {
  std::vector<ClusterSummary> clusters{cluster("a", 1, 1, 4), cluster("b", 1, 1, 5)};
  for (ClusterSummary& one : clusters) {
    one.training->run.tokens = 1e12;
    one.training->time = 40 * units::day;
  }
  const auto better_of = [&](std::string_view figure) {
    const present::Document document =
        compare_view(CompareAnswer{.result = {.verdict = {}, .clusters = clusters}});
    for (const present::Block& block : document.blocks) {
      const auto* const table = std::get_if<present::Table>(&block.content);
      if (table == nullptr) continue;
      for (const present::Table::Row& row : table->rows) {
        if (row.cells.front().text == figure) return row.better;
      }
    }
    throw std::out_of_range(std::string{figure});
  };
  CHECK(better_of("iteration") == present::Better::lower);
  CHECK(better_of("the run") == present::Better::lower);
  clusters[1].training->run.tokens = 2e12;
  CHECK(better_of("iteration") == present::Better::lower);
  CHECK(better_of("the run") == present::Better::neither);
  clusters[1].training->run.global_batch = 7;
  CHECK(better_of("iteration") == present::Better::neither);
}

TEST_CASE("a page says what links its time takes, and calls none ideal that all GPUs send over") {
  ClusterSummary one = cluster("a", 1, 1, 4);
  one.training->time = 40 * units::day;
  one.expected.emplace();
  one.expected->days = ForecastSummary::Days{.ideal = 40 * units::day, .mean = 50 * units::day};
  const auto page = [&] { return present::to_html(cost_view({one})); };
  CHECK(has(page(), "balanced links, without failures"));
  CHECK(has(page(), "ideal: this plan, balanced links, no failure"));
  one.training->links = one.expected->links = LinkLoad::all_at_once;
  one.training->tightest = NetworkTier{.gpus = 3072, .bandwidth_share = 1.0 / 7};
  CHECK(has(page(), "all GPUs sending at once, without failures"));
  CHECK(has(page(), "groups of more than 3072 GPUs get 14 % of the network cards"));
  CHECK(has(page(), "this plan, all GPUs sending at once, no failure"));
  CHECK_FALSE(has(page(), "ideal"));
  const std::string beside = page_of({.result = {.verdict = {}, .clusters = {one, one}}});
  CHECK(has(beside, "all GPUs sending at once"));
  CHECK_FALSE(has(beside, "run, ideal"));
}
