#include "planner/perf/calibrated/explain.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>

#include "planner/core/real.hpp"
#include "planner/perf/calibrated/explanation.hpp"

namespace planner::inline perf {

namespace {

/// "1332 rows, 9 sources": what a constant rests on.
std::string evidence(const ConstantOrigin& origin) {
  if (origin.rows == 0) return origin.note.empty() ? "expected value" : origin.note;
  return std::to_string(origin.rows) + (origin.rows == 1 ? " row, " : " rows, ") +
         std::to_string(origin.sources) + (origin.sources == 1 ? " source" : " sources");
}

}  // namespace

CalibratedExplanation::CalibratedExplanation(const Workload& workload, const Strategy& strategy,
                                             const Calibrated::Pipeline& on,
                                             std::optional<GradientSync> sync_by)
    : workload_(workload),
      strategy_(strategy),
      calibration_(workload.timing.constants()),
      shape_(workload.model, workload),
      split_(shape_.split_over(real(strategy.tp.total()))),
      rates_(workload),
      domain_(usable_hb_domain(workload.system.hb_domain, workload.gpus)),
      host_(host_tier(workload.system, domain_)),
      links_(workload.system, domain_),
      sync_by_(sync_by),
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

Text CalibratedExplanation::constant(Constant which) {
  const auto i = static_cast<std::size_t>(which);
  const ConstantSpec& spec = constant_specs()[i];
  std::string symbol{spec.name};
  std::replace(symbol.begin(), symbol.end(), '.', '_');
  if (shown_.insert(symbol).second) {
    out_.given(symbol, std::string{spec.meaning},
               calibration_.name + ": " + evidence(calibration_.origins[i]), calibration_[which],
               std::string{spec.unit});
  }
  return Text{symbol};
}

std::optional<Text> CalibratedExplanation::share_of(const std::string& group,
                                                    const GroupFlows& across) {
  const double share = NetworkShares(workload_).of(on_gpus(across, domain_));
  if (share == 1) return std::nullopt;
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
    given(symbol, "of the network's bandwidth that is left", taken, share);
  }
  return Text{symbol};
}

Text CalibratedExplanation::inside(const std::string& group, double ranks, std::int64_t apart,
                                   FlowKind kind) {
  const double share = links_.share({kind, apart, std::lround(ranks)});
  if (share == 1) return "nvl"_t;
  const std::string symbol = "links_" + group;
  if (shown_.insert(symbol).second) {
    given(symbol, "of a GPU's links in the HB domain that the group uses",
          kind == FlowKind::all_to_all ? "Dally and Towles 2004, §3.3.1"
                                       : "doi 10.1002/cpe.1206, §7.2",
          share);
  }
  return grouped(Text{symbol} * "nvl"_t);
}

Text CalibratedExplanation::nic(const std::string& group, const GroupFlows& across) {
  const std::optional<Text> share = share_of(group, across);
  return share ? grouped(*share * "nic"_t) : "nic"_t;
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
                                          {"t_l", real(strategy_.tp.net)},
                                          {"p", p_},
                                          {"d", d_},
                                          {"cp", cp_},
                                          {"ep", real(strategy_.ep.total())},
                                          {"etp", real(strategy_.expert_tp)},
                                          {"b", real(strategy_.micro_batch)},
                                          {"m", m_},
                                          {"v", v_},
                                          {"e", rates_.operand_bytes},
                                          {"q", rates_.cast_bytes()},
                                          {"g", real(workload_.software.gradient_reduce_bytes)}}) {
    out_.input(name, value);
  }
}

std::vector<ExplainedTerm> explain_calibrated(const Workload& workload, const Strategy& strategy) {
  const Calibrated model(workload);
  const Calibrated::Pipeline on = model.pipeline(strategy);
  const Calibrated::Stage stage = model.stage(on.p, model.micro_batch(strategy));
  CalibratedExplanation out(workload, strategy, on, model.evaluate(strategy).sync_by);
  out.add_rates();
  out.add_layers();
  out.add_iteration(stage.layers, stage.heads);
  return out.take();
}

}  // namespace planner::perf
