#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "planner/domain/fabric.hpp"
#include "planner/network/topologies/topology.hpp"

// Where topologies are found. A new one is its options in domain/topology.hpp, its file here with
// a line of CMake, and a line below.
namespace planner::inline network {

const TopologyOf<FatTree>& facts_of(const FatTree&);
const TopologyOf<RailOptimized>& facts_of(const RailOptimized&);
const TopologyOf<SuperPod>& facts_of(const SuperPod&);
const TopologyOf<RailOnly>& facts_of(const RailOnly&);
const TopologyOf<MultiPlane>& facts_of(const MultiPlane&);
const TopologyOf<Hpn>& facts_of(const Hpn&);
const TopologyOf<DcnPlus>& facts_of(const DcnPlus&);
const TopologyOf<MetaAiZone>& facts_of(const MetaAiZone&);
const TopologyOf<TwoZoneFatTree>& facts_of(const TwoZoneFatTree&);
const TopologyOf<Dragonfly>& facts_of(const Dragonfly&);
const TopologyOf<SlimFly>& facts_of(const SlimFly&);
const TopologyOf<Torus>& facts_of(const Torus&);

/// The options of each with their defaults, in the order of Topology.
std::span<const TopologyOptions> all_topologies();
const TopologyOptions& default_options(Topology topology);

/// The first input outside its range; nothing: none is.
std::optional<FabricProblem> check_inputs(const TopologyOptions& options);

/// Whether this option of the command line ("rails") says something of it.
bool takes_option(const TopologyOptions& options, std::string_view option);
/// Whether one does that files must say: it is the machine's.
bool requires_option(const TopologyOptions& options, std::string_view option);
/// Sets the inputs that answer to the option, of the design's topology. The value must be of its
/// kind.
void set_option(FabricDesign& design, std::string_view option, const InputValue& value);

/// What is not known of the network and so not counted, as a sentence; empty: all is known.
std::string unknown_of(const TopologyOptions& options);

/// Networks that share no path, over which the GPUs of an HB domain are dealt out: 1 where any two
/// GPUs reach each other, kRailEach where only those of one place in their domains do.
std::int64_t rails_apart(const TopologyOptions& options);

}  // namespace planner::network
