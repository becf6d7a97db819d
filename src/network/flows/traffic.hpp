#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "planner/domain/cut.hpp"
#include "planner/domain/traffic.hpp"

// Where the bytes of a plan go, in closed form: O(phases · levels) whatever the number of GPUs.
namespace planner::inline network {

/// Bytes by type.
using BytesByType = std::array<Bytes, kTrafficTypes.size()>;
Bytes& of(BytesByType& bytes, TrafficType type);
Bytes of(const BytesByType& bytes, TrafficType type);
Bytes total(const BytesByType& bytes);

/// Sent by all ranks of one phase together.
Bytes sent_by_all(const TrafficPhase& phase, std::int64_t gpus);
/// Sent by all ranks, by type.
BytesByType sent_by_type(std::span<const TrafficPhase> phases, std::int64_t gpus);

/// What a level of the network carries.
struct LevelTraffic {
  BytesByType inside{};   ///< sent between GPUs of one of its units
  BytesByType leaving{};  ///< of all units
  BytesByType busiest{};  ///< out of the unit that most bytes leave
};

/// @param unit  GPUs of one of its units
LevelTraffic traffic_of_level(std::span<const TrafficPhase> phases, std::int64_t gpus,
                              std::int64_t unit);

/// Bytes out of GPUs [first, last) of a job's, by type.
BytesByType bytes_out(std::span<const TrafficPhase> phases, std::int64_t first, std::int64_t last);

/// Ordered pairs of GPUs at one distance in rank that send alike: a diagonal of a heat map.
struct PairRow {
  TrafficType type = TrafficType::tensor;
  std::int64_t distance = 0;  ///< |rank - rank|
  double pairs = 0;           ///< ordered
  Bytes per_pair{};           ///< from the one to the other

  bool operator==(const PairRow&) const = default;
};

/// By type, then by distance. What a pair sends for one reason by several phases is in one row.
std::vector<PairRow> pair_rows(std::span<const TrafficPhase> phases, std::int64_t gpus);

/// Ordered pairs that send at all. A pair that sends for several reasons counts once for each type,
/// and once in all.
struct Pairs {
  double possible = 0;
  std::array<double, kTrafficTypes.size()> by_type{};
  double sending = 0;  ///< of any type, each pair once
};
Pairs sending_pairs(std::span<const TrafficPhase> phases, std::int64_t gpus);

/// What every rank sends to every other, [from · gpus + to]; for few ranks.
inline constexpr std::int64_t kMostHeatMapGpus = 512;
std::vector<double> heat_map(std::span<const TrafficPhase> phases, std::int64_t gpus);

}  // namespace planner::network
