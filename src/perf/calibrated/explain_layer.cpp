#include "planner/core/real.hpp"
#include "planner/perf/calibrated/explain_parts.hpp"

namespace planner {

namespace {

constexpr const char* kRoofline = "Williams et al. 2009";
constexpr const char* kCounted = "reads and writes counted";
constexpr const char* kMeasured = "host profile";
constexpr const char* kRingSteps = "context_parallel.py";
constexpr const char* kSheet = "docs/calibrated.md";

/// Time of products of M rows with W weights in matrices of K rows and n columns.
std::string product(const std::string& M, const std::string& W, const std::string& K,
                    const std::string& n) {
  return "2 * " + M + " * " + W + " / F * (1 + kappa * (1 / " + M + " + 1 / " + K + " + 1 / (" + n +
         ")))";
}

}  // namespace

std::string exposed_formula(const std::string& share, const std::string& communication,
                            const std::string& cover) {
  const std::string c = "(" + communication + ")";
  return share + " * " + c + " + max(0, (1 - " + share + ") * " + c + " - " + cover + ")";
}

void CalibratedExplanation::add_rates() {
  const Accelerator& part = workload_.system.accelerator;
  add_shape();
  const Generation generation = part.generation;
  std::string power = "1";
  if (part.power && power_exponent(generation)) {
    out_.given("TDP", "power of the GPU", "catalog", part.power->si(), "W");
    out_.given("TDP_ref", "of the part whose rates the constants describe", kSheet,
               reference_power(generation).si(), "W");
    const std::string exponent = constant(*power_exponent(generation));
    derived("power", "rates follow the power limit", kSheet, "(TDP / TDP_ref) ^ " + exponent, "");
    power = "power";
  }
  const Precision precision = workload_.run.precision;
  out_.given("sm_share", "processors taken by communication", "--communication-sm-share",
             workload_.software.communication_sm_share, "");
  out_.given("most_of_peak", "that any kernel sustains", kSheet, kMostOfPeak, "");
  out_.given("peak", "of the silicon at the run's precision", "catalog", rates_.peak.si(),
             "FLOP/s");
  std::string efficiency = constant(gemm_efficiency(generation, precision));
  if (precision == Precision::fp8 && workload_.software.scaling == Scaling::row) {
    efficiency += " * " + constant("rowwise_fp8");
  }
  derived("F", "rate of matrix products", kSheet,
          "peak * (1 - sm_share) * min(most_of_peak, " + efficiency + " * " + power + ")",
          "FLOP/s");
  if (rates_.quantised) {
    out_.given("peak_16", "of the silicon in 16 bits", "catalog", rates_.peak_16bit.si(), "FLOP/s");
    derived("F_16", "rate of 16-bit matrix products", kSheet,
            "peak_16 * (1 - sm_share) * min(most_of_peak, " +
                constant(gemm_efficiency(generation, Precision::bf16)) + " * " + power + ")",
            "FLOP/s");
  } else {
    derived("F_16", "rate of 16-bit matrix products", kSheet, "F", "FLOP/s");
  }
  if (workload_.software.attention != AttentionKernel::unfused) {
    out_.given("peak_attn", "of the silicon in 16 bits", "catalog", rates_.peak_16bit.si(),
               "FLOP/s");
    derived("F_attn", "rate of fused attention, causal FLOPs", "arXiv 2205.14135, 2307.08691",
            "peak_attn * (1 - sm_share) * min(most_of_peak, " +
                constant(attention_efficiency(generation, workload_.software.attention)) + " * " +
                power + ")",
            "FLOP/s");
  }
  out_.given("HBM", "memory bandwidth", "catalog", part.memory_bandwidth.si(), "B/s");
  derived("BW", "memory bandwidth reached", kSheet, "HBM * " + constant("hbm_efficiency"), "B/s");
  out_.given("C_F", "HB bandwidth", "catalog", workload_.system.hb_bandwidth.si(), "B/s");
  derived("nvl", "HB bandwidth reached", kSheet, "C_F * " + constant("nvlink_efficiency"), "B/s");
  out_.given("C_S", "network bandwidth", "catalog", workload_.system.network_bandwidth.si(), "B/s");
  derived("nic", "network bandwidth reached", kSheet, "C_S * " + constant("nic_efficiency"), "B/s");
  derived("kappa", "rows that hide an operand's traffic", kRoofline,
          constant("gemm_shape") + " * e * F / (2 * BW)", "");
  derived("kappa_16", "the same of 16-bit products", kRoofline, "gemm_shape * 2 * F_16 / (2 * BW)",
          "");
}

void CalibratedExplanation::add_layers() {
  derived("T", "tokens of a micro-batch on a GPU", kSheet, "b * s / cp", "");
  if (shape_.L_moe > 0) {
    derived("R", "tokens routed to the experts of a GPU", kSheet, "T * k / t", "");
  }
  add_attention("T * s * a / t");
  add_layer_communication();
  if (shape_.L_dense > 0) add_layer(false);
  if (shape_.L_moe > 0) add_layer(true);
  add_head();
  const auto mean = [&](const std::string& symbol, const std::string& meaning) {
    std::string sum;
    if (shape_.L_dense > 0) {
      sum = (shape_.L_moe > 0 ? "L_dense * " : "(L_dense + mtp) * ") + symbol + "_layer" +
            suffix(false);
    }
    if (shape_.L_moe > 0) {
      sum += (sum.empty() ? "" : " + ") + ("(L_moe + mtp) * " + symbol) + "_layer" + suffix(true);
    }
    const std::string formula = "(" + sum + ") / (L + mtp)";
    derived(symbol, meaning + ", mean layer", kSheet, formula);
  };
  mean("t_compute", "compute");
  mean("t_tp", "tensor parallel, what shows");
  mean("t_cp", "context parallel, what shows");
  mean("t_ep", "expert parallel, what shows");
  mean("t_host", "waiting for launches");
  derived("t_mean", "one micro-batch in the mean layer, there and back", kSheet,
          "t_compute + t_tp + t_cp + t_ep + t_host");
}

void CalibratedExplanation::add_attention(const std::string& tokens_per_head) {
  const bool ring = cp_ > 1;
  const std::string scores = ring ? "t_kernels" : "t_scores", back = scores + "_back";
  const char* const forward = "attention scores, forward";
  const char* const backward = "attention scores, backward";
  if (workload_.software.attention != AttentionKernel::unfused) {
    derived(scores, forward, "arXiv 2205.14135",
            tokens_per_head + " * score_share * (d_qk + d_v) / F_attn");
    derived(back, backward, "arXiv 2307.08691", "3 * " + scores);
  } else {
    const bool aligned = static_cast<std::int64_t>(shape_.d_qk) % 8 == 0;
    const std::string slow = aligned ? "" : " * " + constant("unaligned_head");
    derived("t_score_products", "score products, full square", kRoofline,
            "2 * " + tokens_per_head + " * score_share * (d_qk + d_v) / F_16" + slow +
                " * (1 + gemm_shape * F_16 / BW * (1 / d_qk + 2 / s))");
    std::string traffic = constant("score_traffic");
    if (workload_.software.attention_in_framework_ops) traffic += " * " + constant("framework_ops");
    derived("t_score_byte", "a byte for every score", "arXiv 2205.05198",
            tokens_per_head + " / BW * " + traffic);
    derived(scores, forward, "arXiv 2205.05198", "t_score_products + 9 * t_score_byte");
    derived(back, backward, "arXiv 2205.05198", "2 * t_score_products + 15 * t_score_byte");
  }
  if (!ring) return;
  const std::string step = "8 * cp * T / t * ";
  derived("t_steps", "what the ring's steps copy and sum", kRingSteps, step + "a * d_v / BW");
  derived("t_steps_back", "the same, backward", kRingSteps, step + "(a * d_qk + w_kv) / BW");
  derived("t_scores", "attention, forward", kSheet, "t_kernels + t_steps");
  derived("t_scores_back", "attention, backward", kSheet, "t_kernels_back + t_steps_back");
}

void CalibratedExplanation::add_products(bool moe) {
  const std::string x = suffix(moe);
  derived("t_projections" + x, "attention projections", kRoofline,
          product("T", "W_attn / t", "h", "n_qkv / t"));
  if (!moe) {
    derived("t_mlp" + x, "MLP", kRoofline, product("T", "W_mlp / t", "h", "f / t"));
    derived("t_products" + x, "matrix products, forward", kSheet,
            "t_projections" + x + " + t_mlp" + x);
    return;
  }
  derived("M_e", "tokens of one expert", kSheet, "max(1, R * etp * ep / E)", "");
  derived("t_experts", "experts", kRoofline,
          constant("expert_imbalance") +
              " * 2 * R * W_expert / F * (1 + kappa * (2 / M_e + 1 / h + etp / f_e))");
  std::string sum = "t_projections" + x + " + t_experts";
  if (shape_.shared > 0) {
    derived("t_shared", "shared experts", kRoofline,
            product("T", "W_expert * shared / t", "h", "f_e * shared / t"));
    sum += " + t_shared";
  }
  derived("t_products" + x, "matrix products, forward", kSheet, sum);
}

void CalibratedExplanation::add_memory_bound(bool moe) {
  const std::string x = suffix(moe);
  std::string ew = constant("elementwise." + stack_);
  if (!workload_.software.fused_norms) ew += " * " + constant("unfused_norms");
  const std::string sp = strategy_.sequence_parallel ? " / t" : "";
  const std::string hidden =
      "24 * h" + sp + " * " + ew + " + q * h + (4 * " + ew + " + q) * w_qkv / t";
  const std::string inner = "(8 * " + ew + " + q) * (1 + gates / 2)";
  if (!moe) {
    derived("t_elementwise" + x, "norms, activations, residuals", kCounted,
            "T * (" + hidden + " + " + inner + " * f / t) / BW");
    derived("t_gradients" + x, "adding weight gradients", kCounted,
            constant("gradient_accumulation") + " * 2 * g * (W_attn + W_mlp) / t / BW");
    return;
  }
  const std::string fused =
      workload_.software.full_cuda_graphs ? " * " + constant("fused_routing") : "";
  derived("t_elementwise" + x, "norms, activations, residuals, routing", kCounted,
          "(T * (" + hidden + " + " + inner + " * f_e * shared / t) + R * (" + inner +
              " * f_e + (4 + q) * h * etp)" + fused + ") / BW");
  derived("t_gradients" + x, "adding weight gradients", kCounted,
          constant("gradient_accumulation") +
              " * 2 * g * ((W_attn + W_expert * shared) / t + W_expert * E / (ep * etp)) / BW");
}

std::string CalibratedExplanation::launches_of_dense_layer() {
  const bool eager = workload_.software.stack == SoftwareClass::eager;
  std::string one = constant("host_time." + stack_);
  if (t_ == 1) return one;
  const std::string more = constant(eager ? "host_time_tp.eager" : "host_time_tp");
  return one + " + " + more;
}

void CalibratedExplanation::add_launches(bool moe) {
  const std::string x = suffix(moe), launch = "t_launch" + x, gaps = "t_gaps" + x;
  const std::string of_dense = launches_of_dense_layer();
  const std::string captured =
      workload_.software.full_cuda_graphs && moe ? constant("cuda_graphs") + " * " : std::string{};
  if (!moe) {
    derived(launch, "launching a layer's kernels", kMeasured, of_dense);
    std::string idle = constant("launch_gap") + " * " + launch;
    if (workload_.software.launch_blocking) {
      idle += " + " + constant("launch_blocking") + " * " + launch;
    }
    derived(gaps, "idle between kernels", kMeasured, idle);
    return;
  }
  const std::string more = constant("moe_host_time");
  derived(launch, "launching a layer's kernels", kMeasured,
          captured + "(" + of_dense + " + " + more + ")");
  const std::string idle = constant("launch_gap") + " * (" + of_dense + ")";
  const std::string of_moe = constant("moe_gap"), of_expert = constant("moe_gap_per_expert");
  std::string all = captured + "(" + idle + " + " + of_moe + " + " + of_expert + " * E / ep)";
  if (workload_.software.launch_blocking) {
    all += " + " + constant("launch_blocking") + " * " + launch;
  }
  derived(gaps, "idle between kernels", kMeasured, all);
}

void CalibratedExplanation::add_layer_communication() {
  if (t_ > 1) {
    std::string formula = "2 * (t - 1) / t * 2 * T * h / nvl";
    if (strategy_.tp.net > 1) {
      formula = "2 * (t_h - 1) / t_h * 2 * T * h / nvl + 2 * (1 - t_h / t) * 2 * T * h / (t_h * " +
                nic("tp", TrafficPattern::ring, strategy_.tp.net) + ")";
    }
    derived("t_all_reduce", "tensor-parallel all-reduce", "Thakur et al. 2005",
            formula + " + " + constant("tp_latency") + " * log2(t)");
  }
  if (cp_ > 1) {
    const bool inside = strategy_.tp.net == 1 && strategy_.cp.net == 1;
    const std::string link =
        inside ? "nvl"
               : nic("cp", ring_pattern(strategy_.tp.net), strategy_.tp.net * strategy_.cp.net);
    derived("t_ring", "keys and values around the ring", "arXiv 2310.01889",
            "(cp - 1) * (2 * T * w_kv / t / " + link + " + " + constant("tp_latency") + ")");
  }
  if (exchanges_tokens()) add_all_to_all();
}

bool CalibratedExplanation::exchanges_tokens() const {
  return shape_.L_moe > 0 && strategy_.ep.total() * strategy_.expert_tp > 1;
}

void CalibratedExplanation::add_all_to_all() {
  const std::int64_t limit = workload_.software.expert_domain_limit;
  out_.input("dispatch_bytes", workload_.software.dispatch_bytes);
  out_.input("x_ep", real(strategy_.ep.hb));
  out_.input("y_ep", real(strategy_.ep.net));
  derived("token_bytes", "dispatched or combined, the mean of both", kSheet,
          "(2 + dispatch_bytes) / 2 * T * h / t", "B");
  const std::string link = nic("ep", TrafficPattern::all_to_all, strategy_.ep.net);
  if (workload_.software.stack == SoftwareClass::mcore) {
    derived("copies_inside", "of a token in the HB domain", kSheet,
            "k / y_ep * (x_ep - 1) / x_ep + k * (etp - 1)", "");
    derived("copies_beyond", "of a token to other HB domains", kSheet, "k * (y_ep - 1) / y_ep", "");
    derived("t_all_to_all", "all-to-all of the tokens", kSheet,
            "copies_inside * token_bytes / nvl + copies_beyond * token_bytes / " + link);
    return;
  }
  std::string domains = "y_ep";
  if (limit > 0) {
    out_.given("domain_limit", "HB domains of one token's experts", "--expert-domain-limit",
               real(limit), "");
    domains = "min(y_ep, domain_limit)";
  }
  derived("copies_inside", "of a token in HB domains", "DeepEP",
          "etp * " + domains + " * x_ep * (1 - (1 - 1 / (" + domains +
              " * x_ep)) ^ k) * (x_ep * etp - 1) / (x_ep * etp)",
          "");
  derived("copies_beyond", "of a token to other HB domains", "DeepEP",
          domains + " * (1 - (1 - 1 / " + domains + ") ^ k) * (y_ep - 1) / y_ep", "");
  derived("t_all_to_all", "all-to-all of the tokens", "DeepEP",
          "max(copies_inside * token_bytes / nvl, copies_beyond * token_bytes / " + link + ")");
}

void CalibratedExplanation::add_pass(bool moe, Pass pass) {
  const bool backward = pass == Pass::backward;
  const std::string x = suffix(moe), y = (backward ? "_back" : "_fwd") + x;
  const std::string scores = backward ? "t_scores_back" : "t_scores";
  const std::string where = backward ? ", backward" : ", forward";
  const bool spread = moe && exchanges_tokens();
  derived("t_work" + y, "products and attention" + where, kSheet,
          (backward ? "2 * t_products" : "t_products") + x + " + " + scores);
  derived("t_compute" + y, "with memory-bound kernels", kSheet,
          "t_work" + y +
              (backward ? " + 1.6 * t_elementwise" + x + " + t_gradients" + x
                        : " + t_elementwise" + x));
  std::string sum = "t_compute" + y;
  if (t_ > 1) {
    const bool one = moe && shape_.shared == 0;
    const bool again = backward && strategy_.sequence_parallel;
    const std::string times = again ? (one ? "1.5" : "3") : (one ? "1" : "2");
    const bool torch = workload_.software.stack == SoftwareClass::torch;
    const std::string named = torch ? "tp_exposed.torch" : "tp_exposed.te";
    const bool hides = overlaps_tensor_parallelism(workload_.software, strategy_);
    derived("t_tp" + y, "tensor parallel, what shows" + where, kSheet,
            exposed_formula(hides ? constant(named) : "1", times + " * t_all_reduce",
                            "t_work" + y + " / 2"));
    sum += " + t_tp" + y;
  }
  if (cp_ > 1) {
    derived("t_cp" + y, "context parallel, what shows" + where, kSheet,
            exposed_formula(constant("cp_exposed"), backward ? "2 * t_ring" : "t_ring", scores));
    sum += " + t_cp" + y;
  }
  if (spread) {
    const bool overlap = workload_.software.expert_overlap;
    derived("t_ep" + y, "expert parallel, what shows" + where,
            overlap ? "arXiv 2412.19437 §3.2.1" : kSheet,
            exposed_formula(overlap ? "0" : constant("ep_exposed"), "2 * t_all_to_all",
                            "t_work" + y + (overlap ? "" : " / 2")));
    sum += " + t_ep" + y;
  }
  const std::string gaps = (backward ? "2 * t_gaps" : "t_gaps") + x;
  derived("t_gpu" + y, "the GPU's part" + where, kSheet, sum + " + " + gaps);
  derived("t_pass" + y, "GPU and launches overlap" + where, kSheet,
          "max(t_gpu" + y + ", t_launch" + x + ") * (1 + (min(t_gpu" + y + ", t_launch" + x +
              ") / max(t_gpu" + y + ", t_launch" + x + ")) ^ 4) ^ (1 / 4)");
  derived("t_wait" + y, "waiting for launches" + where, kSheet,
          gaps + " + t_pass" + y + " - t_gpu" + y);
}

void CalibratedExplanation::add_layer(bool moe) {
  add_products(moe);
  add_memory_bound(moe);
  add_launches(moe);
  add_pass(moe, Pass::forward);
  add_pass(moe, Pass::backward);
  const std::string x = suffix(moe);
  double again = 0;
  std::string more;
  if (strategy_.recompute == Recompute::full) {
    again = 1;
  } else if (strategy_.recompute == Recompute::selective) {
    if (workload_.software.stack == SoftwareClass::torch) {
      again = 0.5;
    } else if (workload_.software.attention == AttentionKernel::unfused) {
      more = " + t_scores";
    }
  }
  out_.given("again" + x, "share of the forward pass that runs again", "--recompute", again, "");
  const auto both = [&](const std::string& symbol, const char* meaning, bool present,
                        const std::string& extra = {}) {
    const std::string part = symbol == "t_host" ? "t_wait" : symbol;
    derived(symbol + "_layer" + x, std::string{meaning} + " of a layer", kSheet,
            present
                ? "(1 + again" + x + ") * " + part + "_fwd" + x + " + " + part + "_back" + x + extra
                : "0");
  };
  both("t_compute", "compute", true, more);
  both("t_tp", "tensor parallel", t_ > 1);
  both("t_cp", "context parallel", cp_ > 1);
  both("t_ep", "expert parallel", moe && exchanges_tokens());
  both("t_host", "waiting for launches", true);
}

}  // namespace planner
