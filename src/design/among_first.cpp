#include <algorithm>

#include "planner/core/diagnostic.hpp"
#include "planner/design/times.hpp"
#include "planner/search/search.hpp"

// The best on a network by those that are the best without one.
namespace planner::design {

std::shared_ptr<const FirstOfWays::First> Times::first_of(const Way& way, Seconds most,
                                                          int threads) {
  if (auto known = first_.of(way, most)) return known;
  Workload job = design::job_of(space_, way.system, way.batch, way.used);
  job.system.hb_domain = way.as_one;
  const SearchResult found = ranked(job, way, FirstOfWays::kKept, most, threads);
  const FitRule rule = fit_rule(job);
  std::vector<BestOfWay> best;
  for (const Ranked& one : found.best) best.push_back(told(one, rule));
  auto kept = std::make_shared<const FirstOfWays::First>(
      FirstOfWays::listed(best, FirstOfWays::kKept, way.by_time, most));
  first_.keep(way, kept);
  return kept;
}

// On no network is a strategy faster than on one of full bandwidth, and its memory is the same. So
// none that comes behind the best here in that order, with its value there, is better.
Times::Among Times::among_first(const Workload& job, const Way& way,
                                const FirstOfWays::First* first, Seconds most) {
  if (first == nullptr || job.stage_limit) return {};
  const auto place = [&way](const BestOfWay& one) {
    return std::pair{ranked_by(way, one), one.time};
  };
  const InJob in_job(job);
  std::optional<BestOfWay> best;
  Seconds least = most;
  std::vector<Strategy> equal;  // as good as the best
  for (const BestOfWay& there : first->all) {
    if (first->place_of(there) > least) break;
    const BestOfWay one = in_job(there.strategy);
    if (ranked_by(way, one) > least) continue;
    if (best && place(one) > place(*best)) continue;
    if (!best || place(one) < place(*best)) equal.clear();
    equal.push_back(one.strategy);
    best = one;
    least = ranked_by(way, one);
  }
  const bool no_other = least.si() <= first->up_to;
  if (no_other && equal.size() > 1) best = first_of_equals(job, way, equal);
  return {best, no_other};
}

// No other strategy is as good. Columns keep their order where others are left out.
std::optional<BestOfWay> Times::first_of_equals(const Workload& job, const Way& way,
                                                const std::vector<Strategy>& equal) {
  const SearchSpace columns = columns_of(equal, run_on(space_, way.system, way.batch).strategies);
  const Seconds value = ranked_by(way, InJob(job)(equal.front()));
  const auto rank = way.by_time ? rank_by_time : rank_strategies;
  const SearchResult found = rank(
      job, columns, {.top = 1, .threads = 1, .count = false, .known_time = value, .stop = stop_});
  if (found.interrupted) throw Interrupted();
  return told(found.best.front(), fit_rule(job));
}

// Whatever is asked first of a way's network of full bandwidth, most of what is asked of it and of
// slower ones is among the fastest strategies there. Where that does not tell, the best of them
// says how far to look.
KnownWay Times::search(const Workload& job, const Way& way, Seconds most, int threads) {
  const Way ideal = way.on_full_network();
  Way fastest = ideal;
  fastest.by_time = true;
  Among among;
  Seconds enough = most;
  const auto look = [&](const FirstOfWays::First* first) {
    among = among_first(job, way, first, enough);
    if (among.best) enough = ranked_by(way, *among.best);
    return among.no_other;
  };
  const auto known = [&](const std::optional<BestOfWay>& best) {
    return KnownWay{.best = best, .beyond = most.si()};
  };
  if (way != fastest) {
    // By value only if they are known, up to whatever time.
    const auto first = way.by_time ? first_of(fastest, most, threads) : first_.of(fastest, {});
    if (look(first.get())) return known(among.best);
  }
  if (way == ideal) {
    const auto first = first_of(way, most, threads);
    const bool any = !first->all.empty() && ranked_by(way, first->all.front()) <= most;
    return known(any ? std::optional(first->all.front()) : std::nullopt);
  }
  if (!way.by_time && look(first_of(ideal, enough, threads).get())) return known(among.best);
  const SearchResult found = ranked(job, way, {.most = 1}, enough, threads);
  if (found.best.empty()) return known(std::nullopt);
  const BestOfWay best = told(found.best.front(), fit_rule(job));
  return known(ranked_by(way, best) <= most ? std::optional(best) : std::nullopt);
}

}  // namespace planner::design
