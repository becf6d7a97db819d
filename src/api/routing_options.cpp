#include <fmt/format.h>

#include <array>
#include <utility>

#include "planner/api/option_readers.hpp"
#include "planner/api/options.hpp"

namespace planner {

namespace {

constexpr std::int64_t kMostFlows = 1'000'000'000;
constexpr std::int64_t kMostQps = 1'000'000;

/// Where a member of the routing part stands in a request.
template <class Member>
auto of(Member RoutingRequest::*member) {
  return in_part(&Request::routing, member);
}

/// Above 0 and below 1.
Reader share(std::optional<double> RoutingRequest::*member) {
  return [=](std::string_view text, Request& request) -> std::optional<std::string> {
    const Parsed<double> parsed = parse_positive(text, 1);
    if (!parsed.value || *parsed.value >= 1) {
      return fmt::format("must be a number above 0 and below 1, not \"{}\"", text);
    }
    request.routing.*member = parsed.value;
    return std::nullopt;
  };
}

Reader entropy() {
  return [](std::string_view text, Request& request) -> std::optional<std::string> {
    if (text == "0") {
      request.routing.entropy = 0;
      return std::nullopt;
    }
    return store(parse_positive(text, 1), request.routing.entropy);
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

template <class Enum, std::size_t N>
Choices<Enum> named(const std::array<Enum, N>& values) {
  Choices<Enum> choices;
  for (const Enum value : values) choices.emplace_back(to_string(value), value);
  return choices;
}

}  // namespace

std::vector<Option> routing_options() {
  constexpr const char* kRouting = "How flows find their links";
  constexpr const char* kPlain = "Plain numbers, without a cluster file";
  constexpr const char* kStorage = "Storage on the same network, per card";
  constexpr std::array kSchemes{
      RoutingScheme::ecmp, RoutingScheme::ecmp_qp, RoutingScheme::pin,       RoutingScheme::te,
      RoutingScheme::c4p,  RoutingScheme::spray,   RoutingScheme::dual_plane};
  constexpr std::array kPlacements{Placement::whole, Placement::partial, Placement::random,
                                   Placement::zone_pair, Placement::pp_across_pods};
  const std::vector<Command> only{Command::routing};
  using R = RoutingRequest;
  return {
      {"scheme", "NAME", "ecmp (default), ecmp-qp, pin, te, c4p, spray, dual-plane", kRouting, only,
       choice(of(&R::scheme), named(kSchemes))},
      {"qps", "N", "queue pairs per pair of ports (default 1)", kRouting, only,
       integer(of(&R::qps), 1, kMostQps)},
      {"entropy", "SHARE", "of the QPs that the hash tells apart, 0 to 1", kRouting, only,
       entropy()},
      {"fail-uplinks", "K", "uplinks of one leaf that are down", kRouting, only,
       integer(of(&R::fail_uplinks), 0, kMostFlows)},
      {"same-hash", "", "all tiers hash alike: polarization", kRouting, only,
       turn_on(of(&R::same_hash))},
      {"placement", "NAME", "whole, partial, random, zone-pair, pp-across-pods", kRouting, only,
       choice(of(&R::placement), named(kPlacements))},
      {"rack-share", "SHARE", "of a rack's slices that a partial job uses (0.5)", kRouting, only,
       share(&R::rack_share)},
      {"peers", "N", "ranks an all-to-all sends to at a time (default 1)", kRouting, only,
       integer(of(&R::peers), 1, kMostQps)},
      {"path-efficiency", "SHARE", "goodput of planned or sprayed paths (default 1)", kRouting,
       only, positive(of(&R::efficiency), 1)},
      {"quantile", "P", "of the slowdown (default 0.99)", kRouting, only, share(&R::quantile)},

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

      {"storage-writes", "GB", "of one checkpoint", kStorage, only,
       positive(of(&R::storage_writes_GB), 1e9)},
      {"storage-interval", "S", "seconds between checkpoints", kStorage, only,
       positive(of(&R::storage_interval_s), 1e9)},
      {"storage-reads", "GB/s", "training data, all the time", kStorage, only,
       positive(of(&R::storage_reads_GBps), 1e9)},
      {"storage-limit", "GB/s", "that the storage takes (default: all)", kStorage, only,
       positive(of(&R::storage_limit_GBps), 1e9)},
      {"storage-flows", "N", "beside each flow of training (default 1)", kStorage, only,
       integer(of(&R::storage_flows), 1, kMostQps)},
      {"traffic-class", "SHARE", "kept for training by a traffic class", kStorage, only,
       share(&R::traffic_class)},
  };
}

}  // namespace planner
