#pragma once

#include <cstdint>
#include <functional>

#include "planner/site/wiring/wirer.hpp"

namespace planner::site {

/// Equal trees side by side (rails or planes) as counted, and how their switches are numbered.
struct Trees {
  std::int64_t trees = 1;
  std::int64_t leaves = 0;  ///< of each
  std::function<std::int64_t(std::int64_t tree, std::int64_t leaf)> leaf_id;
};

/// The layers above the leaves: every leaf spread over the spines of its pod, spine j of every pod
/// on core group j. Where a packed tree fills no whole pods, links are dealt out like cards.
void wire_spines(Wirer& wirer, const FabricDesign& design, const FabricCount& count,
                 const Trees& trees);

}  // namespace planner::site
