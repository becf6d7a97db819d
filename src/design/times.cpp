#include "planner/design/times.hpp"

#include <algorithm>
#include <cmath>

#include "planner/core/diagnostic.hpp"
#include "planner/design/levels.hpp"
#include "planner/domain/fits.hpp"
#include "planner/search/for_each_index.hpp"
#include "planner/search/search.hpp"

namespace planner::design {

namespace {

/// Searched a little further than asked, so that a part that is within the limit is better than a
/// larger one beyond it by more than job::kFaster takes.
constexpr double kFurther = 1 + 1e-8;

/// Values up to which a search finds what takes no longer than `limit`.
Seconds values_within(Seconds limit, double most_risk) {
  return kFurther * (most_risk * limit);
}

/// HB domains of a system, whole: as many as it takes.
job::GpuSupply whole_domains(std::int64_t hb_domain, std::int64_t domains) {
  return {.bought = domains * hb_domain, .hb_domain = hb_domain};
}

std::vector<std::vector<std::uint32_t>> wired_alike(const Space& space) {
  std::vector<std::vector<std::uint32_t>> all;
  for (const SystemOption& option : space.systems) {
    std::vector<std::uint32_t>& first = all.emplace_back();
    for (const NetworkOption& network : option.networks) {
      const auto alike = std::find_if(
          option.networks.begin(), option.networks.end(),
          [&](const NetworkOption& other) { return other.choice.fabric == network.choice.fabric; });
      first.push_back(static_cast<std::uint32_t>(alike - option.networks.begin()));
    }
  }
  return all;
}

}  // namespace

Times::Times(const Space& space, int threads, const std::atomic<bool>* stop, const Team* team)
    : space_(space),
      threads_(threads),
      stop_(stop),
      team_(team),
      lanes_(thread_count(static_cast<std::size_t>(threads))),
      all_lanes_(team == nullptr ? lanes_ : team->sum(lanes_)),
      wired_as_(wired_alike(space)),
      routed_(space),
      least_(space),
      made_(team != nullptr),
      of_systems_(space.systems.size()) {}

std::int64_t Times::searches() const {
  std::int64_t all = 0;
  for (const OfSystem& one : of_systems_) all += one.searches;
  return all;
}

const std::vector<job::GpuUse>& Times::uses(std::size_t system, std::int64_t used) {
  const auto [entry, is_new] = of_systems_[system].uses.try_emplace(used);
  if (is_new) {
    const std::int64_t hb_domain = space_.systems[system].system().hb_domain;
    entry->second = job::uses_of_domains(whole_domains(hb_domain, used), used);
  }
  return entry->second;
}

const job::GpuUse& Times::use_of(std::size_t system, std::int64_t used, std::int64_t as_one) {
  const std::vector<job::GpuUse>& all = uses(system, used);
  return *std::find_if(all.begin(), all.end(),
                       [as_one](const job::GpuUse& use) { return use.as_one == as_one; });
}

NetworkOfRun network_of_run(const Space& space, const DesignId& id, const NetworkSpeed& network) {
  if (space.routing) return {.routed = id.network, .ports = network.ports};
  return {.tiers = network.tiers, .rails_apart = network.rails_apart, .ports = network.ports};
}

Workload Times::job_of(const Way& key) {
  Workload job = at_ports(design::job_of(space_, key.system, key.batch, key.used), key.ports);
  job.system.hb_domain = key.as_one;
  if (key.routed.bought > 0) {
    return routed_.with(std::move(job), key.system, as_wired(key.system, key.routed));
  }
  job.rails_apart = key.rails_apart;
  for (const auto& [gpus, share] : key.levels) {
    job.network_tiers.push_back({.gpus = gpus, .bandwidth_share = share});
  }
  return job;
}

SearchResult Times::ranked(const Workload& job, const Way& way, FirstOfWays::Length length,
                           Seconds most, int threads) {
  std::unique_ptr<LeastOfWays::Kept> least = least_.take(way);
  const auto rank = way.by_time ? rank_by_time : rank_strategies;
  SearchResult found = rank(job, run_on(space_, way.system, way.batch).strategies,
                            {.top = length.most,
                             .within = length.within,
                             .threads = threads,
                             .count = false,
                             .known_time = most,
                             .least_times = &least->times,
                             .stop = stop_});
  least_.put_back(way, std::move(least));
  if (found.interrupted) throw Interrupted();
  return found;
}

bool Times::beyond(const Way& way, Seconds most) {
  std::unique_ptr<LeastOfWays::Kept> least = least_.take(way);
  const bool any = least->times.any_within(way.used, most);
  least_.put_back(way, std::move(least));
  return !any;
}

// A search that is given a value loses no strategy of at most that value: its bounds are lower
// bounds of times, which are no more than values, and it skips what is above only. So what it finds
// within is the best of all; where it finds nothing within there is nothing.
const BestOfWay* Times::searched(const Way& key, Seconds most) {
  AskedWay& asked = this->asked(key);
  if (!asked.answers(most)) {
    ++of_systems_[key.system].searches;
    const Seconds enough = std::min(most, asked.reached.value_or(most));
    Way way = key;
    way.routed = as_wired(key.system, key.routed);
    const KnownSearches::Kept* made = made_.answer(way, enough);
    if (made == nullptr) {
      made_.add(way, beyond(way, enough) ? KnownWay{.best = {}, .beyond = enough.si()}
                                         : search(job_of(way), way, enough, threads_of_search()));
      made = made_.answer(way, enough);
    }
    // No more than a search up to that value finds, however much is known.
    asked.beyond = most.si();
    if (made->best != nullptr && ranked_by(key, *made->best) <= most) asked.best = made->best;
  }
  return asked.best != nullptr && ranked_by(key, *asked.best) <= most ? asked.best : nullptr;
}

// A limit on stages may rule it out.
std::optional<BestOfWay> Times::here(const Way& key, const BestOfWay& other) {
  const Workload job = job_of(key);
  if (job.stage_limit) return std::nullopt;
  return InJob(job)(other.strategy);
}

void Times::try_here(const Way& key, const BestOfWay& other) {
  AskedWay& asked = this->asked(key);
  asked.tried = true;
  const std::optional<BestOfWay> one = here(key, other);
  if (!one) return;
  if (one->time == other.time) {
    asked.best = &of_systems_[key.system].found_here.emplace_back(*one);
  }
  const Seconds value = ranked_by(key, *one);
  asked.reached = std::min(value, asked.reached.value_or(value));
}

// On a network of full bandwidth that joins rails no strategy takes longer, none needs other
// memory, and none is ruled out that another network allows. So where the best plan there is one on
// this network and takes as long, it is the best here.
const BestOfWay* Times::one_way(const Way& key, Seconds most) {
  const auto& ways = of_systems_[key.system].ways;
  if (!asked(key).answers(most)) {
    Way fastest = key;
    fastest.by_time = true;
    if (const auto known = ways.find(fastest);
        known != ways.end() && known->second.best != nullptr) {
      // Nothing is ranked below the least time; what risks nothing is ranked by it.
      const BestOfWay& one = *known->second.best;
      if (one.value == one.time) asked(key).best = &one;
      asked(key).reached = one.value;
    }
  }
  if (key.full_network()) return searched(key, most);
  const BestOfWay* const ideal = one_way(key.on_full_network(), most);
  if (ideal == nullptr) return nullptr;
  if (!asked(key).tried && asked(key).best == nullptr) try_here(key, *ideal);
  return searched(key, most);
}

bool Times::any_within(Way key, Seconds limit) {
  key.by_time = true;
  const BestOfWay* const ideal = searched(key.on_full_network(), limit);
  if (ideal == nullptr || key.full_network()) return ideal != nullptr;
  AskedWay& asked = this->asked(key);
  if (!asked.tried) try_here(key, *ideal);
  return (asked.reached && *asked.reached <= limit) || searched(key, limit) != nullptr;
}

Way Times::way_of(const UsedGpus& gpus, const job::GpuUse& use, const NetworkOfRun& network) const {
  const std::int64_t hb_domain = space_.systems[gpus.system].system().hb_domain;
  Way way{.system = gpus.system, .batch = gpus.batch, .used = gpus.used, .as_one = use.as_one};
  way.rails_apart = network.rails_apart;
  way.ports = network.ports;
  if (network.routed) way.routed = {gpus.bought, *network.routed};
  const auto of_used = job::tiers_of_used({network.tiers.begin(), network.tiers.end()},
                                          whole_domains(hb_domain, gpus.bought / hb_domain), use);
  for (const NetworkTier& tier : told_apart(of_used, gpus.used, use.as_one)) {
    way.levels.emplace_back(tier.gpus, tier.bandwidth_share);
  }
  return way;
}

// Where no way has a strategy within the limit, the best is not within it. What is found within the
// limit is what a search without one finds: a way beyond it that was passed over is worse than one
// within it by more than job::kFaster takes, for each is searched a little further.
std::optional<BestTime> Times::all_ways(const UsedGpus& gpus, const NetworkOfRun& network,
                                        Seconds limit) {
  const Workload& job = run_on(space_, gpus.system, gpus.batch).job;
  const double risk = FitRule::most_risk(memory_measured(job.software.stack));
  const Seconds most = risk * limit;
  const std::int64_t hb_domain = job.system.hb_domain;
  const std::int64_t domains = gpus.bought / hb_domain;
  const std::vector<job::GpuUse>& all = uses(gpus.system, gpus.used);
  const bool any = std::any_of(all.begin(), all.end(), [&](const job::GpuUse& use) {
    return use.domains <= domains && any_within(way_of(gpus, use, network), limit);
  });
  if (!any) return std::nullopt;
  const BestOfWay* best = nullptr;
  job::GpuUse best_use;
  Seconds least = values_within(limit, risk);
  for (const job::GpuUse& use : all) {
    if (use.domains > domains) continue;
    const Way key = way_of(gpus, use, network);
    const BestOfWay* const found = one_way(key, least);
    if (found == nullptr) continue;
    if (best != nullptr && !(found->value < job::kFaster * least)) continue;
    best = found;
    best_use = use;
    least = found->value;
  }
  if (best == nullptr || best->value > most || best->time > limit) return std::nullopt;
  return BestTime{
      .batch = gpus.batch, .time = best->time, .strategy = best->strategy, .use = best_use};
}

bool Times::any_by_time(const UsedGpus& gpus,
                        const std::function<bool(const Way&, std::int64_t)>& matters) {
  const std::int64_t hb_domain = space_.systems[gpus.system].system().hb_domain;
  const std::vector<job::GpuUse>& all = uses(gpus.system, gpus.used);
  return std::any_of(all.begin(), all.end(), [&](const job::GpuUse& use) {
    if (use.domains > gpus.bought / hb_domain) return false;
    Way way = way_of(gpus, use, {});
    way.by_time = true;
    return matters(way, use.domains * hb_domain);
  });
}

bool Times::any_on_full_network(const UsedGpus& gpus, Seconds limit,
                                const std::function<bool(Seconds, std::int64_t)>& matters) {
  return any_by_time(gpus, [&](const Way& way, std::int64_t in_domains) {
    const BestOfWay* const fastest = searched(way, limit);
    return fastest != nullptr && matters(fastest->time, in_domains);
  });
}

bool Times::any_within(const UsedGpus& gpus, Seconds limit) {
  return any_by_time(gpus, [&](const Way& way, std::int64_t /*in_domains*/) {
    if (const KnownSearches::Kept* const made = made_.answer(way, limit)) {
      return made->best != nullptr && made->best->time <= limit;
    }
    if (beyond(way, limit)) return false;
    const KnownWay found = search(job_of(way), way, limit, threads_of_search());
    if (found.best) made_.add(way, found);
    return found.best.has_value();
  });
}

std::optional<BestTime> Times::best(const UsedGpus& gpus, const NetworkOfRun& network,
                                    Seconds limit) {
  const auto any = [](Seconds /*time*/, std::int64_t /*in_domains*/) { return true; };
  if (!any_on_full_network(gpus, limit, any)) return std::nullopt;
  const std::int64_t hb_domain = space_.systems[gpus.system].system().hb_domain;
  AllWays key{.any = {.system = gpus.system, .batch = gpus.batch, .used = gpus.used}};
  key.any.rails_apart = network.rails_apart;
  key.any.ports = network.ports;
  if (network.routed) key.any.routed = {gpus.bought, *network.routed};
  for (const job::GpuUse& use : uses(gpus.system, gpus.used)) {
    key.domains = std::max(key.domains, std::min(use.domains, gpus.bought / hb_domain));
  }
  for (const NetworkTier& tier : network.tiers) {
    key.any.levels.emplace_back(tier.gpus, tier.bandwidth_share);
  }
  KnownBest& known = of_systems_[gpus.system].bests[key];
  if (!known.best && known.beyond < limit.si()) {
    known.best = all_ways(gpus, network, limit);
    known.beyond = limit.si();
  }
  return known.best && known.best->time <= limit ? known.best : std::nullopt;
}

bool Times::holds(const SearchedWay& searched) {
  const auto& [way, known] = searched;
  if (way.system >= space_.systems.size() || way.batch >= space_.batches.size()) return false;
  if (way.used < 1 || way.as_one < 1 || way.used % way.as_one != 0) return false;
  if (way.routed.bought > 0 && !space_.routing) return false;
  if (way.routed.network >= space_.systems[way.system].networks.size()) return false;
  return !known.best || design::holds(job_of(way), *known.best);
}

void Times::add_wanted(const UsedGpus& gpus, Seconds limit, std::vector<Wanted>& wanted) {
  const std::int64_t hb_domain = space_.systems[gpus.system].system().hb_domain;
  for (const job::GpuUse& use : uses(gpus.system, gpus.used)) {
    if (use.domains > gpus.bought / hb_domain) continue;
    Way way = way_of(gpus, use, {});
    way.by_time = true;
    if (made_.answer(way, limit) == nullptr) wanted.push_back({std::move(way), limit});
  }
}

void Times::add_wanted(const UsedGpus& gpus, const NetworkOfRun& network, Seconds limit,
                       std::vector<Wanted>& wanted) {
  const std::int64_t hb_domain = space_.systems[gpus.system].system().hb_domain;
  for (const job::GpuUse& use : uses(gpus.system, gpus.used)) {
    if (use.domains > gpus.bought / hb_domain) continue;
    Way fastest = way_of(gpus, use, {});
    fastest.by_time = true;
    const KnownSearches::Kept* const made = made_.answer(fastest, limit);
    if (made != nullptr && (made->best == nullptr || made->best->time > limit)) continue;
    add_wanted(way_of(gpus, use, network), limit, wanted);
  }
}

void Times::add_wanted(const Way& key, Seconds limit, std::vector<Wanted>& wanted) {
  Way by_time = key;
  by_time.routed = as_wired(key.system, key.routed);
  by_time.by_time = true;
  std::optional<Seconds> reached;
  for (const Way& way : {by_time.on_full_network(), by_time}) {
    const KnownSearches::Kept* const made = made_.answer(way, limit);
    if (made == nullptr && !(reached && *reached <= limit)) {
      wanted.push_back({way, std::min(limit, reached.value_or(limit))});
      return;
    }
    if (made == nullptr) continue;
    if (made->best == nullptr || made->best->time > limit || way == by_time) return;
    reached = reached_by_first(by_time, *made->best);
    if (reached == made->best->time) return;
  }
}

std::optional<Seconds> Times::reached_by_first(const Way& way, const BestOfWay& first) {
  auto& known = of_systems_[way.system].reached_by_first;
  auto found = known.find(way);
  if (found == known.end()) {
    const std::optional<BestOfWay> one = here(way, first);
    found = known.emplace(way, one ? std::optional(one->time) : std::nullopt).first;
  }
  return found->second;
}

void Times::search_ahead(const std::vector<Wanted>& wanted) {
  if (wanted.size() < 2) return;
  std::vector<SearchedWay> own;
  std::vector<std::pair<Workload, Seconds>> jobs;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (team() != nullptr && i % team()->size != team()->rank) continue;
    try {
      jobs.emplace_back(job_of(wanted[i].way), wanted[i].most);
      own.emplace_back(wanted[i].way, KnownWay{});
    } catch (const InputError&) {  // said where it is asked for, if it ever is
    }
  }
  std::atomic<bool> interrupted{false};
  for_each_index(own.size(), lanes_, [&](std::size_t i) {
    try {
      own[i].second = search(jobs[i].first, own[i].first, jobs[i].second, 1);
    } catch (const Interrupted&) {
      interrupted = true;
    }
  });
  if (interrupted) throw Interrupted();
  for (const auto& [way, found] : team() == nullptr ? own : team()->share(own)) {
    made_.add(way, found);
  }
}

}  // namespace planner::design
