#include "planner/search/space.hpp"

#include <algorithm>
#include <numeric>

#include "planner/core/divisors.hpp"

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

Enumeration::Enumeration(const Workload& workload, const SearchSpace& space)
    : workload_(workload),
      space_(space),
      batch_divisors_(divisors(workload.run.global_batch)),
      layer_divisors_(divisors(workload.model.layers)),
      tp_degrees_(divisors(std::gcd(workload.run.sequence, workload.model.hidden))) {
  const std::int64_t K = usable_hb_domain(workload.system.hb_domain, workload.gpus);
  for (const std::int64_t t_h : tp_degrees_) {
    if (K % t_h != 0 || !allowed(space.tp_hb, t_h)) continue;
    for (const std::int64_t p_h : layer_divisors_) {
      if ((K / t_h) % p_h != 0 || !allowed(space.pp_hb, p_h)) continue;
      const std::int64_t d_h = K / t_h / p_h;
      if (allowed(space.dp_hb, d_h)) domain_fillings_.push_back({.tp = t_h, .pp = p_h, .dp = d_h});
    }
  }
}

std::vector<Column> Enumeration::columns() const {
  const std::int64_t N = workload_.gpus, B = workload_.run.global_batch;
  std::vector<Column> found;
  for (const std::int64_t t : tp_degrees_) {
    if (N % t != 0 || t > space_.max_tp || !allowed(space_.tp, t)) continue;
    for (const std::int64_t p : layer_divisors_) {
      if ((N / t) % p != 0 || !allowed(space_.pp, p)) continue;
      const std::int64_t d = N / t / p;
      if (B % d == 0 && allowed(space_.dp, d)) found.push_back({.tp = t, .pp = p, .dp = d});
    }
  }
  return found;
}

std::vector<InnerPair> Enumeration::inner_pairs(const Column& column) const {
  const std::int64_t samples_per_rank = workload_.run.global_batch / column.dp;
  const std::int64_t layers_per_stage = workload_.model.layers / column.pp;
  std::vector<std::int64_t> interleaves;
  interleaves.reserve(layer_divisors_.size());
  for (const std::int64_t v : layer_divisors_) {
    if (layers_per_stage % v == 0 && allowed(space_.interleave, v)) interleaves.push_back(v);
  }
  std::vector<InnerPair> pairs;
  pairs.reserve(batch_divisors_.size() * interleaves.size());
  for (const std::int64_t b : batch_divisors_) {
    if (samples_per_rank % b != 0 || !allowed(space_.micro_batch, b)) continue;
    for (const std::int64_t v : interleaves) pairs.push_back({.micro_batch = b, .interleave = v});
  }
  return pairs;
}

std::vector<Strategy> Enumeration::placements(const Column& column) const {
  std::vector<Strategy> found;
  found.reserve(domain_fillings_.size());
  Split tp{.hb = 0};
  for (const auto& [t_h, p_h, d_h] : domain_fillings_) {
    if (tp.hb != t_h) tp = {.hb = t_h, .net = column.tp / t_h};
    if (tp.total() != column.tp) continue;
    const Split pp{.hb = p_h, .net = column.pp / p_h};
    if (pp.total() != column.pp) continue;
    const Split dp{.hb = d_h, .net = column.dp / d_h};
    if (dp.total() == column.dp) found.push_back({.tp = tp, .pp = pp, .dp = dp});
  }
  return found;
}

}  // namespace planner
