#pragma once

#include "planner/domain/fabric.hpp"

namespace planner {

// One function per topology; the common inputs are checked before.
CountResult count_topology(const FabricDesign& design, const FatTree& options);
CountResult count_topology(const FabricDesign& design, const RailOptimized& options);
CountResult count_topology(const FabricDesign& design, const SuperPod& options);
CountResult count_topology(const FabricDesign& design, const RailOnly& options);
CountResult count_topology(const FabricDesign& design, const MultiPlane& options);
CountResult count_topology(const FabricDesign& design, const Hpn& options);
CountResult count_topology(const FabricDesign& design, const DcnPlus& options);
CountResult count_topology(const FabricDesign& design, const MetaAiZone& options);
CountResult count_topology(const FabricDesign& design, const TwoZoneFatTree& options);
CountResult count_topology(const FabricDesign& design, const Dragonfly& options);
CountResult count_topology(const FabricDesign& design, const SlimFly& options);
CountResult count_topology(const FabricDesign& design, const Torus& options);

}  // namespace planner
