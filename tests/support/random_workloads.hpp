// Small random models, machines and strategies for the property tests, the same in every run.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <numeric>
#include <random>
#include <vector>

#include "planner/domain/run.hpp"
#include "planner/domain/strategy.hpp"

namespace planner::testing {

/// Draws are made by hand, because the distributions of <random> differ between libraries.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  std::int64_t below(std::int64_t n) {
    return static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(n));
  }
  double uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(engine_() >> 11) * 0x1p-53;
  }
  /// Uniform in the logarithm.
  double scale(double low, double high) { return std::exp(uniform(std::log(low), std::log(high))); }
  bool coin() { return below(2) == 1; }
  template <class T>
  T pick(const std::vector<T>& values) {
    return values[static_cast<std::size_t>(below(static_cast<std::int64_t>(values.size())))];
  }
  std::int64_t pick(std::initializer_list<std::int64_t> values) {
    return pick(std::vector<std::int64_t>(values));
  }

 private:
  std::mt19937_64 engine_;
};

/// A dense transformer with a few layers. @param gpt  only shapes that the paper's formulas cover
inline TransformerSpec random_model(Random& random, bool gpt) {
  const std::int64_t heads = random.pick({2, 4, 6, 8, 12});
  TransformerSpec model{.layers = random.pick({1, 2, 4, 6, 8, 12, 18, 24}),
                        .hidden = heads * random.pick({4, 8, 16, 64}),
                        .heads = heads,
                        .kv_heads = heads,
                        .vocab = random.pick({64, 1000, 51200}),
                        .tied_embeddings = true,
                        .norm = Norm::layer,
                        .biases = Biases::all,
                        .positions = Positions::learned};
  model.head_dim = model.hidden / heads;
  model.ffn_hidden = 4 * model.hidden;
  if (gpt) return model;
  model.kv_heads = heads / random.pick({1, 2});
  model.head_dim = random.pick({8, 32, 128});
  model.ffn_hidden = random.pick({3, 4, 5}) * model.hidden;
  model.gated_mlp = random.coin();
  model.tied_embeddings = random.coin();
  model.norm = random.coin() ? Norm::rms : Norm::layer;
  model.biases = random.coin() ? Biases::none : Biases::qkv;
  model.positions = random.coin() ? Positions::rotary : Positions::learned;
  return model;
}

/// Slowdowns from 1 to 4 that differ by kind, stride and ranks in no order.
class ScatteredSlowdowns : public GroupSlowdowns {
 public:
  explicit ScatteredSlowdowns(std::int64_t seed) : seed_(seed) {}
  [[nodiscard]] double of(const GroupFlows& groups) const override {
    if (groups.ranks < 2) return 1;
    const std::int64_t mixed = (seed_ + groups.stride * 37 + groups.ranks * 101 +
                                static_cast<std::int64_t>(groups.kind) * 13) *
                               2654435761LL % 1000;
    return 1 + 3 * static_cast<double>(mixed < 0 ? -mixed : mixed) / 1000;
  }

 private:
  std::int64_t seed_;
};

inline RoutingFactors random_factors(Random& random) {
  return RoutingFactors(std::make_shared<const ScatteredSlowdowns>(random.below(1000)));
}

/// A workload whose GPU count mostly has a strategy. Its memory may be too small for any of them.
inline Workload random_workload(Random& random, bool gpt = false) {
  Workload workload{.model = random_model(random, gpt)};
  workload.run.sequence = random.pick({16, 32, 48, 96, 128});
  workload.run.global_batch = random.pick({1, 4, 6, 12, 16, 24, 36});
  workload.run.bytes_per_parameter = random.pick(std::vector<double>{1, 2, 4, 16, 18, 20});
  workload.gpus = random.pick({1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 36, 48, 64});
  System& system = workload.system;
  system.accelerator.datasheet.bf16 = random.scale(1, 1000) * units::TFLOPs;
  const double weights = total_parameters(workload.model, workload.run.sequence);
  system.accelerator.memory =
      random.scale(0.3, 300) * 18 * weights / static_cast<double>(workload.gpus) * units::byte;
  system.hb_domain = random.pick({1, 2, 3, 4, 6, 8, 16, 72});
  system.hb_bandwidth = random.scale(1, 1000) * units::GBps;
  system.network_bandwidth = random.scale(1, 1000) * units::GBps;
  system.hb_latency = random.uniform(0, 10) * units::us;
  system.network_latency = random.uniform(0, 10) * units::us;
  if (!gpt && random.coin()) {
    workload.network_tiers = {
        {.gpus = random.pick({1, 2, 4, 8}), .bandwidth_share = random.uniform(0.3, 1)},
        {.gpus = random.pick({8, 16, 32}), .bandwidth_share = random.uniform(0.1, 0.3)}};
  }
  if (!gpt && random.below(4) == 0) workload.routing = random_factors(random);
  return workload;
}

