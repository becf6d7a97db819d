#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "planner/domain/system.hpp"
#include "planner/perf/collectives/bandwidth_bound.hpp"
#include "planner/perf/collectives/time.hpp"
#include "planner/perf/derivation/explained_term.hpp"

namespace planner {

/// A collective of one size: what every algorithm takes, and which one is used.
struct CollectiveSize {
  Bytes size{};
  std::vector<TimedAlgorithm> algorithms;  ///< fastest first; none for a single GPU
  std::size_t chosen = 0;
  /// Appendix A's least time at the links' full bandwidth: all-gather and reduce-scatter.
  std::optional<Seconds> bound;

  /// No terms at all where nothing has to move.
  [[nodiscard]] CollectiveTime time() const {
    return algorithms.empty() ? CollectiveTime{} : algorithms[chosen].time;
  }
};

/// The formula of a time and the numbers that go into it, in SI units.
struct ExplainedCollective {
  CollectiveFormula formula;
  std::vector<Symbol> values;
};

struct CollectiveResult {
  CollectiveKind kind = CollectiveKind::all_gather;
  System system;
  std::int64_t gpus = 1;
  CollectiveGroup group;
  CollectiveLibrary library;
  NetworkReach reach = NetworkReach::any_to_any;
  InSwitchReduction in_switch;
  std::optional<CollectiveAlgorithm> asked;   ///< nothing: the fastest is used
  std::vector<std::string> assumed;           ///< options that the user did not give, by name
  std::vector<ExplainedCollective> formulas;  ///< of the first size's algorithms, where asked for
  std::vector<CollectiveSize> sizes;
};

}  // namespace planner
