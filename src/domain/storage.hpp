#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "planner/core/quantity.hpp"
#include "planner/domain/provenance.hpp"

namespace planner {

/// A shared file system on nodes of its own, such as 3FS.
struct StorageSystem {
  std::string name;
  std::string title;
  std::int64_t nodes = 0;
  std::int64_t nics = 0;                                                  ///< per node
  BytesPerSecond nic_bandwidth{};                                         ///< each, per direction
  std::int64_t ssds = 0;                                                  ///< per node
  Bytes ssd_capacity{};                                                   ///< each
  std::optional<BytesPerSecond> ssd_read_bandwidth, ssd_write_bandwidth;  ///< each
  std::int64_t copies = 1;                            ///< of every byte: 2 mirrors
  std::optional<BytesPerSecond> measured_read;        ///< of the whole system
  std::optional<BytesPerSecond> measured_node_write;  ///< that one compute node reaches
  std::optional<Seconds> checkpoint_interval;         ///< between two checkpoints of a job
  std::vector<SourceNote> sources;

  bool operator==(const StorageSystem&) const = default;
};

}  // namespace planner
