#include "planner/perf/model/overlap.hpp"

#include <algorithm>

#include "planner/core/real.hpp"

namespace planner::inline perf {

namespace {

/// m; nothing where it is not whole.
std::optional<std::int64_t> microbatches(const StrongScaling& job, std::int64_t gpus) {
  if (gpus % job.pp != 0) return std::nullopt;
  const std::int64_t dp = gpus / job.pp;
  if (job.global_batch % job.micro_batch != 0) return std::nullopt;
  const std::int64_t all = job.global_batch / job.micro_batch;
  if (all % dp != 0) return std::nullopt;
  return all / dp;
}

}  // namespace

std::int64_t gradient_buckets(const TransformerSpec& model, std::int64_t pp) {
  return std::max<std::int64_t>(1, model.layers / pp);
}

Bytes stage_gradients(double parameters, double bytes_per_gradient, std::int64_t pp) {
  return parameters * bytes_per_gradient / real(pp) * units::byte;
}

Overlap overlapped(const OverlapInputs& inputs) {
  const auto buckets = static_cast<double>(inputs.buckets);
  const double overlappable = (buckets - 1) / buckets;
  const Seconds b = inputs.backward;
  const Seconds c = inputs.gradients / inputs.bandwidth;
  const double sigma = inputs.kernel_share;
  const Seconds slower = std::min(sigma * overlappable * c, sigma / (1 - sigma) * overlappable * b);
  const Seconds end = std::max(b + slower + c / buckets, b / buckets + c);
  return {.communication = c, .exposed = end - b};
}

std::optional<Seconds> rescaled_step(const StrongScaling& job, Seconds measured, std::int64_t from,
                                     std::int64_t to) {
  const auto before = microbatches(job, from), after = microbatches(job, to);
  if (!before || !after) return std::nullopt;
  const auto steps = [&](std::int64_t m) { return static_cast<double>(m + job.pp - 1); };
  const auto buckets = static_cast<double>(job.buckets);
  const Seconds c = job.gradients / job.bandwidth;
  // measured = steps·t + max(c/L, c - w·t), whose larger branch asks for the smaller t.
  const double w = kBackwardShare * (buckets - 1) / buckets;
  const Seconds microbatch =
      std::min((measured - c / buckets) / steps(*before), (measured - c) / (steps(*before) - w));
  if (microbatch <= Seconds{}) return std::nullopt;  // slower to communicate than was measured
  const Overlap overlap = overlapped({.backward = kBackwardShare * microbatch,
                                      .gradients = job.gradients,
                                      .bandwidth = job.bandwidth,
                                      .buckets = job.buckets});
  return steps(*after) * microbatch + overlap.exposed;
}

}  // namespace planner::perf
