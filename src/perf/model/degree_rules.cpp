#include "planner/perf/model/degree_rules.hpp"

#include <algorithm>
#include <numeric>

#include "planner/core/ceil_div.hpp"
#include "planner/core/divisors.hpp"

namespace planner::inline perf {

namespace {

constexpr std::int64_t kAttentionTile = 128;  // queries; Dao 2023 (arXiv 2307.08691), §3.3

}  // namespace

DegreeRules::DegreeRules(const Workload& workload)
    : calibrated_(workload.timing.calibrated()),
      layers_(workload.model.layers),
      sequence_(workload.run.sequence),
      cp_{1},
      ep_{1} {
  const TransformerSpec& model = workload.model;
  if (!calibrated_) {
    tp_ = divisors(std::gcd(sequence_, model.hidden));
    pp_ = divisors(layers_);
    return;
  }
  const bool dense_mlp = !model.moe || model.moe->leading_dense_layers > 0;
  tp_ = divisors(std::gcd(std::gcd(model.hidden, model.heads), dense_mlp ? model.ffn_hidden : 0));
  if (!model.mla) {  // ranks share a key-value head, or have whole ones
    const std::int64_t kv = model.kv_heads;
    std::erase_if(tp_, [kv](std::int64_t t) { return kv % t != 0 && t % kv != 0; });
  }
  for (std::int64_t p = 1; p <= std::min(layers_, workload.gpus); ++p) {
    const std::int64_t fullest = ceil_div(layers_, p);
    if (p * fullest - layers_ < fullest) pp_.push_back(p);
  }
  if (sequence_ % 2 == 0) {
    cp_ = divisors(sequence_ / 2);
    std::erase_if(cp_,
                  [&](std::int64_t cp) { return cp > 1 && sequence_ / (2 * cp) < kAttentionTile; });
  }
  if (model.moe) {
    ep_ = divisors(model.moe->experts);
    expert_ffn_ = model.moe->expert_ffn_hidden;
  }
}

std::vector<std::int64_t> DegreeRules::expert_tp(std::int64_t t) const {
  if (t > 1 && expert_ffn_ > 0 && expert_ffn_ % t == 0) return {1, t};
  return {1};
}

std::vector<std::int64_t> DegreeRules::interleaves(std::int64_t p) const {
  if (calibrated_ && p == 1) return {1};
  const std::int64_t fullest = ceil_div(layers_, p);
  // Where embedding and loss layer take the place of a layer each, they can be chunks of their own:
  // Llama 3 (arXiv 2407.21783), §3.3.2.
  const bool ends_share = layers_ % p != 0 && (layers_ + 2) % p == 0;
  std::vector<std::int64_t> found;
  for (const std::int64_t v : divisors(calibrated_ ? fullest : layers_ / p)) {
    if (p * v <= layers_ + (ends_share ? 2 : 0)) found.push_back(v);
  }
  return found;
}

bool DegreeRules::can_shard(std::int64_t ranks, std::int64_t n_d, std::int64_t n_e) {
  return ranks > 1 && ranks < n_d && n_d % ranks == 0 && n_e % (n_d / ranks) == 0;
}

std::vector<std::int64_t> DegreeRules::shard_ranks(std::int64_t n_d, std::int64_t n_e) {
  std::vector<std::int64_t> found = divisors(n_d);
  std::erase_if(found, [&](std::int64_t ranks) { return !can_shard(ranks, n_d, n_e); });
  std::reverse(found.begin(), found.end());
  return found;
}

bool DegreeRules::share_sequence(std::int64_t t, std::int64_t cp) const {
  return !calibrated_ || (sequence_ % cp == 0 && (sequence_ / cp) % t == 0);
}

std::int64_t micro_batches_at_once(const Software& software, std::int64_t m) {
  return software.micro_batches_per_flush == 0 ? m : std::min(software.micro_batches_per_flush, m);
}

std::int64_t interleaving_group(std::int64_t p, std::int64_t m) {
  std::int64_t group = p;
  while (group < m && m % group != 0 && m % group < p) ++group;
  return group;
}

}  // namespace planner::perf
