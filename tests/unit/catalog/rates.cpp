// Files of failure rates: those of the catalog, and what is said about bad ones.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "planner/catalog/catalog.hpp"
#include "planner/catalog/documents.hpp"

using namespace planner;
using namespace planner::catalog;

namespace {

std::string rate(const std::string& unit, const std::string& more = {}) {
  return R"({"component": "node", )" + unit + R"("rate_per_hour": 0.0003, "basis": "wall",
    "action": "crash", )" +
         more + R"("source": "our logs"})";
}

std::vector<Diagnostic> problems_with(const std::string& component) {
  try {
    static_cast<void>(
        parse_rates(R"({"name": "mine", "components": [)" + component + "]}", "mine"));
  } catch (const InputError& error) {
    return error.diagnostics();
  }
  return {};
}

}  // namespace

TEST_CASE("every shipped file of rates is read, and written as it was") {
  const Catalog catalog({PLANNER_SOURCE_DIR});
  const auto names = catalog.names(kinds::rates);
  CHECK(names.size() == 7);
  for (const std::string& name : names) {
    CAPTURE(name);
    const FailureRates rates = catalog.load_rates(name);
    CHECK(rates.name == name);
    CHECK(parse_rates(to_json(rates).dump(), name) == rates);
    for (const FailureRate& each : rates.components) {
      CHECK_FALSE(each.origin.as_of.empty());
      if (each.unit == FailureUnit::node) CHECK(rates.gpus_per_node == 8);
    }
  }
}

TEST_CASE("the shipped rates are the published counts") {
  const Catalog catalog({PLANNER_SOURCE_DIR});
  const auto per_hour = [&](const char* name, ComponentCounts counts) {
    double sum = 0;
    for (const FailureRate& each : catalog.load_rates(name).components) {
      if (!each.optional) sum += each.rate * units::hour * counts.of(each.unit);
    }
    return sum;
  };
  const ComponentCounts llama{.gpus = 16384, .nics = 16384, .nodes = 2048};
  CHECK(per_hour("llama-3", llama) * 1296 == doctest::Approx(466).epsilon(1e-4));
  const ComponentCounts fire_flyer{.gpus = 10000, .nodes = 1250};
  CHECK(per_hour("fire-flyer", fire_flyer) * 183 * 24 == doctest::Approx(292).epsilon(1e-4));
  const ComponentCounts c4{.gpus = 2400};
  CHECK(per_hour("c4-2023-06", c4) * 720 == doctest::Approx(66.2).epsilon(1e-4));
  CHECK(per_hour("c4-2023-12", c4) * 720 == doctest::Approx(19.9).epsilon(1e-4));
  const ComponentCounts hpn{.links = 3000, .switches = 47};
  CHECK(per_hour("hpn", hpn) * 720 == doctest::Approx(1.734).epsilon(1e-3));
  CHECK(per_hour("meta-rsc-1", {.nodes = 2048}) == doctest::Approx(1 / 1.803).epsilon(1e-3));
  CHECK(per_hour("meta-rsc-2", {.nodes = 2048}) ==
        doctest::Approx(2048 * 2.34e-3 / 24).epsilon(1e-4));
}

TEST_CASE("a calendar that contradicts itself, or that nobody knows the job of, is refused") {
  const auto calendar = [](const std::string& more, const std::string& file = {}) {
    try {
      static_cast<void>(parse_rates(R"({"name": "mine", "restart_s": 3600, )" + file +
                                        R"("components": [{"component": "all", "unit": "gpu",
        "rate_per_hour": 1e-3, "basis": "job_calendar", "action": "crash", "detect_s": 0,
        "diagnose_s": 0, )" + more + R"("source": "our logs"}]})",
                                    "mine"));
    } catch (const InputError& error) {
      return error.diagnostics().front().message;
    }
    return std::string{};
  };
  CHECK(calendar("").find("observed_units") != std::string::npos);
  CHECK(calendar(R"("observed_units": 100, )").empty());
  CHECK(calendar(R"("observed_units": 2000, )").find("down for 200 %") != std::string::npos);
  CHECK(calendar("", R"("running_share": 0.9, )").empty());
}

TEST_CASE("a stall needs its length, as a slower job the speed") {
  const auto stall = [](const std::string& more) {
    return problems_with(R"({"component": "switch", "unit": "node", "rate_per_hour": 0.0003,
      "basis": "wall", "action": "stall", )" +
                         more + R"("source": "our logs"})");
  };
  REQUIRE(stall("").size() == 1);
  CHECK(stall("").front().code == "inconsistent");
  CHECK(stall("").front().message.find("repair_h") != std::string::npos);
  CHECK(stall(R"("repair_h": 0.5, )").empty());
  CHECK(stall(R"("detect_s": 60, )").empty());
}

TEST_CASE("a rate names its unit, and is one of that unit") {
  CHECK(problems_with(rate(R"("unit": "node", )")).empty());
  CHECK(problems_with(rate("")).at(0).code == "missing-key");
  CHECK_FALSE(problems_with(rate(R"("unit": "server", )")).empty());
  CHECK_FALSE(problems_with(rate(R"("unit": "node", )", R"("repair_h": 0, )")).empty());
  CHECK_FALSE(problems_with(rate(R"("unit": "node", )", R"("detect_s": -1, )")).empty());
  const std::string whole = R"({"component": "all", "unit": "gpu", "rate_per_hour": 0.5,
    "basis": "wall", "action": "crash", "source": "our logs"})";
  CHECK(problems_with(whole).at(0).code == "inconsistent");
}
