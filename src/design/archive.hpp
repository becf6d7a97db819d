#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "planner/design/search.hpp"

namespace planner::design {

/// How long an iteration may take for a design to matter: by what is found, and by the limits.
struct TimeLimit {
  Seconds by_goals{}, by_limits{};

  /// @param late  by how much the time may be longer in the cases in which the limits hold
  [[nodiscard]] Seconds of(double late) const { return std::min(by_goals, by_limits / late); }
};

/// The best designs so far, and what can still matter beside them.
class Archive {
 public:
  explicit Archive(const Question& question) : question_(question) {}

  /// Keeps it if it is within the limits and others do not rule it out; what it rules out goes.
  void offer(const Found& found);
  /// The first goal of the last of the best that are asked for; nothing: there are fewer so far, or
  /// a front is asked for.
  [[nodiscard]] std::optional<double> last() const;
  /// The least first goal of all; nothing: there is none so far.
  [[nodiscard]] std::optional<double> least() const;
  [[nodiscard]] std::size_t size() const { return members_.size(); }
  /// By ascending goals.
  [[nodiscard]] std::vector<Found> sorted() const;

  /// Whether parts alone are over a limit.
  [[nodiscard]] bool over_limits(const Figures& least) const;
  /// Whether a design may matter that has these figures at least.
  [[nodiscard]] bool may_matter(const Figures& least) const;
  /// Beyond which a design with these parts does not matter.
  /// @param parts  its figures if an iteration took no time
  [[nodiscard]] TimeLimit longest(const Figures& parts, const Figures& per_second) const;
  [[nodiscard]] double first_goal(const Figures& least) const {
    return least[at(question_.goals.front().measure)];
  }

 private:
  struct Member {
    Found found;
    std::vector<double> values;  ///< of the goals
  };
  void offer_to_front(Member member);
  void offer_to_best(Member member);
  /// Members that must rule a design out for it not to matter.
  [[nodiscard]] std::size_t enough() const { return question_.front ? 1 : question_.top; }
  [[nodiscard]] double longest_beside(const Member& member, const Figures& parts,
                                      const Figures& per_second) const;

  const Question& question_;
  std::vector<Member> members_;
};

}  // namespace planner::design
