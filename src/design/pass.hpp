#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <queue>
#include <tuple>
#include <vector>

#include "planner/design/archive.hpp"
#include "planner/design/search.hpp"
#include "planner/design/uses.hpp"

namespace planner::design {

/// One question asked of one of a space's systems, or of all: what may matter is looked at by
/// ascending lower bound of the first goal. Passes over different systems may go on side by side.
/// Where something is wrong with the input of a design, that is put off until all others are looked
/// at: it ends the question only if the design may still matter, whatever the order of the others.
class Pass {
 public:
  /// @param system  its place in the space; nothing: all
  /// The arguments outlive it.
  Pass(const Space& space, const Question& question, Times& times, Learnt& learnt,
       std::optional<std::size_t> system);

  /// What no design has less of that may still matter; nothing: none may.
  [[nodiscard]] std::optional<double> next() const;
  /// Whether only what was put off may still matter.
  [[nodiscard]] bool at_put_off() const { return !next_of(waiting_); }
  /// Looks at what is next.
  /// @throws Interrupted  it is next still
  /// @throws InputError  of what was put off
  void step();
  /// The same of all that may have no more than `bound`, until it is over or at_put_off() changes.
  /// @param over  asked now and then
  void run_up_to(double bound, const std::function<bool()>& over);

  /// Exact ones of its systems, in this pass and before.
  [[nodiscard]] std::int64_t searches() const;
  [[nodiscard]] Archive& archive() { return archive_; }
  /// Designs of which it is known so far how they were covered.
  [[nodiscard]] std::int64_t counted() const;
  /// What is left is ruled out by what is found if nothing is next, and not reached otherwise.
  [[nodiscard]] Certificate certificate() const;

 private:
  /// What may still matter, by a lower bound of its first goal.
  struct Waiting {
    enum class Kind { group, network, counted, priced };

    double least = 0;
    Kind kind = Kind::group;
    DesignId id;
    std::size_t groups = 0;  ///< whose group it is of
    std::size_t bought = 0;  ///< of what is counted, and of what has a price: its place

    friend bool operator>(const Waiting& a, const Waiting& b) {
      return std::tie(a.least, a.kind, a.id) > std::tie(b.least, b.kind, b.id);
    }
  };

  using Queue = std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>>;

  [[nodiscard]] std::optional<double> next_of(const Queue& queue) const;
  void add(std::uint32_t system);
  void push_group(std::size_t groups);
  void open_group(const Waiting& item);
  std::int64_t* ruling_out(const Waiting& item);
  void open_networks(const Waiting& item);
  [[nodiscard]] Candidate candidate(const Piece& parts, const Waiting& item) const {
    return {groups_[item.groups], item.id, parts};
  }
  [[nodiscard]] Figures figures(const Piece& parts, const Waiting& item, Seconds all_runs) const {
    return uses_.figures(candidate(parts, item), all_runs);
  }
  /// That the runs take if their GPUs do nothing but the work that must be done.
  [[nodiscard]] Seconds least_time(const Waiting& item) const {
    return groups_[item.groups].usable().least_time(item.id.gpus);
  }
  [[nodiscard]] Judged least_judged(const Bought& cluster, const Waiting& item) const;
  bool may_matter(const Piece& parts, const Waiting& item);
  void count(const Waiting& item);
  void price(const Waiting& item);
  void look_at(const Waiting& item);

  const Space& space_;
  const Question& question_;
  Times& times_;
  Learnt& learnt_;
  std::optional<std::size_t> system_;
  PricedDesigns priced_;
  Judge judge_;
  Archive archive_;
  Uses uses_;
  // Whose members are referred to: they must not move.
  std::deque<PartsFloor> floors_;
  std::deque<Groups> groups_;
  std::deque<Bought> bought_;
  struct WithNetwork {
    Piece parts;  ///< that its design has at least
    const NetworkSpeed* speed;
  };
  std::deque<WithNetwork> counted_;
  Queue waiting_;
  Queue put_off_;  ///< in whose input something is wrong
  Certificate certificate_;
  std::int64_t searches_before_;
};

}  // namespace planner::design
