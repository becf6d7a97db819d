#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "planner/domain/storage.hpp"
#include "planner/domain/system.hpp"

// Rates of a storage system that mirrors every byte over a chain of nodes, and the time of a
// checkpoint on it. Source: Fire-Flyer AI-HPC (arXiv 2408.14158), §VI-B and §VII-A: 3FS writes to
// all copies of a chain and reads from any (CRAQ).
namespace planner {

/// A ceiling of a storage rate; nothing: what sets it is not known.
struct StorageBound {
  std::string_view name;  ///< "storage_nics", "ssds", "compute_nics"
  std::optional<BytesPerSecond> bandwidth;
};

struct StorageRate {
  std::vector<StorageBound> bounds;
  BytesPerSecond bandwidth{};  ///< the tightest
  std::string_view bottleneck;
};

struct StorageRates {
  std::int64_t ssds = 0;
  Bytes usable{};
  StorageRate read, write;  ///< of users' bytes
};

/// A read takes one byte out of a storage node's NICs; a write brings r copies in, r - 1 of them
/// forwarded along the chain.
/// @param clients  compute nodes that read or write at once; nothing: as many as it takes
StorageRates storage_rates(const StorageSystem& storage, const Node& client,
                           std::optional<std::int64_t> clients);

/// bf16 weights, and the fp32 master weights and both moments of Adam: 2 + 4 + 4 + 4.
inline constexpr double kCheckpointBytesPerParameter = 14;

struct CheckpointTime {
  Bytes size{};
  Seconds device_to_host{};  ///< into host memory, the GPUs in parallel
  Seconds save{};            ///< from host memory, at the storage's bounds
  std::optional<Seconds> save_at_measured_rate;
  std::optional<double> interval_share;  ///< of the time between checkpoints that the save takes
};

/// A checkpoint of a job written by all its nodes at once, each its share.
CheckpointTime checkpoint_time(double parameters, std::int64_t nodes, const StorageSystem& storage,
                               const Node& node);

}  // namespace planner
