#include "planner/perf/traffic.hpp"

namespace planner {

namespace {

double real(std::int64_t n) { return static_cast<double>(n); }

constexpr double kBytesPerValue = 2;  // 16-bit activations and gradients

}  // namespace

Traffic traffic_per_iteration(const Workload& workload, const Strategy& strategy) {
  const TransformerSpec& model = workload.model;
  const double B = real(workload.run.global_batch), s = real(workload.run.sequence);
  const double l = real(model.layers), h = real(model.hidden);
  const double p = real(strategy.pp.total()), t = real(strategy.tp.total());
  const double d = real(strategy.dp.total());
  const double block = attention_weights(model) + mlp_weights(model);

  // Neighbours that a GPU sends to: the next rank of each ring, and both adjacent stages; an
  // interleaved schedule also joins the last stage to the first.
  const double stage_neighbours =
      strategy.pp.total() == 1 ? 0 : (strategy.interleave > 1 ? 2 : 2 * (p - 1) / p);
  const double neighbours =
      (strategy.tp.total() > 1 ? 1 : 0) + (strategy.dp.total() > 1 ? 1 : 0) + stage_neighbours;

  return {
      .tensor_per_gpu =
          8 * (l / p) * (B / d) * ((t - 1) / t) * Bytes{kBytesPerValue * h * s},
      .data_per_gpu = 2 * ((d - 1) / d) * Bytes{kBytesPerValue * l * block / (p * t)},
      .pipeline_per_gpu =
          strategy.pp.total() == 1 ? Bytes{} : (B / d) * Bytes{kBytesPerValue * h * s / t},
      .silent_pair_share =
          workload.gpus > 1 ? 1 - neighbours / (real(workload.gpus) - 1) : 1,
  };
}

double share_inside_hb_domain(const Split& split) {
  const double x = real(split.hb), y = real(split.net);
  const double inside = y * (x - 1);  // in each of y domains, every GPU receives from x - 1 others
  const double between = y - 1;       // along x rails, each a 1/x share from y - 1 others
  return split.total() == 1 ? 1 : inside / (inside + between);
}

}  // namespace planner
