// The settings of torchtitan.
#include <doctest/doctest.h>

#include "planner/handover/stacks.hpp"
#include "support/handed_over.hpp"

using namespace planner;
using namespace planner::handover;
using namespace planner::testing;

TEST_CASE("torchtitan takes every axis and says what it shards otherwise") {
  Plan plan = plan_of_all_axes();
  const Emitted emitted = torchtitan(plan, workload_of_all_axes());
  for (const char* line :
       {"tensor_parallel_degree = 4\n", "pipeline_parallel_degree = 2\n",
        "pipeline_parallel_schedule = \"Interleaved1F1B\"\n",
        "pipeline_parallel_layers_per_stage = 4\n", "pipeline_parallel_microbatch_size = 2\n",
        "context_parallel_degree = 2\n", "expert_parallel_degree = 8\n",
        "expert_tensor_parallel_degree = 1\n", "data_parallel_shard_degree = 4\n",
        "local_batch_size = 32\n", "global_batch_size = 128\n", "seq_len = 8192\n",
        "mode = \"full\"\n"}) {
    CAPTURE(line);
    CHECK(has(emitted.text, line));
  }
  CHECK(remarks_on(emitted, "ZeRO 1"));
  plan.strategy.zero = 3;
  const Emitted sharded = torchtitan(plan, workload_of_all_axes());
  CHECK(has(sharded.text, "fsdp_reshard_after_forward = \"always\""));
  CHECK(sharded.remarks.empty());
}

TEST_CASE("torchtitan's experts take whole groups of ranks, or are remarked on") {
  struct Case {
    std::int64_t tp, cp, dp, ep, expert_tp;
    bool runs;
  };
  const Workload workload = workload_of_all_axes();
  for (const Case& at : {Case{4, 1, 8, 4, 1, true}, Case{4, 1, 8, 2, 1, false},  // 4 ranks of tp
                         Case{2, 4, 8, 4, 2, true}, Case{2, 4, 8, 2, 2, false},  // 4 ranks of cp
                         Case{1, 1, 8, 8, 1, true}, Case{1, 1, 8, 16, 1, false},
                         Case{4, 2, 8, 1, 1, true}, Case{4, 1, 8, 4, 2, false}}) {
    CAPTURE(at.tp * 1000 + at.cp * 100 + at.ep * 10 + at.expert_tp);
    Plan plan = plan_of_all_axes();
    plan.strategy.tp = {.hb = at.tp, .net = 1};
    plan.strategy.cp = {.hb = at.cp, .net = 1};
    plan.strategy.dp = {.hb = 1, .net = at.dp};
    plan.strategy.ep = {.hb = 1, .net = at.ep};
    plan.strategy.expert_tp = at.expert_tp;
    CHECK(remarks_on(torchtitan(plan, workload), "expert") == !at.runs);
  }
}

TEST_CASE("torchtitan shards what is parallel over experts") {
  Plan plan = plan_of_all_axes();
  plan.strategy.zero = 0;
  plan.strategy.tp = plan.strategy.cp = plan.strategy.pp = {};
  plan.strategy.dp = {.hb = 8, .net = 8};
  const Emitted experts = torchtitan(plan, workload_of_all_axes());
  CHECK(has(experts.text, "data_parallel_shard_degree = 64\n"));
  CHECK(remarks_on(experts, "ZeRO 0 cannot be set"));
  plan.strategy.ep = {};
  CHECK(
      has(torchtitan(plan, workload_of_all_axes()).text, "data_parallel_replicate_degree = 64\n"));
}

TEST_CASE("torchtitan runs 1F1B where the plan has a zero-bubble schedule") {
  Plan plan = plan_of_all_axes();
  plan.strategy.interleave = 1;
  for (const Schedule schedule : {Schedule::zero_bubble_1p, Schedule::zero_bubble_2p}) {
    plan.strategy.without_interleaving = schedule;
    const Emitted emitted = torchtitan(plan, workload_of_all_axes());
    CHECK(has(emitted.text, "pipeline_parallel_schedule = \"1F1B\"\n"));
    CHECK(has(emitted.text, "pipeline_parallel_layers_per_stage = 12\n"));
    CHECK(remarks_on(emitted, "two stages per rank"));
  }
}

TEST_CASE("torchtitan's float8 is a converter of linear layers") {
  Workload workload = workload_of_all_axes();
  workload.run.precision = Precision::fp8;
  CHECK(torchtitan(plan_of_all_axes(), workload)
            .text.starts_with("[model]\nconverters = [\"quantize.linear.float8\"]\n"));
}
