#include "planner/perf/calibrated_explain.hpp"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "planner/core/real.hpp"
#include "planner/domain/names.hpp"
#include "planner/perf/calibrated_explain_parts.hpp"
#include "planner/perf/sharding.hpp"

namespace planner {

namespace {

constexpr const char* kSheet = "docs/calibrated.md";
constexpr const char* kAllGather = "arXiv 2307.12169, Eq. 1";

/// "1332 rows, 9 sources": what a constant rests on.
std::string evidence(const ConstantOrigin& origin) {
  if (origin.rows == 0) return origin.note.empty() ? "expected value" : origin.note;
  return std::to_string(origin.rows) + (origin.rows == 1 ? " row, " : " rows, ") +
         std::to_string(origin.sources) + (origin.sources == 1 ? " source" : " sources");
}

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

CalibratedExplanation::CalibratedExplanation(const Workload& workload, const Strategy& strategy,
                                             const Calibrated::Pipeline& on)
    : workload_(workload),
      strategy_(strategy),
      calibration_(*workload.calibration),
      shape_(workload.model, workload),
      split_(shape_.split_over(real(strategy.tp.total()))),
      rates_(workload),
      stack_(name_of(workload.software.stack)),
      t_(real(strategy.tp.total())),
      p_(on.p),
      d_(real(strategy.dp.total())),
      cp_(real(strategy.cp.total())),
      m_(on.m),
      v_(on.v),
      schedule_(on.schedule),
      flushes_(on.flushes) {}

std::string CalibratedExplanation::suffix(bool moe) const {
  if (shape_.L_dense == 0 || shape_.L_moe == 0) return {};
  return moe ? "_moe" : "_dense";
}

std::string CalibratedExplanation::constant(Constant which) {
  const auto i = static_cast<std::size_t>(which);
  const ConstantSpec& spec = constant_specs()[i];
  std::string symbol{spec.name};
  std::replace(symbol.begin(), symbol.end(), '.', '_');
  if (shown_.insert(symbol).second) {
    out_.given(symbol, std::string{spec.meaning},
               calibration_.name + ": " + evidence(calibration_.origins[i]), calibration_[which],
               std::string{spec.unit});
  }
  return symbol;
}

std::string CalibratedExplanation::constant(const std::string& name) {
  const auto specs = constant_specs();
  const auto found = std::find_if(specs.begin(), specs.end(),
                                  [&](const ConstantSpec& spec) { return spec.name == name; });
  return constant(static_cast<Constant>(found - specs.begin()));
}

std::string CalibratedExplanation::nic(const std::string& group, TrafficPattern pattern,
                                       std::int64_t domains) {
  const std::int64_t domain = usable_hb_domain(workload_.system.hb_domain, workload_.gpus);
  const double share = NetworkShares(workload_).of(pattern, domain * domains);
  if (share == 1) return "nic";
  const std::string symbol = "share_" + group;
  if (shown_.insert(symbol).second) {
    std::string taken;
    if (workload_.routing) {
      taken = "routing";
    } else if (!workload_.network_tiers.empty()) {
      taken = "oversubscription";
    }
    if (workload_.storage_traffic > BytesPerSecond{}) {
      taken += taken.empty() ? "storage" : " and storage";
    }
    out_.given(symbol, "of the network's bandwidth that is left", taken, share, "");
  }
  return "(" + symbol + " * nic)";
}

std::string CalibratedExplanation::nic_of_dp() {
  const std::int64_t stride = strategy_.tp.net * strategy_.cp.net;
  return nic("dp", ring_pattern(stride), stride * strategy_.dp.net);
}

void CalibratedExplanation::add_shape() {
  using Inputs = std::initializer_list<std::pair<const char*, double>>;
  const CalibratedShape& x = shape_;
  for (const auto& [name, value] : Inputs{{"L", x.L},
                                          {"L_dense", x.L_dense},
                                          {"L_moe", x.L_moe},
                                          {"mtp", x.mtp},
                                          {"h", x.h},
                                          {"a", x.a},
                                          {"s", x.s},
                                          {"V", split_.V},
                                          {"f", x.f},
                                          {"w_qkv", split_.w_qkv},
                                          {"w_kv", split_.w_kv},
                                          {"n_qkv", split_.n_qkv},
                                          {"d_qk", x.d_qk},
                                          {"d_v", x.d_v},
                                          {"W_attn", split_.W_attn},
                                          {"W_mlp", x.W_mlp},
                                          {"W_expert", x.W_expert},
                                          {"E", x.E},
                                          {"k", x.k},
                                          {"f_e", x.f_e},
                                          {"shared", x.shared},
                                          {"gates", x.gates},
                                          {"score_share", x.score_share},
                                          {"N", real(workload_.gpus)},
                                          {"t", t_},
                                          {"t_h", real(strategy_.tp.hb)},
                                          {"p", p_},
                                          {"d", d_},
                                          {"cp", cp_},
                                          {"ep", real(strategy_.ep.total())},
                                          {"etp", real(strategy_.expert_tp)},
                                          {"b", real(strategy_.micro_batch)},
                                          {"m", m_},
                                          {"v", v_},
                                          {"e", rates_.operand_bytes},
                                          {"q", rates_.quantised ? 4 : 0},
                                          {"g", real(workload_.software.gradient_reduce_bytes)}}) {
    out_.input(name, value);
  }
}

void CalibratedExplanation::add_head() {
  derived("t_head_launch", "launching the loss layer like one more", "host profile",
          launches_of_dense_layer());
  const bool eager = workload_.software.stack == SoftwareClass::eager;
  const std::string traffic = eager ? " * " + constant("loss_traffic.eager") : "";
  derived("t_logits", "output projection, forward", "Williams et al. 2009",
          "2 * T * h * V / t / F_16 * (1 + kappa_16 * (1 / T + 1 / h + t / V))");
  derived("t_head", "output projection and loss", kSheet,
          "(1 + mtp) * (3 * t_logits + 32 * T * V / t" + traffic + " / BW) + t_head_launch");
}

void CalibratedExplanation::add_stage(double layers, double heads) {
  out_.given("n", "mean layers on the slowest stage", kSheet, layers, "");
  out_.given("n_head", "loss layers there", kSheet, heads, "");
  derived("t_stage", "one micro-batch on the slowest stage", kSheet,
          "n * t_mean + n_head * t_head");
  derived("t_all", "one micro-batch on all stages", kSheet, "(L + mtp) * t_mean + t_head");
}

void CalibratedExplanation::add_pipeline() {
  if (p_ == 1) {
    derived("T_bubble", "pipeline bubble", kSheet, "0");
    derived("T_sends", "pipeline transfers", kSheet, "0");
    return;
  }
  out_.given("flushes", "times that the pipeline fills and drains", "--micro-batches-per-flush",
             flushes_, "");
  if (schedule_ == Schedule::zero_bubble_1p || schedule_ == Schedule::zero_bubble_2p) {
    add_zero_bubble();
  } else {
    std::string causal = "t_all - m / flushes * t_stage";
    if (v_ > 1) causal += " + (m / flushes - 1) / v * t_stage";
    derived("T_bubble", "pipeline bubble", "arXiv 2104.04473 §2.2",
            "flushes * max((t_all - t_stage) / v, " + causal + ")");
  }
  const bool parts = sends_parts(workload_.software, strategy_);
  const std::string bytes = parts ? "b * 2 * s / cp * h / t" : "b * 2 * s / cp * h";
  const std::string alpha = constant("network_latency");
  if (strategy_.pp.net > 1) {
    out_.given("crossing", "share of the sends that leave the HB domain", "placement",
               1 / real(strategy_.pp.hb), "");
    const std::string link =
        nic("pp", TrafficPattern::p2p,
            strategy_.tp.net * strategy_.cp.net * strategy_.dp.net * strategy_.pp.net);
    derived("t_send", "a micro-batch from stage to stage", kSheet,
            alpha + " + " + bytes + " * (crossing / " + link + " + (1 - crossing) / nvl)");
  } else {
    derived("t_send", "a micro-batch from stage to stage", kSheet,
            alpha + " + " + bytes + " / nvl");
  }
  const std::string share = v_ > 1 ? constant("pp_exposed.interleaved") : "1";
  const std::string handover =
      constant(early_engine(workload_.software.stack) ? "handover.eager" : "handover");
  derived("T_sends", "pipeline transfers, what shows", kSheet,
          "flushes * 2 * (p - 1) * t_send + m * (" +
              exposed_formula(share, "2 * v * t_send", "t_stage") + ") + m * v * " + handover);
}

void CalibratedExplanation::add_zero_bubble() {
  constexpr const char* kZeroBubble = "arXiv 2401.10241, Table 2";
  out_.given("z", "times that weight gradients stand in for bubble", kZeroBubble,
             schedule_ == Schedule::zero_bubble_2p ? 2 : 1, "");
  const auto mean = [&](const auto& of_kind) {
    std::string sum;
    if (shape_.L_dense > 0) {
      sum =
          (shape_.L_moe > 0 ? "L_dense * (" : "(L_dense + mtp) * (") + of_kind(suffix(false)) + ")";
    }
    if (shape_.L_moe > 0) {
      sum += (sum.empty() ? "" : " + ") + ("(L_moe + mtp) * (" + of_kind(suffix(true))) + ")";
    }
    return "(" + sum + ") / (L + mtp)";
  };
  derived("t_weights", "weight gradients of the mean layer", kZeroBubble,
          mean([](const std::string& x) { return "t_products" + x + " + t_gradients" + x; }));
  derived("t_forward", "forward pass of the mean layer", kZeroBubble,
          mean([](const std::string& x) { return "t_pass_fwd" + x; }));
  derived("t_head_product", "output projections, one product", kSheet, "(1 + mtp) * t_logits");
  derived("t_stage_fwd", "forward pass of the slowest stage", kZeroBubble,
          "n * t_forward + n_head * t_head_product");
  derived("t_stage_weights", "its weight gradients", kZeroBubble,
          "n * t_weights + n_head * t_head_product");
  derived("t_others_weights", "weight gradients of all stages but the slowest", kZeroBubble,
          "(L + mtp - n) * t_weights + (1 - n_head) * t_head_product");
  derived("T_bubble", "pipeline bubble", kZeroBubble,
          "flushes * max(0, t_all - t_stage - t_others_weights - min(z * t_others_weights, "
          "(m / flushes - 1) * min(t_stage_fwd, t_stage_weights)))");
}

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

void CalibratedExplanation::add_total() {
  const auto steady = [&](const char* symbol, const char* meaning, const std::string& part) {
    derived(symbol, meaning, kSheet, "m * n * " + part);
  };
  steady("T_compute", "compute of all micro-batches", "t_compute");
  steady("T_tp", "tensor parallel communication", "t_tp");
  steady("T_cp", "context parallel communication", "t_cp");
  steady("T_ep", "expert parallel communication", "t_ep");
  steady("T_host", "waiting for kernel launches", "t_host");
  derived("T_loss", "output layer and loss", kSheet, "m * n_head * t_head");
  derived("T_straggling", "the slowest GPU of many", kSheet,
          constant("straggling") +
              " * log2(max(1, N / 8)) * (m * t_stage + T_bubble + T_sends + T_sync)");
  derived("T_iter", "iteration time", kSheet,
          "T_compute + T_tp + T_cp + T_ep + T_host + T_loss + T_bubble + T_sends + T_sync + "
          "T_optimizer + T_straggling");
}

void CalibratedExplanation::add_iteration(double stage_layers, double stage_heads) {
  add_stage(stage_layers, stage_heads);
  add_pipeline();
  add_synchronisation();
  add_total();
}

std::vector<ExplainedTerm> explain_calibrated(const Workload& workload, const Strategy& strategy) {
  const Calibrated model(workload);
  const Calibrated::Pipeline on = model.pipeline(strategy);
  const Calibrated::Stage stage = model.stage(on.p, model.micro_batch(strategy));
  CalibratedExplanation out(workload, strategy, on);
  out.add_rates();
  out.add_layers();
  out.add_iteration(stage.layers, stage.heads);
  return out.take();
}

}  // namespace planner
