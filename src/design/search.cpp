#include "planner/design/search.hpp"

#include <algorithm>
#include <utility>

#include "planner/core/diagnostic.hpp"
#include "planner/design/each_system.hpp"
#include "planner/design/pass.hpp"
#include "planner/design/side_by_side.hpp"

namespace planner::design {

namespace {

/// All systems, or the one that is asked about, in one pass.
Outcome find_in_one_pass(const Space& space, const Question& question, Times& times,
                         const Control& control, Learnt& learnt, const std::vector<Found>& known) {
  constexpr std::int64_t kEvery = 256;
  Pass pass(space, question, times, learnt, question.system);
  for (const Found& one : known) pass.archive().offer(one);
  std::int64_t steps = 0, told_searches = 0;
  const std::int64_t designs = pass.certificate().designs;
  for (auto least = pass.next(); least; least = pass.next()) {
    if (control.between) control.between();
    if (is_set(times.stop()) || (control.out_of_time && control.out_of_time())) break;
    try {
      pass.step();
    } catch (const Interrupted&) {
      break;  // the user ends it: the best so far is the answer
    }
    // After every exact search, which may take long, and now and then between them.
    if (!control.progress || (++steps % kEvery != 0 && told_searches == pass.searches())) continue;
    told_searches = pass.searches();
    control.progress({.done = pass.counted(),
                      .total = designs,
                      .goal = question.goals.front().measure,
                      .found = pass.archive().size(),
                      .best = pass.archive().least(),
                      .bound = *least});
  }
  Outcome outcome{.found = pass.archive().sorted(), .certificate = pass.certificate()};
  Certificate& certificate = outcome.certificate;
  if (const auto best = pass.archive().least(); best && certificate.bound && !question.front) {
    certificate.gap = gap_of(*best, *certificate.bound);
  }
  return outcome;
}

}  // namespace

void Certificate::add(const Unpriced& lacking) {
  ++unpriced;
  if (lacks) return;
  lacks = lacking.what + (lacking.part.empty() ? "" : " (part key " + lacking.part + ")");
}

std::optional<double> gap_of(double best, double bound) {
  return best > 0 ? std::optional(std::max(0.0, best - bound) / best) : std::nullopt;
}

Outcome find_designs(const Space& space, const Question& question, Times& times,
                     const Control& control, Learnt* learnt, const std::vector<Found>& known) {
  if (learnt == nullptr) {
    Learnt own(space, question.confidence);
    return find_designs(space, question, times, control, &own, known);
  }
  const bool together = times.team() != nullptr && question.uncounted;
  const bool apart = question.front ? systems_with_networks(space).size() > 1
                                    : together && enough_systems(space, times);
  return apart && !question.system
             ? SideBySide(space, question, times, control, *learnt).run()
             : find_in_one_pass(space, question, times, control, *learnt, known);
}

}  // namespace planner::design
