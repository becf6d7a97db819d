#include "planner/network/count.hpp"

#include "planner/network/clos/inputs.hpp"
#include "planner/network/topologies/topologies.hpp"

namespace planner {

CountResult count_fabric(const FabricDesign& design) {
  if (auto problem = check_common(design)) return *problem;
  return std::visit([&](const auto& options) { return count_topology(design, options); },
                    design.topology);
}

FabricDesign default_design(Topology topology) {
  switch (topology) {
    case Topology::fat_tree:  // rail-only paper (arXiv 2307.12169), Table 2, first row
      return {.gpus = 32768, .radix = 64, .port_gbps = 400, .topology = FatTree{}};
    case Topology::rail_optimized:
      return {.gpus = 32768, .radix = 64, .port_gbps = 400, .topology = RailOptimized{}};
    case Topology::superpod:  // DGX B200 SuperPOD reference architecture: 4 units, 127 nodes
      return {.gpus = std::nullopt,
              .radix = 64,
              .port_gbps = 400,
              .topology = SuperPod{.scalable_units = 4, .fabric_manager_ports = 4}};
    case Topology::rail_only:  // rail-only paper, Table 2, first row
      return {.gpus = 32768, .radix = 64, .port_gbps = 400, .topology = RailOnly{}};
    case Topology::multi_plane:  // Fire-Flyer paper (arXiv 2408.14158) § IX
      return {.gpus = 32768, .radix = 128, .port_gbps = 400, .topology = MultiPlane{}};
    case Topology::hpn:  // HPN paper (SIGCOMM'24) §§ 3, 5, 6: one pod
      return {.gpus = 15360, .radix = 128, .port_gbps = 400, .topology = Hpn{}};
    case Topology::dcn_plus:  // HPN paper, Appendix C
      return {.gpus = 16384, .radix = 128, .port_gbps = 400, .topology = DcnPlus{}};
    case Topology::meta_ai_zone:  // Meta RoCE paper (SIGCOMM'24) § 3, Llama 3 paper § 3.3
      return {.gpus = 24576,
              .radix = 32,
              .port_gbps = 400,
              .topology = MetaAiZone{},
              .cabling = {.host = CableKind::copper}};
    case Topology::two_zone_fat_tree:  // Fire-Flyer paper §§ III-B, VI-B: 800-port frame switches,
                                       // about 600 nodes a zone, 180 storage servers on both
      return {.gpus = 1200,
              .radix = 40,
              .port_gbps = 200,
              .topology = TwoZoneFatTree{.storage_ports_per_zone = 180},
              .cabling = {.first = CableKind::backplane}};
    case Topology::dragonfly:  // Kim et al. 2008: balanced for 64 ports; DeepSeek-V3 ISCA'25, Table
                               // 3
      return {.gpus = std::nullopt, .radix = 64, .port_gbps = 400, .topology = Dragonfly{}};
    case Topology::slim_fly:  // Blach et al., NSDI'24: 200 servers on 50 36-port switches
      return {.gpus = 200, .radix = 36, .port_gbps = 56, .topology = SlimFly{.q = 5}};
    case Topology::torus:  // TPU v4 (ISCA'23): 64 cubes on 48 switches of 136 ports
      return {.gpus = 4096, .radix = 136, .port_gbps = 400, .topology = Torus{}};
  }
  return {};
}

}  // namespace planner
