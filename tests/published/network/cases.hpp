#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "planner/network/count.hpp"

namespace planner::published {

/// One printed number beside ours.
struct Figure {
  std::string what;
  double published = 0;
  double ours = 0;
};

/// One case of shared/data/topology_cases.json. Where `why` is given the published figures do not
/// follow from the source's own inputs; `expected` then lists what must come out instead.
struct Case {
  std::string name;
  std::string source;
  std::vector<Figure> figures;
  std::string why = {};
  std::vector<double> expected = {};
};

inline bool exact(const Case& item) {
  for (const Figure& figure : item.figures) {
    if (std::abs(figure.published - figure.ours) > 1e-9 * std::abs(figure.published)) return false;
  }
  return true;
}

inline void check(const Case& item) {
  CAPTURE(item.name);
  CAPTURE(item.source);
  CHECK(exact(item) == item.why.empty());
  for (std::size_t i = 0; i < item.figures.size(); ++i) {
    const Figure& figure = item.figures[i];
    CAPTURE(figure.what);
    const double expected = item.expected.empty() ? figure.published : item.expected.at(i);
    CHECK(figure.ours == doctest::Approx(expected).epsilon(1e-12));
  }
}

inline FabricCount counted(const FabricDesign& design) {
  const CountResult result = count_fabric(design);
  if (const auto* problem = std::get_if<FabricProblem>(&result)) {
    FAIL(to_string(*problem));
  }
  return std::get<FabricCount>(result);
}

inline FabricProblem problem_of(const FabricDesign& design) {
  const CountResult result = count_fabric(design);
  REQUIRE(std::holds_alternative<FabricProblem>(result));
  return std::get<FabricProblem>(result);
}

inline double number(std::int64_t value) {
  return static_cast<double>(value);
}

inline double share(const Ratio& ratio) {
  return number(ratio.down) / number(ratio.up);
}

inline Ratio oversubscription_of(const FabricCount& count, std::string_view tier) {
  for (const SwitchTier& counted : count.switches) {
    if (counted.name == tier) return counted.oversubscription.value_or(Ratio{});
  }
  return {};
}

}  // namespace planner::published
