#include "planner/search/space.hpp"

#include <algorithm>
#include <string>

#include "planner/core/diagnostic.hpp"
#include "planner/core/divisors.hpp"
#include "planner/perf/model/constraints.hpp"
#include "planner/perf/model/degree_rules.hpp"
#include "planner/search/allowed.hpp"

namespace planner::inline search {

SearchSpace all_closed_form_axes() {
  return {.recompute = {Recompute::none, Recompute::selective, Recompute::full},
          .zero = {0, 1, 2},
          .sequence_parallel = {true, false}};
}

bool has_recompute_modules(const Software& software) {
  return software.stack == SoftwareClass::mcore || software.stack == SoftwareClass::te;
}

std::vector<RecomputeModules> module_sets(const Workload& workload) {
  using enum RecomputeModule;
  if (!has_recompute_modules(workload.software)) return {};
  const TransformerSpec& model = workload.model;
  RecomputeModules some{layernorm};
  if (!model.moe) return {some, {layernorm, RecomputeModule::mlp}};
  some.insert(moe_act);
  if (model.mla) some.insert(mla_up_proj);
  RecomputeModules more = some;
  more.insert(RecomputeModule::moe);
  if (model.moe->shared_experts > 0) more.insert(RecomputeModule::shared_experts);
  if (model.moe->leading_dense_layers > 0) more.insert(RecomputeModule::mlp);
  return {some, more};
}

SearchSpace all_calibrated_axes(const Workload& workload) {
  const Software& software = workload.software;
  const bool scores_kept = software.attention == AttentionKernel::unfused;
  const bool torch = software.stack == SoftwareClass::torch;
  SearchSpace space{.recompute = {Recompute::none, Recompute::full},
                    .zero = {0, 1, 2, 3},
                    .sequence_parallel = {true, false}};
  const std::vector<RecomputeModules> sets = module_sets(workload);
  if (scores_kept || torch || !sets.empty()) {
    space.recompute = {Recompute::none, Recompute::selective, Recompute::full};
  }
  if (!scores_kept && !torch) space.recompute_modules.clear();
  space.recompute_modules.insert(space.recompute_modules.end(), sets.begin(), sets.end());
  return space;
}

Enumeration::Enumeration(const Workload& workload, const SearchSpace& space)
    : workload_(workload),
      space_(space),
      rules_(workload),
      batch_divisors_(divisors(workload.run.global_batch)) {
  const std::int64_t K = usable_hb_domain(workload.system.hb_domain, workload.gpus);
  domain_divisors_ = divisors(K);
  const auto place = [this](std::int64_t divisor) {
    const auto at = std::lower_bound(domain_divisors_.begin(), domain_divisors_.end(), divisor);
    return static_cast<std::size_t>(at - domain_divisors_.begin());
  };
  // What divides a degree that goes with the key-value heads need not go with them itself.
  const auto part_of_any = [this](std::int64_t t_h) {
    const std::vector<std::int64_t>& all = rules_.tp();
    return std::any_of(all.begin(), all.end(), [t_h](std::int64_t t) { return t % t_h == 0; });
  };
  for (const std::int64_t t_h : domain_divisors_) {
    if (!part_of_any(t_h) || !allowed(space.pins.tp_hb, t_h)) continue;
    for (const std::int64_t p_h : rules_.pp()) {
      if ((K / t_h) % p_h != 0 || !allowed(space.pins.pp_hb, p_h)) continue;
      for (const std::int64_t cp_h : rules_.cp()) {
        if ((K / t_h / p_h) % cp_h != 0 || !allowed(space.pins.cp_hb, cp_h)) continue;
        const std::int64_t d_h = K / t_h / p_h / cp_h;
        if (!allowed(space.pins.dp_hb, d_h)) continue;
        domain_fillings_.push_back(
            {.tp = place(t_h), .pp = place(p_h), .cp = place(cp_h), .dp = place(d_h)});
      }
    }
  }
}

bool is_set(const std::atomic<bool>* stop) {
  return stop != nullptr && stop->load(std::memory_order_relaxed);
}

void Enumeration::for_each_column(const std::function<bool(const Column&)>& visit,
                                  const std::atomic<bool>* stop) const {
  const std::int64_t N = workload_.gpus, B = workload_.run.global_batch;
  for (const std::int64_t t : rules_.tp()) {
    if (N % t != 0 || t > space_.pins.max_tp || !allowed(space_.pins.tp, t)) continue;
    const std::vector<std::int64_t> expert_tps = rules_.expert_tp(t);
    for (const std::int64_t p : rules_.pp()) {
      if ((N / t) % p != 0 || !allowed(space_.pins.pp, p)) continue;
      if (is_set(stop)) return;
      for (const std::int64_t cp : rules_.cp()) {
        if ((N / t / p) % cp != 0 || !allowed(space_.pins.cp, cp)) continue;
        if (!rules_.share_sequence(t, cp)) continue;
        const std::int64_t d = N / t / p / cp;
        if (B % d != 0 || !allowed(space_.pins.dp, d)) continue;
        for (const std::int64_t ep : rules_.ep()) {
          if (!allowed(space_.pins.ep, ep)) continue;
          for (const std::int64_t etp : expert_tps) {
            if ((N / p) % (ep * etp) != 0 || !allowed(space_.pins.expert_tp, etp)) continue;
            if (!visit({.tp = t, .pp = p, .dp = d, .cp = cp, .ep = ep, .expert_tp = etp})) return;
          }
        }
      }
    }
  }
}

std::vector<Column> Enumeration::columns(const std::atomic<bool>* stop) const {
  std::vector<Column> found;
  const auto keep = [&found](const Column& column) {
    found.push_back(column);
    return found.size() <= kMostColumns;
  };
  for_each_column(keep, stop);
  if (found.size() <= kMostColumns) return found;
  throw UsageError(
      Diagnostic{.code = "too-large",
                 .message = "more than " + std::to_string(kMostColumns) +
                            " combinations of tp, pp, cp, ep and expert tp are too many to search",
                 .hint = "pin some of them: --pp 16, --ep 8"});
}

std::vector<InnerPair> Enumeration::inner_pairs(const Column& column) const {
  const std::int64_t samples_per_rank = workload_.run.global_batch / column.dp;
  std::vector<std::int64_t> interleaves;
  for (const std::int64_t v : rules_.interleaves(column.pp)) {
    if (v >= space_.least_interleave && allowed(space_.pins.interleave, v))
      interleaves.push_back(v);
  }
  std::vector<InnerPair> pairs;
  pairs.reserve(batch_divisors_.size() * interleaves.size());
  for (const std::int64_t b : batch_divisors_) {
    if (samples_per_rank % b != 0 || !allowed(space_.pins.micro_batch, b)) continue;
    bool turns = true;
    if (workload_.timing.calibrated() && column.pp > 1) {
      const std::int64_t m = samples_per_rank / b;
      const std::int64_t fed = micro_batches_at_once(workload_.software, m);
      if (m % fed != 0) continue;
      turns = fed >= column.pp;
    }
    for (const std::int64_t v : interleaves) {
      if (v == 1 || turns) pairs.push_back({.micro_batch = b, .interleave = v});
    }
  }
  return pairs;
}

std::vector<std::int64_t> Enumeration::shards(const Column& column) const {
  const std::int64_t n_d = column.dp * column.cp;
  const std::int64_t n_e = workload_.gpus / (column.pp * column.ep * column.expert_tp);
  std::vector<std::int64_t> found;
  if (allowed(space_.pins.shard_ranks, n_d)) found.push_back(0);
  for (const std::int64_t ranks : DegreeRules::shard_ranks(n_d, n_e)) {
    if (allowed(space_.pins.shard_ranks, ranks)) found.push_back(ranks);
  }
  return found;
}

std::vector<Recomputation> Enumeration::recomputations() const {
  std::vector<Recomputation> found;
  for (const Recompute mode : space_.recompute) {
    if (mode != Recompute::selective) {
      found.push_back({.mode = mode});
      continue;
    }
    for (const RecomputeModules& modules : space_.recompute_modules) {
      found.push_back({.mode = mode, .modules = modules});
    }
  }
  return found;
}

std::vector<Sharding> Enumeration::shardings(const Column& column) const {
  const bool any_zero = !workload_.timing.calibrated() || column.dp * column.cp > 1;
  std::vector<Sharding> found;
  for (const int zero : space_.zero) {
    if (zero < 3) {
      found.push_back({.zero = zero});
    } else if (any_zero) {
      for (const std::int64_t ranks : shards(column)) found.push_back({zero, ranks});
    }
    if (!any_zero) break;
  }
  return found;
}

std::vector<bool> sequence_parallelism(const SearchSpace& space, const Workload& workload,
                                       const DegreeRules& rules, std::int64_t t) {
  const bool any = !workload.timing.calibrated() || t > 1;
  std::vector<bool> found;
  for (const bool choice : space.sequence_parallel) {
    if (!choice && rules.needs_sequence_parallelism(t)) continue;
    found.push_back(choice);
    if (!any) break;
  }
  return found;
}

std::vector<bool> Enumeration::sequence_parallelism(const Column& column) const {
  return search::sequence_parallelism(space_, workload_, rules_, column.tp);
}

std::vector<Strategy> Enumeration::settings(const Column& column) const {
  const std::vector<bool> sharings = sequence_parallelism(column);
  const std::vector<Recomputation> recomputations = this->recomputations();
  const std::vector<Sharding> shardings = this->shardings(column);
  std::vector<Strategy> found;
  found.reserve(recomputations.size() * shardings.size() * sharings.size());
  for (const Recomputation& again : recomputations) {
    for (const auto& [zero, shard_ranks] : shardings) {
      for (const bool sequence_parallel : sharings) {
        found.push_back({.recompute = again.mode,
                         .recompute_modules = again.modules,
                         .recomputed_layers = space_.recomputed_layers,
                         .zero = zero,
                         .sequence_parallel = sequence_parallel,
                         .shard_ranks = shard_ranks,
                         .without_interleaving = space_.without_interleaving});
      }
    }
  }
  return found;
}

std::vector<Strategy> Enumeration::placements(const Column& column) const {
  // Every way to split a degree over a domain is needed many times: divide once.
  const auto splits_of = [this](std::int64_t degree) {
    std::vector<Split> splits;
    splits.reserve(domain_divisors_.size());
    for (const std::int64_t hb : domain_divisors_) {
      const std::int64_t net = degree / hb;
      splits.push_back(hb * net == degree ? Split{.hb = hb, .net = net} : Split{.hb = 0, .net = 0});
    }
    return splits;
  };
  const std::vector<Split> tps = splits_of(column.tp), pps = splits_of(column.pp);
  const std::vector<Split> cps = splits_of(column.cp), dps = splits_of(column.dp);
  const bool experts = column.ep > 1 || column.expert_tp > 1;
  std::vector<Split> eps;
  for (const std::int64_t ep_h : rules_.ep()) {
    const Split ep{.hb = ep_h, .net = column.ep / ep_h};
    if (experts && ep.total() == column.ep && allowed(space_.pins.ep_hb, ep_h)) eps.push_back(ep);
  }
  const std::int64_t K = domain_divisors_.back();
  std::vector<Strategy> found;
  found.reserve(domain_fillings_.size());
  for (const DomainFilling& filling : domain_fillings_) {
    const Split &tp = tps[filling.tp], &pp = pps[filling.pp];
    const Split &cp = cps[filling.cp], &dp = dps[filling.dp];
    if (tp.hb == 0 || pp.hb == 0 || cp.hb == 0 || dp.hb == 0) continue;
    if (workload_.stage_limit &&
        stage_reach({.tp = tp, .dp = dp, .cp = cp}, K) > *workload_.stage_limit) {
      continue;
    }
    if (!experts) {
      if (allowed(space_.pins.ep_hb, 1)) found.push_back({.tp = tp, .pp = pp, .dp = dp, .cp = cp});
      continue;
    }
    // The experts' ranks take the place of the tensor-, context- and data-parallel ones of a stage.
    const std::int64_t inside = tp.hb * cp.hb * dp.hb, domains = tp.net * cp.net * dp.net;
    for (const Split& ep : eps) {
      if (inside % (ep.hb * column.expert_tp) != 0 || domains % ep.net != 0) continue;
      found.push_back(
          {.tp = tp, .pp = pp, .dp = dp, .cp = cp, .ep = ep, .expert_tp = column.expert_tp});
    }
  }
  return found;
}

}  // namespace planner::search
