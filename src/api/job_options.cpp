#include <fmt/format.h>

#include "planner/api/option_readers.hpp"
#include "planner/api/options.hpp"
#include "planner/network/routing/routing.hpp"

namespace planner {

namespace {

constexpr std::int64_t kMostFlows = 1'000'000'000;
constexpr double kMostDays = 1e6, kMostDollars = 1e6;

template <class Member>
auto of(Member RoutingRequest::*member) {
  return in_part(&Request::routing, member);
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

std::vector<Option> plain_routing_options() {
  constexpr const char* kPlain = "Plain numbers, without a cluster file";
  const std::vector<Command> only{Command::routing};
  using R = RoutingRequest;
  return {
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
  };
}

std::vector<Option> run_options() {
  constexpr const char* kRun = "The run";
  using R = ReliabilityRequest;
  const auto of = [](auto R::*member) { return in_part(&Request::reliability, member); };
  return {{"days",
           "D",
           "training time without failures: adds mean, p50, p95",
           kRun,
           {Command::reliability},
           positive(of(&R::ideal_days), kMostDays)},
          {"gpu-hour-price",
           "USD",
           "price of a GPU-hour: adds dollars",
           kRun,
           {Command::reliability},
           positive(of(&R::usd_per_gpu_hour), kMostDollars)}};
}

}  // namespace planner
