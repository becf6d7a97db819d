#include "planner/domain/fabric.hpp"

#include <algorithm>

namespace planner {
namespace {

std::int64_t sum_links(const FabricCount& count, bool host) {
  std::int64_t sum = 0;
  for (const LinkLayer& layer : count.layers) sum += layer.host == host ? layer.links : 0;
  return sum;
}

std::string with_unit(std::int64_t value, const std::string& unit) {
  return std::to_string(value) + (unit.empty() ? "" : " " + unit);
}

}  // namespace

std::string_view name_of(CableKind kind) {
  switch (kind) {
    case CableKind::copper:
      return "copper";
    case CableKind::active_optical:
      return "active-optical";
    case CableKind::fibre:
      return "fibre";
    case CableKind::backplane:
      return "backplane";
  }
  return {};
}

std::int64_t FabricCount::switches_named(std::string_view tier) const {
  const auto found = std::find_if(switches.begin(), switches.end(),
                                  [&](const SwitchTier& t) { return t.name == tier; });
  return found == switches.end() ? 0 : found->switches;
}

std::int64_t FabricCount::links_named(std::string_view layer) const {
  const auto found = std::find_if(layers.begin(), layers.end(),
                                  [&](const LinkLayer& l) { return l.name == layer; });
  return found == layers.end() ? 0 : found->links;
}

std::int64_t FabricCount::total_switches() const {
  std::int64_t sum = 0;
  for (const SwitchTier& tier : switches) sum += tier.switches;
  return sum;
}

std::int64_t FabricCount::host_links() const {
  return sum_links(*this, true);
}
std::int64_t FabricCount::inter_switch_links() const {
  return sum_links(*this, false);
}
std::int64_t FabricCount::total_links() const {
  return host_links() + inter_switch_links();
}

std::string to_string(const FabricProblem& problem) {
  const std::string need = with_unit(problem.need, problem.unit);
  const std::string have = std::to_string(problem.have);
  switch (problem.rule) {
    case FabricRule::out_of_range:
      return problem.subject + ": " + have + " is out of range, " + need + " is the nearest usable";
    case FabricRule::too_many_endpoints:
      return problem.subject + ": " + need + " asked for, " + have + " fit";
    case FabricRule::too_many_ports:
    case FabricRule::over_limit:
      return problem.subject + ": " + need + " needed, " + have + " there";
    case FabricRule::uneven:
      return problem.subject + ": " + need + " cannot be spread evenly over " + have;
    case FabricRule::no_such_graph:
      return problem.subject + ": " + have + " is no prime power of the form 4w-1, 4w or 4w+1";
    case FabricRule::too_large_to_count:
      return problem.subject + ": the count leaves the range of 64-bit numbers";
  }
  return problem.subject;
}

}  // namespace planner
