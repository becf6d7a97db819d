#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

#include "planner/design/bounds.hpp"
#include "planner/design/goals.hpp"

namespace planner::design {

/// A number of GPUs that a run can use.
struct UsableCount {
  std::int64_t used = 0;
  std::int64_t bought = 0;  ///< that hold them
  Seconds floor{};          ///< that no iteration beats
  Lateness late{};          ///< at the question's confidence
};

/// The designs of one system and one batch, in groups of equal GPUs bought. Between numbers of GPUs
/// that hold more usable ones the least time stays the same, and no figure falls as more are
/// bought: each such stretch has its groups in order, and the stretches are merged.
class Groups {
 public:
  /// @param counts, parts, judge  of the system; they outlive this
  Groups(const Space& space, std::uint32_t system, std::uint32_t batch, const Question& question,
         const std::vector<std::int64_t>& counts, const Judge& judge, const PartsFloor& parts);

  struct Next {
    std::int64_t gpus = 0;
    double least = 0;  ///< of the first goal, of all its networks
  };
  /// The groups one after the other, `least` never falling; nothing: that was all.
  std::optional<Next> next();

  /// Ascending floor.
  [[nodiscard]] const std::vector<UsableCount>& usable() const { return usable_; }
  /// Of an iteration on what so many GPUs hold.
  [[nodiscard]] Seconds least_time(std::int64_t bought) const;

  [[nodiscard]] const PartsFloor& parts() const { return *parts_; }
  [[nodiscard]] DesignId first_design(std::int64_t gpus) const {
    return {.system = system_, .gpus = gpus, .network = 0, .batch = batch_};
  }
  [[nodiscard]] std::uint32_t networks() const { return networks_; }
  [[nodiscard]] std::int64_t designs() const {
    return static_cast<std::int64_t>(counts_->size()) * networks_;
  }
  /// Designs of too few GPUs for any strategy.
  [[nodiscard]] std::int64_t unusable() const { return unusable_ * networks_; }

 private:
  /// Places in the counts; those before `at` are done.
  struct Stretch {
    double least = 0;  ///< of the first goal at `at`
    std::size_t at = 0, end = 0;

    friend bool operator>(const Stretch& a, const Stretch& b) {
      return std::tie(a.least, a.at) > std::tie(b.least, b.at);
    }
  };
  void add_usable(const Space& space, const Question& question);
  void add_stretches();
  void push(std::size_t at, std::size_t end);

  std::uint32_t system_, batch_, networks_;
  std::size_t goal_;
  const std::vector<std::int64_t>* counts_;
  const Judge* judge_;
  const PartsFloor* parts_;
  std::int64_t unusable_ = 0;
  std::vector<UsableCount> usable_;
  std::vector<std::pair<std::int64_t, Seconds>> least_times_;  ///< by GPUs bought, falling
  std::priority_queue<Stretch, std::vector<Stretch>, std::greater<>> stretches_;
};

}  // namespace planner::design
