#include <doctest/doctest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "planner/catalog/briefs.hpp"
#include "planner/json/text_file.hpp"
#include "support/documents.hpp"

using namespace planner;
using namespace planner::catalog;
using namespace planner::json;
using namespace planner::testing;
namespace fs = std::filesystem;

namespace {

const std::string kBrief = R"({
  "name": "mine",
  "run": {"model": "gpt1t", "sequence": 2048, "tokens": 1e12,
          "global_batch": {"from": 1024, "to": 4096, "step": 1024}},
  "limits": {"days": 90, "capex_usd": 600e6, "tco_usd": 1e9, "run_cost_usd": 5e7,
             "it_power_MW": 30, "facility_power_MW": 40, "gpus": 32768},
  "confidence": 0.9,
  "minimise": "run-cost",
  "front": ["tco", "days", "power"],
  "choices": {
    "systems": ["dgx-h100"],
    "gpus": [1024, 2048],
    "networks": [{"topology": "fat-tree", "radix": 64, "port_gbps": 400,
                  "oversubscription": {"down": 3, "up": 1},
                  "parts": {"switch": "qm9700"}}]
  },
  "owned": [{"system": "dgx-a100", "gpus": 1024, "resale_usd": 5e6}],
  "lead_weeks": {"dgx-h100": 12},
  "precision": "fp8",
  "prices": "p.json",
  "economics": "e"
})";

Brief brief_of(const std::string& text) {
  return parse_brief(text, "brief.json");
}

Lines errors(const std::string& what, const std::string& with) {
  return told([&] { brief_of(replaced(kBrief, what, with)); });
}

}  // namespace

