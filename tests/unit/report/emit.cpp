// The settings of training stacks: axes of any timing model, so that none is dropped in silence.
#include "planner/report/emit.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "planner/report/report.hpp"

using namespace planner;

namespace {

constexpr std::array kStacks{TrainingStack::megatron, TrainingStack::nemo,
                             TrainingStack::torchtitan, TrainingStack::deepspeed};

/// A mixture of experts on every axis: tp 4, pp 2, dp 4, cp 2, ep 8 of 64 GPUs, domains of 8.
Plan plan_of_all_axes() {
  Plan plan;
  plan.strategy.tp = {.hb = 4, .net = 1};
  plan.strategy.cp = {.hb = 2, .net = 1};
  plan.strategy.dp = {.hb = 1, .net = 4};
  plan.strategy.pp = {.hb = 1, .net = 2};
  plan.strategy.ep = {.hb = 2, .net = 4};
  plan.strategy.expert_tp = 1;
  plan.strategy.interleave = 3;
  plan.strategy.micro_batch = 2;
  plan.strategy.recompute = Recompute::full;
  plan.strategy.zero = 1;
  plan.microbatches = 16;
  plan.time.last_stage_compute = Seconds{1};
  plan.capacity = 80 * units::GB;
  return plan;
}

ResolvedInputs inputs_of_all_axes() {
  ResolvedInputs inputs;
  inputs.workload.model = {.name = "moe", .title = "A MoE", .layers = 24};
  inputs.workload.model.moe = MoeSpec{.experts = 64, .top_k = 2};
  inputs.workload.run = {.global_batch = 128, .sequence = 8192};
  inputs.workload.system.accelerator.generation = Generation::blackwell;
  inputs.workload.gpus = 64;
  inputs.usable_hb_domain = 8;
  return inputs;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

bool remarks_on(const Emitted& emitted, const std::string& part) {
  for (const std::string& remark : emitted.remarks) {
    if (has(remark, part)) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("Megatron-LM takes every axis") {
  const Emitted emitted = emit_megatron(plan_of_all_axes(), inputs_of_all_axes());
  for (const char* flag :
       {"--tensor-model-parallel-size 4", "--pipeline-model-parallel-size 2",
        "--num-layers-per-virtual-pipeline-stage 4", "--context-parallel-size 2",
        "--expert-model-parallel-size 8", "--expert-tensor-parallel-size 1", "--sequence-parallel",
        "--micro-batch-size 2", "--global-batch-size 128", "--seq-length 8192",
        "--recompute-granularity full", "--recompute-method uniform", "--recompute-num-layers 1",
        "--use-distributed-optimizer", "--bf16"}) {
    CAPTURE(flag);
    CHECK(has(emitted.text, flag));
  }
  CHECK_FALSE(has(emitted.text, "--use-tp-pp-dp-mapping"));
  CHECK(emitted.remarks.empty());
}

TEST_CASE("embedding and loss layer in place of a layer each") {
  Plan plan = plan_of_all_axes();
  ResolvedInputs inputs = inputs_of_all_axes();
  CHECK_FALSE(has(emit_megatron(plan, inputs).text, "--account-for"));
  plan.strategy.pp = {.hb = 1, .net = 8};
  inputs.workload.model.layers = 62;
  plan.strategy.interleave = 4;
  const std::string flags = emit_megatron(plan, inputs).text;
  CHECK(has(flags, "--account-for-embedding-in-pipeline-split"));
  CHECK(has(flags, "--account-for-loss-in-pipeline-split"));
  CHECK(has(flags, "--num-layers-per-virtual-pipeline-stage 2"));
  CHECK(has(emit_nemo(plan, inputs).text,
            "trainer.strategy.account_for_loss_in_pipeline_split = True\n"));
}

TEST_CASE("chunks that no count of layers describes are laid out one by one") {
  Plan plan = plan_of_all_axes();
  plan.strategy.pp = {.hb = 1, .net = 8};
  plan.strategy.interleave = 4;
  ResolvedInputs inputs = inputs_of_all_axes();
  inputs.workload.model.layers = 61;
  const Emitted emitted = emit_megatron(plan, inputs);
  CHECK(has(emitted.text, "--pipeline-model-parallel-layout \"Ett|("));
  CHECK_FALSE(has(emitted.text, "--num-layers-per-virtual-pipeline-stage"));
  CHECK_FALSE(has(emitted.text, "--decoder-last"));
  CHECK_FALSE(has(emitted.text, "--account-for"));
  CHECK(emitted.remarks.empty());
  const std::string nemo = emit_nemo(plan, inputs).text;
  CHECK(has(nemo, "strategy.pipeline_model_parallel_layout = \"Ett|("));
  CHECK(has(nemo, "strategy.virtual_pipeline_model_parallel_size = 4\n"));
  CHECK_FALSE(has(nemo, "num_layers_in_last"));

  inputs.workload.model.mtp_layers = 2;
  CHECK(remarks_on(emit_megatron(plan, inputs), "2 MTP layers"));
  inputs.workload.model.layers = 58;  // 2 layers for the last stage's four chunks
  CHECK(remarks_on(emit_megatron(plan, inputs), "fewer layers than chunks"));
  CHECK_FALSE(has(emit_megatron(plan_of_all_axes(), inputs_of_all_axes()).text, "-layout"));
}

TEST_CASE("Megatron-LM shards gradients and weights with Megatron-FSDP") {
  Plan plan = plan_of_all_axes();
  plan.strategy.zero = 3;
  const Emitted emitted = emit_megatron(plan, inputs_of_all_axes());
  CHECK(has(emitted.text, "--use-megatron-fsdp"));
  CHECK(has(emitted.text, "--data-parallel-sharding-strategy optim_grads_params"));
  CHECK(remarks_on(emitted, "pipeline"));
  CHECK(remarks_on(emit_nemo(plan, inputs_of_all_axes()), "ZeRO 3 is not set"));
}

TEST_CASE("what Megatron-LM's argument checks refuse is remarked on") {
  Plan plan = plan_of_all_axes();
  ResolvedInputs inputs = inputs_of_all_axes();
  CHECK_FALSE(remarks_on(emit_megatron(plan, inputs), "CUDA_DEVICE_MAX_CONNECTIONS"));
  inputs.workload.system.accelerator.generation = Generation::hopper;
  CHECK(remarks_on(emit_megatron(plan, inputs), "set CUDA_DEVICE_MAX_CONNECTIONS=1"));
  plan.strategy.zero = 3;
  CHECK(remarks_on(emit_megatron(plan, inputs), "FSDP refuses CUDA_DEVICE_MAX_CONNECTIONS=1"));
  CHECK_FALSE(remarks_on(emit_megatron(plan, inputs), "set CUDA_DEVICE_MAX_CONNECTIONS"));
  plan.strategy.zero = 1;
  plan.strategy.tp = plan.strategy.cp = {};
  plan.strategy.dp = {.hb = 8, .net = 4};
  CHECK_FALSE(remarks_on(emit_megatron(plan, inputs), "CUDA_DEVICE_MAX_CONNECTIONS"));

  CHECK_FALSE(remarks_on(emit_megatron(plan, inputs), "fp16"));
  inputs.workload.run.precision = Precision::fp16;
  CHECK(remarks_on(emit_megatron(plan, inputs), "fp16 with expert parallelism"));
  plan.strategy.ep = {};
  CHECK_FALSE(remarks_on(emit_megatron(plan, inputs), "fp16"));
}

TEST_CASE("NeMo takes every axis") {
  const Emitted emitted = emit_nemo(plan_of_all_axes(), inputs_of_all_axes());
  for (const char* line :
       {"trainer.strategy.tensor_model_parallel_size = 4\n",
        "trainer.strategy.pipeline_model_parallel_size = 2\n",
        "trainer.strategy.pipeline_dtype = torch.bfloat16\n", "trainer.num_nodes = 8\n",
        "trainer.devices = 8\n", "data.seq_length = 8192\n", "model.config.seq_length = 8192\n",
        "trainer.strategy.virtual_pipeline_model_parallel_size = 3\n",
        "trainer.strategy.context_parallel_size = 2\n",
        "trainer.strategy.expert_model_parallel_size = 8\n",
        "trainer.strategy.expert_tensor_parallel_size = 1\n",
        "trainer.strategy.sequence_parallel = True\n",
        "optim.config.use_distributed_optimizer = True\n", "recompute_granularity = \"full\"\n"}) {
    CAPTURE(line);
    CHECK(has(emitted.text, line));
  }
}

TEST_CASE("NeMo's pipelines send what the precision is, and only they need its name") {
  Plan plan = plan_of_all_axes();
  ResolvedInputs inputs = inputs_of_all_axes();
  CHECK(emit_nemo(plan, inputs).text.starts_with("import torch\nfrom nemo."));
  inputs.workload.run.precision = Precision::fp16;
  CHECK(has(emit_nemo(plan, inputs).text, "pipeline_dtype = torch.float16\n"));
  inputs.workload.run.precision = Precision::fp32;
  CHECK(has(emit_nemo(plan, inputs).text, "pipeline_dtype = torch.float32\n"));
  CHECK(has(emit_nemo(plan, inputs).text, "trainer.plugins = None\n"));
  plan.strategy.pp = {};
  CHECK_FALSE(has(emit_nemo(plan, inputs).text, "torch"));
}

TEST_CASE("NeMo's hosts have 8 GPUs, which is said where the HB domain is another") {
  Plan plan = plan_of_all_axes();
  ResolvedInputs inputs = inputs_of_all_axes();
  CHECK_FALSE(remarks_on(emit_nemo(plan, inputs), "hosts"));
  inputs.usable_hb_domain = 64;
  CHECK(has(emit_nemo(plan, inputs).text, "trainer.devices = 8\n"));
  CHECK(remarks_on(emit_nemo(plan, inputs), "num_nodes times devices stays 64"));
}

TEST_CASE("torchtitan takes every axis and says what it shards otherwise") {
  Plan plan = plan_of_all_axes();
  const Emitted emitted = emit_torchtitan(plan, inputs_of_all_axes());
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
  const Emitted sharded = emit_torchtitan(plan, inputs_of_all_axes());
  CHECK(has(sharded.text, "fsdp_reshard_after_forward = \"always\""));
  CHECK(sharded.remarks.empty());
}

TEST_CASE("torchtitan's experts take whole groups of ranks, or are remarked on") {
  struct Case {
    std::int64_t tp, cp, dp, ep, expert_tp;
    bool runs;
  };
  const ResolvedInputs inputs = inputs_of_all_axes();
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
    CHECK(remarks_on(emit_torchtitan(plan, inputs), "expert") == !at.runs);
  }
}

TEST_CASE("torchtitan shards what is parallel over experts") {
  Plan plan = plan_of_all_axes();
  plan.strategy.zero = 0;
  plan.strategy.tp = plan.strategy.cp = plan.strategy.pp = {};
  plan.strategy.dp = {.hb = 8, .net = 8};
  const Emitted experts = emit_torchtitan(plan, inputs_of_all_axes());
  CHECK(has(experts.text, "data_parallel_shard_degree = 64\n"));
  CHECK(remarks_on(experts, "ZeRO 0 cannot be set"));
  plan.strategy.ep = {};
  CHECK(has(emit_torchtitan(plan, inputs_of_all_axes()).text,
            "data_parallel_replicate_degree = 64\n"));
}

TEST_CASE("hybrid sharding in the terms of each stack") {
  Plan plan = plan_of_all_axes();
  plan.strategy.zero = 3;
  plan.strategy.shard_ranks = 4;  // of dp 4 · cp 2
  const Emitted megatron = emit_megatron(plan, inputs_of_all_axes());
  CHECK(has(megatron.text, "--num-distributed-optimizer-instances 2"));
  CHECK(has(megatron.text, "--outer-dp-sharding-strategy no_shard"));
  const Emitted torchtitan = emit_torchtitan(plan, inputs_of_all_axes());
  CHECK(has(torchtitan.text, "data_parallel_replicate_degree = 2\n"));
  CHECK(has(torchtitan.text, "data_parallel_shard_degree = 2\n"));  // times cp 2
  const Emitted deepspeed = emit_deepspeed(plan, inputs_of_all_axes());
  CHECK(nlohmann::json::parse(deepspeed.text)["zero_optimization"]["mics_shard_size"] == 4);
  CHECK(remarks_on(deepspeed, "MiCS_Init"));
  plan.strategy.shard_ranks = 1;  // the context-parallel ranks cannot replicate
  CHECK(remarks_on(emit_torchtitan(plan, inputs_of_all_axes()), "4 copies of the weights"));
}

TEST_CASE("torchtitan runs 1F1B where the plan has a zero-bubble schedule") {
  Plan plan = plan_of_all_axes();
  plan.strategy.interleave = 1;
  for (const Schedule schedule : {Schedule::zero_bubble_1p, Schedule::zero_bubble_2p}) {
    plan.strategy.without_interleaving = schedule;
    const Emitted emitted = emit_torchtitan(plan, inputs_of_all_axes());
    CHECK(has(emitted.text, "pipeline_parallel_schedule = \"1F1B\"\n"));
    CHECK(has(emitted.text, "pipeline_parallel_layers_per_stage = 12\n"));
    CHECK(remarks_on(emitted, "two stages per rank"));
  }
}

TEST_CASE("torchtitan's float8 is a converter of linear layers") {
  ResolvedInputs inputs = inputs_of_all_axes();
  inputs.workload.run.precision = Precision::fp8;
  CHECK(emit_torchtitan(plan_of_all_axes(), inputs)
            .text.starts_with("[model]\nconverters = [\"quantize.linear.float8\"]\n"));
}

TEST_CASE("DeepSpeed says what it cannot be told of every axis") {
  const Emitted emitted = emit_deepspeed(plan_of_all_axes(), inputs_of_all_axes());
  const auto config = nlohmann::json::parse(emitted.text);
  CHECK(config["train_batch_size"] == 128);
  CHECK(config["train_micro_batch_size_per_gpu"] == 2);
  CHECK(config["gradient_accumulation_steps"] == 16);
  CHECK(config["zero_optimization"]["stage"] == 1);
  CHECK(config["tensor_parallel"]["autotp_size"] == 4);
  CHECK(config["bf16"]["enabled"] == true);
  for (const char* missing : {"num_stages=2", "interleave 3", "context parallelism 2", "ep_size=8",
                              "expert tensor", "sequence parallelism", "recomputation", "8192"}) {
    CAPTURE(missing);
    CHECK(remarks_on(emitted, missing));
  }
  // train_batch_size = micro-batch · accumulation · data parallel ranks, which DeepSpeed checks.
  CHECK(128 == 2 * 16 * plan_of_all_axes().strategy.dp.total());
}

TEST_CASE("what fused attention does anyway is not recomputed") {
  Plan plan = plan_of_all_axes();
  plan.strategy.recompute = Recompute::selective;
  ResolvedInputs inputs = inputs_of_all_axes();
  CHECK(run_again(plan.strategy, inputs.workload) == RunAgain::scores);
  CHECK(has(emit_megatron(plan, inputs).text, "--recompute-granularity selective"));
  CHECK(has(emit_torchtitan(plan, inputs).text, "selective_ac_option = \"op\""));
  CHECK(remarks_on(emit_torchtitan(plan, inputs), "selective recomputation differs"));

  inputs.workload.timing = Calibration{};
  inputs.workload.software = software_of(SoftwareClass::te);
  CHECK(run_again(plan.strategy, inputs.workload) == RunAgain::nothing);
  CHECK_FALSE(has(emit_megatron(plan, inputs).text, "--recompute"));
  CHECK(has(emit_nemo(plan, inputs).text, "recompute_granularity = None\n"));
  CHECK(has(emit_torchtitan(plan, inputs).text, "[activation_checkpoint]\nmode = \"none\"\n"));
  for (const TrainingStack stack : kStacks) {
    CHECK_FALSE(remarks_on(emit(stack, plan, inputs), "recomputation"));
  }

  inputs.workload.software = software_of(SoftwareClass::torch);
  CHECK(has(emit_torchtitan(plan, inputs).text, "selective_ac_option = \"op\""));
  CHECK_FALSE(remarks_on(emit_torchtitan(plan, inputs), "recomputation"));
  CHECK(remarks_on(emit_deepspeed(plan, inputs), "selective recomputation is switched on"));
  CHECK(remarks_on(emit_megatron(plan, inputs), "needs more memory than planned"));
}

TEST_CASE("a placement is met by a rank order or remarked on") {
  Plan plan = plan_of_all_axes();
  const ResolvedInputs inputs = inputs_of_all_axes();
  plan.strategy.cp = {};
  plan.strategy.pp = {.hb = 2, .net = 1};
  plan.strategy.dp = {.hb = 1, .net = 8};
  CHECK(rank_order(plan.strategy, 8) == RankOrder::tp_cp_pp_dp);
  CHECK(has(emit_megatron(plan, inputs).text, "--use-tp-pp-dp-mapping"));
  CHECK(remarks_on(emit_megatron(plan, inputs), "older versions"));
  CHECK(remarks_on(emit_torchtitan(plan, inputs), "ranks into an HB domain"));
  plan.strategy.tp = {.hb = 2, .net = 2};
  plan.strategy.dp = {.hb = 2, .net = 4};
  CHECK(rank_order(plan.strategy, 8) == RankOrder::other);
  CHECK(remarks_on(emit_megatron(plan, inputs), "ranks into an HB domain"));
}

TEST_CASE("a title cannot leave its comment") {
  Response response{.command = Command::estimate};
  response.inputs = inputs_of_all_axes();
  response.inputs->workload.model.title = "A\n--evil\r\n\x1b[31m" + std::string(200, 'x') + " y";
  response.result = EstimateResult{.plan = plan_of_all_axes()};
  for (const TrainingStack stack : kStacks) {
    response.emit = stack;
    const std::string text = render_table(response, {});
    CHECK_FALSE(has(text, "\n--evil"));
    CHECK_FALSE(has(text, "\x1b"));
    CHECK(text.starts_with(stack == TrainingStack::deepspeed ? "{" : "# "));
  }
}

TEST_CASE("DeepSpeed's configuration is JSON alone, the remarks are warnings") {
  Response response{.command = Command::estimate};
  response.inputs = inputs_of_all_axes();
  response.result = EstimateResult{.plan = plan_of_all_axes()};
  response.emit = TrainingStack::deepspeed;
  CHECK(nlohmann::json::parse(render_table(response, {}))["train_batch_size"] == 128);
  CHECK(has(render_warnings(response, {}), "warning: interleave 3 cannot be set"));
  response.emit = TrainingStack::torchtitan;
  CHECK(has(render_table(response, {}), "# Note: ZeRO 1"));
  CHECK(render_warnings(response, {}).empty());
}

TEST_CASE("a plan that does not fit says so first") {
  Plan plan = plan_of_all_axes();
  plan.memory.weights = 100 * units::GB;
  for (const TrainingStack stack : kStacks) {
    CHECK(has(emit(stack, plan, inputs_of_all_axes()).remarks.front(), "does not fit"));
  }
}
