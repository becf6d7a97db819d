#include <fmt/format.h>

#include <array>
#include <functional>
#include <utility>

#include "planner/api/option_readers.hpp"
#include "planner/api/options.hpp"
#include "planner/network/routing/routing.hpp"

namespace planner {

namespace {

constexpr std::int64_t kMostFlows = 1'000'000'000;

/// Where a member of the routing part stands in a request.
template <class Member>
auto of(Member RoutingRequest::*member) {
  return in_part(&Request::routing, member);
}

/// Where a setting stands in it.
template <class Member>
auto how(Member RoutingSettings::*member) {
  return [=](Request& request) -> Member& { return request.routing.how.*member; };
}

/// Where a setting of storage on the same network stands in it.
template <class Member>
auto sharing(Member SharingSettings::*member) {
  return [=](Request& request) -> Member& { return request.routing.sharing.*member; };
}

/// A number above 0 of `unit`s.
template <class Q>
Reader amount(std::optional<Q> SharingSettings::*member, Q unit) {
  return [=](std::string_view text, Request& request) -> std::optional<std::string> {
    Parsed<double> number = parse_positive(text, 1e9);
    if (!number.value) return std::move(number.error);
    request.routing.sharing.*member = *number.value * unit;
    return std::nullopt;
  };
}

/// Above 0 and below 1.
template <class At>
Reader share(At at) {
  return [=](std::string_view text, Request& request) -> std::optional<std::string> {
    const Parsed<double> parsed = parse_positive(text, 1);
    if (!parsed.value || *parsed.value >= 1) {
      return fmt::format("must be a number above 0 and below 1, not \"{}\"", text);
    }
    std::invoke(at, request) = parsed.value;
    return std::nullopt;
  };
}

Reader entropy() {
  return [](std::string_view text, Request& request) -> std::optional<std::string> {
    if (text == "0") {
      request.routing.how.entropy = 0;
      return std::nullopt;
    }
    return store(parse_positive(text, 1), request.routing.how.entropy);
  };
}

Reader free_gpus() {
  return [](std::string_view text, Request& request) -> std::optional<std::string> {
    std::vector<std::int64_t> free;
    for (const std::string& part : split_list(text)) {
      const Parsed<std::int64_t> gpus = parse_integer(part, 0, kMostFlows);
      if (!gpus.value) return gpus.error;
      free.push_back(*gpus.value);
    }
    request.routing.how.free_gpus = std::move(free);
    return std::nullopt;
  };
}

Reader sizes() {
  return [](std::string_view text, Request& request) -> std::optional<std::string> {
    request.routing.flow_sizes.clear();
    for (const std::string& part : split_list(text)) {
      const Parsed<double> size = parse_positive(part, 1e12);
      if (!size.value) return size.error;
      request.routing.flow_sizes.push_back(*size.value);
    }
    return std::nullopt;
  };
}

}  // namespace

std::vector<Option> routing_options() {
  constexpr const char* kRouting = "How flows find their links";
  constexpr const char* kPlain = "Plain numbers, without a cluster file";
  constexpr const char* kStorage = "Storage on the same network, per GPU";
  const std::vector<Command> only{Command::routing};
  const std::vector<Command> planned{Command::optimize, Command::estimate, Command::cost,
                                     Command::compare};
  const std::vector<Command> all{Command::routing, Command::optimize, Command::estimate,
                                 Command::cost, Command::compare};
  const std::vector<Command> searched{Command::optimize, Command::estimate};
  const std::vector<Command> placed{Command::routing, Command::optimize, Command::estimate};
  using R = RoutingRequest;
  using S = RoutingSettings;
  using N = SharingSettings;
  return {
      {"scheme", "NAME", "ecmp (default), ecmp-qp, pin, te, c4p, spray, dual-plane", kRouting, only,
       choice(how(&S::scheme), kRoutingSchemes)},
      {"routing", "NAME", "ecmp, ecmp-qp, pin, te, c4p, spray or dual-plane", kRouting, planned,
       choice(how(&S::scheme), kRoutingSchemes)},
      {"qps", "N", "queue pairs per pair of ports (default 1)", kRouting, all,
       integer(how(&S::qps), 1, kMostQps)},
      {"entropy", "SHARE", "of the QPs that the hash tells apart, 0 to 1", kRouting, all,
       entropy()},
      {"striping", "static|adaptive", "of bytes over queue pairs (default static)", kRouting, all,
       choice(how(&S::striping), kStripings)},
      {"fail-uplinks", "K", "uplinks of one leaf that are down", kRouting, all,
       integer(how(&S::fail_uplinks), 0, kMostFlows)},
      {"same-hash", "", "all tiers hash alike: polarization", kRouting, all,
       turn_on(how(&S::same_hash))},
      {"placement", "NAME", "whole, partial, random, zone-pair, pp-across-pods", kRouting, all,
       choice(how(&S::placement), kPlacements)},
      {"free-gpus", "LIST", "of each pod, zone or else leaf: the job takes the minimum cut",
       kRouting, placed, free_gpus()},
      {"cluster-gpus", "N", "of the whole network (default: the job's)", kRouting, searched,
       integer(of(&R::cluster_gpus), 1, kMostFlows)},
      {"rack-share", "SHARE", "of a rack's slices that a partial job uses (0.5)", kRouting, all,
       share(how(&S::rack_share))},
      {"peers", "N", "ranks an all-to-all sends to at a time (default 1)", kRouting, all,
       integer(how(&S::peers), 1, kMostQps)},
      {"path-efficiency", "SHARE", "goodput of planned or sprayed paths (default 1)", kRouting, all,
       positive(how(&S::efficiency), 1)},
      {"quantile", "P", "of the slowdown (default 0.99)", kRouting, all, share(how(&S::quantile))},

      {"flows", "N", "pairs of ports that send, before QPs", kPlain, only,
       integer(of(&R::flows), 1, kMostFlows)},
      {"links", "N", "that the flows are spread over", kPlain, only,
       integer(of(&R::links), 1, kMostFlows)},
      {"load", "RHO", "offered over capacity if balanced (default 1)", kPlain, only,
       positive(of(&R::load), 1e6)},
      {"downlinks", "N", "ports of a leaf to cards: flows, unless given", kPlain, only,
       integer(of(&R::downlinks), 1, kMostFlows)},
      {"uplinks", "N", "ports of a leaf to spines; with --downlinks the load", kPlain, only,
       integer(of(&R::uplinks), 1, kMostFlows)},
      {"switches", "N", "groups of links, up and down (default 1)", kPlain, only,
       integer(of(&R::switches), 1, kMostFlows)},
      {"upper-links", "N", "of each next switch: a second stage", kPlain, only,
       integer(of(&R::upper_links), 1, kMostQps)},
      {"flow-sizes", "LIST", "relative sizes of the flows, repeated", kPlain, only, sizes()},
      {"nic-ports", "N", "bonded ports of a receiving card (default 1)", kPlain, only,
       integer(of(&R::nic_ports), 1, 1024)},
      {"receivers", "N", "cards that receive (default: as many as flows)", kPlain, only,
       integer(of(&R::receivers), 1, kMostFlows)},

      {"storage-writes", "GB", "of one checkpoint (a plan: its model's)", kStorage, all,
       amount(&N::writes, units::GB)},
      {"storage-interval", "S", "seconds between checkpoints", kStorage, all,
       amount(&N::interval, units::second)},
      {"storage-reads", "GB/s", "training data, all the time", kStorage, all,
       amount(&N::reads, units::GBps)},
      {"storage-limit", "GB/s", "that the storage takes (default: all)", kStorage, all,
       amount(&N::limit, units::GBps)},
      {"storage-flows", "N", "beside each flow of training (default 1)", kStorage, all,
       integer(sharing(&N::flows), 1, kMostQps)},
      {"traffic-class", "SHARE", "kept for training by a traffic class", kStorage, all,
       share(sharing(&N::traffic_class))},
  };
}

}  // namespace planner
