#include "planner/design/uses.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "planner/design/rounding.hpp"

namespace planner::design {

namespace {

UsedGpus used_of(const DesignId& id, const UsableCount& count) {
  return {.system = id.system, .batch = count.batch, .used = count.used, .bought = id.gpus};
}

/// What the runs but one take.
Seconds but(std::size_t run, const std::vector<Seconds>& times) {
  Seconds sum{};
  for (std::size_t other = 0; other < times.size(); ++other) {
    if (other != run) sum += times[other];
  }
  return sum;
}

}  // namespace

Uses::Uses(const Space& space, const Question& question, Times& times, Learnt& learnt,
           const Judge& judge, Archive& archive)
    : space_(space),
      times_(times),
      learnt_(learnt),
      judge_(judge),
      archive_(archive),
      uncounted_(question.uncounted),
      longest_run_((1 + 1e-9) * question.limits.days.value_or(HUGE_VAL) * units::day) {}

/// What several runs leave for one of them is another time on every cluster, and not only ever
/// less: searched up to the next of few values, most of it is known the next time.
Seconds Uses::searched_to(Seconds limit) const {
  constexpr double kStep = 1.25;
  if (runs() == 1 || !(limit > Seconds{}) || !std::isfinite(limit.si())) return limit;
  const double steps = std::ceil(std::log(limit.si()) / std::log(kStep));
  return std::max(limit, Seconds{std::pow(kStep, steps)});
}

/// What a run can use of a cluster, by ascending floor, until `visit` says that it is enough; where
/// a smaller one was ruled out, what that one does not hold in as many ways.
template <class Visit>
void Uses::each_held(const Candidate& of, std::size_t run, std::int64_t beyond,
                     const Visit& visit) const {
  const UsableByRun& usable = of.groups.usable().runs[run];
  if (beyond == 0) {
    for (std::size_t at = 0; at < usable.all.size(); ++at) {
      if (usable.all[at].bought <= of.id.gpus && visit(usable.all[at], at)) return;
    }
    return;
  }
  const auto behind = [&](std::int64_t gpus) {
    return std::partition_point(usable.arrivals.begin(), usable.arrivals.end(),
                                [&](const auto& arrival) { return arrival.first <= gpus; });
  };
  std::vector<std::uint32_t> held;
  for (auto at = behind(beyond), end = behind(of.id.gpus); at != end; ++at) {
    held.push_back(at->second);
  }
  std::sort(held.begin(), held.end());
  held.erase(std::unique(held.begin(), held.end()), held.end());
  for (const std::uint32_t at : held) {
    if (visit(usable.all[at], at)) return;
  }
}

RuledOutUpTo Uses::ruled_out_up_to(const Candidate& of, const TimeLimit& all) const {
  return {of.id.gpus, all, figures(of, Seconds{}), judge_.per_second(of.parts)};
}

bool Uses::holds_for(const RuledOutUpTo& ruled, const Candidate& of, const TimeLimit& all) const {
  return all.by_goals <= ruled.limit.by_goals && all.by_limits <= ruled.limit.by_limits &&
         archive_.no_less(figures(of, Seconds{}), ruled.at_once) &&
         archive_.no_less(judge_.per_second(of.parts), ruled.per_second);
}

// Two clusters of one network differ in what they hold alone: no time depends on what is idle. So
// what a larger one holds at no more time and no less of all that counts is that of the smaller
// one, and what it holds besides.
template <class Any>
bool Uses::any_but(RuledOutUpTo& ruled, const Candidate& of, const TimeLimit& all, const Any& any) {
  const bool holds = holds_for(ruled, of, all);
  if (holds && of.id.gpus <= ruled.gpus) return false;
  if (any(std::max(ruled_out(of), holds ? ruled.gpus : 0))) return true;
  ruled = ruled_out_up_to(of, all);
  return false;
}

Seconds Uses::least_of(const Candidate& of, std::size_t run, bool confident, Seconds limit) {
  LeastOfClusters& known = least_[{of.id.system, run, confident}];
  if (const auto least = known.within(limit, of.id.gpus)) return *least;
  const std::vector<UsableCount>& usable = of.groups.usable().runs[run].all;
  Seconds least = kNever;
  std::int64_t from = 0;
  for (std::size_t at = 0; at < usable.size(); ++at) {
    const UsableCount& count = usable[at];
    const Seconds most = std::min(limit, least);
    if (count.floor > most) break;
    const double late = confident ? count.late->factor : 1;
    if (count.bought > of.id.gpus || late * count.floor > most) continue;
    look_ahead(of, run, at, {.by_goals = most, .by_limits = most});
    times_.any_on_full_network(used_of(of.id, count), most / (late * count.iterations),
                               [&](Seconds iteration, std::int64_t gpus) {
                                 const Seconds time = late * (count.iterations * iteration);
                                 if (time < least) from = gpus;
                                 least = std::min(least, time);
                                 return false;
                               });
  }
  if (least <= limit) {
    known.is(least, from, of.id.gpus);
    return least;
  }
  known.is_beyond(limit, of.id.gpus);
  return kNever;
}

/// The others leave so much for each run; where they leave no end to it, what must be done is
/// known.
std::optional<Uses::Least> Uses::least_of(const Candidate& of) {
  const UsableCounts::Step* const step = of.groups.usable().step_of(of.id.gpus);
  if (step == nullptr) return std::nullopt;
  Least least{step->of_runs, step->of_runs};
  if (runs() == 1) return least;
  const TimeLimit all = longest(of);
  for (std::size_t run = 0; run < runs(); ++run) {
    for (const bool confident : {false, true}) {
      const TimeLimit rest = all.but(but(run, least.expected), but(run, least.confident));
      const Seconds limit = confident ? rest.by_limits : rest.of(1);
      if (!std::isfinite(limit.si())) continue;
      const Seconds time = least_of(of, run, confident, searched_to(limit));
      if (time > limit) return std::nullopt;
      if (!confident) least.expected[run] = time;
      least.confident[run] = std::max(time, least.confident[run]);
    }
  }
  const Seconds sum = std::accumulate(least.expected.begin(), least.expected.end(), Seconds{});
  return archive_.may_matter(figures(of, sum)) ? std::optional(least) : std::nullopt;
}

bool Uses::any_on_full_network(const Candidate& of) {
  if (runs() > 1) return least_of(of).has_value();
  const TimeLimit all = longest(of);
  FastestUses& fastest = fastest_[of.id.system];
  if (const auto* const known = fastest.of(of.id.gpus);
      known != nullptr && known->time <= all.of(known->late) &&
      archive_.may_matter(figures(of, known->time))) {
    return true;
  }
  BeyondCounts& none = learnt_.counts.beyond(of.id.system, 0);
  return any_but(on_full_network_[of.id.system], of, all, [&](std::int64_t beyond) {
    bool any = false;
    each_held(of, 0, beyond, [&](const UsableCount& count, std::size_t at) {
      if (count.floor > all.by_goals) return true;  // and so are those behind it
      const Seconds limit = all.of(count.late->factor);
      if (count.floor > limit) return false;
      const Seconds most = limit / count.iterations;
      if (none.beyond(at, of.id.gpus, most)) return false;
      look_ahead(of, 0, at, all);
      Seconds none_within = most;
      const auto matters = [&](Seconds iteration, std::int64_t gpus) {
        none_within = std::min(none_within, Seconds{std::nextafter(iteration.si(), 0)});
        const Seconds time = count.iterations * iteration;
        fastest.add(gpus, {time, count.late->factor});
        if (uncounted_ && fails_beyond(of, count, time, all)) return false;
        return archive_.may_matter(figures(of, time));
      };
      any = times_.any_on_full_network(used_of(of.id, count), most, matters);
      if (!any) none.is_beyond(at, of.id.gpus, none_within);
      return any;
    });
    return any;
  });
}

bool Uses::beyond_full_network(const Candidate& of, const UsableCount& count, std::size_t at,
                               Seconds iteration, BeyondCounts& known) {
  if (known.beyond(at, of.id.gpus, iteration)) return true;
  const auto any = [](Seconds /*time*/, std::int64_t /*in_domains*/) { return true; };
  if (times_.any_on_full_network(used_of(of.id, count), iteration, any)) return false;
  known.is_beyond(at, of.id.gpus, iteration);
  return true;
}

std::optional<Seconds> Uses::may_take(const Candidate& of, const UsableCount& count, std::size_t at,
                                      Seconds limit, const TimeLimit& rest, BeyondCounts& known) {
  const Seconds unfailing = searched_to(limit) / count.iterations;
  if (known.beyond(at, of.id.gpus, unfailing)) return std::nullopt;
  const Seconds most = searched_to(before_failures(of, count, limit, rest)) / count.iterations;
  if (beyond_full_network(of, count, at, most, known)) return std::nullopt;
  return most;
}

bool Uses::any_on_own_network(const Candidate& of, const NetworkSpeed& own) {
  if (runs() > 1 || space_.routing) return any_on_own_network(of, own, ruled_out(of));
  return any_but(on_own_network_[{of.id.system, &own}], of, longest(of),
                 [&](std::int64_t beyond) { return any_on_own_network(of, own, beyond); });
}

bool Uses::any_on_own_network(const Candidate& of, const NetworkSpeed& own, std::int64_t beyond) {
  std::optional<Least> least = least_of(of);
  if (!least) return false;
  const NetworkOfRun network = network_of_run(space_, of.id, own);
  look_ahead(of, network, *least);
  const TimeLimit all = longest(of);
  for (std::size_t run = 0; run < runs(); ++run) {
    const Seconds others = but(run, least->expected);
    const TimeLimit rest = all.but(others, but(run, least->confident));
    const bool last = run + 1 == runs();  // the others are as fast as they can be: any will do
    Seconds found = kNever;
    BeyondCounts& known = learnt_.counts.beyond(of.id.system, run);
    each_held(of, run, beyond, [&](const UsableCount& count, std::size_t at) {
      if (count.floor > rest.by_goals || count.floor > found) return true;
      const Seconds limit = rest.of(count.late->factor);
      if (count.floor > limit) return false;
      const auto most = may_take(of, count, at, std::min(limit, found), rest, known);
      if (!most) return false;
      const auto best = times_.best(used_of(of.id, count), network, *most);
      if (!best) return false;
      const Seconds time = count.iterations * best->time;
      if (uncounted_ && fails_beyond(of, count, time, rest)) return false;
      if (archive_.may_matter(figures(of, others + time))) found = std::min(found, time);
      return last && found < kNever;
    });
    if (found == kNever) return false;
    least->expected[run] = found;
    least->confident[run] = std::max(found, least->confident[run]);
  }
  return true;
}

/// Where a number of GPUs takes a search, those of the next numbers are made beside it, those that
/// these GPUs hold and those that a few more do: most of them are asked for sooner or later, within
/// a limit that only falls.
void Uses::look_ahead(const Candidate& of, std::size_t run, std::size_t at, const TimeLimit& rest) {
  constexpr std::size_t kEach = 4;    // few searches take equally long
  constexpr std::size_t kNear = 400;  // numbers on either side
  if (times_.side_by_side() < 2) return;
  const std::vector<UsableCount>& usable = of.groups.usable().runs[run].all;
  const std::size_t enough = kEach * times_.side_by_side();
  std::vector<Times::Wanted> wanted;
  const auto add = [&](const UsableCount& count) {
    const Seconds limit = rest.of(count.late->factor);
    if (count.floor > limit) return;
    UsedGpus gpus = used_of(of.id, count);
    gpus.bought = std::max(gpus.bought, count.bought);
    times_.add_wanted(gpus, searched_to(limit) / count.iterations, wanted);
  };
  add(usable[at]);
  if (wanted.empty()) return;
  const std::size_t first = at - std::min(at, kNear);
  const std::size_t end = std::min(usable.size(), at + 1 + kNear);
  for (std::size_t more = at + 1; more < end && wanted.size() < enough; ++more) {
    if (usable[more].bought <= of.id.gpus) add(usable[more]);
  }
  for (std::size_t less = at; less > first && wanted.size() < enough; --less) {
    add(usable[less - 1]);
  }
  times_.search_ahead(wanted);
}

/// The same of one design: what follows from a search is the next.
void Uses::look_ahead(const Candidate& of, const NetworkOfRun& network, const Least& least) {
  if (times_.side_by_side() < 2) return;
  const TimeLimit all = longest(of);
  for (;;) {
    std::vector<Times::Wanted> wanted;
    for (std::size_t run = 0; run < runs(); ++run) {
      const TimeLimit rest = all.but(but(run, least.expected), but(run, least.confident));
      const BeyondCounts& known = learnt_.counts.beyond(of.id.system, run);
      each_held(of, run, [&](const UsableCount& count, std::size_t at) {
        if (count.floor > rest.by_goals) return true;
        const Seconds limit = rest.of(count.late->factor);
        if (count.floor > limit) return false;
        if (known.beyond(at, of.id.gpus, searched_to(limit) / count.iterations)) return false;
        const Seconds longest = before_failures(of, count, limit, rest);
        times_.add_wanted(used_of(of.id, count), network, searched_to(longest) / count.iterations,
                          wanted);
        return false;
      });
    }
    if (wanted.size() < 2) return;
    times_.search_ahead(wanted);
  }
}

/// Every use that a run can make of a design, beside what the others take.
template <class Visit>
void Uses::each_use(const Candidate& of, const Bought& cluster, const NetworkOfRun& network,
                    std::size_t run, const Least& least, const Visit& visit) {
  const auto left = [&] {
    return longest(of).but(but(run, least.expected), but(run, least.confident));
  };
  TimeLimit rest = left();
  BeyondCounts& known = learnt_.counts.beyond(of.id.system, run);
  each_held(of, run, [&](const UsableCount& count, std::size_t at) {
    if (count.floor > rest.by_goals) return true;  // and so are those behind it
    const Seconds limit = rest.of(count.late->factor);
    if (count.floor > limit) return false;
    const auto most = may_take(of, count, at, limit, rest, known);
    if (!most) return false;
    const auto best = times_.best(used_of(of.id, count), network, *most);
    if (!best) return false;
    if (fails_beyond(of, count, count.iterations * best->time, rest)) return false;
    const auto times = learnt_.runs.of(of.id, cluster, *best, *count.late, longest_run_);
    if (!times) return false;
    visit(Use{.best = *best, .times = *times});
    rest = left();
    return false;
  });
}

void Uses::offer(const Candidate& of, const Bought& cluster) {
  const std::optional<Least> least = least_of(of);
  if (!least) return;
  const NetworkOfRun network = network_of_run(space_, of.id, cluster.network);
  look_ahead(of, network, *least);
  std::vector<Use> chosen;
  offer(of, cluster, network, *least, chosen);
}

bool Uses::Use::rules_out(const Use& other) const {
  const auto order = [](const Use& use) {
    return std::tuple(use.times.expected, use.times.confident, use.place());
  };
  if (other.times.confident < times.confident || order(other) < order(*this)) return false;
  return std::all_of(kMeasures.begin(), kMeasures.end(), [&](Measure measure) {
    return alone.expected[at(measure)] <= other.alone.expected[at(measure)] &&
           alone.confident[at(measure)] <= other.alone.confident[at(measure)];
  });
}

/// One run after the other, with those that are chosen.
void Uses::offer(const Candidate& of, const Bought& cluster, const NetworkOfRun& network,
                 const Least& least, std::vector<Use>& chosen) {
  const std::size_t run = chosen.size();
  if (run + 1 == runs()) {
    each_use(of, cluster, network, run, least, [&](const Use& use) {
      chosen.push_back(use);
      Found found{
          .place = {.id = of.id, .runs = {}}, .times = {}, .cluster = cluster, .judged = {}};
      std::vector<RunTimes> times;
      for (const Use& one : chosen) {
        found.place.runs.push_back(one.place());
        found.times.push_back(one.best);
        times.push_back(one.times);
      }
      found.judged = judge_.judge(cluster, std::move(times));
      archive_.offer(found);
      chosen.pop_back();
    });
    return;
  }
  std::vector<Use> choice;
  each_use(of, cluster, network, run, least, [&](Use use) {
    use.alone = judge_.judge(cluster, {use.times});
    const auto beats = [&](const Use& other) { return other.rules_out(use); };
    if (std::any_of(choice.begin(), choice.end(), beats)) return;
    std::erase_if(choice, [&](const Use& other) { return use.rules_out(other); });
    choice.push_back(std::move(use));
  });
  for (const Use& use : choice) {
    Least with = least;
    with.expected[run] = use.times.expected;
    with.confident[run] = use.times.confident;
    chosen.push_back(use);
    offer(of, cluster, network, with, chosen);
    chosen.pop_back();
  }
}

}  // namespace planner::design
