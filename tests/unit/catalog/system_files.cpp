#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <random>

#include "planner/catalog/documents.hpp"
#include "support/documents.hpp"

using namespace planner;
using namespace planner::catalog;
using namespace planner::testing;

namespace {

const std::string kH100 = R"({
  "name": "h100-sxm",
  "title": "NVIDIA H100 SXM",
  "vendor": "NVIDIA",
  "generation": "hopper",
  "datasheet_tflops": {"tf32": 494.7, "bf16": 989, "fp8": 1979},
  "silicon_tflops": {"bf16": 989.4},
  "hbm_GB": 80,
  "hbm_bandwidth_GBps": 3352,
  "power_W": 700,
  "sources": [{"keys": ["datasheet_tflops.bf16", "hbm_GB"], "source": "datasheet", "as_of": "2023"}]
})";

const std::string kNode = R"({
  "name": "dgx", "title": "DGX", "accelerator": "h100-sxm", "accelerators": 8,
  "nics": 8, "nic_bandwidth_GBps": 50
})";

const std::string kSystem = R"({
  "name": "dgx-h100", "title": "DGX H100", "accelerator": "h100-sxm", "node": "dgx",
  "hb_domain": 8, "hb_bandwidth_GBps": 450, "network_bandwidth_GBps": 50,
  "hb_latency_us": 2.3, "network_latency_us": 0
})";

Accelerator h100() {
  return parse_accelerator(kH100, "h100.json");
}

Accelerator lookup(const std::string& name) {
  if (name == "h100-sxm") return h100();
  throw InputError(Diagnostic{.code = "unknown-name",
                              .message = "no accelerator is called \"" + name + "\"",
                              .hint = "did you mean \"h100-sxm\"?"});
}

System system_of(const std::string& text) {
  return parse_system(text, "s.json", lookup);
}
Lines system_faults(const std::string& text) {
  return told([&] { system_of(text); });
}
Lines accelerator_faults(const std::string& text) {
  return told([&] { parse_accelerator(text, "a.json"); });
}

}  // namespace

TEST_CASE("an accelerator in SI units") {
  const Accelerator a = h100();
  CHECK(a.generation == Generation::hopper);
  CHECK(a.datasheet.bf16 == 989e12 * units::flop / units::second);
  CHECK_FALSE(a.datasheet.fp4.has_value());
  CHECK(a.silicon.bf16->in(units::TFLOPs) == 989.4);
  CHECK(a.memory == 80 * units::GB);
  CHECK(a.memory_bandwidth.si() == 3352e9);
  CHECK(a.power == 700 * units::W);
}

TEST_CASE("numbers are written as they were read") {
  const auto json = to_json(h100());
  CHECK(json.at("datasheet_tflops").at("bf16").dump() == "989");
  CHECK(json.at("datasheet_tflops").at("tf32").dump() == "494.7");
  CHECK(json.at("hbm_bandwidth_GBps").dump() == "3352");
  CHECK(to_json(system_of(kSystem)).at("hb_latency_us").dump() == "2.3");
  CHECK(parse_accelerator(json.dump(), "a") == h100());
}

TEST_CASE("numbers of few digits keep them") {
  System system = system_of(kSystem);
  for (int tenths = 1; tenths < 5000; ++tenths) {
    const double value = tenths / 10.0;
    system.hb_latency = value * units::us;
    REQUIRE(to_json(system).at("hb_latency_us").get<double>() == value);
  }
}

TEST_CASE("any number written is read back as the same quantity") {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> exponent(-6, 8);
  for (int i = 0; i < 20'000; ++i) {
    System system = system_of(kSystem);
    const double value = std::pow(10, exponent(random));
    system.hb_latency = value * units::us;
    system.hb_bandwidth = value * units::GBps;
    const auto json = to_json(system);
    REQUIRE(json.at("hb_latency_us").get<double>() * units::us == system.hb_latency);
    REQUIRE(json.at("hb_bandwidth_GBps").get<double>() * units::GBps == system.hb_bandwidth);
  }
}

TEST_CASE("optional parts may be left out, and stay out") {
  std::string text = replaced(kH100, "  \"power_W\": 700,\n", "");
  text = replaced(text, "  \"silicon_tflops\": {\"bf16\": 989.4},\n", "");
  const Accelerator a = parse_accelerator(text, "a");
  CHECK_FALSE(a.power.has_value());
  CHECK(a.silicon == PeakRates{});
  CHECK_FALSE(to_json(a).contains("power_W"));
  CHECK_FALSE(to_json(a).contains("silicon_tflops"));
  CHECK(parse_accelerator(to_json(a).dump(), "a") == a);
}

