#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "planner/design/search.hpp"

namespace planner::design {

/// How long all runs may take for a design to matter: by what is found, and by the limits.
struct TimeLimit {
  Seconds by_goals{}, by_limits{};

  /// @param late  by how much the time may be longer in the cases in which the limits hold
  [[nodiscard]] Seconds of(double late) const { return std::min(by_goals, by_limits / late); }
  /// That is left of it where a part is taken, as expected and in those cases.
  [[nodiscard]] TimeLimit but(Seconds expected, Seconds confident) const {
    return {.by_goals = by_goals - expected, .by_limits = by_limits - confident};
  }
};

/// The best designs so far, and what can still matter beside them.
class Archive {
 public:
  /// @param runs  how many come one after the other
  Archive(const Question& question, std::size_t runs);

  /// Keeps it if it is within the limits and others do not rule it out; what it rules out goes.
  void offer(const Found& found);
  /// What was kept since the last call, ruled out later or not.
  [[nodiscard]] std::vector<Found> take_new() { return std::exchange(new_, {}); }
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
  /// Whether nothing that is asked for or limited is less.
  [[nodiscard]] bool no_less(const Figures& figures, const Figures& than) const;
  /// Whether a design may matter that has these figures at least.
  [[nodiscard]] bool may_matter(const Figures& least) const;
  /// Beyond which a design with these parts does not matter.
  /// @param parts  its figures if the runs took no time
  [[nodiscard]] TimeLimit longest(const Figures& parts, const Figures& per_second) const;
  [[nodiscard]] double first_goal(const Figures& least) const {
    return least[at(question_.goals.front().measure)];
  }

 private:
  struct Member {
    Found found;
    std::vector<double> values;  ///< of the goals
    RunTimes time{};             ///< of all runs

    /// Of equals the faster one goes first, then the one that is earlier in the space.
    [[nodiscard]] bool before(const Member& other) const {
      return std::tie(time.expected, time.confident, found.place) <
             std::tie(other.time.expected, other.time.confident, other.found.place);
    }
  };
  static bool better(const Member& a, const Member& b) {
    return a.values < b.values || (a.values == b.values && a.before(b));
  }
  /// Seconds from which on a figure is at least so much.
  /// @param at_once  what it is without any
  [[nodiscard]] double reaches(Measure measure, double value, const Figures& at_once,
                               const Figures& per_second) const;
  void insert(Member member);
  /// Whether it is kept.
  bool offer_to_front(Member member);
  bool offer_to_best(Member member);
  /// Members that must rule a design out for it not to matter.
  [[nodiscard]] std::size_t enough() const { return question_.front ? 1 : question_.top; }
  /// @param values  of a member
  [[nodiscard]] double longest_beside(std::span<const double> values, const Figures& parts,
                                      const Figures& per_second) const;
  struct Places {
    std::size_t first = 0, end = 0;
  };
  /// Members beside which something with so much of the first goal may not matter: if any rules it
  /// out, one of these does.
  [[nodiscard]] Places that_may_rule_out(double first_goal) const;
  [[nodiscard]] std::span<const double> values_of(std::size_t member) const {
    const std::size_t goals = question_.goals.size();
    return std::span(values_).subspan(member * goals, goals);
  }

  const Question& question_;
  double cents_;                                      ///< of rounding, of what runs cost
  std::vector<std::pair<std::size_t, double>> most_;  ///< the limits there are, by measure
  std::vector<std::size_t> compared_;                 ///< measures of goals and limits
  std::vector<Member> members_;                       ///< best first
  std::vector<Found> new_;
  std::vector<double> values_;  ///< of all members, one after the other: looked at very often
};

}  // namespace planner::design
