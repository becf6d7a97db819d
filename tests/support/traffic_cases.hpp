// Cases of what plans send and of what links make of it: tests/published/job/data, by theme. A
// theme's test works out every figure of each of its cases; one that nobody works out fails.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "planner/domain/flows.hpp"

namespace planner::testing {

inline nlohmann::json all_traffic_cases() {
  return nlohmann::json::parse(
      std::ifstream(PLANNER_SOURCE_DIR "/tests/published/job/data/traffic_cases.json"))["cases"];
}

/// Relative. What has no tolerance of its own is exact up to rounding of its formula, or as near as
/// published figures are.
inline double traffic_tolerance(const nlohmann::json& one) {
  const std::string kind = one["kind"];
  const bool exact = kind == "exact formula" || kind == "brute force";
  const bool known = exact || kind == "published" || kind == "plausibility";
  REQUIRE_MESSAGE(known, "no such kind: " << kind);
  return one.value("tolerance", exact ? 1e-6 : 0.02);
}

/// Where a simulation stands beside a figure the case's tolerance is its own: the figure itself is
/// the formula's, as far as its digits go.
inline constexpr double kFormulaBesideSimulation = 1e-3;

/// Every figure of a case, and no other.
inline void check_figures(const nlohmann::json& expected, const nlohmann::json& ours,
                          double tolerance) {
  if (expected.is_object() || expected.is_array()) {
    REQUIRE(ours.type() == expected.type());
    REQUIRE(ours.size() == expected.size());
    const auto found = ours.items(), wanted = expected.items();
    for (auto mine = found.begin(), its = wanted.begin(); its != wanted.end(); ++mine, ++its) {
      CAPTURE(its.key());
      REQUIRE(mine.key() == its.key());
      check_figures(its.value(), mine.value(), tolerance);
    }
  } else if (expected.is_number()) {
    REQUIRE(ours.is_number());
    const double wanted = expected, found = ours;
    CHECK_MESSAGE(std::abs(found - wanted) <= tolerance * (wanted == 0 ? 1 : std::abs(wanted)),
                  found << " for " << wanted << " within " << tolerance);
  } else {
    CHECK(ours == expected);
  }
}

/// @param work_out  the figures of a case, by the keys that it has; null: nobody knows how
template <class WorkOut>
void check_traffic_cases(std::string_view theme, WorkOut&& work_out) {
  int cases = 0;
  for (const nlohmann::json& one : all_traffic_cases()) {
    if (one["theme"] != theme) continue;
    const std::string id = one["id"];
    CAPTURE(id);
    const nlohmann::json ours = work_out(id, one["inputs"]);
    REQUIRE_MESSAGE(!ours.is_null(), "nobody works it out");
    const double tolerance = traffic_tolerance(one);
    const bool simulated = one.contains("simulated");
    check_figures(one["expected"], ours, simulated ? kFormulaBesideSimulation : tolerance);
    if (simulated) check_figures(one["simulated"], ours, tolerance);
    ++cases;
  }
  CHECK(cases > 0);
}

inline FlowKind flow_kind(const std::string& name) {
  if (name == "a2a") return FlowKind::all_to_all;
  for (const FlowKind kind : {FlowKind::ring, FlowKind::line, FlowKind::wrap}) {
    if (name == name_of(kind)) return kind;
  }
  FAIL("no such flows: " << name);
  return {};
}

}  // namespace planner::testing
