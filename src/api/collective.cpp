#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "planner/api/commands.hpp"
#include "planner/api/options.hpp"

namespace planner {

namespace {

using Algorithm = CollectiveAlgorithm;

constexpr InSwitchReduction kEverywhere{.hb = true, .network = true};

bool can_reduce_in_switch(CollectiveKind kind) {
  const auto known = algorithms_of(kind);
  return std::find(known.begin(), known.end(), Algorithm::in_switch) != known.end();
}

/// Refuses what contradicts itself whatever the machine.
void check(const Request& request) {
  const CollectiveRequest& asked = request.collective;
  if (!asked.kind) usage_error("--kind is missing", "planner collective --help lists them");
  if (asked.sizes.empty()) usage_error("--bytes is missing", "like --bytes 1GiB");
  if (!request.gpus) usage_error("--gpus is missing");
  const std::string_view kind = name_of(*asked.kind);
  if (asked.in_switch != InSwitchReduction{} && !can_reduce_in_switch(*asked.kind)) {
    usage_error(fmt::format("--in-switch-reduction has no meaning for {}", kind));
  }
  if (!asked.algorithm) return;
  const auto known = algorithms_of(*asked.kind);
  if (std::find(known.begin(), known.end(), *asked.algorithm) == known.end()) {
    std::string names;
    for (const Algorithm algorithm : known) {
      (names += names.empty() ? "" : ", ") += name_of(algorithm);
    }
    usage_error(fmt::format("--algorithm {} does no {}", name_of(*asked.algorithm), kind),
                "those that do: " + names);
  }
}

std::vector<std::string> assumed_options(const Request& request) {
  std::vector<std::string> assumed;
  if (!request.system) assumed.emplace_back("system");
  if (!request.collective.library) assumed.emplace_back("library");
  return assumed;
}

/// A rail-only network joins no GPUs of different rails, which a direct all-to-all needs.
bool needs_any_to_any(CollectiveKind kind, Algorithm algorithm) {
  return kind == CollectiveKind::all_to_all && algorithm == Algorithm::direct;
}

/// Appendix A speaks of an all-gather; a reduce-scatter is one backwards.
std::optional<Seconds> bound(const CollectiveResult& result, Bytes size) {
  if (result.kind != CollectiveKind::all_gather && result.kind != CollectiveKind::reduce_scatter) {
    return std::nullopt;
  }
  const Links links{.hb = result.system.hb_bandwidth, .net = result.system.network_bandwidth};
  const double per_byte = all_gather_bound(result.per_domain, result.domains, links, result.reach);
  return Seconds{per_byte * size.si() / result.group().ranks()};
}

CollectiveSize timed(const CollectiveResult& result, Bytes size,
                     std::optional<Algorithm> algorithm) {
  CollectiveSize timed{.size = size, .bound = bound(result, size)};
  if (result.gpus == 1) return timed;
  timed.options = collective_options(result.kind, size, result.group(), result.library,
                                     result.system.hb_bandwidth, result.system.network_bandwidth,
                                     result.in_switch);
  if (result.reach == NetworkReach::rail_only && result.domains > 1) {
    std::erase_if(timed.options, [&](const CollectiveOption& option) {
      return needs_any_to_any(result.kind, option.algorithm);
    });
  }
  if (!algorithm) return timed;
  const auto found =
      std::find_if(timed.options.begin(), timed.options.end(),
                   [&](const CollectiveOption& option) { return option.algorithm == *algorithm; });
  if (found == timed.options.end()) {
    if (*algorithm == Algorithm::in_switch) {
      usage_error("no link of these GPUs has a switch that may reduce",
                  "--in-switch-reduction both, or more GPUs");
    }
    usage_error(
        fmt::format("--algorithm {} needs a network that joins any two GPUs", name_of(*algorithm)),
        "--algorithm hierarchical forwards inside the HB domain, or leave --network-reach "
        "rail-only out");
  }
  timed.chosen = static_cast<std::size_t>(found - timed.options.begin());
  return timed;
}

}  // namespace

Response collective(const Request& request, const io::Catalog& catalog) {
  check(request);
  const CollectiveRequest& asked = request.collective;
  Response response{.command = Command::collective};
  CollectiveResult result{
      .kind = *asked.kind,
      .system = catalog.load_system(request.system.value_or(std::string{defaults::kSystem})),
      .gpus = *request.gpus,
      .library =
          catalog.load_collectives(asked.library.value_or(std::string{defaults::kCollectives})),
      .reach = asked.reach,
      .in_switch = asked.in_switch,
      .by_size = !asked.algorithm,
      .explain = request.explain,
      .assumed = assumed_options(request)};
  override_system(request, result.system);
  if (asked.algorithm == Algorithm::in_switch && result.in_switch == InSwitchReduction{}) {
    result.in_switch = kEverywhere;
  }
  result.per_domain = usable_hb_domain(result.system.hb_domain, result.gpus);
  result.domains = result.gpus / result.per_domain;
  warn_about_idle_gpus(result.gpus, result.system.hb_domain, result.per_domain, response.warnings);
  for (const Bytes size : asked.sizes) {
    result.sizes.push_back(timed(result, size, asked.algorithm));
  }
  response.result = std::move(result);
  return response;
}

}  // namespace planner
