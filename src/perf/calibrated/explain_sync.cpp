// The explanation's data parallelism: what is synchronised, over which ranks, and the optimizer.
#include <algorithm>

#include "planner/core/real.hpp"
#include "planner/perf/calibrated/explain_parts.hpp"
#include "planner/perf/model/sharding.hpp"

namespace planner {

namespace {

constexpr const char* kSheet = "docs/calibrated.md";
constexpr const char* kAllGather = "arXiv 2307.12169, Eq. 1";

/// Ranks that share dense parameters, and a GPU's experts.
struct Replicas {
  double dense = 1, experts = 1;
  double dense_in_domain = 1, experts_in_domain = 1;
};

Replicas replicas(const Workload& workload, const Strategy& s) {
  const double experts_split = real(s.ep.total() * s.expert_tp);
  const double in_domain = real(s.dp.hb * s.cp.hb);
  return {.dense = real(s.dp.total() * s.cp.total()),
          .experts = std::max(1.0, real(workload.gpus) / (real(s.pp.total()) * experts_split)),
          .dense_in_domain = in_domain,
          .experts_in_domain = in_domain * real(s.tp.hb) / real(s.ep.hb * s.expert_tp)};
}

}  // namespace

void CalibratedExplanation::add_parameters() {
  const bool both = p_ == 1 && shape_.untied;
  const bool moe = shape_.L_moe > 0;
  const std::string further = p_ == 1 ? " + mtp" : "";  // on the last stage
  const std::string of_moe = moe ? "(L_moe" + further + ")" : "0";
  const std::string of_dense = moe ? "L_dense" : "(L_dense" + further + ")";
  derived("P_d", "dense parameters of a GPU", kSheet,
          "(" + of_moe + " * (W_attn + W_expert * shared) + " + of_dense +
              " * (W_attn + W_mlp)) / (p * t) + V * h / t" + (both ? " * 2" : ""),
          "");
  derived("P_e", "experts' parameters of a GPU", kSheet,
          of_moe + " / p * W_expert * E / (ep * etp)", "");
}

void CalibratedExplanation::add_group(const std::string& group, double ranks, double in_domain) {
  const double xi = std::min(std::max(in_domain, 1.0), ranks);
  out_.given("x_" + group, "ranks of the group in an HB domain", "placement", xi, "");
  out_.given("y_" + group, "HB domains of the group", "placement", std::max(1.0, ranks / xi), "");
}

void CalibratedExplanation::add_collective(const std::string& symbol, const std::string& meaning,
                                           const std::string& bytes, const std::string& group,
                                           const std::string& network) {
  const std::string x = "x_" + group, y = "y_" + group;
  if (group == "e" && shape_.L_moe == 0) {
    derived(symbol, meaning, kAllGather, "0");
    return;
  }
  derived(symbol, meaning, kAllGather,
          "(" + y + " - 1) * " + bytes + " / (" + x + " * " + y + " * " + network + ") + (" + x +
              " - 1) * " + bytes + " / (" + x + " * nvl) + " + constant("network_latency") +
              " * log2(" + x + " * " + y + ")");
}

void CalibratedExplanation::add_synchronisation() {
  add_parameters();
  if (strategy_.zero == 3) {
    add_zero3();
  } else {
    add_gradients();
  }
  derived("T_optimizer", "Adam: 30 B a sharded parameter, 6 B each that is on the GPU", kSheet,
          strategy_.zero == 3 ? "36 * (P_d / shard_d + P_e / shard_e) / BW"
                              : "(30 * (P_d / shard_d + P_e / shard_e) + 6 * (P_d + P_e)) / BW");
}

void CalibratedExplanation::add_zero3() {
  const Replicas n = replicas(workload_, strategy_);
  const auto [shard_d, shard_e] = zero3_shards(strategy_, n.dense, n.experts);
  const ShardPlacement at_d = dense_shards(strategy_);
  const ShardPlacement at_e = expert_shards(strategy_, shard_e, n.experts_in_domain);
  const bool hybrid = strategy_.replicas() > 1, experts = shape_.L_moe > 0;
  const char* const sharded_by = hybrid ? "--shard-ranks" : "ZeRO 3";
  out_.given("shard_d", "ranks that share dense parameters", sharded_by, shard_d, "");
  out_.given("shard_e", "ranks that share experts, with as many replicas", sharded_by, shard_e, "");
  const std::string gathers = workload_.software.reshard_after_forward ? "2" : "1";
  const std::string near = hybrid ? nic("shard", ring_pattern(strategy_.tp.net * strategy_.cp.net),
                                        domains_of_shard(strategy_))
                                  : nic_of_dp();
  if (workload_.software.stack == SoftwareClass::eager) {
    const auto ring = [&](const std::string& parameters, double of, double in_domain,
                          const std::string& network) {
      if (of == 1) return std::string{"0"};
      return parameters + " * (2 * " + gathers + " + g) / " +
             (of > in_domain ? network : std::string{"nvl"});
    };
    derived("t_micro", "flat rings of every micro-batch", kSheet,
            ring("P_d", shard_d, at_d.sharing, near) + " + " +
                ring("P_e", shard_e, at_e.sharing, nic_of_dp()));
  } else {
    add_group("d", shard_d, at_d.sharing);
    add_group("e", shard_e, at_e.sharing);
    add_collective("AG_d", "gather of dense weights", "P_d * 2", "d", near);
    add_collective("RS_d", "reduction of their gradients", "P_d * g", "d", near);
    add_collective("AG_e", "gather of experts", "P_e * 2", "e", nic_of_dp());
    add_collective("RS_e", "reduction of their gradients", "P_e * g", "e", nic_of_dp());
    derived("t_micro", "collectives of every micro-batch", kSheet,
            gathers + " * AG_d + RS_d + " + gathers + " * AG_e + RS_e");
  }
  const bool eager = workload_.software.stack == SoftwareClass::eager;
  const std::string share = eager ? "0.01" : constant("fsdp_exposed");
  std::string sync = "m * ((t_stage ^ 2 + t_micro ^ 2) ^ 0.5 - t_stage + " + share + " * t_micro)";
  if (hybrid) {
    const double copies = real(strategy_.replicas());
    add_group("r", copies, at_d.replicas);
    add_collective("AR_r", "half an all-reduce between the replicas", "P_d / shard_d * g", "r",
                   nic_of_dp());
    if (experts) {
      add_group("q", copies, at_e.replicas);
      add_collective("AR_q", "half of the experts'", "P_e / shard_e * g", "q", nic_of_dp());
    }
    add_passes();
    sync += " + " + exposed_formula(dp_share(), experts ? "2 * (AR_r + AR_q)" : "2 * AR_r",
                                    "0.8 * passes * t_stage");
  }
  derived("T_sync", "data parallelism, what shows", "arXiv 2304.11277", sync);
}

void CalibratedExplanation::add_passes() {
  derived("passes", "what can hide the last reduction, in backward passes", kSheet,
          v_ > 1 ? "1 + (p - 1) * (v - 1) / v" : "1", "");
}

void CalibratedExplanation::add_gradients() {
  const Replicas n = replicas(workload_, strategy_);
  out_.given("shard_d", "ranks that share dense optimizer states", "ZeRO",
             strategy_.zero > 0 ? n.dense : 1, "");
  out_.given("shard_e", "ranks that share experts' optimizer states", "ZeRO",
             strategy_.zero > 0 ? n.experts : 1, "");
  add_group("d", n.dense, n.dense_in_domain);
  add_group("e", n.experts, n.experts_in_domain);
  const bool all_reduce = strategy_.zero == 0;
  const std::string each = all_reduce ? "g" : "2";
  add_collective("RS_d", "reduction of dense gradients", "P_d * g", "d", nic_of_dp());
  add_collective("AG_d", all_reduce ? "gather of their sums" : "gather of dense weights",
                 "P_d * " + each, "d", nic_of_dp());
  add_collective("RS_e", "reduction of experts' gradients", "P_e * g", "e", nic_of_dp());
  add_collective("AG_e", all_reduce ? "gather of their sums" : "gather of experts", "P_e * " + each,
                 "e", nic_of_dp());
  add_passes();
  std::string formula =
      exposed_formula(dp_share(), "RS_d + AG_d + RS_e + AG_e", "0.8 * passes * t_stage");
  if (strategy_.zero == 2) {
    const bool eager = workload_.software.stack == SoftwareClass::eager;
    formula += " + (m - 1) * ((t_stage ^ 2 + (RS_d + RS_e) ^ 2) ^ 0.5 - t_stage + " +
               (eager ? "0.01" : constant("fsdp_exposed")) + " * (RS_d + RS_e))";
  }
  derived("T_sync", "data parallelism, what shows", kSheet, formula);
}

std::string CalibratedExplanation::dp_share() {
  const SoftwareClass stack = workload_.software.stack;
  const bool hides = stack == SoftwareClass::torch || stack == SoftwareClass::te;
  return hides ? constant("dp_exposed") : "1";
}

}  // namespace planner
