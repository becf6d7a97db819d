#pragma once

#include <cstdint>

#include "planner/core/quantity.hpp"

namespace planner::inline perf {

/// The two kinds of link of a cluster, per GPU.
struct Links {
  BytesPerSecond hb{};    ///< C_F: inside an HB domain
  BytesPerSecond net{};   ///< C_S: between domains
  Seconds hb_latency{};   ///< α_F per collective phase
  Seconds net_latency{};  ///< α_S per collective phase
};

/// Time of the hierarchical all-gather (or, mirrored, reduce-scatter) of `data` over x GPUs of one
/// HB domain times y domains: first along the rails, then inside the domains. One latency per phase
/// that takes place. Source: rail-only paper (arXiv 2307.12169), Eq. 1.
/// @param data  bytes each GPU holds at the end
Seconds hierarchical_all_gather(Bytes data, std::int64_t x, std::int64_t y, const Links& links);

/// The bytes on the wire of its two phases, for numbers and for Text; x and y may be averages. The
/// first is along the rails, the second inside the domains; hb and net are C_F and C_S, per GPU and
/// direction.
inline constexpr auto kAlongRails = [](auto data, auto x, auto y, auto net) {
  return (y - 1) * data / (x * y * net);
};
inline constexpr auto kInsideDomain = [](auto data, auto x, auto hb) {
  return (x - 1) * data / (x * hb);
};
/// The bytes on the wire of both, proportional to `data`.
inline constexpr auto kAllGatherTransfer = [](auto data, auto x, auto y, auto hb, auto net) {
  return kAlongRails(data, x, y, net) + kInsideDomain(data, x, hb);
};
Seconds all_gather_transfer(Bytes data, std::int64_t x, std::int64_t y, const Links& links);

/// With the latencies of the phases that take place, inside domains and across them.
inline constexpr auto kWithPhaseLatencies =
    [](auto transfer, bool inside, bool across, auto hb_latency,
       auto net_latency) -> decltype(transfer + hb_latency) {
  if (inside && across) return transfer + (net_latency + hb_latency);
  if (across) return transfer + net_latency;
  if (inside) return transfer + hb_latency;
  return transfer;
};

/// The bytes on the wire of an all-to-all over x × y GPUs, for numbers and for Text: what a GPU
/// sends to others of its domain, to other domains, and to its domain for other rails to send on.
inline constexpr auto kSentInside = [](auto shard, auto x, auto hb) {
  return (x - 1) * shard / hb;
};
inline constexpr auto kSentBetween = [](auto shard, auto x, auto y, auto net) {
  return x * (y - 1) * shard / net;
};
inline constexpr auto kSentToRails = [](auto shard, auto x, auto y, auto hb) {
  return y * (x - 1) * shard / hb;
};

/// Time of the all-to-all with full bisection, `shard` for each other GPU: what both kinds of link
/// carry at once. Rail-only paper, Eq. 20.
Seconds full_bisection_all_to_all(Bytes shard, std::int64_t x, std::int64_t y, const Links& links);
/// Time of the all-to-all along rails only: what is meant for another rail is first forwarded
/// inside the domain, y shards at a time, and then sent along the rail, x at a time. Rail-only
/// paper, Eq. 21.
Seconds rail_only_all_to_all(Bytes shard, std::int64_t x, std::int64_t y, const Links& links);

}  // namespace planner::perf
