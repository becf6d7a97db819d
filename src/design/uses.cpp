#include "planner/design/uses.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace planner::design {

namespace {

UsedGpus used_of(const DesignId& id, const UsableCount& count) {
  return {.system = id.system, .batch = count.batch, .used = count.used, .bought = id.gpus};
}

/// What the runs but one take at least.
Seconds but(std::size_t run, const std::vector<Seconds>& least) {
  Seconds sum{};
  for (std::size_t other = 0; other < least.size(); ++other) {
    if (other != run) sum += least[other];
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
void Uses::each_held(const Candidate& of, std::size_t run, const Visit& visit) const {
  const UsableByRun& usable = of.groups.usable().runs[run];
  const std::int64_t beyond = ruled_out(of);
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

/// Whether a cluster may matter, each run as fast as `fastest` says: given what it can use and a
/// limit, that calls back with times of the run until one is enough.
template <class Fastest>
bool Uses::any(const Candidate& of, const Fastest& fastest) {
  const UsableCounts::Step* const step = of.groups.usable().step_of(of.id.gpus);
  if (step == nullptr) return false;
  std::vector<Seconds> least = step->of_runs;
  const TimeLimit all = longest(of);
  for (std::size_t run = 0; run < runs(); ++run) {
    const bool last = run + 1 == runs();
    const Seconds others = but(run, least);
    std::optional<Seconds> found;
    each_held(of, run, [&](const UsableCount& count, std::size_t at) {
      if (count.floor > all.by_goals - others) return true;  // and so are those behind it
      if (found && count.floor >= *found) return true;
      Seconds limit = all.of(count.late.factor, others);
      if (count.floor > limit) return false;
      if (found) limit = std::min(limit, *found);
      fastest(run, at, others, searched_to(limit), [&](Seconds time) {
        if (!archive_.may_matter(figures(of, others + time))) return false;
        found = std::min(time, found.value_or(time));
        return last;  // the others are as fast as they can be: any will do
      });
      return last && found;
    });
    if (!found) return false;
    least[run] = *found;
  }
  return true;
}

bool Uses::any_on_full_network(const Candidate& of) {
  const TimeLimit all = longest(of);
  return any(
      of, [&](std::size_t run, std::size_t at, Seconds others, Seconds limit, const auto& visit) {
        const UsableCount& count = of.groups.usable().runs[run].all[at];
        look_ahead(of, run, at, all, others);
        times_.any_on_full_network(used_of(of.id, count), limit / count.iterations,
                                   [&](Seconds time) { return visit(count.iterations * time); });
      });
}

bool Uses::any_on_own_network(const Candidate& of, const NetworkSpeed& own) {
  const NetworkOfRun network = network_of_run(space_, of.id, own);
  look_ahead(of, network);
  return any(of, [&](std::size_t run, std::size_t at, Seconds, Seconds limit, const auto& visit) {
    const UsableCount& count = of.groups.usable().runs[run].all[at];
    const auto best = times_.best(used_of(of.id, count), network, limit / count.iterations);
    if (best) visit(count.iterations * best->time);
  });
}

/// Where a number of GPUs takes a search, those of the next numbers are made beside it, those that
/// these GPUs hold and those that a few more do: most of them are asked for sooner or later, within
/// a limit that only falls.
void Uses::look_ahead(const Candidate& of, std::size_t run, std::size_t at,
                      const TimeLimit& longest, Seconds others) {
  constexpr std::size_t kEach = 4;    // few searches take equally long
  constexpr std::size_t kNear = 400;  // numbers on either side
  if (times_.side_by_side() < 2) return;
  const std::vector<UsableCount>& usable = of.groups.usable().runs[run].all;
  const std::size_t enough = kEach * times_.side_by_side();
  std::vector<Times::Wanted> wanted;
  const auto add = [&](const UsableCount& count) {
    const Seconds limit = longest.of(count.late.factor, others);
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
void Uses::look_ahead(const Candidate& of, const NetworkOfRun& network) {
  const UsableCounts::Step* const step = of.groups.usable().step_of(of.id.gpus);
  if (times_.side_by_side() < 2 || step == nullptr) return;
  const TimeLimit all = longest(of);
  for (;;) {
    std::vector<Times::Wanted> wanted;
    for (std::size_t run = 0; run < runs(); ++run) {
      const Seconds others = but(run, step->of_runs);
      each_held(of, run, [&](const UsableCount& count, std::size_t) {
        if (count.floor > all.by_goals - others) return true;
        const Seconds limit = all.of(count.late.factor, others);
        if (count.floor > limit) return false;
        times_.add_wanted(used_of(of.id, count), network, searched_to(limit) / count.iterations,
                          wanted);
        return false;
      });
    }
    if (wanted.size() < 2) return;
    times_.search_ahead(wanted);
  }
}

/// Every use that a run can make of a design, beside what the others take at least.
template <class Visit>
void Uses::each_use(const Candidate& of, const Bought& cluster, const NetworkOfRun& network,
                    std::size_t run, Seconds others, const Visit& visit) {
  TimeLimit all = longest(of);
  each_held(of, run, [&](const UsableCount& count, std::size_t) {
    if (count.floor > all.by_goals - others) return true;  // and so are those behind it
    const Seconds limit = all.of(count.late.factor, others);
    if (count.floor > limit) return false;
    const auto best =
        times_.best(used_of(of.id, count), network, searched_to(limit) / count.iterations);
    if (!best) return false;
    const auto times = learnt_.runs.of(of.id, cluster, *best, count.late, longest_run_);
    if (!times) return false;
    visit(Use{.best = *best, .times = *times});
    all = longest(of);
    return false;
  });
}

void Uses::offer(const Candidate& of, const Bought& cluster) {
  const NetworkOfRun network = network_of_run(space_, of.id, cluster.network);
  look_ahead(of, network);
  std::vector<Use> chosen;
  offer(of, cluster, network, chosen);
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
                 std::vector<Use>& chosen) {
  const std::size_t run = chosen.size();
  std::vector<Seconds> least = of.groups.usable().step_of(of.id.gpus)->of_runs;
  for (std::size_t before = 0; before < run; ++before) {
    least[before] = chosen[before].times.expected;
  }
  const Seconds others = but(run, least);
  if (run + 1 == runs()) {
    each_use(of, cluster, network, run, others, [&](const Use& use) {
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
  each_use(of, cluster, network, run, others, [&](Use use) {
    use.alone = judge_.judge(cluster, {use.times});
    const auto beats = [&](const Use& other) { return other.rules_out(use); };
    if (std::any_of(choice.begin(), choice.end(), beats)) return;
    std::erase_if(choice, [&](const Use& other) { return use.rules_out(other); });
    choice.push_back(std::move(use));
  });
  for (const Use& use : choice) {
    chosen.push_back(use);
    offer(of, cluster, network, chosen);
    chosen.pop_back();
  }
}

}  // namespace planner::design
