// Fire-Flyer AI-HPC, An et al. 2024 (arXiv 2408.14158), Figure 9 and Table II: training steps on
// PCIe nodes whose GPUs share a NIC, as `planner validate published` shows them.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <string>

#include "planner/published/published.hpp"

using namespace planner;
using namespace planner::published;

namespace {

double error_pct(const Check& row) {
  return 100 * (row.ours / row.published - 1);
}

}  // namespace

TEST_CASE("Fire-Flyer paper, Figure 9: steps of LLaMA-13B within 10 %, of DeepSeekMoE less so") {
  constexpr std::array kByTwoTiers{36, 45, 34};  // %, where the node is no tree of links
  int dense = 0, machines = 0;
  std::size_t mixtures = 0;
  for (const Check& row : training_times(catalog::Catalog({PLANNER_SOURCE_DIR}))) {
    CAPTURE(row.quantity);
    CAPTURE(row.note);
    CAPTURE(row.ours);
    if (row.id == "fire_flyer_13b") {
      ++dense;
      CHECK(row.reproduced());
      CHECK(std::abs(error_pct(row)) < 10);
      CHECK(row.note.find("gradients by hfreduce") != std::string::npos);
    }
    if (row.id == "fire_flyer_moe_16b") {
      CHECK(error_pct(row) > 0);
      CHECK(error_pct(row) < kByTwoTiers.at(mixtures++));
      CHECK(row.note.find("gradients by hfreduce") != std::string::npos);
    }
    if (row.id == "fire_flyer_performance") {
      ++machines;
      CHECK(row.ours > 70);
      CHECK(row.ours < 100);
    }
  }
  CHECK(dense == 2);
  CHECK(mixtures == 3);
  CHECK(machines == 2);
}
