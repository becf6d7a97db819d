#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "planner/commands/command.hpp"
#include "planner/commands/options/fabric.hpp"
#include "planner/commands/options/machine.hpp"
#include "planner/commands/options/routing.hpp"
#include "planner/commands/values/value_parsers.hpp"
#include "planner/job/collective.hpp"

namespace planner::commands {

inline constexpr const char* kDefaultLibrary = "nccl";
inline constexpr const char* kLibraryOption = "library";
inline constexpr const char* kInSwitchOption = "in-switch-reduction";

/// The algorithms of the libraries, and HFReduce.
inline constexpr auto kAlgorithms = [] {
  std::array<CollectiveAlgorithm, kLibraryAlgorithms.size() + 1> all{};
  std::copy(kLibraryAlgorithms.begin(), kLibraryAlgorithms.end(), all.begin());
  all.back() = CollectiveAlgorithm::hfreduce;
  return all;
}();

/// A transport as somebody asks for it: all of it or nothing.
struct TransportChoice {
  std::optional<std::int64_t> channels;
  std::optional<double> channel_buffer_bytes, round_trip_us, message_bytes;
  double clear_to_send_us = 0, message_overhead_us = 0;
};

struct CollectiveRequest {
  std::optional<CollectiveKind> kind;
  std::vector<Bytes> sizes;                      ///< one, or those of a range
  std::optional<CollectiveAlgorithm> algorithm;  ///< nothing: the fastest
  InSwitchReduction in_switch;
  NetworkReach reach = NetworkReach::any_to_any;
  std::optional<std::string> library;
  MachineChoice machine;
  std::optional<std::int64_t> gpus;
  job::FabricChoice fabric;
  RoutingChoice routing;
  TransportChoice transport;
  bool explain = false;
};

struct CollectiveInputs {
  CollectiveKind kind{};
  std::int64_t gpus = 1;
  std::string system, system_title{};
  std::int64_t hb_domain = 1;
  BytesPerSecond hb_bandwidth{}, network_bandwidth{};
  NetworkReach reach{};
  InSwitchReduction in_switch{};
  std::string library, library_title{};
  std::optional<CollectiveAlgorithm> asked{};  ///< nothing: the fastest is used
  std::vector<std::string> assumed{};          ///< options that the user did not give
  std::optional<std::string> topology{};       ///< with routing
  std::optional<RoutingScheme> routing{};
  std::optional<BytesPerSecond> transport_limit{};  ///< of a GPU's card
  std::optional<Bytes> enough_buffer{};             ///< of a channel, for all of the card
  /// That no run, or no collective by itself, was measured on the machine; nothing: some were.
  std::optional<std::string> unmeasured{};
};

/// What an algorithm takes, or nothing at all where nothing has to move.
struct TimedCollective {
  std::optional<CollectiveAlgorithm> algorithm{};
  std::string protocol{};
  bool of_library = true;
  CollectiveTime time{};
  std::optional<BytesPerSecond> algorithm_bandwidth{}, bus_bandwidth{};
  double slowdown = 1;                      ///< S of what it sends between HB domains
  std::optional<BytesPerSecond> network{};  ///< that it gets of a card, where less than all
};

/// A collective of one size.
struct CollectiveSize {
  Bytes size{};
  TimedCollective used{};
  std::optional<Seconds> bound{};             ///< of any algorithm, latency left out
  std::vector<TimedCollective> algorithms{};  ///< fastest first; none for a single GPU

  /// Nothing where there is no bound, or nothing moves.
  [[nodiscard]] std::optional<double> over_bound() const {
    if (!bound || !(*bound > Seconds{})) return std::nullopt;
    return used.time.total() / *bound;
  }
};

struct CollectiveAnswer {
  CollectiveInputs inputs;
  CollectiveGroup group{};
  std::vector<CollectiveSize> sizes{};
  std::vector<job::ExplainedCollective> formulas{};  ///< of the first size, where asked for
};

/// "1GiB", "256MB", "1e9", or a range of sizes as parse_range() reads them: "1KiB:16GiB:x4".
Parsed<std::vector<Bytes>> parse_sizes(std::string_view text);

std::vector<OptionOf<TransportChoice>> transport_options();
/// Nothing where nothing of it is asked for.
/// @throws UsageError for options that need others
std::optional<job::Transport> transport_of(const TransportChoice& asked);

CollectiveAnswer time_collective(const CollectiveRequest& request, Context& context);
const json::FieldTable<CollectiveAnswer>& collective_fields();
present::Document collective_view(const CollectiveAnswer& answer);

/// `planner collective`: time of one collective by every algorithm.
Command collective();

}  // namespace planner::commands
