#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "planner/core/diagnostic.hpp"
#include "planner/design/exchange.hpp"
#include "planner/design/pass.hpp"

namespace planner::design {

/// A question over several systems: a pass over each, side by side on threads and processes. The
/// passes go on in rounds, each up to one value of the first goal; what a pass finds in a round
/// serves the others from the next on. So no answer and no count depends on who makes a pass.
class SideBySide {
 public:
  /// The arguments outlive it.
  SideBySide(const Space& space, const Question& question, Times& times, const Control& control,
             Learnt& learnt);
  SideBySide(const SideBySide&) = delete;
  SideBySide& operator=(const SideBySide&) = delete;

  Outcome run();

 private:
  /// What all processes say before a round.
  struct Heard {
    std::optional<double> least{};  ///< next of all passes
    bool put_off = true;            ///< that is left only of all
    std::int64_t counted = 0;       ///< designs
    bool interrupted = false;
    bool problem = false;        ///< with a system, in the last round
    std::vector<Found> found{};  ///< in the last round
  };
  [[nodiscard]] Heard hear();
  /// Own passes up to a bound of the first goal.
  /// @param put_off  those that have only what was put off
  void advance(double bound, bool put_off);
  /// What all have found in the last round, to all passes.
  void offer(const std::vector<Found>& all);
  [[nodiscard]] Certificate certificate() const;

  const Question& question_;
  Times& times_;
  While one_by_one_;
  const Control& control_;
  std::size_t systems_;
  Exchange exchange_;
  Archive archive_;  ///< of all passes
  struct OfSystem {
    std::uint32_t system = 0;
    std::unique_ptr<Pass> pass;
  };
  std::vector<OfSystem> own_;                     ///< of this process
  std::vector<Found> found_;                      ///< by own passes in the last round
  std::map<std::uint32_t, InputError> problems_;  ///< of own passes, likewise
  std::int64_t designs_ = 0;
  bool interrupted_ = false;
};

}  // namespace planner::design
