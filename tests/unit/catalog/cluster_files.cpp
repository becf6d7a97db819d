#include <doctest/doctest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "planner/catalog/documents.hpp"
#include "planner/catalog/tables/tables.hpp"
#include "planner/json/text_file.hpp"
#include "support/documents.hpp"

using namespace planner;
using namespace planner::catalog;
using namespace planner::json;
using namespace planner::testing;
namespace fs = std::filesystem;

namespace {

const std::string kCluster = R"({
  "name": "mine",
  "system": "dgx-h100",
  "gpus": 1024,
  "fabric": {
    "topology": "rail-optimized", "rails": 8, "radix": 64, "port_gbps": 400,
    "oversubscription": {"down": 2, "up": 1},
    "cabling": {"host": "copper", "ports_per_switch_module": 2}
  },
  "fabric_parts": {"switch": "qm9700"},
  "prices": "street-2026",
  "economics": {"name": "here", "pue": 1.2},
  "run": {"model": "gpt1t", "tokens": 15e12},
  "storage_nodes": {"part": "3fs-node", "quantity": 4},
  "extra_lines": [
    {"item": "racks", "category": "facility", "quantity": 36, "unit_price_usd": 2500, "source": "o"},
    {"item": "moving", "category": "other", "quantity": 1, "source": "o", "power_W": 0}
  ]
})";

Cluster cluster_of(const std::string& text) {
  return parse_cluster(text, "cluster.json");
}

Lines cluster_errors(const std::string& what, const std::string& with) {
  return told([&] { cluster_of(replaced(kCluster, what, with)); });
}

FabricDesign fabric_of(const std::string& fabric) {
  return cluster_of(R"({"name": "c", "system": "s", "gpus": 8, "prices": "p", "fabric": )" +
                    fabric + "}")
      .fabric;
}

}  // namespace

