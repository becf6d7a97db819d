#include "planner/design/bests.hpp"

#include <algorithm>
#include <iterator>
#include <mutex>
#include <utility>

#include "planner/core/diagnostic.hpp"
#include "planner/design/archive.hpp"
#include "planner/design/each_system.hpp"
#include "planner/design/exchange.hpp"

namespace planner::design {

namespace {

/// The best so far of each question, for several threads. Whoever comes first, the best of all is
/// the same: designs are in a total order, and one is left out only for a better one.
class Bests {
 public:
  Bests(const Space& space, const std::vector<Question>& questions) {
    for (const Question& question : questions)
      archives_.emplace_back(question, space.tokens.size());
  }

  void offer(std::size_t question, const std::vector<Found>& all) {
    const std::lock_guard lock(mutex_);
    for (const Found& one : all) archives_[question].offer(one);
  }
  void offer(const std::vector<Found>& all) {
    for (std::size_t i = 0; i < archives_.size(); ++i) offer(i, all);
  }
  /// One, or none.
  [[nodiscard]] std::vector<Found> of(std::size_t question) const {
    const std::lock_guard lock(mutex_);
    return archives_[question].sorted();
  }
  [[nodiscard]] std::vector<std::optional<Found>> all() const {
    std::vector<std::optional<Found>> all;
    for (std::size_t i = 0; i < archives_.size(); ++i) {
      const std::vector<Found> best = of(i);
      all.push_back(best.empty() ? std::nullopt : std::optional(best.front()));
    }
    return all;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<Archive> archives_;
};

}  // namespace

std::vector<std::optional<Found>> bests_by_system(const Space& space,
                                                  const std::vector<Question>& questions,
                                                  const std::vector<Found>& known, Times& times,
                                                  const Control& control, Learnt& learnt) {
  Bests bests(space, questions);
  bests.offer(known);
  const auto ask_one = [&](std::uint32_t system, const Control& of_one) {
    for (std::size_t i = 0; i < questions.size(); ++i) {
      Question question = questions[i];
      question.system = system;
      const Outcome outcome = find_designs(space, question, times, of_one, &learnt, bests.of(i));
      if (!outcome.certificate.proved()) throw Interrupted();
      bests.offer(i, outcome.found);
    }
  };
  Exchange exchange(space, questions.front().confidence, times, learnt);
  const bool cut =
      ask_side_by_side(exchange.cheapest_first(), WhoseSystems::all, times, control, ask_one);
  std::vector<Found> own;  // that others do not know
  for (std::optional<Found>& best : bests.all()) {
    const auto is_best = [&](const Found& one) { return best->place == one.place; };
    if (best && std::none_of(known.begin(), known.end(), is_best)) own.push_back(*std::move(best));
  }
  bests.offer(exchange.with_others(std::move(own)));
  exchange.end();
  if (cut) throw Interrupted();
  return bests.all();
}

}  // namespace planner::design
