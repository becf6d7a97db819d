#include "planner/published/flagships.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "planner/calibration/error_summary.hpp"
#include "planner/core/real.hpp"
#include "planner/domain/names.hpp"
#include "planner/perf/metrics.hpp"
#include "planner/perf/model/placement.hpp"
#include "planner/search/search.hpp"
#include "planner/search/space.hpp"

// Public runs beside what is predicted of the strategy that they ran, and the best that the search
// would pick in its place. Inputs and measured times are those of the shipped rows, with their
// sources.
namespace planner::published {

namespace {

struct Known {
  const char *id, *title;
};
constexpr std::array<Known, 20> kFlagships{{
    {"sc21-t2-PTD-174.6-1536", "GPT-3 175B, 1,536 A100 (Megatron, SC'21)"},
    {"sc21-t2-ZeRO-3-529.6-1120", "GPT 530B, ZeRO 3, 1,120 A100 (Megatron, SC'21)"},
    {"korthi-530B-selsp-dp8", "GPT 530B, 2,240 A100 (Korthikanti et al.)"},
    {"korthi-1T-selsp", "GPT 1T, 512 A100 (Korthikanti et al.)"},
    {"korthi-1T-full", "GPT 1T, recomputed, 512 A100 (Korthikanti et al.)"},
    {"bloom-pq-101", "BLOOM 176B, 384 A100 (BigScience)"},
    {"mlperf-v3.0-NVIDIA_CoreW-coreweave_hgxh100_n448_ngc23.04_py-gpt3",
     "GPT-3 175B, fp8, 3,584 H100 (MLPerf v3.0)"},
    {"mlperf-v3.1-NVIDIA-eos-dfw_n1344_ngc23.09_nemo-gpt3",
     "GPT-3 175B, fp8, 10,752 H100 (MLPerf v3.1)"},
    {"dgxc-v25.02.02-llama3-70b-fp8-H100-n2048-b4096",
     "Llama 3 70B, fp8, 2,048 H100 (NVIDIA DGX Cloud)"},
    {"dgxc-v25.04.02-nemotron4-340b-bf16-H100-n2048-b512",
     "Nemotron-4 340B, 2,048 H100 (NVIDIA DGX Cloud)"},
    {"dgxc-v25.04.02-llama3-405b-bf16-H100-n2048-b1024",
     "Llama 3.1 405B, 2,048 H100 (NVIDIA DGX Cloud)"},
    {"dgxc-v25.04.02-llama3-405b-fp8-H100-n2048-b1024",
     "Llama 3.1 405B, fp8, 2,048 H100 (NVIDIA DGX Cloud)"},
    {"mlm-llama-llama3-405b", "Llama 3.1 405B, fp8, 1,024 H100 (Megatron-LM)"},
    {"mlperf-v5.0-NVIDIA-eos-dfw_n320_ngc25.01_nemo-llama31_405b",
     "Llama 3.1 405B, fp8, 2,560 H100 (MLPerf v5.0)"},
    {"mlperf-v5.0-NVIDIA-eos-dfw_n1024_ngc25.01_nemo-llama31_405b",
     "Llama 3.1 405B, fp8, 8,192 H100 (MLPerf v5.0)"},
    {"mlperf-v5.0-IBM+CoreWeav-carina_ngpu2496_ngc25.04_nemo-llama31_405b",
     "Llama 3.1 405B, fp8, 2,496 GB200 (MLPerf v5.0)"},
    {"mlperf-v5.1-NVIDIA-hsg_ngpu5120_ngc25.09_nemo-llama31_405b",
     "Llama 3.1 405B, fp4, 5,120 GB200 (MLPerf v5.1)"},
    {"mb-25.09-deepseek-v3-H100-SXM-80GB-FP8-pretrain-n1024-b8192-mbs1-s4096-tp2pp8cp1ep64",
     "DeepSeek-V3, fp8, 1,024 H100 (Megatron-Bridge)"},
    {"automodel-pretrain-deepseek-v3-n1024-b8192", "DeepSeek-V3, 1,024 H100 (NeMo AutoModel)"},
    {"mcoremoe-3", "DeepSeek-V3, fp8, 1,024 H100 (Megatron-Core)"},
}};

/// The plan of what ran, as measured runs are predicted.
Plan plan_of(const MeasuredRun& run, const Workload& workload) {
  return make_plan(workload,
                   placed_contiguously(run.strategy,
                                       usable_hb_domain(workload.system.hb_domain, workload.gpus)));
}

std::string run_again(const Strategy& s) {
  if (s.recompute == Recompute::none) return {};
  std::string text = fmt::format(", recompute {}", name_of(s.recompute));
  for (const RecomputeModule module : kRecomputeModules) {
    if (s.recompute_modules.has(module)) text += fmt::format(" {}", name_of(module));
  }
  return text;
}

}  // namespace

std::string strategy_in_words(const Strategy& s) {
  std::string text = fmt::format("tp {} pp {}", s.tp.total(), s.pp.total());
  if (s.interleave > 1) text += fmt::format(" v {}", s.interleave);
  text += fmt::format(" dp {}", s.dp.total());
  if (s.cp.total() > 1) text += fmt::format(" cp {}", s.cp.total());
  if (s.ep.total() > 1) text += fmt::format(" ep {}", s.ep.total());
  if (s.expert_tp > 1) text += fmt::format(" etp {}", s.expert_tp);
  return text + fmt::format(" b {} ZeRO {}{}", s.micro_batch, s.zero, run_again(s));
}

std::vector<Flagship> flagship_runs(const catalog::Catalog& catalog) {
  const auto constants = std::make_shared<const Calibration>(catalog.load_calibration("default"));
  const std::vector<MeasuredRow> rows = catalog.load_shipped_measured("runs");
  std::vector<Flagship> found;
  for (const auto& [id, title] : kFlagships) {
    const auto row = std::find_if(rows.begin(), rows.end(), [id = id](const MeasuredRow& any) {
      return any.id == id && any.run && any.run->iteration_time;
    });
    if (row == rows.end()) continue;
    Workload workload = row->run->workload;
    workload.timing = constants;
    const SearchResult search =
        rank_strategies(workload, all_calibrated_axes(workload), {.top = 1, .count = false});
    if (search.best.empty()) continue;
    found.push_back({.id = id,
                     .title = title,
                     .measured = *row->run->iteration_time,
                     .ran = plan_of(*row->run, workload),
                     .best = make_plan(workload, search.best.front().strategy)});
  }
  return found;
}

FlagshipSummary summary_of(const std::vector<Flagship>& runs) {
  FlagshipSummary all{.runs = std::ssize(runs)};
  if (runs.empty()) return all;
  std::vector<double> claims;
  for (const Flagship& run : runs) {
    all.inside += run.inside() ? 1 : 0;
    all.mean_error += run.error() / real(all.runs);
    all.mean_abs_error += std::abs(run.error()) / real(all.runs);
    claims.push_back(run.claim());
  }
  all.median_claim = quantile(claims, 0.5);
  all.largest_claim = *std::max_element(claims.begin(), claims.end());
  return all;
}

Checks flagships(const catalog::Catalog& catalog) {
  constexpr const char* kSource = "Public runs: the strategy that ran, and the best we would pick";
  const std::vector<Flagship> runs = flagship_runs(catalog);
  Checks checks;
  for (const Flagship& run : runs) {
    const double measured = run.measured.si();
    checks.push_back({.id = run.id,
                      .source = kSource,
                      .quantity = run.title + ", iteration as it ran",
                      .unit = "s",
                      .kind = Kind::shown,
                      .published = measured,
                      .ours = run.ran.time.total().si(),
                      .note = fmt::format("{}; {:+.1f} %, the measured time {} the 80 % interval",
                                          strategy_in_words(run.ran.strategy), 100 * run.error(),
                                          run.inside() ? "inside" : "OUTSIDE")});
    checks.push_back({.id = run.id,
                      .source = kSource,
                      .quantity = run.title + ", the best we would pick",
                      .unit = "s",
                      .kind = Kind::shown,
                      .published = std::nan(""),
                      .ours = run.best.time.total().si(),
                      .note = fmt::format("{}; said to be {:.1f} % faster than what ran, P(fits) "
                                          "{:.2f} against {:.2f}",
                                          strategy_in_words(run.best.strategy), 100 * run.claim(),
                                          run.best.p_fits(), run.ran.p_fits())});
  }
  return checks;
}

}  // namespace planner::published