TEST_CASE("bad accelerators") {
  const auto misspelt = problems_of([] {
    parse_accelerator(replaced(kH100, "hbm_bandwidth_GBps", "hbm_bandwith_GBps"), "h100.json");
  });
  REQUIRE(misspelt.size() == 1);
  CHECK(to_string(misspelt[0]) == "h100.json:9:3: unknown key \"hbm_bandwith_GBps\"");
  CHECK(misspelt[0].hint == "did you mean \"hbm_bandwidth_GBps\"?   (planner schema accelerator)");

  CHECK(accelerator_faults(replaced(kH100, "\"hbm_GB\": 80", "\"hbm_GB\": 0")) ==
        Lines{"out-of-range 8:13 \"hbm_GB\": must be positive, got 0"});
  CHECK(accelerator_faults(replaced(kH100, "3352", "-3.5")) ==
        Lines{"out-of-range 9:25 \"hbm_bandwidth_GBps\": must be positive, got -3.5"});
  CHECK(accelerator_faults(replaced(kH100, "3352", "1e10")) ==
        Lines{"out-of-range 9:25 \"hbm_bandwidth_GBps\": must be between 1e-09 and 1000000000, "
              "got 10000000000"});
  CHECK(accelerator_faults(replaced(kH100, "3352", "1e-300")).size() == 1);
  CHECK(accelerator_faults(replaced(kH100, "3352", "\"3352\"")) ==
        Lines{"wrong-type 9:25 \"hbm_bandwidth_GBps\": expected a number, got a string"});
  CHECK(accelerator_faults(replaced(kH100, "\"bf16\": 989,", "\"bf16\": null,")) ==
        Lines{"wrong-type 6:47 \"datasheet_tflops.bf16\": expected a number, got null"});
  CHECK(accelerator_faults(replaced(kH100, "\"hopper\"", "\"hoper\"")).at(0).find("bad-value") ==
        0);
  std::string none = replaced(kH100, "{\"tf32\": 494.7, \"bf16\": 989, \"fp8\": 1979}", "{}");
  none = replaced(none, "\"datasheet_tflops.bf16\", ", "");
  CHECK(accelerator_faults(none) ==
        Lines{"inconsistent 6:23 \"datasheet_tflops\": at least one format is needed"});
}

TEST_CASE("a node round trips, with and without its optional keys") {
  const Node small = parse_node(kNode, "n.json");
  CHECK(small.nic_bandwidth == 50 * units::GBps);
  CHECK_FALSE(small.pcie_generation.has_value());
  CHECK(parse_node(to_json(small).dump(), "n") == small);
  Node full = small;
  full.host_memory_bandwidth = 320 * units::GBps;
  full.pcie_generation = 5;
  full.host_memory_peak = 409.6 * units::GBps;
  full.numa_nodes = 2;
  full.cpu_reduce_bandwidth = 90 * units::GBps;
  full.pcie = PcieLayout{.gpu_bandwidth = 27 * units::GBps,
                         .gpus_per_host_bridge = {2, 6},
                         .gpus_per_switch = 2,
                         .host_bridge_bandwidth = 37.5 * units::GBps,
                         .gpu_to_nic_bandwidth = 9 * units::GBps};
  full.nvlink_bridges =
      NvlinkBridges{.gpus = 4, .bandwidth = 300 * units::GBps, .across_numa = false};
  full.measured_reduce = {{.library = "NCCL", .low = 1.6 * units::GBps}};
  full.storage = "3fs";
  full.power = 10.2 * units::kW;
  full.rack_units = 8;
  full.gpus_per_tray = 4;
  CHECK(parse_node(to_json(full).dump(), "n") == full);
  CHECK(to_json(full).size() == json_schema("node").at("properties").size() - 1);  // no sources
}

TEST_CASE("host bridges and NVLink bridges hold the node's GPUs") {
  const auto faults = [](const std::string& more) {
    return told([&] { parse_node(replaced(kNode, "50\n", "50," + more + "\n"), "n.json"); });
  };
  const Lines bridges =
      faults(R"("pcie": {"gpu_bandwidth_GBps": 27, "gpus_per_host_bridge": [1, 2]})");
  REQUIRE(bridges.size() == 1);
  CHECK(bridges[0].find("the host bridges must hold 8 GPUs in all") != std::string::npos);
  const Lines pairs = faults(R"("nvlink_bridges": {"gpus": 3, "bandwidth_GBps": 300})");
  REQUIRE(pairs.size() == 1);
  CHECK(pairs[0].find("must divide the 8 accelerators") != std::string::npos);
}

TEST_CASE("a storage system round trips") {
  const StorageSystem storage =
      parse_storage(R"({"name": "s", "nodes": 180, "nics": 2, "nic_bandwidth_GBps": 25, "ssds": 16,
                        "ssd_GB": 15360, "copies": 2, "checkpoint_interval_s": 300})",
                    "s.json");
  CHECK(storage.copies == 2);
  CHECK(storage.ssd_capacity == 15360 * units::GB);
  CHECK_FALSE(storage.ssd_read_bandwidth);
  CHECK(parse_storage(to_json(storage).dump(), "s.json") == storage);
}

TEST_CASE("a system names its accelerator or holds it") {
  const System named = system_of(kSystem);
  CHECK(named.accelerator == h100());
  CHECK(named.node == "dgx");
  CHECK(named.hb_latency == 2.3 * units::us);
  CHECK(named.network_latency == Seconds{});
  const System inlined = system_of(replaced(kSystem, "\"h100-sxm\"", kH100));
  CHECK(inlined == named);
  CHECK(system_of(to_json(named).dump(2)) == named);
}

