#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <queue>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "planner/design/bounds.hpp"
#include "planner/design/goals.hpp"

namespace planner::design {

/// A number of GPUs that a run can use at one of its batches.
struct UsableCount {
  std::size_t batch = 0;  ///< its place in those of the space
  std::int64_t used = 0;
  std::int64_t bought = 0;         ///< that hold them
  Seconds floor{};                 ///< that the run does not beat
  double iterations = 0;           ///< of it
  const Lateness* late = nullptr;  ///< at the question's confidence
};

/// Numbers of GPUs up to `most`, ascending, from each of which on there is another way to use so
/// many in HB domains; none: they do not fit.
std::vector<std::int64_t> gpus_that_hold(std::int64_t hb_domain, std::int64_t used,
                                         std::int64_t most);

/// All of one run on a system.
struct UsableByRun {
  std::map<std::int64_t, Lateness> late;  ///< by GPUs that are used; referred to
  std::vector<UsableCount> all;           ///< by ascending floor
  /// Clusters from which on there is another way to use one of them: GPUs that are bought, and its
  /// place in `all`.
  std::vector<std::pair<std::int64_t, std::uint32_t>> arrivals;

  UsableByRun() = default;
  UsableByRun(UsableByRun&&) = default;
  UsableByRun& operator=(UsableByRun&&) = default;
  UsableByRun(const UsableByRun&) = delete;  // `all` refers to `late`
  UsableByRun& operator=(const UsableByRun&) = delete;
};

/// All of a system.
struct UsableCounts {
  std::vector<UsableByRun> runs;

  /// From a number of GPUs that can be bought on there are more of them, or other ways to use them.
  struct Step {
    std::int64_t gpus = 0;
    std::size_t place = 0;         ///< of that number, in KnownCounts::bought()
    std::vector<Seconds> of_runs;  ///< that each takes at least on what is held
    Seconds least{};               ///< their sum
  };
  std::vector<Step> steps;  ///< GPUs ascend, times do not

  /// The last step up to so many GPUs; null: they are too few for one of the runs.
  [[nodiscard]] const Step* step_of(std::int64_t bought) const;
  /// That all runs take at least on what so many GPUs hold. Infinite: they are too few.
  [[nodiscard]] Seconds least_time(std::int64_t bought) const;
};

/// Times that nothing beats on networks of full bandwidth, of each way that a run can use a system,
/// as far as they were asked for: whatever the question, and of very many clusters.
class BeyondCounts {
 public:
  /// @param at  its place in UsableByRun::all
  /// @param bought  GPUs of the cluster
  [[nodiscard]] bool beyond(std::size_t at, std::int64_t bought, Seconds iteration) const {
    return at < all_.size() && bought <= all_[at].upto && iteration <= all_[at].beyond;
  }
  /// No way to use a cluster of so many GPUs takes no longer.
  void is_beyond(std::size_t at, std::int64_t bought, Seconds iteration) {
    if (all_.size() <= at) all_.resize(at + 1);
    Known& known = all_[at];
    if (bought < known.upto || (bought == known.upto && iteration < known.beyond)) return;
    known = {.upto = bought, .beyond = iteration};
  }

 private:
  struct Known {
    std::int64_t upto = 0;  ///< GPUs of a cluster: fewer hold no other ways
    Seconds beyond{};
  };
  std::vector<Known> all_;
};

/// What is the same for all questions of one confidence. Several threads may ask, each of systems
/// of its own.
class KnownCounts {
 public:
  KnownCounts(const Space& space, double confidence)
      : space_(space),
        confidence_(confidence),
        bought_(space.systems.size()),
        usable_(space.systems.size()),
        beyond_(space.systems.size()) {}

  /// The numbers of GPUs of a system that can be bought, as gpu_counts().
  const std::vector<std::int64_t>& bought(std::size_t system);
  const UsableCounts& usable(std::size_t system);
  BeyondCounts& beyond(std::size_t system, std::size_t run) { return beyond_[system][run]; }
  void forget_beyond() {
    for (auto& of_system : beyond_) of_system.clear();
  }

 private:
  const Space& space_;
  double confidence_;
  // Of each system, as far as it was asked for.
  std::vector<std::optional<std::vector<std::int64_t>>> bought_;
  std::vector<std::optional<UsableCounts>> usable_;
  std::vector<std::map<std::size_t, BeyondCounts>> beyond_;  ///< of each system, by run
};

/// The designs of one system, in groups of equal GPUs bought. Between two steps of what is usable,
/// a stretch, all that can be used and how are the same, and no figure falls as more are bought:
/// each stretch has its groups in order, and where the first goal depends on the time they are
/// merged; else one comes after the other.
class Groups {
 public:
  /// @param counts, parts, judge  of the system; they outlive this
  Groups(const Space& space, std::uint32_t system, const Question& question, KnownCounts& counts,
         const Judge& judge, const PartsFloor& parts);

  struct Next {
    std::int64_t gpus = 0;
    double least = 0;  ///< of the first goal, of all its networks
  };
  /// The groups one after the other, `least` never falling; nothing: that was all.
  std::optional<Next> next();
  /// Passes over what is left of the stretch of the last one: what rules that one out rules them
  /// out too. Says how many they are, and that one.
  std::int64_t rest();

  /// No way to use a cluster of so many GPUs matters: nor does it on one of more.
  void rule_out(std::int64_t gpus) { ruled_out_.insert(gpus); }
  /// The largest cluster up to so many GPUs of which that was said; 0: none.
  [[nodiscard]] std::int64_t ruled_out(std::int64_t gpus) const;

  [[nodiscard]] const UsableCounts& usable() const { return *usable_; }

  [[nodiscard]] const PartsFloor& parts() const { return *parts_; }
  [[nodiscard]] DesignId first_design(std::int64_t gpus) const {
    return {.system = system_, .gpus = gpus, .network = 0};
  }
  [[nodiscard]] std::uint32_t networks() const { return networks_; }
  [[nodiscard]] std::int64_t designs() const {
    return static_cast<std::int64_t>(counts_->size()) * networks_;
  }
  /// Designs of too few GPUs for any strategy, or for one in time.
  [[nodiscard]] std::int64_t unusable() const { return unusable_ * networks_; }

 private:
  /// Places in the counts; those before `at` are done.
  struct Stretch {
    double least = 0;  ///< of the first goal at `at`
    std::size_t at = 0, step = 0;

    friend bool operator>(const Stretch& a, const Stretch& b) {
      return std::tie(a.least, a.at) > std::tie(b.least, b.at);
    }
  };
  [[nodiscard]] std::size_t end_of(std::size_t step) const;
  /// That stretch from `at` on, and where all that it has is done, what comes behind it.
  void push(std::size_t at, std::size_t step);

  std::uint32_t system_, networks_;
  std::size_t goal_;
  bool one_by_one_;
  const std::vector<std::int64_t>* counts_;
  const UsableCounts* usable_;
  const Judge* judge_;
  const PartsFloor* parts_;
  std::int64_t unusable_ = 0;
  std::optional<Stretch> last_{};  ///< of the group that next() gave, whose stretch goes on
  std::priority_queue<Stretch, std::vector<Stretch>, std::greater<>> stretches_;
  std::set<std::int64_t> ruled_out_;
};

}  // namespace planner::design
