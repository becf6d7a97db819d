#include "planner/present/charts/charts.hpp"

#include <doctest/doctest.h>

#include <set>

#include "planner/domain/plan_parts.hpp"

using namespace planner;
using namespace planner::present;

TEST_CASE("the Pareto front") {
  CHECK(on_front({{"a", 1, 3}, {"b", 2, 2}, {"c", 3, 3}}) == std::vector{true, true, false});
  CHECK(on_front({{"a", 1, 3}, {"b", 1, 2}}) == std::vector{false, true});
  CHECK(on_front({{"same", 1, 2}, {"same", 1, 2}}) == std::vector{true, true});
  // A lower bound says nothing about what is beaten.
  CHECK(on_front({{"a", 1, 3, true}, {"b", 1, 2}}) == std::vector{false, false});
}

TEST_CASE("bars show every part of a plan's time and memory") {
  const auto keys = [](const std::vector<Category>& categories) {
    std::set<std::string> all;
    for (const Category& category : categories) all.insert(category.key);
    return all;
  };
  const auto keys_of_parts = [](const auto& parts) {
    std::set<std::string> all;
    for (const auto& part : parts) all.emplace(part.key);
    return all;
  };
  CHECK(keys(time_terms()) == keys_of_parts(time_parts()));
  CHECK(keys(memory_categories()) == keys_of_parts(memory_parts()));
}
