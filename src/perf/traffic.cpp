#include "planner/perf/traffic.hpp"

#include "planner/core/real.hpp"
#include "planner/perf/closed_form.hpp"

namespace planner {

namespace {

/// GPUs that a GPU sends to in the one-way rings of a group.
double ring_neighbours(const Split& split) {
  return (split.hb > 1 ? 1 : 0) + (split.net > 1 ? 1 : 0);
}

/// GPUs of adjacent stages that a GPU exchanges with, on average. An interleaved schedule joins the
/// last stage to the first, which of two stages are neighbours already.
double stage_neighbours(const Strategy& strategy) {
  const double p = real(strategy.pp.total());
  return strategy.interleave > 1 && p > 2 ? 2 : 2 * (p - 1) / p;
}

}  // namespace

Traffic traffic_per_iteration(const Workload& workload, const Strategy& strategy) {
  const double B = real(workload.run.global_batch), l = real(workload.model.layers);
  const double p = real(strategy.pp.total()), t = real(strategy.tp.total());
  const double d = real(strategy.dp.total()), v = real(strategy.interleave);
  const auto [D_p, D_t, D_d] = ClosedForm(workload).volumes(strategy);
  const double collectives = tp_collectives_per_layer(strategy.recompute) * (l / p) * (B / d);
  const double neighbours =
      ring_neighbours(strategy.tp) + ring_neighbours(strategy.dp) + stage_neighbours(strategy);
  return {
      .tensor_per_gpu = collectives * ((t - 1) / t) * D_t,
      .data_per_gpu = 2 * ((d - 1) / d) * D_d,
      .pipeline_per_gpu = strategy.pp.total() == 1 ? Bytes{} : (B / d) * v * D_p,
      .silent_pair_share = workload.gpus > 1 ? 1 - neighbours / (real(workload.gpus) - 1) : 1,
  };
}

double share_inside_hb_domain(const Split& split) {
  const double x = real(split.hb), y = real(split.net);
  const double inside = y * (x - 1);  // in each of y domains, every GPU receives from x - 1 others
  const double between = y - 1;       // along x rails, each a 1/x share from y - 1 others
  return split.total() == 1 ? 1 : inside / (inside + between);
}

}  // namespace planner
