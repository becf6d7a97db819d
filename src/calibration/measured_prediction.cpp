#include "planner/calibration/measured_prediction.hpp"

#include "planner/domain/fits.hpp"
#include "planner/perf/calibrated/calibrated.hpp"
#include "planner/perf/model/placement.hpp"

namespace planner::inline calibration {

namespace {

Bytes allocated(const MemoryBreakdown& memory) {
  return memory.total() - memory.framework_reserve;
}

/// The run's strategy laid out, with the recomputation that it must have used.
Strategy strategy_of(const MeasuredRun& run, const Calibrated& model) {
  constexpr double kPlainlyTooMuch = 1.3;
  const Workload& on = run.workload;
  Strategy strategy =
      placed_contiguously(run.strategy, usable_hb_domain(on.system.hb_domain, on.gpus));
  const bool tuned = on.software.stack == SoftwareClass::te;
  if (!run.recompute_unstated || tuned || on.model.moe) return strategy;
  const Bytes kept = allocated(model.memory(strategy, model.pipeline(strategy)));
  if (kept > kPlainlyTooMuch * on.system.accelerator.memory) {
    strategy.recompute = Recompute::full;
  }
  return strategy;
}

/// Of the fullest stage, or of the fuller end of the pipeline.
MemoryBreakdown peak(const Calibrated& model, const Strategy& strategy, bool ends) {
  const Calibrated::Pipeline on = model.pipeline(strategy);
  if (!ends) return model.memory(strategy, on);
  const auto of = [&](std::int64_t stage) {
    return model.memory(model.stage_memory(strategy, stage), on);
  };
  const MemoryBreakdown first = of(0), last = of(strategy.pp.total() - 1);
  return last.total() > first.total() ? last : first;
}

Bytes counted(const MemoryBreakdown& memory, MemoryMetric metric, const Calibration& calibration) {
  switch (metric) {
    case MemoryMetric::allocated:
      return allocated(memory);
    case MemoryMetric::reserved:
      return memory.total() - Bytes{calibration[Constant::driver_context]};
    case MemoryMetric::device:
      return memory.total();
  }
  return memory.total();
}

}  // namespace

std::optional<double> measured(const MeasuredRun& run, Validated what) {
  if (what == Validated::time) {
    return run.iteration_time ? std::optional(run.iteration_time->si()) : std::nullopt;
  }
  return run.memory ? std::optional(run.memory->peak.si()) : std::nullopt;
}

MeasuredPrediction::MeasuredPrediction(const MeasuredRun& run, const CalibrationPtr& presumed)
    : workload_(run.workload), recompute_unstated_(run.recompute_unstated) {
  if (run.memory) memory_ = *run.memory;
  workload_.timing = presumed;
  strategy_ = strategy_of(run, Calibrated(workload_));
}

bool MeasuredPrediction::fits(const CalibrationPtr& calibration) {
  workload_.timing = calibration;
  const Calibrated model(workload_);
  const FitRule rule(Timing::calibrated, memory_limit(workload_), 0,
                     memory_measured(workload_.software.stack));
  const auto fits_as = [&](Recompute recompute) {
    Strategy strategy = strategy_;
    strategy.recompute = recompute;
    return rule.fits(model.memory(strategy, model.pipeline(strategy)).total());
  };
  return fits_as(strategy_.recompute) || (recompute_unstated_ && fits_as(Recompute::full));
}

double MeasuredPrediction::operator()(Validated what, const CalibrationPtr& calibration) {
  workload_.timing = calibration;
  const Calibrated model(workload_);
  if (what == Validated::memory) {
    return counted(peak(model, strategy_, memory_.ends), memory_.metric, *calibration).si();
  }
  const auto micro = model.micro_batch(strategy_);
  const auto on = model.pipeline(strategy_);
  return model.time(micro, model.stage(on.p, micro), model.synchronisation(strategy_), on)
      .total()
      .si();
}

}  // namespace planner::calibration
