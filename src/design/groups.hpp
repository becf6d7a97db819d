#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "planner/design/bounds.hpp"
#include "planner/design/goals.hpp"

namespace planner::design {

/// A number of GPUs that a run can use.
struct UsableCount {
  std::int64_t used = 0;
  std::int64_t bought = 0;  ///< that hold them
  Seconds floor{};          ///< that no iteration beats
  double late = 1;          ///< excess() of its time at the question's confidence
};

/// excess() of the time of a job's iteration, by the interval of its timing model.
double lateness(const Workload& job, double confidence);

/// The designs of one system and one batch, in groups of equal GPUs bought.
class Groups {
 public:
  Groups(const Space& space, std::uint32_t system, std::uint32_t batch, const Question& question,
         const Judge& judge, const PartsFloor& parts);

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

  [[nodiscard]] DesignId first_design(std::int64_t gpus) const {
    return {.system = system_, .gpus = gpus, .network = 0, .batch = batch_};
  }
  [[nodiscard]] std::uint32_t networks() const { return networks_; }
  [[nodiscard]] std::int64_t designs() const { return all_ * networks_; }
  /// Designs of too few GPUs for any strategy.
  [[nodiscard]] std::int64_t unusable() const {
    return (all_ - static_cast<std::int64_t>(groups_.size())) * networks_;
  }

 private:
  std::uint32_t system_, batch_, networks_;
  std::int64_t all_ = 0;
  std::vector<Next> groups_;  ///< in the order of next()
  std::size_t at_ = 0;
  std::vector<UsableCount> usable_;
  std::vector<std::pair<std::int64_t, Seconds>> least_times_;  ///< by GPUs bought, falling
};

}  // namespace planner::design
