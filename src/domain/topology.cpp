#include "planner/domain/topology.hpp"

#include <algorithm>
#include <array>

namespace planner {
namespace {

template <class... Options>
constexpr std::array<std::string_view, sizeof...(Options)> names(std::variant<Options...>*) {
  return {Options::kName...};
}

constexpr auto kNames = names(static_cast<TopologyOptions*>(nullptr));

}  // namespace

std::string_view name_of(Topology topology) {
  return kNames.at(static_cast<std::size_t>(topology));
}

std::optional<Topology> topology_named(std::string_view name) {
  const auto* const found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<Topology>(found - kNames.begin());
}

}  // namespace planner
