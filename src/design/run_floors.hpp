#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "planner/design/failures.hpp"
#include "planner/design/groups.hpp"
#include "planner/design/space.hpp"
#include "planner/job/reliability.hpp"

namespace planner::design {

/// What failures make of runs at least, whatever the network and the spares of their designs: very
/// many designs have that in common. May be asked from several threads, each of systems of its own.
class RunFloors {
 public:
  /// @param share  of all cases that a run's confident time is of, as run_times() has it
  RunFloors(const Space& space, double share)
      : space_(space), share_(share), known_(space.systems.size()) {}

  /// Whether run_times() of a run that takes `ideal` without failures is beyond one of these, on
  /// every design of a system on which it uses so many GPUs. False: it is not known.
  bool beyond(std::size_t system, const UsableCount& count, Seconds ideal, Seconds expected,
              Seconds confident);
  /// The longest that such a run may take without failures, up to `most`: beyond() holds of all
  /// that take longer.
  Seconds longest(std::size_t system, const UsableCount& count, Seconds most, Seconds expected,
                  Seconds confident);
  void forget();

 private:
  struct Floor {
    job::JobOutlook outlook;
    std::map<Seconds, Seconds> confident{};  ///< at least, by the time without failures
  };
  /// Run, GPUs that are used.
  using Key = std::pair<std::size_t, std::int64_t>;

  Floor& floor_of(std::size_t system, const UsableCount& count);
  /// Whether nothing is known of such runs.
  [[nodiscard]] bool unknown(Seconds expected, Seconds confident) const;
  bool confident_beyond(Floor& floor, Seconds ideal, const Lateness& late, Seconds limit);

  const Space& space_;
  double share_;
  std::vector<std::map<Key, Floor>> known_;  ///< of each system
};

}  // namespace planner::design
