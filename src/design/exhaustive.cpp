#include <algorithm>
#include <tuple>

#include "planner/design/groups.hpp"
#include "planner/design/rounding.hpp"
#include "planner/design/search.hpp"

namespace planner::design {

namespace {

std::vector<double> values_of(const Found& found, const Question& question) {
  std::vector<double> values;
  for (const Goal& goal : question.goals) values.push_back(figure(found.judged, goal));
  return values;
}

/// Every design in order.
template <class Visit>
void for_each_design(const Space& space, const Question& question, const Visit& visit) {
  for (std::uint32_t s = 0; s < space.systems.size(); ++s) {
    if (question.system && *question.system != s) continue;
    const SystemOption& option = space.systems[s];
    for (const std::int64_t gpus : gpu_counts(option, space.gpus)) {
      for (std::uint32_t n = 0; n < option.networks.size(); ++n) {
        visit(DesignId{.system = s, .gpus = gpus, .network = n});
      }
    }
  }
}

/// Of equals the faster one goes first, then the one that is earlier in the space.
auto order_of(const Found& found) {
  const RunTimes all = found.judged.all_runs();
  return std::tuple(all.expected, all.confident, found.place);
}

/// Those that no other rules out, of designs in the order of the goals.
std::vector<Found> front_of(const std::vector<Found>& all, const Question& question) {
  std::vector<Found> front;
  for (const Found& one : all) {
    const std::vector<double> values = values_of(one, question);
    const bool out = std::any_of(all.begin(), all.end(), [&](const Found& other) {
      return other.place != one.place &&
             rules_out(values_of(other, question), values, true, order_of(other) < order_of(one));
    });
    if (!out) front.push_back(one);
  }
  return front;
}

/// Each design once.
std::vector<Found> first_of(const std::vector<Found>& all, std::size_t top) {
  std::vector<Found> first;
  for (const Found& one : all) {
    if (first.size() == top) break;
    const bool there = std::any_of(first.begin(), first.end(), [&](const Found& other) {
      return other.place.id == one.place.id;
    });
    if (!there) first.push_back(one);
  }
  return first;
}

/// A design with every use that the runs can make of it, those behind the ones that it has.
void every_use(const Space& space, const Question& question, Times& times, Found& found,
               std::vector<Found>& all) {
  const std::size_t run = found.times.size();
  if (run == space.tokens.size()) {
    found.judged = Judge(space, question.confidence).judge(found.cluster, found.judged.runs);
    if (within(found.judged, question.limits)) all.push_back(found);
    return;
  }
  const DesignId id = found.place.id;
  for (std::size_t batch = 0; batch < space.batches.size(); ++batch) {
    if (space.batches[batch].run != run) continue;
    Workload job = job_of(space, id.system, batch, id.gpus);
    for (const std::int64_t used :
         legal_gpu_counts(job, run_on(space, id.system, batch).strategies, id.gpus)) {
      const auto best =
          times.best({.system = id.system, .batch = batch, .used = used, .bought = id.gpus},
                     network_of_run(space, id, found.cluster.network), kNever);
      if (!best) continue;
      job.gpus = used;
      const auto run_takes = run_times(space, id, found.cluster, *best,
                                       lateness(job, question.confidence), question.confidence);
      if (!run_takes) continue;
      found.place.runs.push_back({batch, used});
      found.times.push_back(*best);
      found.judged.runs.push_back(*run_takes);
      every_use(space, question, times, found, all);
      found.place.runs.pop_back();
      found.times.pop_back();
      found.judged.runs.resize(run);
    }
  }
}

}  // namespace

Outcome look_at_every(const Space& space, const Question& question, Times& times) {
  Outcome outcome;
  Certificate& certificate = outcome.certificate;
  std::vector<Found> all;
  for_each_design(space, question, [&](const DesignId& id) {
    ++certificate.designs;
    const BoughtResult result = bought(space, id);
    const auto* const cluster = std::get_if<Bought>(&result);
    if (cluster == nullptr) {
      if (const auto* const lacking = std::get_if<Unpriced>(&result)) {
        certificate.add(*lacking);
      } else {
        ++certificate.no_network;
      }
      return;
    }
    ++certificate.searched;
    Found found{.place = {.id = id, .runs = {}}, .times = {}, .cluster = *cluster, .judged = {}};
    every_use(space, question, times, found, all);
  });
  const auto before = [&](const Found& a, const Found& b) {
    return std::tuple(values_of(a, question), order_of(a)) <
           std::tuple(values_of(b, question), order_of(b));
  };
  std::sort(all.begin(), all.end(), before);
  outcome.found = question.front ? front_of(all, question) : first_of(all, question.top);
  certificate.searches = times.searches();
  return outcome;
}

}  // namespace planner::design
