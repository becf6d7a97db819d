#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "planner/design/search.hpp"

namespace planner::design {

/// What fmt::format("{}") made a text of: no digit is lost.
double number_in(const std::string& text);

/// The use of a design's GPUs, in the words of searches.
SearchedWay told_use(const DesignId& id, const BestTime& use);
/// And back.
BestTime use_told(const SearchedWay& told, Times& times);

/// Of what processes find that answer one question together, each of systems of its own. Alone
/// there is nothing to tell.
class Exchange {
 public:
  /// @param space, times, learnt  outlive it
  Exchange(const Space& space, double confidence, Times& times, Learnt& learnt);

  /// Systems with networks, the cheapest fast ones first: in the order of the first process, which
  /// all ask at once.
  [[nodiscard]] const std::vector<std::uint32_t>& cheapest_first() const;
  /// Those that this process asks about, that take most first: the same of all questions, so that
  /// how many searches one takes does not depend on who asks.
  [[nodiscard]] std::vector<std::uint32_t> own_systems() const;
  /// What all have found, in the order of ranks.
  [[nodiscard]] std::vector<Found> with_others(std::vector<Found> own);
  /// The uses of what this process has found, for the others.
  [[nodiscard]] static std::vector<SearchedWay> told(const std::vector<Found>& own);
  /// What another process has found, given what it has told.
  [[nodiscard]] std::vector<Found> heard(const std::vector<SearchedWay>& told);
  /// What each has of its own systems, nothing of those of others.
  [[nodiscard]] std::vector<std::optional<double>> with_others(
      std::vector<std::optional<double>> by_system) const;
  /// Ends the work on systems of one's own: searches are shared, and what one process alone has
  /// seen to be ruled out is forgotten, since it would make its next steps others than theirs.
  void end();

 private:
  /// A design, from the uses that runs make of it.
  [[nodiscard]] Found rebuilt(std::vector<SearchedWay>::const_iterator first);

  const Space& space_;
  Times& times_;
  Learnt& learnt_;
  Judge judge_;
  PricedDesigns priced_;
};

}  // namespace planner::design
