#include "planner/perf/calibrated/modules.hpp"

#include "planner/perf/calibrated/explanation.hpp"
#include "planner/perf/calibrated/tokens.hpp"

namespace planner::inline perf {

std::vector<Text> CalibratedExplanation::module_times(bool moe) {
  using Module = RecomputeModule;
  const RecomputeModules& modules = strategy_.recompute_modules;
  const Of of{suffix(moe)};
  std::vector<Text> parts;
  const auto ew = [&] {
    const Text each = constant(elementwise_constant(workload_.software.stack));
    return workload_.software.fused_norms ? each : each * constant(Constant::unfused_norms);
  };
  if (modules.has(Module::core_attn)) {
    parts.push_back(cp_ > 1 ? "t_kernels"_t : "t_scores"_t);
  }
  if (modules.has(Module::layernorm)) {
    parts.push_back(strategy_.sequence_parallel
                        ? tell(of, kNormsAgain, "T"_t, "h"_t, ew(), "BW"_t, "t"_t)
                        : tell(of, kNormsAgain, "T"_t, "h"_t, ew(), "BW"_t));
  }
  if (modules.has(Module::mla_up_proj) && shape_.latent > 0) {
    parts.push_back(tell(of, kUpAgain, "T"_t, "W_attn"_t, "t"_t, "F"_t));
  }
  if (!moe && modules.has(Module::mlp)) {
    parts.push_back(tell(of, kMlpRunAgain, "T"_t, "W_mlp"_t, "t"_t, "F"_t));
  }
  if (!moe) return parts;
  if (modules.has(Module::moe_act)) {
    parts.push_back(tell(of, kActivationAgain, "R"_t, "f_e"_t, ew(), "BW"_t));
  }
  if (modules.has(Module::moe)) {
    const Text inner = kInner(ew(), "q"_t, "gates"_t);
    const Text routed =
        workload_.software.full_cuda_graphs
            ? tell(kRoutedTraffic, "R"_t, inner, "f_e"_t, "q"_t, "h"_t, "etp"_t, "BW"_t,
                   constant(Constant::fused_routing))
            : tell(kRoutedTraffic, "R"_t, inner, "f_e"_t, "q"_t, "h"_t, "etp"_t, "BW"_t);
    parts.push_back(tell(of, kExpertsAgain, "t_experts"_t, routed));
  }
  if (modules.has(Module::shared_experts) && shape_.shared > 0) {
    parts.push_back(tell(of, kMlpRunAgain, "T"_t, "W_expert"_t * "shared"_t, "t"_t, "F"_t));
  }
  return parts;
}

void CalibratedExplanation::add_tokens() {
  tell(kTokens, "b"_t, "s"_t, "cp"_t);
  if (shape_.L_moe > 0) tell(kRouted, "T"_t, "k"_t, "t"_t);
}

}  // namespace planner::perf
