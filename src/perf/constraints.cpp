#include "planner/perf/constraints.hpp"

#include <algorithm>
#include <initializer_list>
#include <limits>

namespace planner {

namespace {

/// Product of positive factors; the largest integer where it would overflow.
std::int64_t product(std::initializer_list<std::int64_t> factors) {
  std::int64_t result = 1;
  for (const std::int64_t factor : factors) {
    if (__builtin_mul_overflow(result, factor, &result)) {
      return std::numeric_limits<std::int64_t>::max();
    }
  }
  return result;
}

}  // namespace

std::vector<Violation> violations(const Workload& workload, const Strategy& strategy) {
  const auto& [tp, pp, dp] = std::tie(strategy.tp, strategy.pp, strategy.dp);
  const std::int64_t interleave = strategy.interleave, micro_batch = strategy.micro_batch;
  const std::int64_t smallest =
      std::min({tp.hb, tp.net, pp.hb, pp.net, dp.hb, dp.net, interleave, micro_batch});
  if (smallest < 1) return {{.constraint = Constraint::degrees, .need = 1, .have = smallest}};

  const std::int64_t t = product({tp.hb, tp.net}), p = product({pp.hb, pp.net});
  const std::int64_t d = product({dp.hb, dp.net});
  const std::int64_t l = workload.model.layers, B = workload.run.global_batch;
  const std::int64_t K = usable_hb_domain(workload.system.hb_domain, workload.gpus);

  std::vector<Violation> broken;
  const auto must_equal = [&](Constraint constraint, std::int64_t have, std::int64_t need) {
    if (have != need) broken.push_back({constraint, need, have});
  };
  const auto must_divide = [&](Constraint constraint, std::int64_t divisor, std::int64_t whole) {
    if (whole % divisor != 0) broken.push_back({constraint, divisor, whole});
  };
  must_equal(Constraint::gpu_count, product({p, t, d}), workload.gpus);
  must_equal(Constraint::hb_domain, product({dp.hb, tp.hb, pp.hb}), K);
  if (B % d == 0) must_divide(Constraint::microbatches, micro_batch, B / d);
  must_divide(Constraint::layers, product({p, interleave}), l);
  must_divide(Constraint::sequence, t, workload.run.sequence);
  must_divide(Constraint::hidden, t, workload.model.hidden);
  must_divide(Constraint::batch, d, B);
  return broken;
}

}  // namespace planner
