// The search written down a second time, as plainly as possible: try every integer, keep what
// Eqs. 11-18 of the rail-only paper allow, evaluate it, sort. For small cases only.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <tuple>
#include <vector>

#include "planner/perf/model/constraints.hpp"
#include "planner/perf/timing_model.hpp"
#include "planner/search/search.hpp"

namespace planner::testing {

/// All (x, y) with x·y = n, by trying every pair up to n.
inline std::vector<Split> factor_pairs(std::int64_t n) {
  std::vector<Split> pairs;
  for (std::int64_t x = 1; x <= n; ++x) {
    for (std::int64_t y = 1; y <= n; ++y) {
      if (x * y == n) pairs.push_back({.hb = x, .net = y});
    }
  }
  return pairs;
}

/// The recompute modes of a space, selective ones once for each set of modules.
inline std::vector<Recomputation> every_recomputation(const SearchSpace& space) {
  std::vector<Recomputation> all;
  for (const Recompute mode : space.recompute) {
    if (mode != Recompute::selective) all.push_back({.mode = mode});
    if (mode != Recompute::selective) continue;
    for (const RecomputeModules modules : space.recompute_modules) all.push_back({mode, modules});
  }
  return all;
}

/// Every strategy that Eqs. 11-18 allow, in the canonical order of the search (see Column), with
/// the recompute modes, ZeRO stages and sequence parallelism of the space.
inline std::vector<Strategy> every_strategy(const Workload& workload, const SearchSpace& space) {
  const std::int64_t N = workload.gpus, l = workload.model.layers, h = workload.model.hidden;
  const std::int64_t B = workload.run.global_batch, s = workload.run.sequence;
  std::int64_t K = std::min(N, workload.system.hb_domain);  // the usable part of a domain
  const std::int64_t power = std::gcd(workload.system.hb_domain, 8);
  while (N % K != 0 || (N % power == 0 && K % power != 0)) --K;

  std::vector<Strategy> all;
  for (std::int64_t t = 1; t <= N; ++t) {
    for (std::int64_t p = 1; p <= N; ++p) {
      for (std::int64_t d = 1; d <= N; ++d) {
        if (p * t * d != N) continue;                                        // Eq. 11
        if (l % p != 0 || s % t != 0 || h % t != 0 || B % d != 0) continue;  // Eq. 18
        for (const Recompute recompute : space.recompute) {
          for (const int zero : space.zero) {
            for (const bool sequence_parallel : space.sequence_parallel) {
              for (const Split tp : factor_pairs(t)) {         // Eq. 15
                for (const Split pp : factor_pairs(p)) {       // Eq. 16
                  for (const Split dp : factor_pairs(d)) {     // Eq. 14
                    if (dp.hb * tp.hb * pp.hb != K) continue;  // Eq. 12
                    for (std::int64_t b = 1; b <= B; ++b) {
                      if ((B / d) % b != 0) continue;  // Eq. 13
                      for (std::int64_t v = 1; v <= l; ++v) {
                        if (l % (p * v) != 0) continue;  // Eq. 18
                        all.push_back({.tp = tp,
                                       .pp = pp,
                                       .dp = dp,
                                       .interleave = v,
                                       .micro_batch = b,
                                       .recompute = recompute,
                                       .zero = zero,
                                       .sequence_parallel = sequence_parallel});
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    }
  }
  return all;
}

/// The same for the calibrated model: every product of degrees and splits that no rule forbids.
inline std::vector<Strategy> every_calibrated_strategy(const Workload& workload,
                                                       const SearchSpace& space) {
  const std::int64_t N = workload.gpus, B = workload.run.global_batch;
  const std::int64_t experts = workload.model.moe ? workload.model.moe->experts : 1;
  std::vector<Strategy> all;
  const auto add_if_legal = [&](const Strategy& strategy) {
    if (violations(workload, strategy).empty()) all.push_back(strategy);
  };
  for (std::int64_t t = 1; t <= N; ++t) {
    for (std::int64_t p = 1; p <= N; ++p) {
      for (std::int64_t cp = 1; cp <= N; ++cp) {
        const std::int64_t d = N / (t * p * cp);
        if (t * p * cp * d != N) continue;
        for (std::int64_t ep = 1; ep <= experts; ++ep) {
          for (std::int64_t etp = 1; etp <= t; ++etp) {
            for (const Recomputation& again : every_recomputation(space)) {
              for (const int zero : space.zero) {
                if (d * cp == 1 && zero != space.zero.front()) continue;
                for (std::int64_t copies = 1; copies <= (zero == 3 ? d * cp : 1); ++copies) {
                  if (d * cp % copies != 0) continue;
                  const std::int64_t shard_ranks = copies == 1 ? 0 : d * cp / copies;
                  for (const bool shared : space.sequence_parallel) {
                    if (t == 1 && shared != space.sequence_parallel.front()) continue;
                    for (const Split tp : factor_pairs(t)) {
                      for (const Split pp : factor_pairs(p)) {
                        for (const Split cps : factor_pairs(cp)) {
                          for (const Split eps : factor_pairs(ep)) {
                            for (const Split dp : factor_pairs(d)) {
                              for (std::int64_t b = 1; b <= B; ++b) {
                                for (std::int64_t v = 1; v <= workload.model.layers; ++v) {
                                  add_if_legal({.tp = tp,
                                                .pp = pp,
                                                .dp = dp,
                                                .cp = cps,
                                                .ep = eps,
                                                .expert_tp = etp,
                                                .interleave = v,
                                                .micro_batch = b,
                                                .recompute = again.mode,
                                                .recompute_modules = again.modules,
                                                .recomputed_layers = space.recomputed_layers,
                                                .zero = zero,
                                                .sequence_parallel = shared,
                                                .shard_ranks = shard_ranks});
                                }
                              }
                            }
                          }
                        }
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    }
  }
  return all;
}

/// Those that no other beats in time or memory without losing in the other, by trying every pair.
inline std::vector<Ranked> front_of(const std::vector<Ranked>& feasible) {
  std::vector<Ranked> front;
  for (std::size_t i = 0; i < feasible.size(); ++i) {
    bool beaten = false;
    for (std::size_t j = 0; j < feasible.size() && !beaten; ++j) {
      const Ranked &one = feasible[i], &other = feasible[j];
      const bool equal = other.time == one.time && other.memory == one.memory;
      beaten = equal ? j < i : other.time <= one.time && other.memory <= one.memory;
    }
    if (!beaten) front.push_back(feasible[i]);
  }
  std::sort(front.begin(), front.end(),
            [](const Ranked& a, const Ranked& b) { return a.memory < b.memory; });
  return front;
}

/// What rank_strategies() must return for these strategies.
inline SearchResult exhaustive(const Workload& workload, const std::vector<Strategy>& strategies,
                               Objective objective, std::size_t top, bool front = false) {
  const FitRule rule = fit_rule(workload);
  SearchResult result{.strategies = static_cast<std::int64_t>(strategies.size())};
  for (const Strategy& each : strategies) {
    const Strategy strategy = in_best_order(workload, each);
    const Prediction estimate = evaluate(workload, strategy);
    const Ranked ranked{
        .strategy = strategy, .time = estimate.time.total(), .memory = estimate.memory.total()};
    if (rule.fits(ranked.memory)) result.best.push_back(ranked);
    if (!result.closest_miss || ranked.memory < result.closest_miss->memory) {
      result.closest_miss = ranked;
    }
  }
  result.feasible = static_cast<std::int64_t>(result.best.size());
  if (front) result.front = front_of(result.best);
  if (result.feasible > 0) result.closest_miss.reset();
  if (objective != Objective::memory && top > 0) {
    for (const Ranked& each : result.best) {
      const bool better =
          !result.fastest ||
          std::tie(each.time, each.memory) < std::tie(result.fastest->time, result.fastest->memory);
      if (better) result.fastest = each;
    }
  }
  // Stable: equal ones stay in canonical order.
  std::stable_sort(result.best.begin(), result.best.end(), [&](const Ranked& a, const Ranked& b) {
    return objective == Objective::time
               ? std::tuple(a.value(rule), a.time) < std::tuple(b.value(rule), b.time)
               : std::tie(a.memory, a.time) < std::tie(b.memory, b.time);
  });
  if (result.best.size() > top) result.best.resize(top);
  return result;
}

}  // namespace planner::testing
