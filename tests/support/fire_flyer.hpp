// The node of Fire-Flyer 2 and its storage as the catalog describes them, which
// tests/unit/catalog/fire_flyer.cpp holds against its files.
#pragma once

#include "planner/domain/storage.hpp"
#include "planner/domain/system.hpp"

namespace planner::testing {

inline Node fire_flyer_node() {
  return {.name = "fire-flyer-2",
          .accelerators = 8,
          .nics = 1,
          .nic_bandwidth = 25 * units::GBps,
          .host_memory_bandwidth = 320 * units::GBps,
          .host_memory_peak = 409.6 * units::GBps,
          .numa_nodes = 2,
          .pcie_generation = 4,
          .pcie = PcieLayout{.gpu_bandwidth = 27 * units::GBps,
                             .gpus_per_host_bridge = {1, 1, 1, 1, 1, 2, 1},
                             .host_bridge_bandwidth = 37.5 * units::GBps,
                             .gpu_to_nic_bandwidth = 9.663676416 * units::GBps},
          .nvlink_bridges = NvlinkBridges{.gpus = 2, .bandwidth = 300 * units::GBps}};
}

inline StorageSystem fire_flyer_storage() {
  return {.nodes = 180,
          .nics = 2,
          .nic_bandwidth = 25 * units::GBps,
          .ssds = 16,
          .ssd_capacity = 15360 * units::GB,
          .copies = 2,
          .measured_read = 8000 * units::GBps,
          .measured_node_write = 10.73741824 * units::GBps,
          .checkpoint_interval = 300 * units::second};
}

}  // namespace planner::testing
