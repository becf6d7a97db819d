#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "planner/domain/bill.hpp"
#include "planner/domain/economics.hpp"
#include "planner/domain/fabric.hpp"
#include "planner/domain/provenance.hpp"
#include "planner/domain/reliability.hpp"
#include "planner/domain/routing.hpp"
#include "planner/domain/sharing.hpp"
#include "planner/domain/site.hpp"
#include "planner/domain/system.hpp"

namespace planner {

/// The catalog parts that a network is bought as, by name. Nothing: a nameless part of the
/// network's own port count and speed, which a book prices by ports or not at all.
struct FabricParts {
  std::optional<std::string> switches{};        ///< of every tier that has none of its own
  std::optional<std::string> upper_switches{};  ///< of the tiers above the first
  std::optional<std::string> switch_module{};
  std::optional<std::string> nic_module{};
  std::optional<std::string> copper{};
  std::optional<std::string> active_optical{};
  std::optional<std::string> fibre{};
  std::optional<std::string> quote{};  ///< price entry of the whole network, cables included

  bool operator==(const FabricParts&) const = default;
};

/// What the cluster is to train.
struct ClusterRun {
  std::string model;                           ///< catalog name or file
  std::optional<std::int64_t> global_batch{};  ///< nothing: the model's reference run
  std::optional<std::int64_t> sequence{};
  std::optional<Precision> precision{};  ///< of the matrix products; nothing: TrainingRun's
  std::optional<double> tokens{};
  std::optional<std::int64_t> gpus{};  ///< at most so many of the cluster's; nothing: all
  bool gpus_exact = false;             ///< just so many

  bool operator==(const ClusterRun&) const = default;
};

/// Parts bought by number: storage nodes, more network cards.
struct PartOrder {
  std::string part;
  std::string title;
  std::int64_t quantity = 0;
  std::optional<Watts> power{};  ///< of one

  bool operator==(const PartOrder&) const = default;
};

/// A network of its own beside the one between the GPUs: Alibaba HPN (SIGCOMM 2024), section 8;
/// RoCE at Meta (SIGCOMM 2024), section 3.2.
struct SideNetwork {
  FabricDesign fabric;  ///< its `gpus` are endpoints; nothing: the ports that follow
  FabricParts parts{};
  std::int64_t ports_per_node = 1;
  std::int64_t ports_per_storage_node = 1, ports_per_management_node = 1;
  std::int64_t uplinks = 0;  ///< ports to what stands elsewhere

  bool operator==(const SideNetwork&) const = default;
};

/// A line of the bill that is in no catalog.
struct ExtraLine {
  std::string item;
  PartCategory category = PartCategory::other;
  std::int64_t quantity = 1;
  std::optional<Estimate<Money>> unit_price{};  ///< in US dollars; nothing: not known
  std::optional<Watts> power{};                 ///< of one
  std::string source;
  std::string as_of;

  bool operator==(const ExtraLine&) const = default;
};

/// GPUs that somebody else owns, with their nodes and network, the space, power and repair of
/// these: in place of bought nodes.
struct ClusterRent {
  std::optional<std::string> accelerator{};  ///< by name; nothing: the system's, which it must be
  RentTerm term = RentTerm::on_demand;
  std::optional<Estimate<UsdPerSecond>> rate{};  ///< of one GPU; nothing: as the economics have it
  std::string source;                            ///< of the rate: offer, document or page
  std::string as_of;

  bool operator==(const ClusterRent&) const = default;
};

/// Nodes that are there already: kept, and as many fewer bought.
struct OwnedNodes {
  std::int64_t nodes = 0;
  Money resale{};  ///< what each would sell for: what keeping it costs

  bool operator==(const OwnedNodes&) const = default;
};

/// Everything that is bought, where it stands and what it is for: the cluster file.
struct Cluster {
  std::string name;
  std::string title;
  std::string system;                 ///< catalog name or file
  std::optional<std::string> node{};  ///< what is bought; nothing: the system's node
  std::optional<Watts> node_power{};  ///< measured or planned; before the node's own figure
  std::optional<ClusterRent> rent{};  ///< nothing: nodes and network are bought
  std::optional<OwnedNodes> owned{};  ///< of its nodes
  std::int64_t gpus = 0;
  FabricDesign fabric;  ///< its `gpus` are network endpoints; nothing: one per GPU
  FabricParts fabric_parts{};
  std::string prices;  ///< price book: catalog name or file
  /// Catalog name or file, or written out. Nothing: no opex and no total cost of ownership.
  std::optional<std::variant<std::string, Economics>> economics{};
  std::optional<ClusterRun> run{};
  std::optional<RoutingSettings> routing{};  ///< nothing: perfectly balanced, if oversubscribed
  std::optional<SharingSettings> sharing{};  ///< nothing: storage has a network of its own
  std::optional<std::string> rates{};        ///< of failures: catalog name or file
  std::optional<ReliabilitySettings> recovery{};
  std::optional<std::int64_t> racks{};
  std::optional<BuildSettings> build{};  ///< nothing: assumed
  std::optional<PartOrder> storage_nodes{}, management_nodes{};
  std::optional<std::int64_t> spare_nodes{};  ///< paid for beside those of `gpus`
  std::int64_t spare_gpus = 0;  ///< the same where no node is named: of options, or of the network
  std::optional<SideNetwork> frontend{}, storage_network{}, management_network{};
  std::vector<ExtraLine> extra_lines;
  /// Of one GPU, measured, in a unit that the clusters compared share.
  std::optional<double> relative_performance{};
  std::vector<std::string> notes;
  std::vector<SourceNote> sources;

  bool operator==(const Cluster&) const = default;
};

}  // namespace planner
