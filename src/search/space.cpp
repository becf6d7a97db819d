#include "planner/search/space.hpp"

#include <algorithm>

#include "planner/search/divisors.hpp"

namespace planner {

namespace {

bool allowed(const std::vector<std::int64_t>& values, std::int64_t value) {
  return values.empty() || std::find(values.begin(), values.end(), value) != values.end();
}

}  // namespace

SearchSpace all_closed_form_axes() {
  return {.recompute = {Recompute::none, Recompute::selective, Recompute::full},
          .zero = {0, 1, 2},
          .sequence_parallel = {true, false}};
}

std::vector<Column> columns(const Workload& workload, const SearchSpace& space) {
  const std::int64_t N = workload.gpus, B = workload.run.global_batch;
  const std::vector<std::int64_t> layer_divisors = divisors(workload.model.layers);
  std::vector<Column> found;
  for (const std::int64_t t : divisors(workload.run.sequence)) {
    if (workload.model.hidden % t != 0 || N % t != 0) continue;
    if (t > space.max_tp || !allowed(space.tp, t)) continue;
    for (const std::int64_t p : layer_divisors) {
      if ((N / t) % p != 0 || !allowed(space.pp, p)) continue;
      const std::int64_t d = N / t / p;
      if (B % d == 0 && allowed(space.dp, d)) found.push_back({.tp = t, .pp = p, .dp = d});
    }
  }
  return found;
}

std::vector<InnerPair> inner_pairs(const Workload& workload, const Column& column,
                                   const SearchSpace& space) {
  const std::vector<std::int64_t> interleaves = divisors(workload.model.layers / column.pp);
  std::vector<InnerPair> pairs;
  for (const std::int64_t b : divisors(workload.run.global_batch / column.dp)) {
    if (!allowed(space.micro_batch, b)) continue;
    for (const std::int64_t v : interleaves) {
      if (allowed(space.interleave, v)) pairs.push_back({.micro_batch = b, .interleave = v});
    }
  }
  return pairs;
}

std::vector<Strategy> placements(const Workload& workload, const Column& column,
                                 const SearchSpace& space) {
  const std::int64_t K = usable_hb_domain(workload.system.hb_domain, workload.gpus);
  const std::vector<std::int64_t> pipeline_divisors = divisors(column.pp);
  std::vector<Strategy> found;
  for (const std::int64_t t_h : divisors(column.tp)) {
    if (K % t_h != 0 || !allowed(space.tp_hb, t_h)) continue;
    for (const std::int64_t p_h : pipeline_divisors) {
      if ((K / t_h) % p_h != 0 || !allowed(space.pp_hb, p_h)) continue;
      const std::int64_t d_h = K / t_h / p_h;
      if (column.dp % d_h != 0 || !allowed(space.dp_hb, d_h)) continue;
      found.push_back({.tp = {t_h, column.tp / t_h},
                       .pp = {p_h, column.pp / p_h},
                       .dp = {d_h, column.dp / d_h}});
    }
  }
  return found;
}

}  // namespace planner
