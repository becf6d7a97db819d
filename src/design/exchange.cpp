#include "planner/design/exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <sstream>
#include <utility>

#include "planner/design/each_system.hpp"
#include "planner/design/rounding.hpp"

namespace planner::design {

namespace {

/// The least product of what a system's cluster costs to own and the least time that the runs take
/// on it.
double least_cost_of_time(const Space& space, std::uint32_t system, KnownCounts& counts) {
  const PartsFloor parts(space, system);
  double least = kNever.si();
  for (const UsableCounts::Step& step : counts.usable(system).steps) {
    least = std::min(least, parts.of(step.gpus).tco * step.least.si());
  }
  return least;
}

}  // namespace

double number_in(const std::string& text) {
  double number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

SearchedWay told_use(const DesignId& id, const BestTime& use) {
  return {{.system = id.system,
           .batch = use.batch,
           .used = use.use.gpus,
           .as_one = use.use.as_one,
           .routed = {.bought = id.gpus, .network = id.network}},
          {.best = BestOfWay{.value = use.time, .time = use.time, .strategy = use.strategy}}};
}

BestTime use_told(const SearchedWay& told, Times& times) {
  const auto& [way, known] = told;
  return {.batch = way.batch,
          .time = known.best->time,
          .strategy = known.best->strategy,
          .use = times.use_of(way.system, way.used, way.as_one)};
}

Exchange::Exchange(const Space& space, double confidence, Times& times, Learnt& learnt)
    : space_(space),
      times_(times),
      learnt_(learnt),
      judge_(space, confidence),
      priced_(space, learnt.counted) {}

const std::vector<std::uint32_t>& Exchange::cheapest_first() const {
  if (learnt_.cheapest_first.empty()) {
    std::vector<std::pair<double, std::uint32_t>> by_cost;
    for (const std::uint32_t system : systems_with_networks(space_)) {
      by_cost.emplace_back(least_cost_of_time(space_, system, learnt_.counts), system);
    }
    std::sort(by_cost.begin(), by_cost.end());
    std::vector<std::uint32_t> systems;
    for (const auto& [cost, system] : by_cost) systems.push_back(system);
    learnt_.cheapest_first = in_order_of_first(std::move(systems), times_.team());
  }
  return learnt_.cheapest_first;
}

// Those that take most are the systems with the cheapest fast clusters.
std::vector<std::uint32_t> Exchange::own_systems() const {
  if (times_.team() == nullptr) return systems_with_networks(space_);
  return own_of(cheapest_first(), times_.team());
}

std::vector<Found> Exchange::with_others(std::vector<Found> own) {
  const Team* const team = times_.team();
  if (team == nullptr) return own;
  const std::vector<Said> said = team->say({.searches = told(own)});
  std::vector<Found> all;
  for (std::size_t rank = 0; rank < team->size; ++rank) {
    std::vector<Found> of_one = rank == team->rank ? own : heard(said[rank].searches);
    std::move(of_one.begin(), of_one.end(), std::back_inserter(all));
  }
  return all;
}

std::vector<SearchedWay> Exchange::told(const std::vector<Found>& own) {
  std::vector<SearchedWay> uses;
  for (const Found& found : own) {
    for (const BestTime& use : found.times) uses.push_back(told_use(found.place.id, use));
  }
  return uses;
}

std::vector<Found> Exchange::heard(const std::vector<SearchedWay>& told) {
  std::vector<Found> all;
  for (auto at = told.begin(); at != told.end();
       at += static_cast<std::ptrdiff_t>(space_.tokens.size())) {
    all.push_back(rebuilt(at));
  }
  return all;
}

Found Exchange::rebuilt(std::vector<SearchedWay>::const_iterator first) {
  const Way& of = first->first;
  Found found{.place = {.id = {.system = static_cast<std::uint32_t>(of.system),
                               .gpus = of.routed.bought,
                               .network = of.routed.network},
                        .runs = {}},
              .times = {},
              .cluster = {},
              .judged = {}};
  const DesignId& id = found.place.id;
  found.cluster = std::get<Bought>(priced_.of(id));
  std::vector<RunTimes> takes;
  for (std::size_t run = 0; run < space_.tokens.size(); ++run, ++first) {
    const BestTime best = use_told(*first, times_);
    const auto& usable = learnt_.counts.usable(id.system).runs[run].all;
    const auto count = std::find_if(usable.begin(), usable.end(), [&](const UsableCount& one) {
      return one.batch == best.batch && one.used == best.use.gpus;
    });
    takes.push_back(*learnt_.runs.of(id, found.cluster, best, *count->late, kNever));
    found.place.runs.push_back({best.batch, best.use.gpus});
    found.times.push_back(best);
  }
  found.judged = judge_.judge(found.cluster, std::move(takes));
  return found;
}

std::vector<std::optional<double>> Exchange::with_others(
    std::vector<std::optional<double>> by_system) const {
  if (times_.team() == nullptr) return by_system;
  std::string own;
  for (std::size_t system = 0; system < by_system.size(); ++system) {
    if (by_system[system]) own += fmt::format("{} {} ", system, *by_system[system]);
  }
  for (const std::string& text : times_.team()->tell(own)) {
    std::istringstream words(text);
    std::size_t system = 0;
    for (std::string number; words >> system >> number;) by_system[system] = number_in(number);
  }
  return by_system;
}

void Exchange::end() {
  share_searches(times_);
  if (times_.team() != nullptr) learnt_.forget_ruled_out();
}

}  // namespace planner::design
