#include "planner/network/clos/inputs.hpp"

#include <utility>

namespace planner::inline network {
namespace {

constexpr std::int64_t kMostGpus = std::int64_t{1} << 60;

FabricProblem out_of_range(std::string_view name, std::int64_t nearest, std::int64_t value,
                           std::string hint = {}) {
  return {.rule = FabricRule::out_of_range,
          .subject = std::string(name),
          .unit = {},
          .need = nearest,
          .have = value,
          .max_endpoints = std::nullopt,
          .hint = std::move(hint)};
}

}  // namespace

std::optional<FabricProblem> check(std::initializer_list<Input> inputs) {
  for (const Input& input : inputs) {
    if (input.value < input.least) return out_of_range(input.name, input.least, input.value);
    if (input.value > input.most) return out_of_range(input.name, input.most, input.value);
  }
  return std::nullopt;
}

std::optional<FabricProblem> check_common(const FabricDesign& design) {
  if (design.gpus && *design.gpus < 1) return out_of_range("gpus", 1, *design.gpus);
  if (design.gpus && *design.gpus > kMostGpus) {
    return out_of_range("gpus", kMostGpus, *design.gpus);
  }
  return check({{"radix", design.radix},
                {"port-gbps", design.port_gbps},
                {"ports-per-switch-module", design.cabling.ports_per_switch_module},
                {"ports-per-nic-module", design.cabling.ports_per_nic_module},
                {"rack-units-per-switch", design.limits.rack_units_per_switch.value_or(1)},
                {"rack-units-per-rack", design.limits.rack_units_per_rack,
                 design.limits.rack_units_per_switch.value_or(1)},
                {"racks", design.limits.racks.value_or(0), 0}});
}

std::optional<FabricProblem> check_tree_radix(const FabricDesign& design) {
  constexpr const char* hint = "a tree halves its switches into ports down and ports up";
  if (design.radix < 4) return out_of_range("radix", 4, design.radix, hint);
  if (design.radix % 2 != 0) return out_of_range("radix", design.radix - 1, design.radix, hint);
  return std::nullopt;
}

std::optional<FabricProblem> check_ratio(std::string_view name, Ratio ratio) {
  return check({{name, ratio.down}, {name, ratio.up}});
}

FabricProblem too_many_endpoints(Whole asked, Whole most, std::string hint) {
  return {.rule = FabricRule::too_many_endpoints,
          .subject = "gpus",
          .unit = {},
          .need = asked.value(),
          .have = most.value(),
          .max_endpoints = most.value(),
          .hint = std::move(hint)};
}

FabricProblem too_many_ports(std::string subject, Whole need, Whole have, std::string hint) {
  return {.rule = FabricRule::too_many_ports,
          .subject = std::move(subject),
          .unit = "ports",
          .need = need.value(),
          .have = have.value(),
          .max_endpoints = std::nullopt,
          .hint = std::move(hint)};
}

}  // namespace planner::network