/// Servers of several HB domains whose GPUs share NICs, so small that a few GPUs fill several.
inline void put_in_shared_nodes(Random& random, Workload& workload) {
  Node node{.accelerators = random.pick({2, 4, 8}),
            .nics = random.pick({1, 1, 2}),
            .nic_bandwidth = random.scale(1, 100) * units::GBps,
            .host_memory_bandwidth = random.scale(50, 800) * units::GBps,
            .numa_nodes = 2,
            .pcie = PcieLayout{.gpu_bandwidth = random.scale(10, 60) * units::GBps,
                               .host_bridge_bandwidth = random.scale(10, 100) * units::GBps,
                               .gpu_to_nic_bandwidth = random.scale(5, 50) * units::GBps}};
  node.pcie->gpus_per_host_bridge.assign(static_cast<std::size_t>(node.accelerators / 2), 2);
  if (random.coin()) node.nvlink_bridges = NvlinkBridges{.gpus = 2, .bandwidth = 300 * units::GBps};
  if (random.coin()) node.pcie->gpus_per_switch = 2;
  workload.system.hb_domain = random.pick({1, 1, 2, 4});
  workload.system.host = std::move(node);
  workload.software.gradient_sync =
      random.pick(std::vector{GradientSync::automatic, GradientSync::automatic, GradientSync::nccl,
                              GradientSync::hfreduce});
  workload.software.pipeline_sends =
      random.coin() ? PipelineSends::staggered : PipelineSends::at_once;
}

/// A workload of the calibrated model at its prior constants: dense or a mixture of experts, with
/// memory for some strategies and not for others.
inline Workload random_calibrated_workload(Random& random) {
  Workload workload = random_workload(random);
  workload.timing = prior_calibration();
  workload.model.layers = random.pick({1, 2, 3, 4, 6});
  workload.run.sequence = random.pick({96, 512, 1024, 3072});
  workload.model.ffn_hidden = workload.model.hidden * random.pick({1, 4});
  if (random.coin()) {
    workload.model.moe = MoeSpec{.experts = random.pick({4, 6, 8}),
                                 .top_k = random.pick({1, 2}),
                                 .shared_experts = random.pick({0, 1}),
                                 .expert_ffn_hidden = random.pick({12, 32}),
                                 .leading_dense_layers = random.pick({0, 1})};
  }
  workload.run.global_batch = random.pick({1, 4, 6, 8});
  workload.gpus = random.pick({1, 2, 4, 6, 8});
  workload.system.hb_domain = random.pick({1, 2, 4, 8});
  Accelerator& part = workload.system.accelerator;
  part.generation = random.pick(std::vector{Generation::volta, Generation::ampere,
                                            Generation::hopper, Generation::blackwell});
  part.memory_bandwidth = random.scale(100, 8000) * units::GBps;
  part.memory = random.scale(3.5, 4.1) * units::GB;
  if (workload.gpus % 4 == 0) {  // the datasheet has less than the driver offers
    part.driver_memory = part.memory;
    part.memory = 0.94 * part.memory;
  }
  workload.software = software_of(
      random.pick(std::vector{SoftwareClass::eager, SoftwareClass::flash, SoftwareClass::torch,
                              SoftwareClass::mcore, SoftwareClass::te}));
  if (random.coin()) workload.software.micro_batches_per_flush = random.pick({1, 2, 3, 4});
  workload.model.mtp_layers = random.pick({0, 0, 1});
  workload.software.free_stage_inputs = workload.gpus % 4 == 0;
  if (random.below(3) == 0) put_in_shared_nodes(random, workload);
  return workload;
}

/// Degrees, micro-batch and interleaving that fit the workload's batch and layers; its GPU count is
/// set to theirs. Everything else at random.
inline Strategy random_strategy(Random& random, Workload& workload) {
  const auto divisor_of = [&random](std::int64_t n) {
    std::vector<std::int64_t> divisors;
    for (std::int64_t i = 1; i <= n; ++i) {
      if (n % i == 0) divisors.push_back(i);
    }
    return random.pick(divisors);
  };
  const auto split = [&](std::int64_t total) {
    const std::int64_t hb = divisor_of(total);
    return Split{.hb = hb, .net = total / hb};
  };
  const TransformerSpec& model = workload.model;
  const TrainingRun& run = workload.run;
  Strategy strategy;
  strategy.tp = split(divisor_of(std::gcd(run.sequence, model.hidden)));
  strategy.pp = split(divisor_of(model.layers));
  strategy.dp = split(divisor_of(run.global_batch));
  strategy.interleave = divisor_of(model.layers / strategy.pp.total());
  strategy.micro_batch = divisor_of(run.global_batch / strategy.dp.total());
  strategy.recompute =
      random.pick(std::vector{Recompute::none, Recompute::selective, Recompute::full});
  strategy.zero = static_cast<int>(random.below(3));
  strategy.sequence_parallel = random.coin();
  workload.gpus = strategy.tp.total() * strategy.pp.total() * strategy.dp.total();
  workload.system.hb_domain = strategy.tp.hb * strategy.pp.hb * strategy.dp.hb;
  return strategy;
}

}  // namespace planner::testing
