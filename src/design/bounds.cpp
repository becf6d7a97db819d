#include "planner/design/bounds.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "planner/core/ceil_div.hpp"
#include "planner/core/real.hpp"
#include "planner/cost/link_parts.hpp"

namespace planner::design {

namespace {

/// Rounding of what is added and multiplied here and there in another order.
constexpr double kRounding = 1 - 1e-9;
/// A bill rounds each line, and what follows from it, to cents: a dollar is a hundred of these.
constexpr double kCents = 1;

/// Ports that each endpoint has on the network; nothing: the topology is one whose least parts
/// nobody has written down.
std::optional<std::int64_t> ports_of_endpoint(const FabricDesign& fabric) {
  if (std::holds_alternative<FatTree>(fabric.topology)) return 1;
  if (std::holds_alternative<RailOnly>(fabric.topology)) return 1;
  if (const auto* rails = std::get_if<RailOptimized>(&fabric.topology)) return rails->planes;
  if (const auto* planes = std::get_if<MultiPlane>(&fabric.topology)) return planes->ports_per_gpu;
  return std::nullopt;
}

/// What pieces come to, each kind once.
class Pieces {
 public:
  explicit Pieces(const Space& space) : book_(space.book), economics_(economics_of_parts(space)) {}

  /// Nothing of a part that has no price or power.
  Piece of(const Part& part) {
    const auto known = std::find_if(known_.begin(), known_.end(),
                                    [&](const auto& one) { return one.first == part; });
    return known != known_.end() ? known->second
                                 : known_.emplace_back(part, of(part, std::nullopt)).second;
  }
  [[nodiscard]] Piece of(const Part& part, std::optional<Price> own_price) const {
    const PieceResult result = piece_of(part, book_, economics_, std::move(own_price));
    const auto* const piece = std::get_if<Piece>(&result);
    return piece == nullptr ? Piece{} : *piece;
  }

 private:
  const PriceBook& book_;
  Economics economics_;
  std::vector<std::pair<Part, Piece>> known_;
};

/// Figure by figure, of all pieces.
Piece least_of(const std::vector<Piece>& pieces) {
  Piece least = pieces.empty() ? Piece{} : pieces.front();
  for (const Piece& piece : pieces) {
    least.capex = std::min(least.capex, piece.capex);
    least.tco = std::min(least.tco, piece.tco);
    least.usd_per_second = std::min(least.usd_per_second, piece.usd_per_second);
    least.watts = std::min(least.watts, piece.watts);
    least.facility_watts = std::min(least.facility_watts, piece.facility_watts);
  }
  return least;
}

/// A link of an endpoint in a building: no less than in the medium and at the length that are the
/// least, as link_parts() has both. Copper fits only cards with a port a module.
Piece laid_link(const NetworkOption& network, Pieces& pieces) {
  const Cabling& cabling = network.choice.fabric.cabling;
  const std::int64_t gbps = network.choice.fabric.port_gbps;
  std::vector<Piece> by_medium;
  for (std::size_t m = 0; m < network.media.size(); ++m) {
    const MediumModels& of = network.media[m];
    if (of.medium.is_copper() && cabling.ports_per_nic_module > 1) continue;
    Piece ends;
    if (!of.medium.is_copper() && of.medium.kind != MediumKind::active_optical) {
      const auto end = [&](bool at_switch, std::int64_t ports) {
        const Part module = module_part(of, is_nearest_fibre(network.media, m), gbps, at_switch,
                                        ports, network.models);
        ends = ends + 1 / real(ports) * pieces.of(module);
      };
      end(true, cabling.ports_per_switch_module);
      end(false, cabling.ports_per_nic_module);
    }
    std::vector<Piece> cables;
    for (const double metres : of.medium.sold_m) {
      Part cable = cable_part(of, gbps, network.models);
      cable.length_m = metres;
      cables.push_back(pieces.of(cable));
    }
    by_medium.push_back(ends + least_of(cables));
  }
  return least_of(by_medium);
}

/// One link of an endpoint: it needs a port of a switch, and so that share of one, since switches
/// have at most `radix`; fibre with a transceiver at each end, and so that share of a module, since
/// none has more ports than the cabling says; or a cable. The rest of the network only adds, and no
/// price or power is negative.
Piece host_link(const NetworkOption& network, const Space& space, Pieces& pieces) {
  const FabricDesign& fabric = network.choice.fabric;
  const FabricModels& models = network.models;
  if (models.quote || !space.book.transceiver_ends.empty()) return {};
  Piece link;
  if (models.switches && !models.upper_switches) {
    const Part part{.id = models.switches->name,
                    .category = PartCategory::switches,
                    .power = models.switches->power,
                    .ports = fabric.radix,
                    .port_gbps = fabric.port_gbps};
    link = link + 1 / real(fabric.radix) * pieces.of(part);
  }
  if (space.stand) {
    const bool laid = fabric.cabling.host != CableKind::backplane;
    return laid ? link + laid_link(network, pieces) : link;
  }
  const auto optic = [&](const std::optional<Optic>& model, PartCategory category, double share) {
    if (!model || (model->port_gbps && *model->port_gbps != fabric.port_gbps)) return;
    const Part part{.id = model->name, .category = category, .power = model->power};
    link = link + share * pieces.of(part);
  };
  switch (fabric.cabling.host) {
    case CableKind::fibre:
      optic(models.nic_module, PartCategory::transceivers,
            1 / real(fabric.cabling.ports_per_nic_module));
      optic(models.switch_module, PartCategory::transceivers,
            1 / real(fabric.cabling.ports_per_switch_module));
      optic(models.fibre, PartCategory::cables, 1);
      break;
    case CableKind::active_optical:
      optic(models.active_optical, PartCategory::cables, 1);
      break;
    case CableKind::copper:
    case CableKind::backplane:
      break;
  }
  return link;
}

}  // namespace

PartsFloor::PartsFloor(const Space& space, std::size_t system)
    : gpus_per_node_(space.systems[system].node.accelerators),
      endpoints_per_node_(space.systems[system].node.nics),
      owned_(space.systems[system].owned.nodes) {
  Pieces pieces(space);
  node_ = pieces.of(node_part(space.systems[system].node));
  if (owned_ > 0) {
    const PartQuantity kept = kept_part(space.systems[system], owned_);
    kept_ = pieces.of(kept.part, kept.own_price);
  }
  for (const NetworkOption& network : space.systems[system].networks) {
    const auto ports = ports_of_endpoint(network.choice.fabric);
    per_endpoint_.push_back(ports ? real(*ports) * host_link(network, space, pieces) : Piece{});
  }
  least_ = least_of(per_endpoint_);
}

Piece PartsFloor::scaled(std::int64_t gpus, const Piece& per_endpoint) const {
  const std::int64_t nodes = ceil_div(gpus, gpus_per_node_), kept = std::min(nodes, owned_);
  Piece sum = kRounding * (real(nodes - kept) * node_ + real(kept) * kept_ +
                           real(nodes * endpoints_per_node_) * per_endpoint);
  sum.capex = std::max(0.0, sum.capex - kCents);
  sum.tco = std::max(0.0, sum.tco - kCents);
  return sum;
}

}  // namespace planner::design
