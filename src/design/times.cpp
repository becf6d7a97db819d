#include "planner/design/times.hpp"

#include <algorithm>

#include "planner/core/diagnostic.hpp"
#include "planner/design/levels.hpp"
#include "planner/domain/fits.hpp"
#include "planner/perf/timing_model.hpp"
#include "planner/search/search.hpp"

namespace planner::design {

namespace {

/// The most that a ranking multiplies a time with, see FitRule::risk().
constexpr double kMostRisk = 1 + kRiskOfUnsure + kRiskOfUnlikely;
/// Searched a little further than asked, so that a part that is within the limit is better than a
/// larger one beyond it by more than job::kFasterPart takes.
constexpr double kFurther = 1 + 1e-8;

/// Values up to which a search finds what takes no longer than `limit`.
Seconds values_within(Seconds limit) {
  return kFurther * (kMostRisk * limit);
}

/// HB domains of a system, whole: as many as it takes.
job::GpuSupply whole_domains(std::int64_t hb_domain, std::int64_t domains) {
  return {.bought = domains * hb_domain, .hb_domain = hb_domain};
}

}  // namespace

const std::vector<job::GpuUse>& Times::uses(std::int64_t hb_domain, std::int64_t used) {
  const auto [entry, is_new] = uses_.try_emplace({hb_domain, used});
  if (is_new) entry->second = job::uses_of_domains(whole_domains(hb_domain, used), used);
  return entry->second;
}

Workload Times::job_of(const OneWay& key) const {
  Workload job = design::job_of(space_, key.system, key.batch, key.used);
  job.system.hb_domain = key.as_one;
  job.rails_apart = key.rails_apart;
  for (const auto& [gpus, share] : key.levels) {
    job.network_tiers.push_back({.gpus = gpus, .bandwidth_share = share});
  }
  return job;
}

// A search that is given a value loses no strategy of at most that value: its bounds are lower
// bounds of times, which are no more than values, and it skips what is above only. So what it finds
// within is the best of all, and the fastest; where it finds nothing within there is nothing.
const Times::KnownWay& Times::searched(const OneWay& key, Seconds most) {
  KnownWay& known = ways_[key];
  if (known.best || known.beyond >= most.si()) return known;
  ++searches_;
  const Workload job = job_of(key);
  const SearchResult found = rank_strategies(
      job, space_.systems[key.system].strategies,
      {.top = 1, .threads = threads_, .count = false, .known_time = most, .stop = stop_});
  if (found.interrupted) throw Interrupted();
  known.beyond = most.si();
  if (found.fastest && found.fastest->time <= most) known.fastest = found.fastest->time;
  if (found.best.empty()) return known;
  const Ranked& best = found.best.front();
  const Seconds value = best.value(fit_rule(job));
  if (value <= most) known.best = BestOfWay{value, best.time, best.strategy};
  return known;
}

const Times::BestOfWay* Times::known_best(const KnownWay& known, Seconds most) const {
  return known.best && known.best->value <= most ? &*known.best : nullptr;
}

// On a network of full bandwidth that joins rails no strategy takes longer, and none needs other
// memory. So where the best plan there takes as long on this one, it is the best here.
const Times::BestOfWay* Times::one_way(const OneWay& key, Seconds most) {
  if (key.levels.empty() && !key.rails_apart) return known_best(searched(key, most), most);
  OneWay full = key;
  full.levels.clear();
  full.rails_apart = false;
  const BestOfWay* const ideal = known_best(searched(full, most), most);
  if (ideal == nullptr) return nullptr;
  if (!ways_.contains(key) && evaluate(job_of(key), ideal->strategy).time.total() == ideal->time) {
    ways_[key].best = *ideal;
  }
  return known_best(searched(key, most), most);
}

// What is found within the limit is what a search without one finds: a way beyond it that was
// passed over is worse than one within it by more than job::kFasterPart takes, for each is searched
// a little further.
std::optional<BestTime> Times::all_ways(const UsedGpus& gpus, std::span<const NetworkTier> tiers,
                                        Seconds limit) {
  const Seconds most = kMostRisk * limit;
  const std::int64_t hb_domain = space_.systems[gpus.system].job.system.hb_domain;
  const std::int64_t domains = gpus.bought / hb_domain;
  const BestOfWay* best = nullptr;
  job::GpuUse best_use;
  Seconds least = values_within(limit);
  for (const job::GpuUse& use : uses(hb_domain, gpus.used)) {
    if (use.domains > domains) continue;
    OneWay key{.system = gpus.system,
               .batch = gpus.batch,
               .used = gpus.used,
               .as_one = use.as_one,
               .rails_apart = gpus.rails_apart,
               .levels = {}};
    const auto of_used =
        job::tiers_of_used({tiers.begin(), tiers.end()}, whole_domains(hb_domain, domains), use);
    for (const NetworkTier& tier : told_apart(of_used, gpus.used, use.as_one)) {
      key.levels.emplace_back(tier.gpus, tier.bandwidth_share);
    }
    const BestOfWay* const found = one_way(key, least);
    if (found == nullptr) continue;
    if (best != nullptr && !(found->value < job::kFasterPart * least)) continue;
    best = found;
    best_use = use;
    least = found->value;
  }
  if (best == nullptr || best->value > most || best->time > limit) return std::nullopt;
  return BestTime{.time = best->time, .strategy = best->strategy, .use = best_use};
}

bool Times::any_on_full_network(const UsedGpus& gpus, Seconds limit,
                                const std::function<bool(Seconds)>& matters) {
  const std::int64_t hb_domain = space_.systems[gpus.system].job.system.hb_domain;
  const std::vector<job::GpuUse>& all = uses(hb_domain, gpus.used);
  return std::any_of(all.begin(), all.end(), [&](const job::GpuUse& use) {
    if (use.domains > gpus.bought / hb_domain) return false;
    const KnownWay& known = searched({.system = gpus.system,
                                      .batch = gpus.batch,
                                      .used = gpus.used,
                                      .as_one = use.as_one,
                                      .levels = {}},
                                     values_within(limit));
    return known.fastest && *known.fastest <= limit && matters(*known.fastest);
  });
}

std::optional<BestTime> Times::best(const UsedGpus& gpus, std::span<const NetworkTier> tiers,
                                    Seconds limit) {
  const std::int64_t hb_domain = space_.systems[gpus.system].job.system.hb_domain;
  AllWays key{.system = gpus.system,
              .batch = gpus.batch,
              .used = gpus.used,
              .domains = 0,
              .rails_apart = gpus.rails_apart,
              .levels = {}};
  for (const job::GpuUse& use : uses(hb_domain, gpus.used)) {
    key.domains = std::max(key.domains, std::min(use.domains, gpus.bought / hb_domain));
  }
  for (const NetworkTier& tier : tiers) key.levels.emplace_back(tier.gpus, tier.bandwidth_share);
  KnownBest& known = bests_[key];
  if (!known.best && known.beyond < limit.si()) {
    known.best = all_ways(gpus, tiers, limit);
    known.beyond = limit.si();
  }
  return known.best && known.best->time <= limit ? known.best : std::nullopt;
}

}  // namespace planner::design
