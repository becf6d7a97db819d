// The batch kernel must return, bit for bit, what the scalar model does: the search ranks by the
// one, reports show the other.
#include <doctest/doctest.h>

#include <cstring>

#include "planner/perf/closed_form/batch.hpp"
#include "support/random_workloads.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

bool same_bits(double a, double b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

/// Every micro-batch size and interleaving of one column.
std::vector<Strategy> all_pairs(const Workload& workload, const Strategy& split) {
  std::vector<Strategy> all;
  const std::int64_t samples = workload.run.global_batch / split.dp.total();
  const std::int64_t layers = workload.model.layers / split.pp.total();
  for (std::int64_t b = 1; b <= samples; ++b) {
    for (std::int64_t v = 1; v <= layers; ++v) {
      if (samples % b != 0 || layers % v != 0) continue;
      Strategy strategy = split;
      strategy.micro_batch = b;
      strategy.interleave = v;
      all.push_back(strategy);
    }
  }
  return all;
}

}  // namespace

TEST_CASE("batch kernel and scalar evaluate() agree bit for bit in every mode") {
  Random random(7);
  for (int i = 0; i < 400; ++i) {
    Workload workload = random_workload(random);
    Strategy strategy = random_strategy(random, workload);
    const ClosedForm model(workload);
    const std::vector<Strategy> all = all_pairs(workload, strategy);
    ScheduleGrid grid;
    grid.reset(strategy.pp.total(), workload.run.global_batch / strategy.dp.total());
    for (const Strategy& one : all) grid.add(one.micro_batch, one.interleave);
    REQUIRE(grid.size() == all.size());
    REQUIRE(grid.padded_size() % 8 == 0);

    for (const Recompute recompute : {Recompute::none, Recompute::selective, Recompute::full}) {
      for (const int zero : {0, 1, 2}) {
        for (const bool sequence_parallel : {true, false}) {
          strategy.recompute = recompute;
          strategy.zero = zero;
          strategy.sequence_parallel = sequence_parallel;
          std::vector<double> times(grid.padded_size()), memories(grid.padded_size());
          evaluate_times(model.time_terms(strategy), grid, times);
          evaluate_memories(model.memory_terms(strategy), grid, memories);
          bool equal = true;
          for (std::size_t k = 0; k < all.size(); ++k) {
            strategy.micro_batch = all[k].micro_batch;
            strategy.interleave = all[k].interleave;
            const Prediction estimate = model.evaluate(strategy);
            equal = equal && same_bits(times[k], estimate.time.total().si()) &&
                    same_bits(memories[k], estimate.memory.total().si());
          }
          CHECK(equal);
          // Padding rows are admitted nowhere.
          const double most = std::numeric_limits<double>::infinity();
          CHECK(count_within(memories, most) == all.size());
          CHECK(count_within(memories, most, times, most) == all.size());
        }
      }
    }
  }
}

TEST_CASE("counting within limits is what a loop counts") {
  Random random(8);
  for (int i = 0; i < 200; ++i) {
    const auto size = static_cast<std::size_t>(8 * random.below(20));
    std::vector<double> first(size), second(size);
    for (double& value : first) value = static_cast<double>(random.below(10));
    for (double& value : second) value = static_cast<double>(random.below(10));
    std::size_t one = 0, both = 0;
    for (std::size_t k = 0; k < size; ++k) {
      if (first[k] <= 4) ++one;
      if (first[k] <= 4 && second[k] <= 6) ++both;
    }
    CHECK(count_within(first, 4) == one);
    CHECK(count_within(first, 4, second, 6) == both);
  }
}

TEST_CASE("no micro-batch and no interleaving beats the lower bound") {
  Random random(9);
  for (int i = 0; i < 1000; ++i) {
    Workload workload = random_workload(random);
    const Strategy strategy = random_strategy(random, workload);
    const ClosedForm model(workload);
    const auto samples = static_cast<double>(workload.run.global_batch / strategy.dp.total());
    const Seconds bound = ClosedForm::lower_bound(model.time_terms(strategy), samples);
    for (const Strategy& one : all_pairs(workload, strategy)) {
      CHECK(bound <= model.evaluate(one).time.total());
    }
  }
}
