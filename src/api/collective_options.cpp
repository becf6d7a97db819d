#include "planner/api/collective_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "planner/api/option_readers.hpp"
#include "planner/commands/values/value_range.hpp"

namespace planner {

namespace {

constexpr std::size_t kMostSizes = 200;

/// Where a member of the collective part stands in a request.
template <class Member>
auto of(Member CollectiveRequest::*member) {
  return in_part(&Request::collective, member);
}

}  // namespace

Parsed<std::vector<Bytes>> parse_sizes(std::string_view text) {
  if (!is_range(text)) {
    const Parsed<double> one = parse_bytes(text);
    if (!one.value) return {.value = {}, .error = one.error};
    return {.value = {{Bytes{*one.value}}}, .error = {}};
  }
  const auto read = [](std::string_view size) { return parse_bytes(size).value; };
  const auto range = parse_range(text, read, kMostSizes, "1KiB:16GiB:x4");
  if (!range.value) return {.value = {}, .error = range.error};
  std::vector<Bytes> sizes;
  for (const double size : *range.value) sizes.emplace_back(std::round(size));
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return {.value = std::move(sizes), .error = {}};
}

std::vector<Option> collective_options() {
  const std::vector<Command> only{Command::collective};
  constexpr const char* kGroup = "The collective";
  using C = CollectiveRequest;
  Choices<std::optional<CollectiveAlgorithm>> asked{{"auto", {}}};
  for (const auto& [name, value] : named(kLibraryAlgorithms)) asked.emplace_back(name, value);
  asked.emplace_back(name_of(CollectiveAlgorithm::hfreduce), CollectiveAlgorithm::hfreduce);
  return {
      {"kind", "NAME", "all-gather, reduce-scatter, all-reduce, all-to-all, …", kGroup, only,
       choice(of(&C::kind), kCollectiveKinds)},
      {"bytes", "SIZE", "of the buffer nccl-tests name: 1GiB, 256MB; 1KiB:16GiB:x4", kGroup, only,
       [](std::string_view text, Request& request) {
         return store(parse_sizes(text), request.collective.sizes);
       }},
      {"algorithm", "NAME", "auto (fastest, default), ring, tree, hierarchical, …", kGroup, only,
       choice(of(&C::algorithm), asked)},
      {"in-switch-reduction", "WHERE", "hb, network or both; none by default", kGroup, only,
       choice(of(&C::in_switch), kInSwitchReductions)},
      {"network-reach", "WHO", "any-to-any (default) or rail-only", kGroup, only,
       choice(of(&C::reach), kNetworkReaches)},
      {"library", "NAME|FILE", "latencies, efficiencies (default nccl; or ideal)", kGroup, only,
       text(of(&C::library))},
  };
}

}  // namespace planner
