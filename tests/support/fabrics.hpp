#pragma once

#include <doctest/doctest.h>

#include <variant>

#include "planner/core/real.hpp"
#include "planner/network/count.hpp"

namespace planner::testing {

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

}  // namespace planner::testing
