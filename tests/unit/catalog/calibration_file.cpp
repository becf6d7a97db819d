#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "planner/catalog/catalog.hpp"
#include "planner/catalog/tables/calibration.hpp"
#include "support/documents.hpp"

using namespace planner;
using namespace planner::catalog;
using namespace planner::testing;
using planner::json::Json;

namespace {

Calibration sample() {
  Calibration calibration = prior_calibration();
  calibration.origins[0] = {.rows = 7, .sources = 2, .note = "two sources only"};
  calibration.residuals = {
      {.generation = Generation::hopper, .low = -0.1, .high = 0.2, .rows = 9, .sources = 3}};
  return calibration;
}

}  // namespace

TEST_CASE("a calibration is written and read again") {
  const Calibration calibration = sample();
  CHECK(parse_calibration(to_json(calibration).dump(2), "c.json") == calibration);
}

TEST_CASE("the shipped calibration reads") {
  CHECK(Catalog({PLANNER_SOURCE_DIR}).load_calibration("default").name == "default");
}

TEST_CASE("misspelt, missing and impossible constants are errors") {
  const std::string good = to_json(sample()).dump(2);
  const auto misspelt = problems_of(
      [&] { parse_calibration(replaced(good, "\"rowwise_fp8\"", "\"rowwise_fp9\""), "c.json"); });
  REQUIRE(misspelt.size() == 1);
  CHECK(misspelt[0].message == "unknown key \"rowwise_fp9\" in \"constants\"");
  CHECK(misspelt[0].hint.starts_with("did you mean \"rowwise_fp8\"?"));
  Json json = to_json(sample());
  json["constants"].erase("nic_efficiency");
  CHECK(problems_of([&] { parse_calibration(json.dump(), "c.json"); }).at(0).message ==
        "missing key \"nic_efficiency\" in \"constants\"");
  json = to_json(sample());
  json["constants"]["nic_efficiency"]["value"] = 7;
  CHECK(problems_of([&] { parse_calibration(json.dump(), "c.json"); }).at(0).code ==
        "out-of-range");
  json = to_json(sample());
  json["residuals"][0]["low"] = 1;
  CHECK(problems_of([&] { parse_calibration(json.dump(), "c.json"); }).at(0).code ==
        "inconsistent");
}
