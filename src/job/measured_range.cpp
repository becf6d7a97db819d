#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>
#include <cmath>

#include "planner/domain/names.hpp"
#include "planner/job/workload.hpp"
#include "planner/perf/calibrated/certainty.hpp"
#include "planner/perf/calibrated/rates.hpp"
#include "planner/perf/model/degree_rules.hpp"

namespace planner::job {

namespace {

/// " on Hopper"
std::string on(Generation generation) {
  std::string name{name_of(generation)};
  name.front() = static_cast<char>(std::toupper(name.front()));
  return " on " + name;
}

/// "mixtures of experts on Hopper": the kind of run that errors were measured of.
std::string kind_of_runs(const ResidualClass& of) {
  const std::string text = of.mixture_of_experts ? "mixtures of experts" : "dense models";
  return of.generation ? text + on(*of.generation) : text;
}

/// Whether the rate of fused attention on this generation is that of this kernel.
bool kernel_measured(AttentionKernel kernel, Generation generation) {
  if (kernel == AttentionKernel::unfused) return true;
  switch (generation) {
    case Generation::volta:
      return false;
    case Generation::ampere:
      return kernel != AttentionKernel::cudnn;
    case Generation::blackwell:
      return kernel == AttentionKernel::cudnn;
    case Generation::ada:
    case Generation::hopper:
    case Generation::cdna3:
    case Generation::cdna4:
    case Generation::tpu:
    case Generation::trainium:
      return true;
  }
  return true;
}

// The largest degrees that several measured runs have, and the slowest network.
constexpr std::int64_t kMostMeasuredTp = 8, kMostMeasuredCp = 4, kMostMeasuredEp = 64;
constexpr std::int64_t kMostMeasuredStagesOfExperts = 8;
constexpr BytesPerSecond kSlowestMeasuredNetwork = 25 * units::Gbps;

/// A plan that fits, but not surely.
void warn_about_tight_memory(const Plan& plan, std::vector<std::string>& warnings) {
  if (!plan.fits() || plan.p_fits() >= kSurely) return;
  if (!plan.memory_known()) {
    warnings.push_back(fmt::format(
        "{:.1f} of {:.1f} GB: no peak of memory of {} was measured; runs that ran are predicted at "
        "up to {:.1f} times what there is",
        plan.memory.total().in(units::GB), plan.capacity.in(units::GB),
        name_of(plan.evidence->stack), kMostOfRunsThatRan));
    return;
  }
  warnings.push_back(fmt::format(
      "{:.1f} of {:.1f} GB: of sources outside the fit nine of ten measured peaks are within {:g} "
      "% of ours, so this plan fits with a probability of {:.0f} %; optimize --min-p-fits {:g} "
      "takes none less sure than that",
      plan.memory.total().in(units::GB), plan.capacity.in(units::GB), 100 * kPeakMemoryError,
      100 * plan.p_fits(), kSurely));
}

/// Ways to train of which catalog/measured/runs.jsonl has no run, or a handful.
void warn_about_unmeasured_ways(const Workload& workload, const Plan& plan,
                                std::vector<std::string>& warnings) {
  const Strategy& strategy = plan.strategy;
  std::vector<std::string> ways;
  const Software& software = workload.software;
  const Generation generation = workload.system.accelerator.generation;
  if (!kernel_measured(software.attention, generation)) {
    ways.push_back(fmt::format("{} attention{}", name_of(software.attention), on(generation)));
  }
  if (workload.model.moe && workload.run.precision == Precision::fp4) {
    ways.emplace_back("a mixture of experts in fp4");
  }
  const Schedule schedule = strategy.schedule();
  const bool zero_bubble =
      schedule == Schedule::zero_bubble_1p || schedule == Schedule::zero_bubble_2p;
  if (zero_bubble && strategy.pp.total() > 1) ways.emplace_back("a zero-bubble schedule");
  if (strategy.pp.total() > 1 &&
      micro_batches_at_once(software, plan.microbatches) < plan.microbatches) {
    ways.emplace_back("a pipeline that drains more than once");
  }
  if (strategy.tp.total() > 1 && software.stack == SoftwareClass::torch &&
      overlaps_tensor_parallelism(software, strategy)) {
    ways.emplace_back("asynchronous tensor parallelism");
  }
  if (strategy.expert_tp > 1) ways.emplace_back("experts that are split");
  if (strategy.tp.net > 1) ways.emplace_back("tensor parallelism beyond an HB domain");
  if (strategy.tp.total() > kMostMeasuredTp) {
    ways.push_back(fmt::format("tensor parallelism of more than {} ranks", kMostMeasuredTp));
  }
  if (strategy.cp.total() > kMostMeasuredCp) {
    ways.push_back(fmt::format("context parallelism of more than {} ranks", kMostMeasuredCp));
  }
  if (strategy.ep.total() > kMostMeasuredEp) {
    ways.push_back(fmt::format("expert parallelism of more than {} ranks", kMostMeasuredEp));
  }
  if (workload.model.moe && strategy.pp.total() > kMostMeasuredStagesOfExperts) {
    ways.push_back(fmt::format("a mixture of experts on more than {} pipeline stages",
                               kMostMeasuredStagesOfExperts));
  }
  if (workload.gpus > workload.system.hb_domain &&
      workload.system.network_bandwidth < kSlowestMeasuredNetwork) {
    ways.emplace_back("a network of less than 25 Gb/s per GPU");
  }
  if (strategy.zero >= 2 && strategy.pp.total() > 1) {
    ways.push_back(fmt::format("ZeRO {} with a pipeline", strategy.zero));
  }
  if (strategy.shard_ranks > 0) ways.emplace_back("hybrid sharding");
  if (software.expert_overlap) ways.emplace_back("expert traffic behind another micro-batch");
  if (ways.empty()) return;
  warnings.push_back(
      fmt::format("hardly a measured run has {}: the interval of the time does not "
                  "cover what that may cost",
                  fmt::join(ways, ", ")));
}

/// Beyond the sizes of one's own runs.
void warn_about_own_range(const Workload& workload, const MeasuredRange& range,
                          std::vector<std::string>& warnings) {
  if (range.own_gpu_doublings <= 0 && range.own_sequence_doublings <= 0) return;
  warnings.push_back(fmt::format(
      "your own runs have at most {} GPUs and sequences of {} tokens, this plan {} and {}: the "
      "interval of the time is wider for it",
      range.own->most_gpus, range.own->longest_sequence, workload.gpus, workload.run.sequence));
}

}  // namespace

void warn_about_measured_range(const Workload& workload, const Plan& plan,
                               std::vector<std::string>& warnings) {
  if (!workload.timing.calibrated()) return;
  warn_about_tight_memory(plan, warnings);
  warn_about_unmeasured_ways(workload, plan, warnings);
  const MeasuredRange range = measured_range(workload);
  if (range.own != nullptr) return warn_about_own_range(workload, range, warnings);
  if (range.nearest == nullptr) return;
  const ResidualClass& of = *range.nearest;
  const std::string runs = kind_of_runs(of);
  if (!range.own_generation && range.own_software) {
    const std::string how =
        range.outside ? "the time's interval is as wide as what runs showed that no fit has seen"
                      : fmt::format("the slow side of the time's interval is {:g} times as wide",
                                    kSlowSideUnknown);
    warnings.push_back(fmt::format("too few measured runs of {} are on the generation of {}: {}",
                                   runs, workload.system.accelerator.title, how));
  }
  if (range.gpu_doublings > 0) {
    warnings.push_back(
        fmt::format("{} GPUs: the largest measured run of {} has {}; the slow end of the time's "
                    "interval lies farther "
                    "out for it",
                    workload.gpus, runs, of.most_gpus));
  }
  if (range.sequence_doublings > 0) {
    warnings.push_back(fmt::format(
        "sequences of {} tokens: the longest measured ones of {} have {}; the interval of the time "
        "is wider for it",
        workload.run.sequence, runs, of.longest_sequence));
  }
}

}  // namespace planner::job
