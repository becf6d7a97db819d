#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "planner/site/wiring/wiring.hpp"

// What hangs below the switches of the compute network.
namespace planner::site {

/// The cards below each switch of a tree, by the leaves that they hang on. Switches that have the
/// same leaves below them share a set. Of networks whose switches are all of one kind (dragonfly,
/// slim fly, torus) only the cards on each switch itself are known.
class CardsBelow {
 public:
  /// @param cards  the kind of device that they are
  CardsBelow(const Wiring& wiring, std::size_t cards);

  static constexpr std::int32_t kNone = -1;
  /// The set of a switch; kNone: nothing of the compute network hangs on it.
  [[nodiscard]] std::int32_t set_of(std::size_t kind, std::size_t device) const {
    return sets_of_[kind].empty() ? kNone : sets_of_[kind][device];
  }
  /// Whether cards hang on switches of a kind themselves.
  [[nodiscard]] bool is_leaf(std::size_t kind) const { return leaf_kinds_[kind]; }
  /// The cards below any of these sets, in their order, each once.
  /// @param sets  in their order, each once
  [[nodiscard]] const std::vector<std::uint32_t>& cards(const std::vector<std::int32_t>& sets);

 private:
  void add_leaves(const WiredLayer& layer, std::size_t switches);
  void add_tier(const WiredLayer& layer, std::size_t switches);
  [[nodiscard]] std::vector<std::uint32_t> leaves(const std::vector<std::int32_t>& sets) const;

  std::vector<bool> leaf_kinds_;
  std::vector<std::vector<std::int32_t>> sets_of_;           ///< by kind and device
  std::vector<std::vector<std::uint32_t>> leaves_;           ///< of each set
  std::vector<std::vector<std::uint32_t>> cards_;            ///< of each leaf
  std::map<std::vector<std::int32_t>, std::int32_t> known_;  ///< sets by those that they unite
  std::map<std::vector<std::int32_t>, std::vector<std::uint32_t>> united_;
};

}  // namespace planner::site
