#include "planner/design/routed_designs.hpp"

#include <cstdint>

namespace planner::design {

RoutedDesigns::RoutedDesigns(const Space& space) : space_(space) {
  if (space.routing) networks_.emplace(*space.routing);
}

Workload RoutedDesigns::with(Workload job, std::size_t system, const RoutedOver& over) {
  constexpr std::size_t kMost = 1024;  // those that are done are hardly asked for again
  const std::lock_guard lock(mutex_);
  if (known_.size() > kMost) known_.clear();
  const std::pair key{system, over};
  auto known = known_.find(key);
  if (known == known_.end()) {
    job::RoutedNetwork routed = routed_on(space_,
                                          {.system = static_cast<std::uint32_t>(system),
                                           .gpus = over.bought,
                                           .network = over.network},
                                          *networks_);
    known = known_.emplace(key, std::move(routed)).first;
  }
  return with_routing(std::move(job), known->second);
}

}  // namespace planner::design
