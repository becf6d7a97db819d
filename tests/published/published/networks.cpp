// The published networks that `planner validate published` prints, as tests: every figure exact but
// those whose source contradicts its own inputs, which are pinned to what they must be instead.
#include <doctest/doctest.h>

#include <map>
#include <set>

#include "planner/published/published.hpp"

using namespace planner;
using namespace planner::published;

namespace {

/// Figures that differ, by case, in the order of the case. The reason is in the row's note.
using Deviations = std::map<std::string, std::vector<double>>;

void check(const Checks& rows, std::size_t cases, const Deviations& expected) {
  std::map<std::string, Checks> by_case;
  for (const Check& row : rows) by_case[row.id].push_back(row);
  CHECK(by_case.size() == cases);
  for (const auto& [id, figures] : by_case) {
    CAPTURE(id);
    const auto deviation = expected.find(id);
    for (std::size_t i = 0; i < figures.size(); ++i) {
      const Check& row = figures[i];
      CAPTURE(row.quantity);
      CAPTURE(row.source);
      CHECK(row.at_odds != row.reproduced());
      if (deviation == expected.end()) {
        CHECK(row.reproduced());
        CHECK(row.note.empty());
      } else {
        CHECK(row.ours == doctest::Approx(deviation->second.at(i)).epsilon(1e-12));
        CHECK_FALSE(row.note.empty());
      }
    }
  }
}

}  // namespace

TEST_CASE("published networks: 38 computed cases, 33 exactly") {
  check(networks(), 38,
        {{"fireflyer_two_zones_122", {120}},
         {"fireflyer_3tier_10000", {500, 500, 250, 1250}},
         {"fireflyer_zone_fill", {805}},
         {"c4_leaf_capacity", {2}},
         {"deepseek_DF", {262656, 16416, 385776}}});
}

TEST_CASE("published networks: 24 arithmetic cases, 19 exactly") {
  check(arithmetic(), 24,
        {{"fireflyer_T3_cost", {11600, 11850, 23000, 42, 50}},
         {"hpn_T2_51T_clos_tier2", {4096}},
         {"hpn_T1_fat_tree_k48_paths", {576}},
         {"hpn_job_2300_segments", {18, 3}},
         {"hpn_cross_building_12_9", {9.7}}});
}
