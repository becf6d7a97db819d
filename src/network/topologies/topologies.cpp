#include "planner/network/topologies/topologies.hpp"

#include <algorithm>
#include <array>

namespace planner::inline network {
namespace {

template <class... Options>
std::array<TopologyOptions, sizeof...(Options)> defaults(std::variant<Options...>*) {
  return {Options{}...};
}

/// The input that answers to an option; null: none does.
template <class Options>
const TopologyInput<Options>* answering(const Options& options, std::string_view option) {
  const auto& inputs = facts_of(options).inputs;
  const auto found = std::find_if(inputs.begin(), inputs.end(), [&](const auto& input) {
    return std::find(input.options.begin(), input.options.end(), option) != input.options.end();
  });
  return found == inputs.end() ? nullptr : &*found;
}

void assign(std::int64_t& member, const InputValue& value) {
  member = std::get<std::int64_t>(value);
}
void assign(std::optional<std::int64_t>& member, const InputValue& value) {
  member = std::get<std::int64_t>(value);
}
void assign(bool& member, const InputValue& value) {
  member = std::get<bool>(value);
}
void assign(Ratio& member, const InputValue& value) {
  member = std::get<Ratio>(value);
}

/// An input and its range.
struct Ranged {
  std::string_view name;
  std::int64_t least, most;

  std::optional<FabricProblem> operator()(std::int64_t value) const {
    return check({{.name = name, .value = value, .least = least, .most = most}});
  }
  std::optional<FabricProblem> operator()(const std::optional<std::int64_t>& value) const {
    return value ? (*this)(*value) : std::nullopt;
  }
  std::optional<FabricProblem> operator()(bool) const { return std::nullopt; }
  std::optional<FabricProblem> operator()(Ratio ratio) const { return check_ratio(name, ratio); }
};

}  // namespace

std::span<const TopologyOptions> all_topologies() {
  static const auto all = defaults(static_cast<TopologyOptions*>(nullptr));
  return all;
}

const TopologyOptions& default_options(Topology topology) {
  return all_topologies()[static_cast<std::size_t>(topology)];
}

std::optional<FabricProblem> check_inputs(const TopologyOptions& options) {
  return std::visit(
      [](const auto& chosen) -> std::optional<FabricProblem> {
        for (const auto& input : facts_of(chosen).inputs) {
          const Ranged range{.name = input.key, .least = input.least, .most = input.most};
          const auto checked = [&](auto member) { return range(chosen.*member); };
          if (auto problem = std::visit(checked, input.member)) {
            std::replace(problem->subject.begin(), problem->subject.end(), '_', '-');
            return problem;
          }
        }
        return std::nullopt;
      },
      options);
}

bool takes_option(const TopologyOptions& options, std::string_view option) {
  const auto takes = [&](const auto& chosen) {
    const bool by_uplinks =
        option == kOversubscription && facts_of(chosen).oversubscribe != nullptr;
    return by_uplinks || answering(chosen, option) != nullptr;
  };
  return std::visit(takes, options);
}

bool requires_option(const TopologyOptions& options, std::string_view option) {
  const auto required = [&](const auto& chosen) {
    const auto* const input = answering(chosen, option);
    return input != nullptr && input->required;
  };
  return std::visit(required, options);
}

void set_option(FabricDesign& design, std::string_view option, const InputValue& value) {
  const auto set = [&](auto& chosen) {
    if (const auto* const input = answering(chosen, option)) {
      std::visit([&](auto member) { assign(chosen.*member, value); }, input->member);
    } else {
      facts_of(chosen).oversubscribe(chosen, std::get<Ratio>(value), design.port_gbps);
    }
  };
  std::visit(set, design.topology);
}

std::string unknown_of(const TopologyOptions& options) {
  return std::visit(
      [](const auto& chosen) {
        const auto unknown = facts_of(chosen).unknown;
        return unknown == nullptr ? std::string{} : unknown(chosen);
      },
      options);
}

std::int64_t rails_apart(const TopologyOptions& options) {
  return std::visit(
      [](const auto& chosen) {
        const auto apart = facts_of(chosen).rails_apart;
        return apart == nullptr ? 1 : apart(chosen);
      },
      options);
}

}  // namespace planner::network
