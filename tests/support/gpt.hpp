// The GPT models and the machines of the rail-only paper (arXiv 2307.12169), as its tables give
// them.
#pragma once

#include <cstdint>

#include "planner/domain/run.hpp"

namespace planner::testing {

/// A GPT as in Korthikanti et al. 2022 (arXiv 2205.05198): MLP of 4·h, learned positions for 2048
/// tokens, one embedding matrix of 51,200 words.
inline TransformerSpec gpt(std::int64_t layers, std::int64_t hidden, std::int64_t heads) {
  return {.name = "gpt",
          .title = "GPT",
          .layers = layers,
          .hidden = hidden,
          .heads = heads,
          .kv_heads = heads,
          .head_dim = hidden / heads,
          .ffn_hidden = 4 * hidden,
          .vocab = 51200,
          .tied_embeddings = true,
          .norm = Norm::layer,
          .biases = Biases::all,
          .positions = Positions::learned};
}

// Rail-only paper, Table 4; 146B: Narayanan et al. 2021 (arXiv 2104.04473), Table 1.
inline TransformerSpec gpt_22b() {
  return gpt(48, 6144, 64);
}
inline TransformerSpec gpt_146b() {
  return gpt(80, 12288, 96);
}
inline TransformerSpec gpt_175b() {
  return gpt(96, 12288, 96);
}
inline TransformerSpec gpt_530b() {
  return gpt(105, 20480, 128);
}
inline TransformerSpec gpt_1t() {
  return gpt(128, 25600, 160);
}

/// The A100 cluster behind Table 4: 312 TFLOP/s, NVLink 600 GB/s in both directions together, 25
/// GB/s of network, 1 µs per phase, 80 GB.
inline System a100_cluster() {
  System system;
  system.accelerator.datasheet.bf16 = 312 * units::TFLOPs;
  system.accelerator.memory = 80 * units::GB;
  system.hb_domain = 8;
  system.hb_bandwidth = 300 * units::GBps;
  system.network_bandwidth = 25 * units::GBps;
  system.hb_latency = 1 * units::us;
  system.network_latency = 1 * units::us;
  return system;
}

/// The GH200 cluster of §6: 989 TFLOP/s, NVLink 900 GB/s in both directions together, 400 Gb/s of
/// network.
inline System gh200_cluster(std::int64_t hb_domain, Bytes memory) {
  System system;
  system.accelerator.datasheet.bf16 = 989 * units::TFLOPs;
  system.accelerator.memory = memory;
  system.hb_domain = hb_domain;
  system.hb_bandwidth = 450 * units::GBps;
  system.network_bandwidth = 50 * units::GBps;
  system.hb_latency = 1 * units::us;
  system.network_latency = 1 * units::us;
  return system;
}

/// GPT-1T, batch 4096, on 32,768 GPUs: the paper's case, with our defaults of 80 GB and 18 bytes
/// per parameter.
inline Workload gpt_1t_on_gh200(std::int64_t hb_domain = 256, Bytes memory = 80 * units::GB,
                                double bytes_per_parameter = 18) {
  return {
      .model = gpt_1t(),
      .system = gh200_cluster(hb_domain, memory),
      .run = {.global_batch = 4096, .sequence = 2048, .bytes_per_parameter = bytes_per_parameter},
      .gpus = 32768};
}

/// 64 nodes of eight A100, a batch of 512.
inline Workload gpt_1t_on_a100s() {
  return {.model = gpt_1t(),
          .system = a100_cluster(),
          .run = {.global_batch = 512, .sequence = 2048},
          .gpus = 512};
}

}  // namespace planner::testing
