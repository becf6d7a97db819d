#pragma once

#include <doctest/doctest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "planner/catalog/briefs.hpp"
#include "planner/commands/cost/cost.hpp"
#include "planner/commands/design/design.hpp"
#include "support/shipped.hpp"

// Designs of a brief, held against what `cost` says of their files.
namespace planner::testing {

/// A file that goes with the test.
class TemporaryFile {
 public:
  TemporaryFile(const std::string& name, const std::string& text)
      : path_(std::filesystem::temp_directory_path() /
              ("planner-design-" + std::to_string(::getpid()) + "-" + name)) {
    std::ofstream(path_) << text;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

inline std::string price(const std::string& part, double low, double expected, double high) {
  return R"({"part": ")" + part + R"(", "price": {"low": )" + std::to_string(low) +
         R"(, "expected": )" + std::to_string(expected) + R"(, "high": )" + std::to_string(high) +
         R"(}, "source": "a test"},)";
}

inline const std::string& prices() {
  static const TemporaryFile kBook(
      "prices.json", R"({"name": "test", "currency": "USD", "prices": [)" +
                         price("dgx-h100", 270000, 310000, 480000) +
                         price("gb200-nvl72", 3000000, 3200000, 3400000) +
                         price("qm9700", 35000, 36000, 50000) +
                         price("mma4z00-ns", 700, 880, 1400) +
                         R"({"part": "om4-fibre", "price": 85, "source": "a test"}]})");
  static const std::string kPath = kBook.path();
  return kPath;
}

inline std::string network(const std::string& topology, const std::string& inputs) {
  return R"({"topology": ")" + topology + R"(", "radix": 64, "port_gbps": 400, )" + inputs +
         R"("cabling": {"ports_per_switch_module": 2, "ports_per_nic_module": 2},
            "parts": {"switch": "qm9700", "switch_module": "mma4z00-ns",
                      "nic_module": "mma4z00-ns", "fibre": "om4-fibre"}})";
}

inline Brief brief(const std::string& more) {
  const std::string networks =
      network("fat-tree", "") + "," +
      network("fat-tree", R"("oversubscription": {"down": 3, "up": 1}, )") + "," +
      network("multi-plane", R"("planes": 2, "ports_per_gpu": 2, )");
  return catalog::parse_brief(
      R"({"run": {"model": "gpt22b", "tokens": 1e11, "global_batch": [256, 480]},
          "choices": {"systems": ["dgx-h100", "gb200-nvl72"], "gpus": {"to": 432},
                      "networks": [)" +
          networks + R"(]}, "front": ["tco", "days"], "prices": ")" + prices() + "\"" + more + "}",
      "brief.json");
}

inline commands::DesignAnswer answer_to(const Brief& asked, commands::DesignRequest request = {}) {
  const TemporaryFile file("brief.json", catalog::to_json(asked).dump());
  request.files = {file.path()};
  request.threads = 1;
  commands::Context context{.catalog = shipped()};
  return commands::design_clusters(request, context);
}

/// What is expected is the same; prices that all move together reach farther than those that do
/// not.
inline void check_range(const Estimate<Money>& of_cost, const Estimate<Money>& of_design) {
  CHECK(of_cost.expected == of_design.expected);
  CHECK(of_design.low <= of_cost.low);
  CHECK(of_cost.high <= of_design.high);
}

inline void check_cost(const commands::DesignSummary& design) {
  const TemporaryFile file("cluster.json", catalog::to_json(design.cluster).dump());
  commands::Context context{.catalog = shipped()};
  const commands::ClusterSummary cost =
      commands::cost_of_cluster({.files = {file.path()}}, context).cluster;
  check_range(cost.capex.amount, design.capex);
  CHECK(cost.capex.missing == 0);
  check_range(*cost.tco, design.tco);
  CHECK(cost.power.it == design.it);
  CHECK(cost.power.facility->expected == *design.facility);
  REQUIRE(cost.training.has_value());
  CHECK(cost.training->use.gpus == design.used_gpus);
  CHECK(cost.training->plan == design.plan);
  CHECK(*cost.training->time == design.without_failures);
  if (!design.cluster.rates) {
    CHECK(design.time == design.without_failures);
    CHECK(cost.training->cost->expected == design.run_cost);
    CHECK(*cost.training->energy == design.energy);
    CHECK(cost.training->co2_kg == design.co2_kg);
    return;
  }
  REQUIRE(cost.expected.has_value());
  CHECK(cost.expected->days->mean == design.time);
  // Their spares are among the GPUs that are bought, and stand idle: nothing is paid twice.
  CHECK(std::llround(100 * cost.expected->cost->mean.si()) == design.run_cost.in_cents());
  const double longer = design.time / design.without_failures;
  CHECK(design.energy.si() == doctest::Approx(longer * cost.training->energy->si()).epsilon(1e-12));
}

}  // namespace planner::testing
