// The settings of training stacks: axes of any timing model, so that none is dropped in silence.
#include "planner/handover/handover.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "planner/handover/stacks.hpp"
#include "support/handed_over.hpp"

using namespace planner;
using namespace planner::handover;
using namespace planner::testing;

TEST_CASE("Megatron-LM takes every axis") {
  const Emitted emitted = megatron(plan_of_all_axes(), workload_of_all_axes());
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
  Workload workload = workload_of_all_axes();
  CHECK_FALSE(has(megatron(plan, workload).text, "--account-for"));
  plan.strategy.pp = {.hb = 1, .net = 8};
  workload.model.layers = 62;
  plan.strategy.interleave = 4;
  const std::string flags = megatron(plan, workload).text;
  CHECK(has(flags, "--account-for-embedding-in-pipeline-split"));
  CHECK(has(flags, "--account-for-loss-in-pipeline-split"));
  CHECK(has(flags, "--num-layers-per-virtual-pipeline-stage 2"));
  CHECK(has(nemo(plan, workload).text,
            "trainer.strategy.account_for_loss_in_pipeline_split = True\n"));
}

TEST_CASE("chunks that no count of layers describes are laid out one by one") {
  Plan plan = plan_of_all_axes();
  plan.strategy.pp = {.hb = 1, .net = 8};
  plan.strategy.interleave = 4;
  Workload workload = workload_of_all_axes();
  workload.model.layers = 61;
  const Emitted emitted = megatron(plan, workload);
  CHECK(has(emitted.text, "--pipeline-model-parallel-layout \"Ett|("));
  CHECK_FALSE(has(emitted.text, "--num-layers-per-virtual-pipeline-stage"));
  CHECK_FALSE(has(emitted.text, "--decoder-last"));
  CHECK_FALSE(has(emitted.text, "--account-for"));
  CHECK(emitted.remarks.empty());
  const std::string recipe = nemo(plan, workload).text;
  CHECK(has(recipe, "strategy.pipeline_model_parallel_layout = \"Ett|("));
  CHECK(has(recipe, "strategy.virtual_pipeline_model_parallel_size = 4\n"));
  CHECK_FALSE(has(recipe, "num_layers_in_last"));

  workload.model.mtp_layers = 2;
  CHECK(remarks_on(megatron(plan, workload), "2 MTP layers"));
  workload.model.layers = 58;  // 2 layers for the last stage's four chunks
  CHECK(remarks_on(megatron(plan, workload), "fewer layers than chunks"));
  CHECK_FALSE(has(megatron(plan_of_all_axes(), workload_of_all_axes()).text, "-layout"));
}

TEST_CASE("Megatron-LM shards gradients and weights with Megatron-FSDP") {
  Plan plan = plan_of_all_axes();
  plan.strategy.zero = 3;
  const Emitted emitted = megatron(plan, workload_of_all_axes());
  CHECK(has(emitted.text, "--use-megatron-fsdp"));
  CHECK(has(emitted.text, "--data-parallel-sharding-strategy optim_grads_params"));
  CHECK(remarks_on(emitted, "pipeline"));
  CHECK(remarks_on(nemo(plan, workload_of_all_axes()), "ZeRO 3 is not set"));
}

TEST_CASE("what Megatron-LM's argument checks refuse is remarked on") {
  Plan plan = plan_of_all_axes();
  Workload workload = workload_of_all_axes();
  CHECK_FALSE(remarks_on(megatron(plan, workload), "CUDA_DEVICE_MAX_CONNECTIONS"));
  workload.system.accelerator.generation = Generation::hopper;
  CHECK(remarks_on(megatron(plan, workload), "set CUDA_DEVICE_MAX_CONNECTIONS=1"));
  plan.strategy.zero = 3;
  CHECK(remarks_on(megatron(plan, workload), "FSDP refuses CUDA_DEVICE_MAX_CONNECTIONS=1"));
  CHECK_FALSE(remarks_on(megatron(plan, workload), "set CUDA_DEVICE_MAX_CONNECTIONS"));
  plan.strategy.zero = 1;
  plan.strategy.tp = plan.strategy.cp = {};
  plan.strategy.dp = {.hb = 8, .net = 4};
  CHECK_FALSE(remarks_on(megatron(plan, workload), "CUDA_DEVICE_MAX_CONNECTIONS"));

  CHECK_FALSE(remarks_on(megatron(plan, workload), "fp16"));
  workload.run.precision = Precision::fp16;
  CHECK(remarks_on(megatron(plan, workload), "fp16 with expert parallelism"));
  plan.strategy.ep = {};
  CHECK_FALSE(remarks_on(megatron(plan, workload), "fp16"));
}

