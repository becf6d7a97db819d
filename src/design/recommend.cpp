#include "planner/design/recommend.hpp"

#include <algorithm>

namespace planner::design {

namespace {

/// What decides between designs that are equal in the first goal.
Goal tie_break(Measure measure) {
  return {.measure = measure == Measure::days ? Measure::tco : Measure::days};
}

void give_up(Measure limit, BriefLimits& limits) {
  switch (limit) {
    case Measure::tco:
      limits.tco.reset();
      break;
    case Measure::capex:
      limits.capex.reset();
      break;
    case Measure::run_cost:
      limits.run_cost.reset();
      break;
    case Measure::days:
      limits.days.reset();
      break;
    case Measure::power:
      limits.power.reset();
      break;
    case Measure::facility_power:
      limits.facility_power.reset();
      break;
    case Measure::gpus:
      limits.gpus.reset();
      break;
    case Measure::energy:
    case Measure::co2:
      break;
  }
}

}  // namespace

std::vector<Measure> limited(const BriefLimits& limits) {
  std::vector<Measure> measures;
  for (const Measure measure : kMeasures) {
    if (limit_of(limits, measure)) measures.push_back(measure);
  }
  return measures;
}

double needed(const Found& found, Measure limit) {
  return found.judged.confident[at(limit)];
}

Recommendation recommend(const Space& space, const Brief& brief, std::size_t top, bool every,
                         Times& times, const Control& control) {
  const auto ask = [&](const Question& question) {
    return every ? look_at_every(space, question, times)
                 : find_designs(space, question, times, control);
  };
  Question question{.goals = {{.measure = brief.minimise}, tie_break(brief.minimise)},
                    .top = top,
                    .limits = brief.limits,
                    .confidence = brief.confidence};
  Outcome best = ask(question);
  Recommendation found{.best = std::move(best.found), .search = best.certificate};
  const bool over = !found.search.proved();
  question.top = 1;
  if (!found.best.empty() && !over) {
    for (std::size_t system = 0; system < space.systems.size(); ++system) {
      question.system = system;
      const Outcome of_system = ask(question);
      if (!of_system.certificate.proved()) break;
      found.by_system.push_back(of_system.found.empty() ? std::nullopt
                                                        : std::optional(of_system.found.front()));
    }
    question.system.reset();
    if (!brief.front.empty()) {
      Question front = question;
      front.goals.clear();
      for (const Measure measure : brief.front) front.goals.push_back({.measure = measure});
      front.front = true;
      Outcome outcome = ask(front);
      found.front = std::move(outcome.found);
      found.front_search = outcome.certificate;
    }
  }
  if (!found.best.empty() || over) return found;
  for (const Measure limit : limited(brief.limits)) {
    Question relaxed = question;
    give_up(limit, relaxed.limits);
    relaxed.goals = {{.measure = limit, .confident = true}, {.measure = brief.minimise}};
    const Outcome outcome = ask(relaxed);
    if (!outcome.certificate.proved()) break;
    found.relax.push_back(
        {.limit = limit,
         .design = outcome.found.empty() ? std::nullopt : std::optional(outcome.found.front())});
  }
  return found;
}

Workload job_of(const Space& space, const Found& found) {
  Workload job = job_of(space, found.place.id.system, found.place.id.batch, found.place.used);
  job.network_tiers = found.cluster.tiers;
  const std::int64_t hb_domain = job.system.hb_domain;
  return job::on_used(job, {.bought = found.place.id.gpus, .hb_domain = hb_domain},
                      found.time.use);
}

}  // namespace planner::design
