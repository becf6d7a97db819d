#include "planner/api/collective_options.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "planner/api/option_readers.hpp"

namespace planner {

namespace {

constexpr double kMostFactor = 1e18;
constexpr std::size_t kMostSizes = 200;

std::optional<double> parse_factor(std::string_view text) {
  if (text.empty() || text.front() != 'x') return std::nullopt;
  text.remove_prefix(1);
  double factor = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), factor);
  const bool whole_text = error == std::errc{} && end == text.data() + text.size();
  return whole_text && factor >= 1.01 && factor <= kMostFactor ? std::optional{factor}
                                                               : std::nullopt;
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (std::size_t end = text.find(at); end != std::string_view::npos; end = text.find(at)) {
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  parts.push_back(text);
  return parts;
}

Parsed<std::vector<Bytes>> no_sizes(std::string_view text) {
  return {.value = {},
          .error = fmt::format("must be a whole number of bytes up to 1e18, like 1GiB or 256MB "
                               "(B, KB, KiB, MB, … TiB), or a range like 1KiB:16GiB:x4 of at "
                               "most {} sizes, not \"{}\"",
                               kMostSizes, text)};
}

/// Where a member of the collective part stands in a request.
template <class Member>
auto of(Member CollectiveRequest::*member) {
  return in_part(&Request::collective, member);
}

}  // namespace

Parsed<std::vector<Bytes>> parse_sizes(std::string_view text) {
  const std::vector<std::string_view> parts = split(text, ':');
  const std::optional<double> from = parse_bytes(parts.front());
  if (parts.size() == 1 && from) return {.value = {{Bytes{*from}}}, .error = {}};
  if (parts.size() != 3 || !from) return no_sizes(text);
  const std::optional<double> to = parse_bytes(parts[1]), factor = parse_factor(parts[2]);
  if (!to || !factor || *to < *from) return no_sizes(text);
  std::vector<Bytes> sizes;
  double size = *from;
  while (size <= *to * (1 + 1e-12)) {
    if (sizes.size() == kMostSizes) return no_sizes(text);
    sizes.emplace_back(std::round(size));
    size *= *factor;
  }
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