TEST_CASE("a cluster file") {
  const Cluster cluster = cluster_of(kCluster);
  CHECK(cluster.gpus == 1024);
  CHECK(!cluster.fabric.gpus);
  const auto& rails = std::get<RailOptimized>(cluster.fabric.topology);
  CHECK(rails.rails == 8);
  CHECK(rails.oversubscription == Ratio{.down = 2, .up = 1});
  CHECK(cluster.fabric.cabling.host == CableKind::copper);
  CHECK(cluster.fabric_parts.switches == "qm9700");
  CHECK(std::get<Economics>(*cluster.economics).pue->expected == 1.2);
  CHECK(cluster.run->tokens == 15e12);
  CHECK(cluster.storage_nodes->title == "3fs-node");
  CHECK(cluster.extra_lines[0].unit_price->expected == Money::cents(250'000));
  CHECK(!cluster.extra_lines[1].unit_price);
  CHECK(cluster.extra_lines[1].power == Watts{});
  CHECK(cluster_of(to_json(cluster).dump()) == cluster);
}

TEST_CASE("nodes that are rented") {
  const Cluster cluster = cluster_of(
      replaced(kCluster, "\"gpus\": 1024,",
               R"("gpus": 1024, "rent": {"term": "one-year", "usd_per_gpu_hour": 2.5},)"));
  CHECK(cluster.rent->term == RentTerm::one_year);
  CHECK((cluster.rent->rate->expected * units::hour).in(units::usd) == doctest::Approx(2.5));
  CHECK(!cluster.rent->accelerator);
  CHECK(cluster_of(to_json(cluster).dump()) == cluster);

  const auto with_rent = [](const std::string& and_more) {
    return cluster_errors("\"gpus\": 1024,", "\"gpus\": 1024, \"rent\": {}, " + and_more);
  };
  CHECK(with_rent("").empty());
  for (const char* bought :
       {R"("racks": 4,)", R"("spare_nodes": 1,)", R"("build": {},)", R"("node_power_W": 9000,)"}) {
    CAPTURE(bought);
    const Lines found = with_rent(bought);
    REQUIRE(found.size() == 1);
    CHECK(found.front().find("with \"rent\" it is the owner's") != std::string::npos);
  }
  CHECK(cluster_errors("\"economics\": {\"name\": \"here\", \"pue\": 1.2},", "\"rent\": {},")
            .size() == 1);
  CHECK(cluster_errors("\"gpus\": 1024,", R"("gpus": 1024, "rent": {"usd_per_gpu_hour": -1},)")
            .size() == 1);
}

TEST_CASE("the topology decides which keys a fabric has") {
  const FabricDesign zones = fabric_of(
      R"({"topology": "two-zone-fat-tree", "radix": 40, "port_gbps": 200, "zone_switches": 0})");
  CHECK(std::get<TwoZoneFatTree>(zones.topology).zone_switches == 0);
  CHECK(std::get<TwoZoneFatTree>(zones.topology).zones == 2);

  CHECK(cluster_errors("\"rails\": 8", "\"zones\": 2").size() ==
        2);  // unknown, and rails are missing
  const Lines unknown = cluster_errors("\"rail-optimized\"", "\"rail-optimised\"");
  REQUIRE(unknown.size() == 1);
  CHECK(unknown[0].starts_with("bad-value 6:17 \"fabric.topology\": expected one of"));
  CHECK(cluster_errors("\"topology\": \"rail-optimized\", ", "").size() == 1);
}

TEST_CASE("every topology reads with its defaults and writes itself") {
  for (std::size_t i = 0; i < std::variant_size_v<TopologyOptions>; ++i) {
    const std::string name(name_of(static_cast<Topology>(i)));
    CAPTURE(name);
    const bool has_rails = name == "rail-only" || name == "rail-optimized";
    const std::string more = has_rails               ? R"(, "rails": 8)"
                             : name == "multi-plane" ? R"(, "planes": 4)"
                                                     : "";
    const std::string text =
        R"({"topology": ")" + name + R"(", "radix": 64, "port_gbps": 400)" + more + "}";
    const FabricDesign design = fabric_of(text);
    CHECK(design.topology.index() == i);
    Json written;
    fabric_design().write(design, written);
    CHECK(fabric_of(written.dump()) == design);
  }
}

TEST_CASE("bad numbers in a cluster file are located") {
  CHECK(cluster_errors("2500", "-1") ==
        Lines{"out-of-range 16:81 \"extra_lines[0].unit_price_usd\": "
              "must be positive, got -1"});
  CHECK(cluster_errors("2500", "1e-320") ==
        Lines{"out-of-range 16:81 \"extra_lines[0].unit_price_usd\": "
              "must be positive, got 1e-320"});
  CHECK(cluster_errors("2500", "0.001") ==
        Lines{"out-of-range 16:81 \"extra_lines[0].unit_price_usd\": "
              "must be in whole cents, got 0.001"});
  CHECK(cluster_errors("\"gpus\": 1024", "\"gpus\": 0").size() == 1);
  CHECK(cluster_errors("\"quantity\": 36", "\"quantity\": -36").size() == 1);
  CHECK(cluster_errors("\"radix\": 64", "\"radix\": 0").size() == 1);
  CHECK(cluster_errors("\"down\": 2", "\"down\": 0").size() == 1);
  CHECK(cluster_errors("\"pue\": 1.2", "\"pue\": 0.2").size() == 1);
  CHECK(cluster_errors("\"facility\"", "\"facilities\"").size() == 1);
}

TEST_CASE("the schema has a branch for each topology") {
  Json schema;
  fabric_design().describe(schema);
  REQUIRE(schema["oneOf"].size() == std::variant_size_v<TopologyOptions>);
  CHECK(schema["oneOf"][3]["properties"]["topology"]["enum"][0] == "rail-only");
  CHECK(schema["oneOf"][3]["properties"].contains("rails"));
}

TEST_CASE("the shipped clusters read, and name parts that are there") {
  const fs::path root = PLANNER_SOURCE_DIR;
  const auto there = [&root](const std::string& folder, const std::optional<std::string>& name) {
    return !name || fs::exists(root / folder / (*name + ".json"));
  };
  for (const auto& entry : fs::directory_iterator(root / "examples/clusters")) {
    CAPTURE(entry.path().string());
    const Cluster cluster = cluster_of(read_text_file(entry.path().string()));
    CHECK(cluster.name == entry.path().stem().string());
    CHECK(cluster_of(to_json(cluster).dump()) == cluster);
    CHECK(there("catalog/systems", cluster.system));
    CHECK(there("catalog/nodes", cluster.node));
    CHECK(there("catalog/prices", cluster.prices));
    CHECK(there("catalog/economics", std::get<std::string>(cluster.economics.value())));
    CHECK(there("catalog/rates", cluster.rates));
    CHECK(there("models", cluster.run->model));
    const FabricParts& parts = cluster.fabric_parts;
    CHECK(there("catalog/switches", parts.switches));
    CHECK(there("catalog/optics", parts.switch_module));
    CHECK(there("catalog/optics", parts.nic_module));
    CHECK(there("catalog/optics", parts.fibre));
  }
}
