#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "planner/domain/fabric.hpp"
#include "planner/network/clos/whole.hpp"

namespace planner::inline network {

/// Where every input ends but the GPUs.
inline constexpr std::int64_t kLargestInput = 2'147'483'647;

/// An input and what it may be.
struct Input {
  std::string_view name;
  std::int64_t value = 0;
  std::int64_t least = 1;
  std::int64_t most = kLargestInput;
};

std::optional<FabricProblem> check(std::initializer_list<Input> inputs);

/// The inputs that every topology has.
std::optional<FabricProblem> check_common(const FabricDesign& design);

/// Trees halve their switches: an even radix of at least 4.
std::optional<FabricProblem> check_tree_radix(const FabricDesign& design);

std::optional<FabricProblem> check_ratio(std::string_view name, Ratio ratio);

FabricProblem too_many_endpoints(Whole asked, Whole most, std::string hint);
FabricProblem too_many_ports(std::string subject, Whole need, Whole have, std::string hint);

}  // namespace planner::network
