#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "planner/core/real.hpp"
#include "planner/network/count.hpp"
#include "planner/published/published.hpp"

// What the files of published networks are written with.
namespace planner::published {

/// One printed number beside ours.
struct Figure {
  std::string what;
  double published = 0;
  double ours = 0;
  bool at_odds = false;  ///< does not follow from the source's own inputs
};

/// Figures of one published network or table row. `why`: the reason of those at odds.
struct Case {
  std::string name;
  std::string source;
  std::vector<Figure> figures;
  std::string why = {};
};

using Cases = std::vector<Case>;

/// The parts of a network that is known to be possible.
FabricCount counted(const FabricDesign& design);
/// What is wrong with one that is known not to be.
FabricProblem problem_of(const FabricDesign& design);

/// 7:1 as 7.
inline double share(const Ratio& ratio) {
  return real(ratio.down) / real(ratio.up);
}

/// That of a tier of switches; 1:1 where it has none.
Ratio oversubscription_of(const FabricCount& count, std::string_view tier);

/// Counts have to come out exactly.
Checks checks(const Cases& cases, Kind kind);

/// The rail-only, Fire-Flyer, HPN, C4 and Meta papers' networks.
Cases networks_of_the_papers();
/// The networks of DeepSeek-V3, NVIDIA, and of the topologies' own papers.
Cases networks_of_others();

}  // namespace planner::published
