#include "planner/commands/options/routing.hpp"

#include <fmt/format.h>

#include "planner/network/routing/routing.hpp"

namespace planner::commands {

namespace {

using R = RoutingChoice;
using How = RoutingSettings;
using N = SharingSettings;

constexpr const char* kRouting = "How flows find their links";
constexpr double kMostStorage = 1e9;
constexpr const char* kStorage = "Storage on the same network, per GPU";

/// Above 0 and below 1.
template <class Settings>
OptionOf<Settings> share(OptionInfo info, std::optional<double> Settings::*at) {
  info.most = 1;
  return of_member<Settings>(
      std::move(info), at,
      [=](std::string_view text, Settings& settings) -> std::optional<std::string> {
        const Parsed<double> parsed = parse_positive(text, 1);
        if (!parsed.value || *parsed.value >= 1) {
          return fmt::format("must be a number above 0 and below 1, not \"{}\"", text);
        }
        settings.*at = parsed.value;
        return std::nullopt;
      });
}

std::optional<std::string> read_entropy(std::string_view text, How& settings) {
  return store(parse_non_negative(text, 1), settings.entropy);
}

std::optional<std::string> read_free_gpus(std::string_view text, How& settings) {
  std::vector<std::int64_t> free;
  for (const std::string& part : split_list(text)) {
    const Parsed<std::int64_t> gpus = parse_integer(part, 0, kMostFlows);
    if (!gpus.value) return gpus.error;
    free.push_back(*gpus.value);
  }
  settings.free_gpus = std::move(free);
  return std::nullopt;
}

std::optional<std::string> read_fault(std::string_view text, How& settings) {
  settings.fail = fault_named(text);
  if (settings.fail) return std::nullopt;
  return fmt::format("must be uplink:K, nic-link, tor, plane, agg:K or core:K, not \"{}\"", text);
}

/// A plan has routing only where it is asked for.
OptionOf<How> scheme(RoutingUse use) {
  const bool alone = use == RoutingUse::routing;
  return choice({.name = alone ? "scheme" : "routing",
                 .value = "NAME",
                 .group = kRouting,
                 .fallback = alone ? "ecmp" : ""},
                &How::scheme, kRoutingSchemes);
}

}  // namespace

std::vector<OptionOf<RoutingChoice>> routing_options(RoutingUse use) {
  std::vector<OptionOf<How>> settings{
      scheme(use),
      integer({.name = "qps",
               .value = "N",
               .help = "queue pairs per pair of ports",
               .group = kRouting,
               .fallback = "1"},
              &How::qps, 1, kMostQps),
      of_member<How>({"entropy", "SHARE", "of the QPs that the hash tells apart, 0 to 1", kRouting},
                     &How::entropy, read_entropy),
      choice({.name = "striping",
              .value = "static|adaptive",
              .help = "of bytes over queue pairs",
              .group = kRouting,
              .fallback = "static"},
             &How::striping, kStripings),
      of_member<How>({"fail", "WHAT", "uplink:K, nic-link, tor, plane, agg:K or core:K", kRouting},
                     &How::fail, read_fault),
      choice({.name = "port-down",
              .value = "fixed|rebalanced",
              .help = "who carries its bytes: its card, or the node",
              .group = kRouting,
              .fallback = "fixed"},
             &How::channels, kChannels),
      choice({.name = "uplink-use",
              .value = "shared|alone",
              .help = "other jobs on units that the job shares",
              .group = kRouting,
              .fallback = "shared"},
             &How::uplinks, kUplinkUses),
      turn_on({"same-hash", "", "all tiers hash alike: polarization", kRouting}, &How::same_hash),
      choice({.name = "placement", .value = "NAME", .group = kRouting}, &How::placement,
             kPlacements)};
  // What is bought is whole, and of several clusters each has other units: only a job that stands
  // in a network beside others has a choice among free GPUs.
  if (use != RoutingUse::clusters) {
    settings.push_back(of_member<How>(
        {"free-gpus", "LIST", "of each pod, zone or else leaf: where the job can stand", kRouting},
        &How::free_gpus, read_free_gpus));
  }
  std::vector<OptionOf<R>> all = in(&R::how, settings);
  if (use == RoutingUse::plans) {
    all.push_back(
        integer({"cluster-gpus", "N", "of the whole network (default: the job's)", kRouting},
                &R::cluster_gpus, 1, kMostFlows));
  }
  for (OptionOf<R>& option :
       in(&R::how, std::vector<OptionOf<How>>{
                       share<How>({"rack-share", "SHARE",
                                   "of a rack's slices that a partial job uses (0.5)", kRouting},
                                  &How::rack_share),
                       integer({.name = "peers",
                       .value = "N",
                       .help = "ranks an all-to-all sends to at a time",
                       .group = kRouting,
                       .fallback = "1"},
                               &How::peers, 1, kMostQps),
                       positive({.name = "path-efficiency",
                       .value = "SHARE",
                       .help = "goodput of planned or sprayed paths",
                       .group = kRouting,
                       .fallback = "1"},
                                &How::efficiency, 1),
                       share<How>({.name = "quantile",
                       .value = "P",
                       .help = "of the slowdown",
                       .group = kRouting,
                       .fallback = "0.99"},
                                  &How::quantile)})) {
    all.push_back(std::move(option));
  }
  return all;
}

std::vector<OptionOf<RoutingChoice>> sharing_options() {
  return in(
      &R::sharing,
      std::vector<OptionOf<N>>{
          quantity({"storage-writes", "GB", "of one checkpoint (a plan: its model's)", kStorage},
                   &N::writes, units::GB, kMostStorage),
          quantity({"storage-interval", "S", "seconds between checkpoints", kStorage}, &N::interval,
                   units::second, kMostStorage),
          quantity({"storage-reads", "GB/s", "training data, all the time", kStorage}, &N::reads,
                   units::GBps, kMostStorage),
          quantity({"storage-limit", "GB/s", "that the storage takes (default: all)", kStorage},
                   &N::limit, units::GBps, kMostStorage),
          integer({.name = "storage-flows",
                   .value = "N",
                   .help = "beside each flow of training",
                   .group = kStorage,
                   .fallback = "1"},
                  &N::flows, 1, kMostQps),
          share<N>({"traffic-class", "SHARE", "kept for training by a traffic class", kStorage},
                   &N::traffic_class)});
}

}  // namespace planner::commands
