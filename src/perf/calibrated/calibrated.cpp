#include "planner/perf/calibrated/calibrated.hpp"

#include "planner/core/real.hpp"

namespace planner::inline perf {

Calibrated::Calibrated(const Workload& workload)
    : timing_(workload.timing),
      shape_(workload.model, workload),
      rates_(workload),
      stack_(workload),
      software_(workload.software),
      network_(workload),
      rails_apart_(workload.rails_apart),
      hb_domain_(usable_hb_domain(workload.system.hb_domain, workload.gpus)),
      N_(real(workload.gpus)),
      B_(real(workload.run.global_batch)),
      straggling_(straggling()) {}

BytesPerSecond Calibrated::nic(FlowKind kind, std::int64_t stride, std::int64_t domains) const {
  return network_.of({kind, hb_domain_ * stride, domains}) * rates_.nic;
}

Prediction Calibrated::evaluate(const Strategy& strategy) const {
  const MicroBatch micro = micro_batch(strategy);
  const Pipeline on = pipeline(strategy);
  return {.time = time(micro, stage(on.p, micro), synchronisation(strategy), on),
          .memory = memory(strategy, on)};
}

}  // namespace planner::perf
