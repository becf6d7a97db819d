#pragma once

#include <optional>
#include <string>
#include <vector>

#include "planner/design/search.hpp"

// At which prices another design would be the best one.
namespace planner::design {

/// One price, and whether another design wins within its range, all else as it is.
struct Flip {
  /// Key in the price book; empty: electricity; "NODE, owned": what an owned one would sell for.
  std::string part;
  /// As it is, and the ends of what was looked at: its own range, or half and double of what has
  /// none. US dollars a piece, or a kWh.
  double now = 0, low = 0, high = 0;
  struct Turn {
    double at = 0;  ///< the value, found by bisection
    Found best;     ///< from there on
  };
  std::optional<Turn> below{}, above{};
};

/// Every price of what a design is bought as, and of electricity.
/// @param best  the first of what find_designs() finds; all networks keep the parts they have
/// @throws Interrupted  where the time ran out: some of them would say less than there is
std::vector<Flip> flips(const Space& space, Question question, const Found& best, Times& times,
                        const Control& control, Learnt& learnt);

/// The price of a system's node up to which it would be the best, in US dollars and to the cent;
/// nothing: not even for nothing. The goal is in money.
/// @param system  of the space, whose book may lack its node
/// @param now  its best at the price that the book has; null: none
/// @param to_beat  the first goal of the best of all others, in cents
/// @throws Interrupted  where the time ran out
std::optional<double> winning_price(const Space& space, std::size_t system, Question question,
                                    const Found* now, double to_beat, Times& times,
                                    const Control& control, Learnt& learnt);

}  // namespace planner::design
