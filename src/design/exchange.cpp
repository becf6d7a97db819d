#include "planner/design/exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>
#include <utility>

#include "planner/design/each_system.hpp"
#include "planner/design/rounding.hpp"

namespace planner::design {

namespace {

/// A use of a design, in the words of searches: on a network of its own.
SearchedWay use_of(const DesignId& id, const BestTime& best) {
  return {{.system = id.system,
           .batch = best.batch,
           .used = best.use.gpus,
           .as_one = best.use.as_one,
           .routed = {.bought = id.gpus, .network = id.network}},
          {.best = BestOfWay{.value = best.time, .time = best.time, .strategy = best.strategy}}};
}

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

Exchange::Exchange(const Space& space, double confidence, Times& times, Learnt& learnt)
    : space_(space),
      times_(times),
      learnt_(learnt),
      judge_(space, confidence),
      priced_(space, learnt.counted) {
  static_cast<void>(times.made().take_new());  // every process has made them
}

// Those that take most are the systems with the cheapest fast clusters.
std::vector<std::uint32_t> Exchange::own_systems() const {
  const std::vector<std::uint32_t> all = systems_with_networks(space_);
  if (times_.team() == nullptr) return all;
  std::vector<std::pair<double, std::uint32_t>> by_cost;
  for (const std::uint32_t system : all) {
    by_cost.emplace_back(least_cost_of_time(space_, system, learnt_.counts), system);
  }
  std::sort(by_cost.begin(), by_cost.end());
  std::vector<std::uint32_t> most_first;
  for (const auto& [cost, system] : by_cost) most_first.push_back(system);
  return own_of(most_first, times_.team());
}

std::vector<Found> Exchange::with_others(std::vector<Found> own) {
  if (times_.team() == nullptr) return own;
  std::vector<SearchedWay> told;
  for (const Found& found : own) {
    for (const BestTime& best : found.times) told.push_back(use_of(found.place.id, best));
  }
  const std::vector<SearchedWay> heard = times_.team()->share(told);
  std::vector<Found> all;
  for (auto at = heard.begin(); at != heard.end();
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
    const auto& [way, known] = *first;
    const BestTime best{.batch = way.batch,
                        .time = known.best->time,
                        .strategy = known.best->strategy,
                        .use = times_.use_of(way.system, way.used, way.as_one)};
    const auto& usable = learnt_.counts.usable(way.system).runs[run].all;
    const auto count = std::find_if(usable.begin(), usable.end(), [&](const UsableCount& one) {
      return one.batch == way.batch && one.used == way.used;
    });
    takes.push_back(*learnt_.runs.of(id, found.cluster, best, count->late, kNever));
    found.place.runs.push_back({way.batch, way.used});
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
