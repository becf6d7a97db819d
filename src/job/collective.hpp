#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "planner/domain/routing.hpp"
#include "planner/domain/system.hpp"
#include "planner/perf/collectives/bandwidth_bound.hpp"
#include "planner/perf/collectives/time.hpp"
#include "planner/perf/derivation/explained_term.hpp"

namespace planner::job {

/// What a transport that waits for its receiver sends (Meta RoCE paper, SIGCOMM'24, §5.2.2 and
/// §6.1). Each channel has one buffer, which is sent after a clear-to-send and free again a round
/// trip later: bytes in flight over the time until they are acknowledged. Posted in whole messages,
/// it holds so many of them, the place of one is taken while it is posted and on its way out, too,
/// and a channel posts one after the other. Larger messages keep less in flight, and cost fewer
/// posts, clear-to-sends and completions: "just large enough" is best. In a closed loop of so many
/// messages through one server, that is the bound of operational analysis (Denning & Buzen 1978),
/// min(messages / time around the loop, 1 / time at the server), reached where times are fixed.
struct Transport {
  std::int64_t channels = 1;
  Bytes channel_buffer{};
  Seconds round_trip{};            ///< unloaded
  Seconds clear_to_send{};         ///< that a sender waits for it besides
  std::optional<Bytes> message{};  ///< after one clear-to-send; nothing: far less than the buffer
  Seconds per_message{};           ///< that a channel is busy with each message

  /// @param card  what the network leaves of a card, which the channels share
  [[nodiscard]] BytesPerSecond limit(BytesPerSecond card) const;
  /// The smallest buffer of a channel with which the card is the limit; nothing: messages of this
  /// size are not posted as fast.
  [[nodiscard]] std::optional<Bytes> enough_buffer(BytesPerSecond card) const;
  bool operator==(const Transport&) const = default;
};

/// A collective on a machine.
struct CollectiveJob {
  CollectiveKind kind = CollectiveKind::all_gather;
  System system;
  std::int64_t gpus = 1;
  CollectiveLibrary library;
  InSwitchReduction in_switch{};
  NetworkReach reach = NetworkReach::any_to_any;
  std::optional<CollectiveAlgorithm> asked{};  ///< nothing: the fastest is used
  /// Whose CPUs can add: HFReduce is among the algorithms then. Its PCIe layout is known.
  std::optional<Node> reducing_node{};
  /// What routing leaves of the network to groups; nothing: all of it.
  std::optional<RoutingFactors> routing{};
  std::optional<Transport> transport{};

  [[nodiscard]] CollectiveGroup group() const;
  /// Whether the network does not join all GPUs that would send to each other: a direct all-to-all
  /// joins those of different rails.
  [[nodiscard]] bool is_out_of_reach(CollectiveAlgorithm algorithm) const;
  /// S of what is sent between HB domains: all pairs of an all-to-all, which goes along rails also
  /// where it was moved to them first, else a ring of the domains along each rail, as trees between
  /// neighbours nearly are; 1 without routing.
  [[nodiscard]] double slowdown() const;
  /// What a GPU has inside its HB domain: where GPUs do not reach each other alike, its links to
  /// others of the group.
  [[nodiscard]] BytesPerSecond hb() const;
  /// What is left of a GPU's card: the card over S, and no more than the transport sends.
  [[nodiscard]] BytesPerSecond network() const;
};

/// What every algorithm takes for one size, and which one is used.
struct TimedSize {
  Bytes size{};
  std::vector<TimedAlgorithm> algorithms{};  ///< fastest first; none for a single GPU
  std::size_t chosen = 0;
  /// Appendix A's least time at the links' full bandwidth: all-gather and reduce-scatter.
  std::optional<Seconds> bound{};
};

/// The library's algorithms and, where CPUs of nodes can add, HFReduce; last the one that was asked
/// for, where it is not among them.
TimedSize timed(const CollectiveJob& job, Bytes size);

/// The formula of a time and the numbers that go into it, in SI units.
struct ExplainedCollective {
  CollectiveFormula formula;
  std::vector<Symbol> values;        ///< of its symbols, all but its definitions
  std::vector<ExplainedTerm> terms;  ///< the same, line by line
};
/// One for each algorithm, in their order.
std::vector<ExplainedCollective> explained(const CollectiveJob& job, const TimedSize& timed);

}  // namespace planner::job