TEST_CASE("a brief") {
  const Brief brief = brief_of(kBrief);
  CHECK(brief.title == "mine");
  REQUIRE(brief.runs.size() == 1);
  const BriefRun& run = brief.runs.front();
  CHECK(run.model == "gpt1t");
  CHECK(run.called() == "gpt1t");
  CHECK(run.tokens == 1e12);
  CHECK(run.global_batch == std::vector<std::int64_t>{1024, 2048, 3072, 4096});
  CHECK(brief.limits.days == 90);
  CHECK(brief.limits.capex == Money::cents(60'000'000'000));
  CHECK(brief.limits.power == 30e6 * units::W);
  CHECK(brief.minimise == Measure::run_cost);
  CHECK(brief.front == std::vector{Measure::tco, Measure::days, Measure::power});
  CHECK(brief.choices.gpus.counts == std::vector<std::int64_t>{1024, 2048});
  REQUIRE(brief.choices.networks.size() == 1);
  const NetworkChoice& network = brief.choices.networks.front();
  CHECK(std::get<FatTree>(network.fabric.topology).oversubscription == Ratio{.down = 3, .up = 1});
  CHECK(network.parts.switches == "qm9700");
  CHECK(brief.precision == Precision::fp8);
  CHECK(brief.owned ==
        std::vector{
            OwnedGpus{.system = "dgx-a100", .gpus = 1024, .resale = Money::cents(500'000'000)}});
  CHECK(brief.lead_weeks == std::vector{std::pair{std::string("dgx-h100"), 12.0}});
  CHECK(brief_of(to_json(brief).dump()) == brief);
}

TEST_CASE("all but the run may be left out") {
  const Brief brief = brief_of(R"({"run": {"model": "gpt1t", "tokens": 1e12}})");
  CHECK(brief ==
        Brief{.name = "brief", .title = "brief", .runs = {{.model = "gpt1t", .tokens = 1e12}}});
  CHECK(brief.choices.gpus.to == 100'000);
  CHECK(brief_of(to_json(brief).dump()) == brief);
  CHECK(brief_of(R"({"run": {"model": "m", "tokens": 1, "global_batch": 64}})")
            .runs.front()
            .global_batch == std::vector<std::int64_t>{64});
  CHECK(brief_of(R"({"run": {"model": "m", "tokens": 1}, "choices": {"gpus": {"from": 8}}})")
            .choices.gpus == GpuChoice{.from = 8});
}

TEST_CASE("several runs one after the other") {
  const Brief brief = brief_of(R"({"run": [
      {"model": "gpt1t", "tokens": 1e12},
      {"name": "again", "model": "gpt1t", "tokens": 1e11, "global_batch": [64, 128]},
      {"model": "gpt22b", "sequence": 4096, "tokens": 1e12}]})");
  CHECK(brief.runs ==
        std::vector<BriefRun>{
            {.model = "gpt1t", .tokens = 1e12},
            {.name = "again", .model = "gpt1t", .tokens = 1e11, .global_batch = {64, 128}},
            {.model = "gpt22b", .sequence = 4096, .tokens = 1e12}});
  CHECK(brief.runs[1].called() == "again");
  CHECK(brief_of(to_json(brief).dump()) == brief);
  CHECK(brief_of(R"({"run": [{"model": "m", "tokens": 1}]})") ==
        brief_of(R"({"run": {"model": "m", "tokens": 1}})"));

  const auto wrong = [](const std::string& runs) {
    return told([&] { brief_of("{\"run\": " + runs + "}"); });
  };
  CHECK(wrong("[]") == Lines{"bad-value 1:9 \"run\": must name a run"});
  CHECK(wrong(R"([{"model": "m", "tokens": 1}, {"tokens": 1}])") ==
        Lines{"missing-key 1:39 missing key \"model\" in \"run[1]\""});
  CHECK(wrong(R"([{"model": "m", "tokens": 1}, {"model": "m", "tokens": 2}])") ==
        Lines{"inconsistent 1:9 \"run\": has two runs of one name: \"name\" tells them apart"});
  CHECK(
      wrong(R"([{"model": "m", "tokens": 1}, {"name": "m", "model": "n", "tokens": 2}])").size() ==
      1);
  CHECK(wrong(R"([{"model": "m", "tokens": 0}])").size() == 1);
}

TEST_CASE("what is wrong with a brief") {
  CHECK(errors("\"confidence\": 0.9", "\"confidence\": 1").size() == 1);
  CHECK(errors("\"confidence\": 0.9", "\"confidence\": 0").size() == 1);
  CHECK(errors("\"run-cost\"", "\"run_cost\"").size() == 1);
  CHECK(errors("[\"tco\", \"days\", \"power\"]", "[\"tco\"]") ==
        Lines{"inconsistent 9:12 \"front\": must name two or three"});
  CHECK(errors("[\"tco\", \"days\", \"power\"]", "[\"tco\", \"days\", \"tco\"]") ==
        Lines{"inconsistent 9:12 \"front\": names one twice"});
  CHECK(errors("\"days\": 90", "\"days\": 0").size() == 1);
  CHECK(errors("\"days\": 90", "\"days\": -1").size() == 1);
  CHECK(errors("\"capex_usd\": 600e6", "\"capex_usd\": 0").size() == 1);
  CHECK(errors("[1024, 2048]", "[]") ==
        Lines{"bad-value 12:13 \"choices.gpus\": must name a number of GPUs"});
  CHECK(errors("[1024, 2048]", "{\"from\": 9, \"to\": 8}") ==
        Lines{"inconsistent 12:31 \"choices.gpus.to\": must not be below \"from\""});
  CHECK(errors("\"step\": 1024", "\"step\": 1") ==
        Lines{"inconsistent 4:62 \"run.global_batch.step\": makes more than 1000 values"});
  CHECK(errors("\"radix\": 64, ", "\"radix\": 64, \"endpoints\": 8, ").size() == 1);
  CHECK(errors("\"resale_usd\": 5e6", "\"resale_usd\": -1").size() == 1);
  CHECK(errors("{\"dgx-h100\": 12}", "{\"dgx-h100\": -1}").size() == 1);
  CHECK(errors("\"resale_usd\": 5e6}",
               "\"resale_usd\": 5e6}, {\"system\": \"dgx-a100\", "
               "\"gpus\": 8, \"resale_usd\": 1}")
            .size() == 1);
  CHECK(errors("\"sequence\": 2048,", "\"sequenze\": 2048,").size() == 1);
  CHECK(errors(", \"tokens\": 1e12", "") ==
        Lines{"missing-key 3:10 missing key \"tokens\" in \"run\""});
}

TEST_CASE("the briefs of the examples read and write alike") {
  int briefs = 0;
  for (const auto& entry :
       fs::directory_iterator(fs::path(PLANNER_SOURCE_DIR) / "examples/briefs")) {
    CAPTURE(entry.path().string());
    const Brief brief = parse_brief(read_text_file(entry.path().string()), "brief.json");
    CHECK(brief.name == entry.path().stem().string());
    CHECK(parse_brief(to_json(brief).dump(), "brief.json") == brief);
    ++briefs;
  }
  CHECK(briefs >= 7);
}
