#include "planner/design/routed_designs.hpp"

#include <fmt/format.h>

#include <cstdint>

#include "planner/core/diagnostic.hpp"

namespace planner::design {

RoutedDesigns::RoutedDesigns(const Space& space) : space_(space) {
  if (space.routing) networks_.emplace(*space.routing);
}

job::RoutedNetwork RoutedDesigns::route(std::size_t system, const RoutedOver& over) {
  const DesignId id{
      .system = static_cast<std::uint32_t>(system), .gpus = over.bought, .network = over.network};
  try {
    return routed_on(space_, id, *networks_);
  } catch (const InputError& error) {
    Diagnostic problem = error.diagnostics().front();
    problem.message = fmt::format("\"routing\", on {} GPUs of {}: {}", over.bought,
                                  space_.systems[system].system().name, problem.message);
    problem.hint = "\"gpus\" of \"choices\" leaves out clusters of such a size";
    throw InputError(std::move(problem));
  }
}

Workload RoutedDesigns::with(Workload job, std::size_t system, const RoutedOver& over) {
  constexpr std::size_t kMost = 1024;  // those that are done are hardly asked for again
  const std::lock_guard lock(mutex_);
  if (known_.size() > kMost) known_.clear();
  const std::pair key{system, over};
  auto known = known_.find(key);
  if (known == known_.end()) known = known_.emplace(key, route(system, over)).first;
  return with_routing(std::move(job), known->second);
}

}  // namespace planner::design
