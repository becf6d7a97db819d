#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "planner/core/quantity.hpp"
#include "planner/domain/provenance.hpp"

namespace planner {

enum class Precision { fp32, tf32, fp16, bf16, fp8, fp4 };

enum class Generation { volta, ampere, ada, hopper, blackwell, cdna3, cdna4, tpu, trainium };

/// Dense matrix throughput per number format. Nothing where the hardware lacks the format or the
/// figure is unknown.
struct PeakRates {
  std::optional<FlopsPerSecond> fp32, tf32, fp16, bf16, fp8, fp4;

  [[nodiscard]] std::optional<FlopsPerSecond> at(Precision precision) const;
  bool operator==(const PeakRates&) const = default;
};

/// One GPU as its vendor specifies it.
struct Accelerator {
  std::string name;
  std::string title;
  std::string vendor;
  Generation generation = Generation::hopper;
  PeakRates datasheet;  ///< dense, as printed by the vendor for this part
  PeakRates silicon;    ///< what the die can do before power limits; absent: as the datasheet
  PeakRates gemm;       ///< the most that large matrix products were measured to reach
  Bytes memory{};
  std::optional<Bytes> driver_memory{};  ///< that its driver offers to programs; nothing: not known
  BytesPerSecond memory_bandwidth{};
  std::optional<Watts> power;  ///< TDP
  std::int64_t devices = 1;    ///< that software sees of one: two of a TPU7x
  std::vector<SourceNote> sources;

  bool operator==(const Accelerator&) const = default;
};

/// Gives a GPU so much memory, all of it to programs.
inline void set_memory(Accelerator& accelerator, Bytes memory) {
  accelerator.memory = memory;
  accelerator.driver_memory.reset();
}

/// How the GPUs of a node reach its host memory and its NICs.
struct PcieLayout {
  BytesPerSecond gpu_bandwidth{};  ///< one GPU and the CPU, practical, per direction
  /// GPUs behind each host bridge (root port); their sum is that of the node.
  std::vector<std::int64_t> gpus_per_host_bridge;
  /// That share a port with a NIC; nothing: no switch.
  std::optional<std::int64_t> gpus_per_switch;
  /// Of one host bridge to the CPU, both directions together.
  std::optional<BytesPerSecond> host_bridge_bandwidth;
  std::optional<BytesPerSecond> gpu_to_nic_bandwidth;  ///< peer to peer, practical

  bool operator==(const PcieLayout&) const = default;
};

/// NVLink bridges that can be put on neighbouring PCIe cards.
struct NvlinkBridges {
  std::int64_t gpus = 2;              ///< that one bridge joins
  BytesPerSecond bandwidth{};         ///< per GPU and direction
  std::optional<bool> across_numa{};  ///< whether a bridge joins GPUs of different NUMA nodes

  bool operator==(const NvlinkBridges&) const = default;
};

/// All-reduce rates that were measured on nodes of a kind, per GPU of gradient data.
struct MeasuredReduce {
  std::string library;  ///< "HFReduce"
  bool nvlink_pairs = false;
  BytesPerSecond low{};
  std::optional<BytesPerSecond> high{};  ///< nothing: "more than low"

  bool operator==(const MeasuredReduce&) const = default;
};

/// A server: what is bought and racked as one piece.
struct Node {
  std::string name;
  std::string title;
  std::string accelerator;                              ///< name in the catalog
  std::int64_t accelerators = 0;                        ///< per node
  std::int64_t nics = 0;                                ///< on the compute network
  BytesPerSecond nic_bandwidth{};                       ///< each, per direction
  std::optional<BytesPerSecond> host_memory_bandwidth;  ///< practical, reads and writes together
  std::optional<BytesPerSecond> host_memory_peak;       ///< channels times their rate
  std::optional<std::int64_t> numa_nodes;
  std::optional<BytesPerSecond> cpu_reduce_bandwidth;  ///< operands that all cores add per second
  std::optional<std::int64_t> pcie_generation;
  std::optional<PcieLayout> pcie;
  std::optional<NvlinkBridges> nvlink_bridges;
  std::vector<MeasuredReduce> measured_reduce;
  std::optional<std::string> storage;  ///< name in the catalog of the storage it writes to
  std::optional<Watts> power;          ///< of the whole node at full load
  std::optional<std::int64_t> rack_units;
  std::optional<std::int64_t> gpus_per_tray = {};  ///< of a rack whose trays are swapped one by one
  std::vector<SourceNote> sources;

  bool operator==(const Node&) const = default;
};

/// Chips joined along up to three dimensions, each with its share of a chip's links; of a full mesh
/// one.
struct DomainTorus {
  std::vector<std::int64_t> shape;  ///< chips along each dimension
  /// Dimensions of a multiple of so many chips are rings (of three all or none); 0: all are joined.
  std::int64_t ring_from = 1;

  bool operator==(const DomainTorus&) const = default;
};

/// GPUs joined into high-bandwidth (HB) domains, and the network between the domains.
struct System {
  std::string name;
  std::string title;
  Accelerator accelerator;
  std::optional<std::string> node;  ///< name in the catalog of the server it is built from
  /// That server, where its PCIe layout is known: what lies between its HB domains and its NICs.
  std::optional<Node> host = {};
  std::int64_t hb_domain = 1;                   ///< K: GPUs per HB domain
  BytesPerSecond hb_bandwidth{};                ///< per GPU and direction
  BytesPerSecond network_bandwidth{};           ///< per GPU and direction
  Seconds hb_latency{};                         ///< per collective phase
  Seconds network_latency{};                    ///< per collective phase
  std::optional<bool> hb_switches_reduce = {};  ///< NVLink SHARP; nothing: not known
  std::optional<DomainTorus> torus = {};  ///< nothing: the GPUs of a domain reach each other alike
  std::vector<SourceNote> sources;

  bool operator==(const System&) const = default;
};

}  // namespace planner
