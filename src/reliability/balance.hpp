#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace planner::inline reliability {

/// From a number, or a step of them, to the next, and back.
struct StepRates {
  double more = 0, fewer = 0;
};

/// The balance of a chain of states in levels: each leads to the ones before and after it in its
/// level, and to states of the next level and of the one before. They are eliminated from the
/// first, without a subtraction, so that rare ones keep their digits (Grassmann, Taksar, Heyman
/// 1985).
class Balance {
 public:
  /// @param states  of all levels
  /// @param first  of each state of the first level: its rates to the one after it in its level,
  /// and to the one before
  Balance(std::size_t states, std::span<const StepRates> first);
  Balance(const Balance&) = delete;
  Balance& operator=(const Balance&) = delete;
  ~Balance();

  /// @param states  likewise, of the next level
  /// @param links  of each of them, the rates from one state of the level before, and to it
  /// @param from  of each of them, the place of that state in its level; it never falls. Empty: the
  /// same place
  void add_level(std::span<const StepRates> states, std::span<const StepRates> links,
                 std::span<const std::size_t> from = {});

  /// Shares of the states, up to a factor, once all levels are there.
  std::vector<double> shares();

 private:
  void pass_any(std::span<const StepRates> states, std::span<const StepRates> links,
                std::span<const std::size_t> from);
  double* put_level(bool alike, std::size_t enters);

  /// States eliminated.
  struct Level {
    std::size_t states;
    bool alike;  ///< its states lead to the same places of the next; else above_ says to how many
    std::size_t enters;  ///< where those of its states begin
  };

  std::size_t all_, states_;     ///< of the last level
  std::vector<double> rates_;    ///< between them, by way of those before it too: those to each
  std::vector<double> between_;  ///< those of the last level alone
  std::vector<double> work_;
  std::vector<Level> levels_;
  std::vector<std::size_t> above_;  ///< how many after each lead to it
  std::vector<double> enters_;  ///< of each state, the rates to it over those with which it is left
  std::size_t entered_ = 0;     ///< of these, so far
};

}  // namespace planner::reliability
