#include <algorithm>
#include <limits>
#include <tuple>

#include "planner/design/groups.hpp"
#include "planner/design/search.hpp"

namespace planner::design {

namespace {

constexpr Seconds kNever{std::numeric_limits<double>::infinity()};

std::vector<double> values_of(const Found& found, const Question& question) {
  std::vector<double> values;
  for (const Goal& goal : question.goals) values.push_back(figure(found.judged, goal));
  return values;
}

/// Every design in order, with every number of GPUs that it holds.
template <class Visit>
void for_each_design(const Space& space, const Question& question, const Visit& visit) {
  for (std::uint32_t s = 0; s < space.systems.size(); ++s) {
    if (question.system && *question.system != s) continue;
    const SystemOption& option = space.systems[s];
    for (const std::int64_t gpus : gpu_counts(option, space.gpus)) {
      for (std::uint32_t n = 0; n < option.networks.size(); ++n) {
        for (std::uint32_t b = 0; b < space.batches.size(); ++b) {
          visit(DesignId{.system = s, .gpus = gpus, .network = n, .batch = b});
        }
      }
    }
  }
}

/// Those that no other rules out, of designs in the order of the goals.
std::vector<Found> front_of(const std::vector<Found>& all, const Question& question) {
  std::vector<Found> front;
  for (const Found& one : all) {
    const std::vector<double> values = values_of(one, question);
    const bool out = std::any_of(all.begin(), all.end(), [&](const Found& other) {
      return other.place != one.place &&
             rules_out(values_of(other, question), values, true, other.place < one.place);
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

}  // namespace

Outcome look_at_every(const Space& space, const Question& question, Times& times) {
  Outcome outcome;
  Certificate& certificate = outcome.certificate;
  const Judge judge(space, question.confidence);
  std::vector<Found> all;
  for_each_design(space, question, [&](const DesignId& id) {
    ++certificate.designs;
    const BoughtResult result = bought(space, id);
    const auto* const cluster = std::get_if<Bought>(&result);
    if (cluster == nullptr) {
      ++(std::holds_alternative<Unpriced>(result) ? certificate.unpriced : certificate.no_network);
      return;
    }
    ++certificate.searched;
    Workload job = job_of(space, id.system, id.batch, id.gpus);
    const SearchSpace& strategies = space.systems[id.system].strategies;
    for (const std::int64_t used : legal_gpu_counts(job, strategies, id.gpus)) {
      const auto best =
          times.best({.system = id.system, .batch = id.batch, .used = used, .bought = id.gpus},
                     network_of_run(space, id, cluster->network), kNever);
      if (!best) continue;
      job.gpus = used;
      const auto judged = judge.judge(*cluster, id, *best, lateness(job, question.confidence));
      if (!judged || !within(*judged, question.limits)) continue;
      all.push_back({.place = {.id = id, .used = used},
                     .time = *best,
                     .cluster = *cluster,
                     .judged = *judged});
    }
  });
  const auto before = [&](const Found& a, const Found& b) {
    return std::tuple(values_of(a, question), a.place) <
           std::tuple(values_of(b, question), b.place);
  };
  std::sort(all.begin(), all.end(), before);
  outcome.found = question.front ? front_of(all, question) : first_of(all, question.top);
  certificate.searches = times.searches();
  return outcome;
}

}  // namespace planner::design
