#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "planner/domain/plan.hpp"
#include "planner/domain/run.hpp"

// The one door to a workload: the command line, the C and C++ libraries, clusters and sweeps.
namespace planner::job {

/// How a model is trained, as somebody asks for it; what is not said is the model's reference run's
/// or TrainingRun's.
struct RunChoice {
  std::optional<std::int64_t> global_batch{}, sequence{};
  std::optional<Precision> precision{};
  std::optional<double> bytes_per_parameter{};  ///< of the closed form
  std::optional<double> tokens{};

  bool operator==(const RunChoice&) const = default;
};

/// By what software, for the calibrated model; what is not said is usual on the GPU's generation.
struct SoftwareChoice {
  std::optional<SoftwareClass> stack{};
  std::optional<AttentionKernel> attention{};
  bool tp_overlap = false, expert_overlap = false, fp8_attention = false, dropless = false;
  std::optional<bool> dp_overlap{};
  bool offloaded_optimizer = false, free_stage_inputs = false;
  std::optional<Dispatcher> dispatcher{};
  std::optional<LossKernel> loss{};
  std::optional<std::int64_t> micro_batches_per_flush{}, expert_domain_limit{}, dispatch_bytes{};
  std::optional<std::int64_t> gradient_bytes{}, moment_bytes{}, zero1_shard_gpus{}, loss_chunks{};
  std::optional<std::int64_t> offloaded_layers{};
  std::optional<double> communication_sm_share{};
  std::optional<GradientSync> gradient_sync{};
  std::optional<PipelineSends> pipeline_sends{};

  bool operator==(const SoftwareChoice&) const = default;
};

/// What a workload is made of.
struct WorkloadParts {
  TransformerSpec model;
  System system;
  std::int64_t gpus = 0;
  RunChoice run{};
  TimingModel timing{};
  SoftwareChoice software{};
};

/// A training job on a cluster, whole but for what a network and storage leave of it.
/// @param warnings  gets what the timing model leaves out or was not fitted to
/// @throws InputError and UsageError  as check() does, and for a model without a run or choices
/// that the timing model or the software does not have
Workload workload_of(WorkloadParts parts, std::vector<std::string>& warnings);

/// Makes sure that the timing model covers a workload: positive batch, sequence, GPU count and HB
/// domain, 16 bits or fewer, an accelerator whose peak at the precision is known, and for the
/// closed form a dense model.
/// @throws InputError and UsageError  naming what is wrong
void check(const Workload& workload);

/// Says how many GPUs of partly used HB domains stay idle, if any.
/// @param as_one  GPUs that are used as one domain
void warn_about_idle_gpus(const Workload& workload, std::int64_t as_one,
                          std::vector<std::string>& warnings);

/// Nine of ten measured peaks of memory are within this share of what a fit without their source
/// says: `planner validate measured --peak-memory --leave-out source`, 73 rows.
inline constexpr double kPeakMemoryError = 0.128;

/// What the user should know about a plan of the calibrated model: memory that is tight, ways to
/// train and sizes that no measured run has.
void warn_about_measured_range(const Workload& workload, const Plan& plan,
                               std::vector<std::string>& warnings);

}  // namespace planner::job
