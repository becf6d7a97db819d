#include "planner/design/times.hpp"

#include <algorithm>

#include "planner/core/diagnostic.hpp"
#include "planner/perf/timing_model.hpp"
#include "planner/search/search.hpp"

namespace planner::design {

namespace {

constexpr double kFaster = 1 - 1e-9;  // what rounding cannot make of equals
/// Searched a little further than asked, so that a part that is within the limit is faster than a
/// larger one beyond it by more than kFaster takes.
constexpr double kFurther = 1 + 1e-8;

}  // namespace

const std::vector<DomainUse>& Times::uses(std::int64_t hb_domain, std::int64_t used) {
  const auto [entry, is_new] = uses_.try_emplace({hb_domain, used});
  if (is_new) entry->second = uses_of(hb_domain, used);
  return entry->second;
}

Workload Times::job_of(const OneWay& key) const {
  Workload job = design::job_of(space_, key.system, key.batch, key.used);
  job.system.hb_domain = key.as_one;
  for (const auto& [gpus, share] : key.levels) {
    job.network_tiers.push_back({.gpus = gpus, .bandwidth_share = share});
  }
  return job;
}

// A search that is given a time t loses no strategy of at most t: its bounds are lower bounds of
// times, and it skips what is above t only. So what it finds within t is the best of all, and where
// it finds nothing within t there is nothing.
const Times::Ranked* Times::known_way(const OneWay& key, Seconds limit) {
  Known<Ranked>& known = ways_[key];
  if (!known.best && known.beyond < limit.si()) {
    ++searches_;
    const SearchResult found = rank_strategies(
        job_of(key), space_.systems[key.system].strategies,
        {.top = 1, .threads = threads_, .count = false, .known_time = limit, .stop = stop_});
    if (found.interrupted) throw Interrupted();
    known.beyond = limit.si();
    if (!found.best.empty() && found.best.front().time <= limit) {
      known.best = Ranked{found.best.front().time, found.best.front().strategy};
    }
  }
  return known.best && known.best->time <= limit ? &*known.best : nullptr;
}

// A network of full bandwidth is no slower. So where its best plan takes as long on this one, it is
// the best here.
const Times::Ranked* Times::one_way(const OneWay& key, Seconds limit) {
  if (key.levels.empty()) return known_way(key, limit);
  OneWay full = key;
  full.levels.clear();
  const Ranked* const ideal = known_way(full, limit);
  if (ideal == nullptr) return nullptr;
  if (!ways_.contains(key) && evaluate(job_of(key), ideal->strategy).time.total() == ideal->time) {
    ways_[key].best = *ideal;
  }
  return known_way(key, limit);
}

// What is found within the limit is what a search without one finds: a way beyond the limit that
// was passed over is slower than one within it by more than kFaster takes, for each is searched a
// little further.
std::optional<BestTime> Times::all_ways(const UsedGpus& gpus, std::span<const NetworkTier> tiers,
                                        Seconds limit) {
  const std::int64_t hb_domain = space_.systems[gpus.system].job.system.hb_domain;
  BestTime best{.time = kFurther * limit};
  for (const DomainUse& use : uses(hb_domain, gpus.used)) {
    if (use.domains > gpus.bought / hb_domain) continue;
    OneWay key{.system = gpus.system,
               .batch = gpus.batch,
               .used = gpus.used,
               .as_one = use.as_one,
               .levels = {}};
    const auto of_used = tiers_of_used({tiers.begin(), tiers.end()}, hb_domain, use.as_one);
    for (const NetworkTier& tier : told_apart(of_used, gpus.used, use.as_one)) {
      key.levels.emplace_back(tier.gpus, tier.bandwidth_share);
    }
    const Ranked* const found = one_way(key, best.time);
    if (found == nullptr) continue;
    if (best.as_one > 0 && !(found->time < kFaster * best.time)) continue;
    best.time = found->time;
    best.strategy = found->strategy;
    best.as_one = use.as_one;
  }
  if (best.as_one == 0 || best.time > limit) return std::nullopt;
  return best;
}

bool Times::any_on_full_network(const UsedGpus& gpus, Seconds limit,
                                const std::function<bool(Seconds)>& matters) {
  const std::int64_t hb_domain = space_.systems[gpus.system].job.system.hb_domain;
  for (const DomainUse& use : uses(hb_domain, gpus.used)) {
    if (use.domains > gpus.bought / hb_domain) continue;
    const Ranked* const found = known_way({.system = gpus.system,
                                           .batch = gpus.batch,
                                           .used = gpus.used,
                                           .as_one = use.as_one,
                                           .levels = {}},
                                          kFurther * limit);
    if (found != nullptr && found->time <= limit && matters(found->time)) return true;
  }
  return false;
}

std::optional<BestTime> Times::best(const UsedGpus& gpus, std::span<const NetworkTier> tiers,
                                    Seconds limit) {
  const std::int64_t hb_domain = space_.systems[gpus.system].job.system.hb_domain;
  AllWays key{
      .system = gpus.system, .batch = gpus.batch, .used = gpus.used, .domains = 0, .levels = {}};
  for (const DomainUse& use : uses(hb_domain, gpus.used)) {
    const std::int64_t domains = std::min(use.domains, gpus.bought / hb_domain);
    key.domains = std::max(key.domains, domains);
  }
  for (const NetworkTier& tier : tiers) key.levels.emplace_back(tier.gpus, tier.bandwidth_share);
  Known<BestTime>& known = bests_[key];
  if (!known.best && known.beyond < limit.si()) {
    known.best = all_ways(gpus, tiers, limit);
    known.beyond = limit.si();
  }
  return known.best && known.best->time <= limit ? known.best : std::nullopt;
}

}  // namespace planner::design
