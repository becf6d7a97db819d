#include "planner/perf/calibrated/explain.hpp"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "planner/core/real.hpp"
#include "planner/domain/names.hpp"
#include "planner/perf/calibrated/explain_parts.hpp"

namespace planner {

namespace {

constexpr const char* kSheet = "docs/calibrated.md";

/// "1332 rows, 9 sources": what a constant rests on.
std::string evidence(const ConstantOrigin& origin) {
  if (origin.rows == 0) return origin.note.empty() ? "expected value" : origin.note;
  return std::to_string(origin.rows) + (origin.rows == 1 ? " row, " : " rows, ") +
         std::to_string(origin.sources) + (origin.sources == 1 ? " source" : " sources");
}

}  // namespace

CalibratedExplanation::CalibratedExplanation(const Workload& workload, const Strategy& strategy,
                                             const Calibrated::Pipeline& on)
    : workload_(workload),
      strategy_(strategy),
      calibration_(workload.timing.constants()),
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
