#include "planner/job/spare_settings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "planner/core/ceil_div.hpp"
#include "planner/core/real.hpp"
#include "planner/core/usage.hpp"
#include "planner/job/reliability.hpp"
#include "planner/reliability/exposure.hpp"

namespace planner::job {

namespace {

/// Mean over the failures that need a spare, of switches and feeds where nothing else does; nothing
/// where one of them is not known.
std::optional<Seconds> mean_repair(JobReliability job, const SparePolicy& policy) {
  job.spares = policy;
  const std::vector<Exposure> exposed = exposures(job);
  const auto single = [](const Exposure& one) { return one.needs_spare && one.rate > PerSecond{}; };
  const bool singles = std::any_of(exposed.begin(), exposed.end(), single);
  double all = 0, sum = 0;
  for (const Exposure& exposure : exposed) {
    const bool group = exposure.of_switch || (exposure.of_feed && exposure.rate > PerSecond{});
    if (exposure.rate <= PerSecond{} || (singles ? !exposure.needs_spare : !group)) continue;
    if (exposure.repair <= Seconds{}) return std::nullopt;
    all += exposure.rate.si();
    sum += exposure.rate * exposure.repair;
  }
  return all > 0 ? std::optional(Seconds{sum / all}) : std::nullopt;
}

/// What is swapped at once: GPUs, and the trays of which some are spare.
void set_unit(const ReliabilitySettings& asked, SparePolicy& policy) {
  policy.unit_gpus = asked.swap_unit.value_or(asked.gpus_per_node.value_or(kGpusPerNode));
  if (asked.tray.has_value() != asked.spare_trays.has_value()) {
    usage_error("--tray and --spare-trays go together");
  }
  if (!asked.tray) return;
  if (policy.unit_gpus % *asked.tray != 0) {
    usage_error(fmt::format("--tray {} does not divide the {} GPUs that are swapped at once",
                            *asked.tray, policy.unit_gpus),
                "give --swap-unit GPUS");
  }
  policy.unit_trays = policy.unit_gpus / *asked.tray;
  policy.spare_trays = *asked.spare_trays;
  if (policy.spare_trays >= policy.unit_trays) {
    usage_error(fmt::format("--spare-trays {}: {} trays are swapped at once", policy.spare_trays,
                            policy.unit_trays));
  }
}

void check_numbers(const SparePolicy& policy, std::int64_t units, const char* name) {
  if (policy.pools > units) {
    usage_error(fmt::format("--spare-pools {}: the job has {} {}", policy.pools, units, name));
  }
  if (policy.spares > units) {
    usage_error(fmt::format("--spares {}: the job has {} {}", policy.spares, units, name),
                "more spares than there are to replace are never needed");
  }
  if (policy.spares % policy.pools != 0) {
    usage_error(fmt::format("--spares {} cannot be split evenly over {} pools", policy.spares,
                            policy.pools),
                fmt::format("--spares {}, or another --spare-pools",
                            (policy.spares / policy.pools + 1) * policy.pools));
  }
}

void refuse_without_spares(const ReliabilitySettings& asked) {
  const auto refuse = [](bool given, const char* option) {
    if (given) usage_error(fmt::format("--{} needs --spares", option));
  };
  refuse(asked.spare_pools.has_value(), "spare-pools");
  refuse(asked.crews.has_value(), "crews");
  refuse(asked.visits.has_value(), "repair-visits");
  refuse(asked.tray.has_value(), "tray");
  refuse(asked.spare_trays.has_value(), "spare-trays");
  refuse(asked.hazard.has_value(), "hazard-while-down");
}

}  // namespace

std::optional<SparePolicy> spare_policy(const ReliabilitySettings& asked, const JobReliability& job,
                                        Told& told) {
  if (!asked.spares) {
    refuse_without_spares(asked);
    return std::nullopt;
  }
  if (asked.visits && (asked.crews || asked.repair)) {
    usage_error("--repair-visits excludes --repair and --crews");
  }
  SparePolicy policy{
      .spares = *asked.spares, .pools = asked.spare_pools.value_or(1), .crews = asked.crews};
  set_unit(asked, policy);
  check_numbers(policy, policy.units(job.counts.gpus), asked.swap_unit ? "swap units" : "nodes");
  const ComponentCounts& counts = job.counts;
  const std::int64_t hosts = ceil_div(counts.links, std::max<std::int64_t>(1, counts.switches));
  policy.switch_hosts = asked.switch_hosts.value_or(std::min(counts.nodes, hosts));
  policy.feed_hosts = std::min(counts.nodes, asked.feed_hosts.value_or(1));
  policy.visits = asked.visits;
  if (policy.visits) return policy;
  policy.repair = asked.repair ? asked.repair : mean_repair(job, policy);
  if (!policy.repair) {
    usage_error("--spares needs the time until a failed node is back",
                "give --repair HOURS, or --repair-visits DAYS");
  }
  if (!asked.repair) told.assumed.emplace_back("repair");
  return policy;
}

ReliabilitySettings with_standing_spares(ReliabilitySettings asked, const FailureRates& rates,
                                         const StandingSpares& spares, std::int64_t job_gpus) {
  if (asked.spares || asked.shrink) return asked;
  const auto waits = [&](const FailureRate& rate) {
    const bool counts = !rate.optional || asked.optional_lines.value_or(false);
    const bool holds = rate.needs_spare || rate.on_access_links();
    return counts && rate.action == FailureAction::crash && holds && rate.rate > PerSecond{};
  };
  const auto back = [&](const FailureRate& rate) { return !waits(rate) || rate.repair; };
  const std::vector<FailureRate>& all = rates.components;
  const bool known =
      std::all_of(all.begin(), all.end(), back) && std::any_of(all.begin(), all.end(), waits);
  if (!known && !asked.repair && !asked.visits) return asked;
  const std::int64_t node = asked.gpus_per_node.value_or(spares.node_gpus);
  const std::int64_t tray = spares.gpus_per_tray.value_or(node);
  const std::int64_t unit =
      asked.swap_unit.value_or(swaps_trays(asked) ? tray : std::max(node, spares.hb_domain));
  const std::int64_t units = std::min(spares.gpus / unit, ceil_div(job_gpus, unit));
  const std::int64_t even = units - units % asked.spare_pools.value_or(1);
  if (even > 0) asked.spares = even;
  return asked;
}

std::optional<std::int64_t> shrinking(const ReliabilitySettings& asked, const JobReliability& job) {
  if (!asked.shrink) return std::nullopt;
  if (asked.spares) usage_error("--shrink excludes --spares", "leave one of them out");
  if (*asked.shrink > job.counts.gpus) {
    usage_error(fmt::format("--shrink {}: the job has {} GPUs", *asked.shrink, job.counts.gpus),
                "give its degree of data parallelism");
  }
  JobReliability shrunk = job;
  shrunk.shrink = asked.shrink;
  for (const Exposure& exposure : exposures(shrunk)) {
    if (!exposure.needs_spare || exposure.repair > Seconds{}) continue;
    usage_error("--shrink needs the time until a failed node is back", "give --repair HOURS");
  }
  return asked.shrink;
}

void check_unit_sizes(const ReliabilitySettings& asked, std::int64_t gpus) {
  const auto check = [gpus](const std::optional<std::int64_t>& size, const char* option) {
    if (!size || *size <= gpus) return;
    usage_error(
        fmt::format("--{} {}: the job has {} GPU{}", option, *size, gpus, gpus == 1 ? "" : "s"),
        fmt::format("give --{} up to {}, or more --gpus", option, gpus));
  };
  check(asked.gpus_per_node, "gpus-per-node");
  check(asked.swap_unit, "swap-unit");
}

void warn_of_uncounted(const ReliabilitySettings& asked, const FailureRates& rates,
                       std::vector<std::string>& warnings) {
  const auto check = [&](const std::optional<std::int64_t>& number, FailureUnit unit,
                         const char* option) {
    if (number.value_or(0) == 0) return;
    bool any = false;
    for (const FailureRate& rate : rates.components) {
      if (rate.unit != unit) continue;
      if (!rate.optional || asked.optional_lines.value_or(false)) return;
      any = true;
    }
    warnings.push_back(fmt::format("--{} counts for nothing: {} of {} is for such parts{}", option,
                                   any ? "only an optional line" : "no line", rates.name,
                                   any ? " (--optional-lines)" : ""));
  };
  check(asked.upper_switches, FailureUnit::upper_switch, "upper-switches");
  check(asked.chassis_switches, FailureUnit::chassis_switch, "chassis-switches");
  check(asked.feeds, FailureUnit::feed, "feeds");
}

std::optional<OpticalSwap> optical_swap(const ReliabilitySettings& asked) {
  if (asked.reconfigure) {
    const bool of_ports = asked.optical_port_price || asked.optical_port_power;
    if (of_ports && !asked.optical_ports) {
      usage_error("--optical-port-price and --optical-port-power need --optical-ports");
    }
    return OpticalSwap{*asked.reconfigure, asked.optical_ports, asked.optical_port_price};
  }
  if (asked.optical_ports) usage_error("--optical-ports needs --optical-swap");
  if (asked.optical_port_price) usage_error("--optical-port-price needs --optical-swap");
  if (asked.optical_port_power) usage_error("--optical-port-power needs --optical-swap");
  return std::nullopt;
}

}  // namespace planner::job