TEST_CASE("NeMo takes every axis") {
  const Emitted emitted = nemo(plan_of_all_axes(), workload_of_all_axes());
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
  Workload workload = workload_of_all_axes();
  CHECK(nemo(plan, workload).text.starts_with("import torch\nfrom nemo."));
  workload.run.precision = Precision::fp16;
  CHECK(has(nemo(plan, workload).text, "pipeline_dtype = torch.float16\n"));
  workload.run.precision = Precision::fp32;
  CHECK(has(nemo(plan, workload).text, "pipeline_dtype = torch.float32\n"));
  CHECK(has(nemo(plan, workload).text, "trainer.plugins = None\n"));
  plan.strategy.pp = {};
  CHECK_FALSE(has(nemo(plan, workload).text, "torch"));
}

TEST_CASE("NeMo's hosts have 8 GPUs, which is said where the HB domain is another") {
  Plan plan = plan_of_all_axes();
  Workload workload = workload_of_all_axes();
  CHECK_FALSE(remarks_on(nemo(plan, workload), "hosts"));
  workload.system.hb_domain = 64;
  CHECK(has(nemo(plan, workload).text, "trainer.devices = 8\n"));
  CHECK(remarks_on(nemo(plan, workload), "num_nodes times devices stays 64"));
}

TEST_CASE("hybrid sharding in the terms of each stack") {
  Plan plan = plan_of_all_axes();
  plan.strategy.zero = 3;
  plan.strategy.shard_ranks = 4;  // of dp 4 · cp 2
  const Emitted flags = megatron(plan, workload_of_all_axes());
  CHECK(has(flags.text, "--num-distributed-optimizer-instances 2"));
  CHECK(has(flags.text, "--outer-dp-sharding-strategy no_shard"));
  const Emitted toml = torchtitan(plan, workload_of_all_axes());
  CHECK(has(toml.text, "data_parallel_replicate_degree = 2\n"));
  CHECK(has(toml.text, "data_parallel_shard_degree = 2\n"));  // times cp 2
  const Emitted config = deepspeed(plan, workload_of_all_axes());
  CHECK(nlohmann::json::parse(config.text)["zero_optimization"]["mics_shard_size"] == 4);
  CHECK(remarks_on(config, "MiCS_Init"));
  plan.strategy.shard_ranks = 1;  // the context-parallel ranks cannot replicate
  CHECK(remarks_on(torchtitan(plan, workload_of_all_axes()), "4 copies of the weights"));
}