TEST_CASE("an unknown accelerator is reported where it is named") {
  const auto found =
      problems_of([] { system_of(replaced(kSystem, "\"h100-sxm\"", "\"h100-smx\"")); });
  REQUIRE(found.size() == 1);
  CHECK(found[0].code == "unknown-name");
  CHECK(found[0].file == "s.json");
  CHECK(found[0].line == 2);
  CHECK(found[0].column == 59);
  CHECK(found[0].hint == "did you mean \"h100-sxm\"?");
}

TEST_CASE("what is wrong with an accelerator's own file keeps its place") {
  const auto broken = [](const std::string&) { return parse_accelerator("{", "a.json"); };
  const auto found = problems_of([&] { parse_system(kSystem, "s.json", broken); });
  REQUIRE(found.size() == 1);
  CHECK(found[0].file == "a.json");
}

TEST_CASE("bad systems") {
  CHECK(system_faults(replaced(kSystem, "\"hb_domain\": 8", "\"hb_domain\": 0")) ==
        Lines{"out-of-range 3:16 \"hb_domain\": must be positive, got 0"});
  CHECK(system_faults(replaced(kSystem, "2.3", "-1")) ==
        Lines{"out-of-range 4:20 \"hb_latency_us\": must be between 0 and 1000000000, got -1"});
  CHECK(system_faults(replaced(kSystem, "\"h100-sxm\"", "{}")).size() == 6);
  CHECK(system_faults(replaced(kSystem, "\"h100-sxm\"", "8")) ==
        Lines{"wrong-type 2:59 \"accelerator\": expected an object, got an integer"});
  CHECK(system_faults(replaced(kSystem, "\"h100-sxm\"", replaced(kH100, "80", "0"))) ==
        Lines{"out-of-range 9:13 \"accelerator.hbm_GB\": must be positive, got 0"});
}

TEST_CASE("a torus has two or three dimensions, which multiply to the domain") {
  const auto with = [](const char* torus) {
    return replaced(kSystem, "\"hb_latency_us\"",
                    "\"torus\": " + std::string(torus) + ", \"hb_latency_us\"");
  };
  const System system = system_of(with(R"({"shape": [2, 4], "ring_from": 4})"));
  CHECK(system.torus->shape == std::vector<std::int64_t>{2, 4});
  CHECK(parse_system(to_json(system).dump(), "s", lookup) == system);
  CHECK(system_faults(with(R"({"shape": [8]})")) ==
        Lines{"inconsistent 4:22 \"torus.shape\": must have two or three dimensions"});
  // Where all GPUs of a dimension are joined, one is a full mesh.
  CHECK(system_of(with(R"({"shape": [8], "ring_from": 0})")).torus->ring_from == 0);
  CHECK(system_faults(with(R"({"shape": [1, 2, 2, 2], "ring_from": 0})")) ==
        Lines{"inconsistent 4:22 \"torus.shape\": must have one to three dimensions"});
  CHECK(system_faults(with(R"({"shape": [1, 2, 2, 2]})")).size() == 1);
  CHECK(system_faults(with(R"({"shape": [2, 2]})")) ==
        Lines{"inconsistent 4:22 \"torus.shape\": must multiply to the 8 chips of "
              "\"hb_domain\""});
  CHECK(system_faults(with(R"({"shape": [3, 3]})")).size() == 1);
  CHECK(system_faults(with(R"({"shape": [0, 8]})")).size() == 1);
  CHECK(!system_faults(with(R"({"shape": [1000000, 1000000, 1000000]})")).empty());
}

TEST_CASE("sources of an inline accelerator are about the accelerator") {
  const std::string text =
      replaced(kSystem, "\"h100-sxm\"", replaced(kH100, "\"hbm_GB\"]", "\"hb_domain\"]"));
  CHECK(system_faults(text).size() == 1);
}

TEST_CASE("schemas of all types") {
  CHECK(schema_types() == Lines{"model", "accelerator", "node", "system", "switch", "optic", "nic",
                                "price_book", "economics", "collectives", "cluster", "brief",
                                "calibration", "measured-run", "storage", "rates", "site",
                                "chassis", "medium"});
  for (const std::string& type : schema_types()) {
    const auto schema = json_schema(type);
    CHECK(schema.at("title") == "planner " + type);
    // Rows of others' measurements may say more than we read.
    CHECK(schema.at("additionalProperties") == (type == "measured-run"));
    CHECK_FALSE(schema.at("required").empty());
  }
  const auto system = json_schema("system");
  CHECK(system.at("properties").at("accelerator").at("oneOf").size() == 2);
  const auto accelerator = json_schema("accelerator");
  CHECK(accelerator.at("properties").at("hbm_GB").at("maximum") == 1e9);
  CHECK(accelerator.at("properties").at("generation").at("enum").size() == 9);
  CHECK(accelerator.at("properties").at("datasheet_tflops").at("properties").size() == 6);
  const auto found = problems_of([] { json_schema("modle"); });
  REQUIRE(found.size() == 1);
  CHECK(found[0].code == "unknown-name");
  CHECK(found[0].hint == "did you mean \"model\"?");
}
