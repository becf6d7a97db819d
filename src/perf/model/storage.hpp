#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "planner/domain/storage.hpp"
#include "planner/domain/system.hpp"

// Rates of a storage system that mirrors every byte over a chain of nodes, and the time of a
// checkpoint on it. Source: Fire-Flyer AI-HPC (arXiv 2408.14158), §VI-B and §VII-A: 3FS writes to
// all copies of a chain and reads from any (CRAQ).
namespace planner::inline perf {

/// What can set a storage rate.
enum class StorageResource { storage_nics, ssds, compute_nics };

inline constexpr std::array kStorageResources{StorageResource::storage_nics, StorageResource::ssds,
                                              StorageResource::compute_nics};

/// As JSON names it: "storage_nics".
constexpr std::string_view name_of(StorageResource resource) {
  switch (resource) {
    case StorageResource::storage_nics:
      return "storage_nics";
    case StorageResource::ssds:
      return "ssds";
    case StorageResource::compute_nics:
      return "compute_nics";
  }
  return "";
}

/// A ceiling of a storage rate; nothing: what sets it is not known.
struct StorageBound {
  StorageResource resource{};
  std::optional<BytesPerSecond> bandwidth;
};

struct StorageRate {
  std::vector<StorageBound> bounds;  ///< that of the storage's NICs, which is known, first
  BytesPerSecond bandwidth{};        ///< the tightest
  StorageResource bottleneck{};
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

/// bf16 weights, and the fp32 master weights and both moments of Adam: 2 + 4 + 4 + 4. Source: mixed
/// precision as in Rajbhandari et al. 2020 (ZeRO, arXiv 1910.02054), §3.1, less the 2 of gradients.
inline constexpr double kCheckpointBytesPerParameter = 14;

struct CheckpointTime {
  Bytes size{};
  Seconds device_to_host{};  ///< into host memory: GPUs' ports, host bridges, memory writes
  Seconds save{};            ///< from host memory, at the storage's bounds
  std::optional<Seconds> save_at_measured_rate;
  std::optional<double> interval_share;  ///< of the time between checkpoints that the save takes
};

/// A checkpoint of a job written by all its nodes at once, each its share.
/// @param nodes  at least 1
/// @param node  its PCIe layout known
CheckpointTime checkpoint_time(double parameters, std::int64_t nodes, const StorageSystem& storage,
                               const Node& node);

}  // namespace planner::perf
