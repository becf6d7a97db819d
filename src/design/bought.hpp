#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "planner/cost/cluster_parts.hpp"
#include "planner/cost/cost.hpp"
#include "planner/cost/finance.hpp"
#include "planner/design/space.hpp"
#include "planner/domain/cluster.hpp"
#include "planner/job/routed.hpp"
#include "planner/network/count.hpp"

// What is bought for a design, and what the model of cost says of it.
namespace planner::design {

/// The cluster of a design as a file would have it, but its name, title, run and the names of its
/// prices and economics.
Cluster cluster_of(const Space& space, const DesignId& id);

/// A cluster with all that it names looked up: but for its GPUs that of all designs of a system and
/// a network.
struct Buildable {
  Cluster cluster;
  ClusterModels models;
};
Buildable buildable(const Space& space, const DesignId& id);

/// The network of a design; nothing: it cannot be built.
/// @param of  of its system and network; its GPUs become the design's
std::optional<FabricCount> counted_network(const DesignId& id, Buildable& of);

/// What a design is made of, whatever it costs.
struct MadeOf {
  std::vector<PartQuantity> parts;  ///< as in its bill; nodes that are owned and kept are its own
  FabricCount fabric;
  StandingResult standing{};  ///< nothing: it is not laid out
};
/// Nothing: its network cannot be built, or not in the building.
std::optional<MadeOf> made_of(const Space& space, const DesignId& id, Buildable& of);

/// All that is bought for a design, line by line.
struct Purchase {
  BillOfMaterials bill;
  CostBreakdown cost;  ///< with ownership and a price of the GPU-hour
  FabricCount fabric;
  StandingResult standing{};  ///< nothing: it is not laid out
};

/// What a network does to the times of a run.
struct NetworkSpeed {
  std::vector<NetworkTier> tiers;  ///< in bought GPUs
  std::int64_t rails_apart = 1;    ///< see Workload
  /// Of a GPU, where they are slower than its cards.
  std::optional<BytesPerSecond> ports{};

  bool operator==(const NetworkSpeed&) const = default;
};
NetworkSpeed network_speed(const Space& space, const DesignId& id, const FabricCount& network);

/// A design's money, power and network, before anybody trains on it.
struct Bought {
  std::int64_t gpus = 0;
  Estimate<Money> capex, tco;
  std::optional<Financed> financed{};  ///< the TCO, where money costs something or is taxed
  PowerDraw power;
  Estimate<Usd> per_gpu_hour;
  NetworkSpeed network{};
  Seconds lead{};  ///< from the order until it runs
  /// That can fail, and how the run recovers; null: nothing fails.
  std::shared_ptr<const ReliabilitySettings> parts{};

  /// What it is judged by, as where two clusters are compared.
  [[nodiscard]] const Estimate<Money>& owning() const { return cost_of_owning(financed, tco); }
};

/// Its network cannot be built, or not in the building.
struct NoSuchNetwork {};
/// A part has no price or no power, or a figure of the economics is missing, so that a figure of
/// money would be a lower bound.
struct Unpriced {
  std::string what;    ///< the part's title and what is missing, for people
  std::string part{};  ///< its key in the price book; empty: it is no part that lacks something
};
using PurchaseResult = std::variant<Purchase, NoSuchNetwork, Unpriced>;
using BoughtResult = std::variant<Bought, NoSuchNetwork, Unpriced>;

PurchaseResult purchase_of(const Space& space, const DesignId& id);

/// By its bill and by cost_of(). PricedDesigns says the same of very many.
BoughtResult bought(const Space& space, const DesignId& id);
/// All but its money and power.
Bought without_money(const Space& space, const DesignId& id, const MadeOf& made);

/// Whether its network has so many endpoints.
bool can_be_built(const Space& space, const DesignId& id);

/// How the run's flows find their way on a network, whatever the batch: that of the whole cluster,
/// as `cost` routes it. The space has a routing.
/// @param networks  of that routing
/// @throws InputError  there is none on such a network, or the settings contradict it
job::RoutedNetwork routed_on(const Space& space, const DesignId& id, job::RoutedNetworks& networks);
/// The same of one design alone.
job::RoutedNetwork routed_on(const Space& space, const DesignId& id);
Workload with_routing(Workload job, const job::RoutedNetwork& network);
/// Behind ports that are slower than its cards; nothing: as it is.
Workload at_ports(Workload job, std::optional<BytesPerSecond> ports);
/// The same with all that people are told. Nothing: the space has no routing.
std::optional<job::RoutingResult> routing_of(const Space& space, const DesignId& id);

/// What so many of one kind of part add to a cluster's figures, per piece.
struct Piece {
  double capex = 0, tco = 0;  ///< US dollars; the latter as Bought::owning() has it
  double usd_per_second = 0;  ///< of the whole cluster, as runs pay it
  double watts = 0, facility_watts = 0;

  friend Piece operator+(const Piece& a, const Piece& b) {
    return {a.capex + b.capex, a.tco + b.tco, a.usd_per_second + b.usd_per_second,
            a.watts + b.watts, a.facility_watts + b.facility_watts};
  }
  friend Piece operator*(double n, const Piece& a) {
    return {n * a.capex, n * a.tco, n * a.usd_per_second, n * a.watts, n * a.facility_watts};
  }
};

using PieceResult = std::variant<Piece, Unpriced>;
/// Economics for piece_of(): without the rent of racks where clusters are laid out. Racks are no
/// parts, and their number is known only then.
Economics economics_of_parts(const Space& space);
/// Of the parts of a space: cost_of() of very many of them, over their number.
/// @param own_price  goes before the book's
PieceResult piece_of(const Part& part, const PriceBook& book, const Economics& economics,
                     std::optional<Price> own_price = std::nullopt);

/// What is expected of a whole cluster, as one piece.
Piece as_piece(const Bought& cluster);

/// A node as a part.
Part node_part(const Node& node);
/// One that is owned and kept, at what it would sell for.
PartQuantity kept_part(const SystemOption& option, std::int64_t nodes);

}  // namespace planner::design