TEST_CASE("DeepSpeed says what it cannot be told of every axis") {
  const Emitted emitted = deepspeed(plan_of_all_axes(), workload_of_all_axes());
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

TEST_CASE("modules that run again, dispatcher, widths and overlap as Megatron Core names them") {
  Plan plan = plan_of_all_axes();
  Workload workload = workload_of_all_axes();
  workload.timing = prior_calibration();
  workload.software = software_of(SoftwareClass::te);
  workload.run.precision = Precision::fp8;
  plan.timing = Timing::calibrated;
  plan.strategy.recompute = Recompute::selective;
  plan.strategy.recompute_modules = {RecomputeModule::moe_act, RecomputeModule::layernorm};
  const std::string flags = megatron(plan, workload).text;
  for (const char* flag :
       {"--recompute-granularity selective", "--recompute-modules layernorm moe_act",
        "--fp8-format hybrid", "--fp8-recipe mxfp8", "--grad-reduce-in-bf16",
        "--moe-token-dispatcher-type flex", "--moe-flex-dispatcher-backend deepep",
        "--overlap-grad-reduce", "--cross-entropy-loss-fusion"}) {
    CAPTURE(flag);
    CHECK(has(flags, flag));
  }
  CHECK(!has(flags, "--overlap-moe-expert-parallel-comm"));
  CHECK(remarks_on(megatron(plan, workload), "balanced routing"));
  const std::string recipe = nemo(plan, workload).text;
  CHECK(has(recipe, "recompute_modules = [\"layernorm\", \"moe_act\"]\n"));
  CHECK(has(recipe, "bf16_with_mxfp8_mixed"));
  CHECK(has(recipe, "moe_token_dispatcher_type = \"flex\"\n"));
  CHECK(has(recipe, "moe_enable_deepep = True\n"));
  CHECK(has(recipe, "trainer.plugins.grad_reduce_in_fp32 = False\n"));
  CHECK(has(recipe, "cross_entropy_loss_fusion = True\n"));
  CHECK(!has(recipe, "overlap_moe_expert_parallel_comm"));
  CHECK(remarks_on(nemo(plan, workload), "overlap_grad_reduce"));

  workload.system.accelerator.generation = Generation::hopper;
  workload.software.scaling = Scaling::block;
  workload.software.dispatcher = Dispatcher::alltoall;
  workload.software.expert_overlap = true;
  workload.software.dp_overlap = false;
  workload.software.moment_bytes = 2;
  workload.software.gradient_reduce_bytes = 4;
  plan.strategy.recompute = Recompute::full;
  plan.strategy.recomputed_layers = 0.5;
  const std::string other_recipe = nemo(plan, workload).text;
  for (const char* setting :
       {"moe_token_dispatcher_type = \"alltoall\"", "overlap_moe_expert_parallel_comm = True",
        "use_precision_aware_optimizer = True", "exp_avg_sq_dtype = torch.bfloat16"}) {
    CAPTURE(setting);
    CHECK(has(other_recipe, setting));
  }
  CHECK(!has(other_recipe, "grad_reduce_in_fp32"));
  CHECK(!remarks_on(nemo(plan, workload), "overlap_grad_reduce"));
  const std::string others = megatron(plan, workload).text;
  for (const char* flag : {"--fp8-recipe blockwise", "--moe-token-dispatcher-type alltoall",
                           "--overlap-moe-expert-parallel-comm", "--use-precision-aware-optimizer",
                           "--recompute-method block", "--recompute-num-layers 2"}) {
    CAPTURE(flag);
    CHECK(has(others, flag));
  }
  CHECK(!has(others, "--offload-optimizer-states"));
  workload.software.offloaded_optimizer = true;
  CHECK(has(megatron(plan, workload).text, "--offload-optimizer-states"));
  CHECK(remarks_on(nemo(plan, workload), "offload_optimizer_states"));
  CHECK(!has(others, "--overlap-grad-reduce"));
  CHECK(!has(others, "--grad-reduce-in-bf16"));
}

TEST_CASE("what fused attention does anyway is not recomputed") {
  Plan plan = plan_of_all_axes();
  plan.strategy.recompute = Recompute::selective;
  Workload workload = workload_of_all_axes();
  CHECK(run_again(plan.strategy, workload) == RunAgain::scores);
  CHECK(has(megatron(plan, workload).text, "--recompute-granularity selective"));
  CHECK(has(torchtitan(plan, workload).text, "selective_ac_option = \"op\""));
  CHECK(remarks_on(torchtitan(plan, workload), "selective recomputation differs"));

  workload.timing = Calibration{};
  workload.software = software_of(SoftwareClass::te);
  CHECK(run_again(plan.strategy, workload) == RunAgain::nothing);
  CHECK_FALSE(has(megatron(plan, workload).text, "--recompute"));
  CHECK(has(nemo(plan, workload).text, "recompute_granularity = None\n"));
  CHECK(has(torchtitan(plan, workload).text, "[activation_checkpoint]\nmode = \"none\"\n"));
  for (const TrainingStack stack : kTrainingStacks) {
    CHECK_FALSE(remarks_on(emit(stack, plan, workload), "recomputation"));
  }

  workload.software = software_of(SoftwareClass::torch);
  CHECK(has(torchtitan(plan, workload).text, "selective_ac_option = \"op\""));
  CHECK_FALSE(remarks_on(torchtitan(plan, workload), "recomputation"));
  CHECK(remarks_on(deepspeed(plan, workload), "selective recomputation is switched on"));
  CHECK(remarks_on(megatron(plan, workload), "needs more memory than planned"));
}

TEST_CASE("MaxText has an axis inside a slice and one over the network for each kind") {
  Plan plan = plan_of_all_axes();
  Workload workload = workload_of_all_axes();
  plan.strategy.cp = plan.strategy.pp = plan.strategy.ep = {};
  plan.strategy.dp = {.hb = 2, .net = 8};
  plan.strategy.zero = 3;
  plan.strategy.interleave = 1;
  plan.microbatches = 4;
  workload.model.moe.reset();
  workload.run.precision = Precision::fp8;
  // 2 sequences of each of 16 data-parallel ranks, on 64 chips.
  CHECK(maxtext(plan, workload).text ==
        "per_device_batch_size: 0.5\ngradient_accumulation_steps: 4\nmax_target_length: 8192\n"
        "dtype: bfloat16\nquantization: fp8\n"
        "ici_data_parallelism: 1\ndcn_data_parallelism: 1\n"
        "ici_fsdp_parallelism: 2\ndcn_fsdp_parallelism: 8\n"
        "ici_tensor_parallelism: 4\ndcn_tensor_parallelism: 1\n"
        "ici_context_parallelism: 1\ndcn_context_parallelism: 1\n"
        "ici_pipeline_parallelism: 1\ndcn_pipeline_parallelism: 1\n"
        "remat_policy: full\n");
  CHECK(maxtext(plan, workload).remarks.empty());
  plan.strategy.shard_ranks = 2;
  CHECK(has(maxtext(plan, workload).text,
            "dcn_data_parallelism: 8\nici_fsdp_parallelism: 2\n"
            "dcn_fsdp_parallelism: 1\n"));
  CHECK(maxtext(plan, workload).remarks.empty());
  // The same on 64 chips of two devices: the axes multiply to 128, and the batch stays.
  plan.strategy.shard_ranks = 0;
  workload.system.accelerator.devices = 2;
  CHECK(has(maxtext(plan, workload).text, "per_device_batch_size: 0.25\n"));
  CHECK(has(maxtext(plan, workload).text, "ici_fsdp_parallelism: 4\ndcn_fsdp_parallelism: 8\n"));
  CHECK(has(maxtext(plan, workload).text, "ici_tensor_parallelism: 4\n"));
  CHECK(remarks_on(maxtext(plan, workload), "JAX sees 2 devices of a chip"));
  workload.system.accelerator.devices = 1;
  plan.strategy.zero = 1;
  CHECK(remarks_on(maxtext(plan, workload), "ZeRO 1 cannot be set"));
  CHECK(remarks_on(maxtext(plan_of_all_axes(), workload_of_all_axes()), "circular one"));
}

TEST_CASE("a placement is met by a rank order or remarked on") {
  Plan plan = plan_of_all_axes();
  const Workload workload = workload_of_all_axes();
  plan.strategy.cp = {};
  plan.strategy.pp = {.hb = 2, .net = 1};
  plan.strategy.dp = {.hb = 1, .net = 8};
  CHECK(rank_order(plan.strategy, workload) == RankOrder::tp_cp_pp_dp);
  CHECK(has(megatron(plan, workload).text, "--use-tp-pp-dp-mapping"));
  CHECK(remarks_on(megatron(plan, workload), "older versions"));
  CHECK(remarks_on(torchtitan(plan, workload), "ranks into an HB domain"));
  plan.strategy.tp = {.hb = 2, .net = 2};
  plan.strategy.dp = {.hb = 2, .net = 4};
  CHECK(rank_order(plan.strategy, workload) == RankOrder::other);
  CHECK(remarks_on(megatron(plan, workload), "ranks into an HB domain"));
}

TEST_CASE("a title cannot leave its comment") {
  Workload workload = workload_of_all_axes();
  workload.model.title = "A\n--evil\r\n\x1b[31m" + std::string(200, 'x') + " y";
  const Plan plan = plan_of_all_axes();
  for (const TrainingStack stack : kTrainingStacks) {
    const std::string text = commented(emit(stack, plan, workload),
                                       {workload.model.title, workload.gpus, plan.time.total()});
    CHECK_FALSE(has(text, "\n--evil"));
    CHECK_FALSE(has(text, "\x1b"));
    CHECK(text.starts_with(stack == TrainingStack::deepspeed ? "{" : "# "));
  }
}

TEST_CASE("DeepSpeed's configuration is JSON alone, the others say what they leave out") {
  const Plan plan = plan_of_all_axes();
  const Workload workload = workload_of_all_axes();
  const Emitted config = emit(TrainingStack::deepspeed, plan, workload);
  CHECK(nlohmann::json::parse(commented(config, {workload.model.title, workload.gpus,
                                                 plan.time.total()}))["train_batch_size"] == 128);
  CHECK(remarks_on(config, "interleave 3 cannot be set"));
  CHECK(has(commented(emit(TrainingStack::torchtitan, plan, workload),
                      {workload.model.title, workload.gpus, plan.time.total()}),
            "# Note: ZeRO 1"));
}

TEST_CASE("a plan that does not fit says so first") {
  Plan plan = plan_of_all_axes();
  plan.memory.weights = 100 * units::GB;
  for (const TrainingStack stack : kTrainingStacks) {
    CHECK(has(emit(stack, plan, workload_of_all_axes()).remarks.front(), "does not fit"));
  }
}
