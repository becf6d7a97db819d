#include "fuzz/targets.hpp"

namespace planner::fuzz {

namespace {

std::map<std::string_view, Target>& table() {
  static std::map<std::string_view, Target> targets;
  return targets;
}

}  // namespace

Targets::Targets(std::initializer_list<std::pair<const std::string_view, Target>> targets) {
  table().insert(targets);
}

std::vector<std::string_view> target_names() {
  std::vector<std::string_view> names;
  for (const auto& [name, target] : table()) names.push_back(name);
  return names;
}

Target target_named(std::string_view name) {
  const auto found = table().find(name);
  return found == table().end() ? nullptr : found->second;
}

}  // namespace planner::fuzz
