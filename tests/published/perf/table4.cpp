// Table 4 of the rail-only paper (arXiv 2307.12169): iteration times computed by its §5 for the
// runs of Korthikanti et al. 2022 (arXiv 2205.05198), and the utilisations compared in §6.1.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "planner/perf/metrics.hpp"
#include "planner/perf/model/constraints.hpp"
#include "support/gpt.hpp"
#include "support/near.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

struct Table4Row {
  std::string name;
  TransformerSpec model;
  std::int64_t pp, gpus, global_batch, micro_batch, interleave;
  double time_s;          ///< unrounded, by the conventions found to print all five
  std::string printed_s;  ///< column "Computed Iteration Time"
};

std::vector<Table4Row> rows() {
  return {
      {"22B", gpt_22b(), 1, 8, 4, 4, 1, 0.7845, "0.78"},
      {"175B", gpt_175b(), 8, 64, 64, 1, 3, 11.8917, "11.89"},
      {"530B", gpt_530b(), 35, 280, 280, 1, 3, 35.2946, "35.29"},
      {"530B, 2240 GPUs", gpt_530b(), 35, 2240, 2240, 1, 3, 35.5589, "35.56"},
      {"1T", gpt_1t(), 64, 512, 512, 1, 1, 70.6880, "70.69"},
  };
}

Workload workload_of(const Table4Row& row) {
  return {.model = row.model,
          .system = a100_cluster(),
          .run = {.global_batch = row.global_batch, .sequence = 2048},
          .gpus = row.gpus};
}

/// All tensor parallelism inside the HB domain of eight, all else across the network.
Strategy strategy_of(const Table4Row& row) {
  return {.tp = {8, 1},
          .pp = {1, row.pp},
          .dp = {1, row.gpus / (8 * row.pp)},
          .interleave = row.interleave,
          .micro_batch = row.micro_batch};
}

Plan plan_of(const Table4Row& row) {
  const Workload workload = workload_of(row);
  return make_plan(workload, strategy_of(row));
}

std::string two_digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", value);
  return text;
}

}  // namespace

TEST_CASE("rail-only paper, Table 4: all five iteration times to the printed digit") {
  for (const Table4Row& row : rows()) {
    CAPTURE(row.name);
    const Plan plan = plan_of(row);
    CHECK(violations(workload_of(row), strategy_of(row)).empty());
    CHECK(two_digits(plan.time.total().si()) == row.printed_s);
    CHECK(std::abs(plan.time.total().si() - row.time_s) < 0.00005);
  }
}

TEST_CASE("rail-only paper, Table 4: every run fits the 80 GB of its A100s") {
  // At 18 bytes per parameter the five runs need 60 to 67 GB, more than a 40 GB card has.
  for (const Table4Row& row : rows()) {
    CAPTURE(row.name);
    const Plan plan = plan_of(row);
    CHECK(plan.fits());
    const double rounded_GB = std::round(plan.memory.total().in(units::GB));
    CHECK(rounded_GB >= 60);
    CHECK(rounded_GB <= 67);
  }
}

TEST_CASE("rail-only paper, §6.1: hardware FLOP utilisation against the published one") {
  // Korthikanti et al. 2022, Table 5, column HFU: 43.7 % (22B) and 57.0 % (1T).
  const std::vector<Table4Row> all = rows();
  const double off_22b = std::abs(100 * plan_of(all.front()).hfu - 43.7);
  const double off_1t = std::abs(100 * plan_of(all.back()).hfu - 57.0);
  CHECK(off_22b == near(15.7, 0.003));  // the paper's 15.7 %
  CHECK(two_digits(off_1t) == "0.16");  // the paper's 0.15 %, see below

  // With the printed 70.69 s instead of 70.688 s the paper's own 0.15 comes out.
  const Plan trillion = plan_of(all.back());
  const double hfu_as_printed = trillion.hfu * trillion.time.total().si() / 70.69;
  CHECK(two_digits(100 * hfu_as_printed - 57.0) == "0.15");
}

TEST_CASE(
    "rail-only paper, Table 4: the model is never slower than the machine, and closer the larger "
    "the model") {
  // Measured times of Korthikanti et al. 2022, Table 5, in the order of the rows.
  const std::vector<double> measured_s = {1.10, 13.75, 37.83, 39.15, 71.49};
  const std::vector<Table4Row> all = rows();
  for (std::size_t i = 0; i < all.size(); ++i) {
    CAPTURE(all[i].name);
    CHECK(plan_of(all[i]).time.total().si() < measured_s[i]);
  }
  CHECK(plan_of(all.back()).time.total().si() == near(71.49, 0.012));
}
