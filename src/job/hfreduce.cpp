#include "planner/job/hfreduce.hpp"

#include "planner/core/real.hpp"
#include "planner/core/usage.hpp"

namespace planner::job {

namespace {

constexpr std::int64_t kDefaultMostNodes = 180;  // 1,440 GPUs, as measured by Fire-Flyer AI-HPC

ReduceScale at_scale(const ReduceJob& job, std::int64_t nodes) {
  HfReduceOptions options = job.options;
  options.nodes = nodes;
  return {.nodes = nodes,
          .gpus = nodes * job.node.accelerators,
          .reduce = reduce_at(job.node, options, nodes, job.message, job.step_latency),
          .nccl = nccl_ring(job.node, options)};
}

/// Bytes of one gradient in the formats that HFReduce adds (§IV-D1).
double bytes_added(Precision precision) {
  switch (precision) {
    case Precision::fp32:
    case Precision::tf32:
      return 4;
    case Precision::fp16:
    case Precision::bf16:
      return 2;
    case Precision::fp8:
      return 1;
    case Precision::fp4:
      break;
  }
  usage_error("--precision fp4: HFReduce adds fp32, fp16, bf16 and fp8");
}

LibraryOverlap waits(OverlapInputs inputs, BytesPerSecond bandwidth, Seconds compute) {
  inputs.bandwidth = bandwidth;
  const Overlap overlap = overlapped(inputs);
  return {.bandwidth = bandwidth, .overlap = overlap, .iteration = compute + overlap.exposed};
}

}  // namespace

std::vector<ReduceScale> scaling(const ReduceJob& job) {
  const std::int64_t most = job.options.nodes.value_or(kDefaultMostNodes);
  std::vector<ReduceScale> rows;
  for (std::int64_t nodes = 1; nodes < most; nodes *= 2) rows.push_back(at_scale(job, nodes));
  rows.push_back(at_scale(job, most));
  return rows;
}

ReduceTraining train(const ReduceJob& job, const TransformerSpec& model, const ReducedRun& run) {
  ReduceTraining training{
      .model = run.model, .compute = run.compute, .parameters = total_parameters(model)};
  training.gradients = stage_gradients(training.parameters, bytes_added(run.precision), job.pp);
  training.buckets = gradient_buckets(model, job.pp);
  // Gradients become ready in the backward of the last micro-batch.
  training.backward = kBackwardShare * run.compute / real(run.microbatches);
  OverlapInputs inputs{
      .backward = training.backward, .gradients = training.gradients, .buckets = training.buckets};
  const PipelinedReduce reduce =
      reduce_at(job.node, job.options, *job.options.nodes, training.gradients, job.step_latency);
  training.hfreduce = waits(inputs, reduce.bandwidth, run.compute);
  if (const auto nccl = nccl_ring(job.node, job.options)) {
    inputs.kernel_share = run.nccl_kernel_share;
    training.nccl = waits(inputs, *nccl, run.compute);
  }
  return training;
}

}  // namespace planner::job
