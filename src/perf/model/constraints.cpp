#include "planner/perf/model/constraints.hpp"

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <numeric>
#include <tuple>

#include "planner/core/ceil_div.hpp"
#include "planner/perf/model/degree_rules.hpp"

namespace planner::inline perf {

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

std::int64_t stage_reach(const Strategy& strategy, std::int64_t hb_domain) {
  return product({hb_domain, strategy.tp.net, strategy.cp.net, strategy.dp.net});
}

std::vector<Violation> violations(const Workload& workload, const Strategy& strategy) {
  const auto& [tp, pp, dp, cp, ep] =
      std::tie(strategy.tp, strategy.pp, strategy.dp, strategy.cp, strategy.ep);
  const std::int64_t interleave = strategy.interleave, micro_batch = strategy.micro_batch;
  const std::int64_t smallest =
      std::min({tp.hb, tp.net, pp.hb, pp.net, dp.hb, dp.net, cp.hb, cp.net, ep.hb, ep.net,
                strategy.expert_tp, interleave, micro_batch});
  if (smallest < 1) return {{.constraint = Constraint::degrees, .need = 1, .have = smallest}};

  const std::int64_t t = product({tp.hb, tp.net}), p = product({pp.hb, pp.net});
  const std::int64_t d = product({dp.hb, dp.net}), c = product({cp.hb, cp.net});
  const std::int64_t e = product({ep.hb, ep.net}), etp = strategy.expert_tp;
  const TransformerSpec& model = workload.model;
  const std::int64_t l = model.layers, B = workload.run.global_batch;
  const std::int64_t K = usable_hb_domain(workload.system.hb_domain, workload.gpus);

  std::vector<Violation> broken;
  const auto must_equal = [&](Constraint constraint, std::int64_t have, std::int64_t need) {
    if (have != need) broken.push_back({constraint, need, have});
  };
  const auto must_divide = [&](Constraint constraint, std::int64_t divisor, std::int64_t whole) {
    if (whole % divisor != 0) broken.push_back({constraint, divisor, whole});
  };
  const auto must_be_in = [&](Constraint constraint, std::int64_t value,
                              const std::vector<std::int64_t>& allowed, std::int64_t whole) {
    if (!std::binary_search(allowed.begin(), allowed.end(), value)) {
      broken.push_back({constraint, value, whole});
    }
  };
  must_equal(Constraint::gpu_count, product({p, t, d, c}), workload.gpus);
  must_equal(Constraint::hb_domain, product({dp.hb, tp.hb, pp.hb, cp.hb}), K);
  if (B % d == 0) must_divide(Constraint::microbatches, micro_batch, B / d);
  const std::int64_t reach = stage_reach(strategy, K);
  if (workload.stage_limit && reach > *workload.stage_limit) {
    broken.push_back({Constraint::pods, *workload.stage_limit, reach});
  }
  if (!workload.timing.calibrated()) {
    must_divide(Constraint::layers, product({p, interleave}), l);
    must_divide(Constraint::sequence, t, workload.run.sequence);
    must_divide(Constraint::hidden, t, model.hidden);
  } else {
    const DegreeRules rules(workload);
    must_be_in(Constraint::tensor, t, rules.tp(), std::gcd(model.hidden, model.heads));
    must_be_in(Constraint::stages, p, rules.pp(), l);
    must_be_in(Constraint::chunks, interleave, rules.interleaves(p), ceil_div(l, p));
    if (p > 1 && B % d == 0 && B / d >= micro_batch) {
      const std::int64_t m = B / d / micro_batch, fed = micro_batches_at_once(workload.software, m);
      must_divide(Constraint::flushes, fed, m);
      if (interleave > 1 && fed < p) broken.push_back({Constraint::turns, p, fed});
    }
    must_be_in(Constraint::context, c, rules.cp(), workload.run.sequence);
    if (workload.run.sequence % c == 0)
      must_divide(Constraint::sequence, t, workload.run.sequence / c);
    must_be_in(Constraint::experts, e, rules.ep(), model.moe ? model.moe->experts : 1);
    must_be_in(Constraint::expert_tensor, etp, rules.expert_tp(t), t);
    must_divide(Constraint::expert_ranks, product({e, etp}), product({t, c, d}));
    must_divide(Constraint::expert_placement, product({ep.hb, etp}),
                product({tp.hb, cp.hb, dp.hb}));
    must_divide(Constraint::expert_placement, ep.net, product({tp.net, cp.net, dp.net}));
    if (strategy.shard_ranks > 0) {
      const std::int64_t n_d = product({d, c}), n_e = product({t, c, d}) / product({e, etp});
      const bool can = strategy.zero == 3 && DegreeRules::can_shard(strategy.shard_ranks, n_d, n_e);
      if (!can) broken.push_back({Constraint::shards, strategy.shard_ranks, n_d});
    }
    if (rules.needs_sequence_parallelism(t) && !strategy.sequence_parallel) {
      broken.push_back({Constraint::expert_sequence, t, 1});
    }
  }
  must_divide(Constraint::batch, d, B);
  return broken;
}

}  // namespace planner::perf
