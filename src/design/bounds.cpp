#include "planner/design/bounds.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "planner/core/ceil_div.hpp"
#include "planner/core/real.hpp"
#include "planner/cost/link_parts.hpp"
#include "planner/design/rounding.hpp"

namespace planner::design {

namespace {

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

  /// Nothing: it has no price or power, and so has no cluster with it.
  std::optional<Piece> priced(const Part& part) {
    const auto known = std::find_if(known_.begin(), known_.end(),
                                    [&](const auto& one) { return one.first == part; });
    return known != known_.end() ? known->second
                                 : known_.emplace_back(part, price(part, std::nullopt)).second;
  }
  Piece of(const Part& part) { return priced(part).value_or(Piece{}); }
  [[nodiscard]] std::optional<Piece> price(const Part& part, std::optional<Price> own_price) const {
    const PieceResult result = piece_of(part, book_, economics_, std::move(own_price));
    const auto* const piece = std::get_if<Piece>(&result);
    return piece == nullptr ? std::nullopt : std::optional(*piece);
  }

 private:
  const PriceBook& book_;
  Economics economics_;
  std::vector<std::pair<Part, std::optional<Piece>>> known_;
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

/// Transceivers of a link in one medium, as link_parts() has them: one at a card, or both in
/// switches. Nothing: one has no price.
std::optional<Piece> laid_ends(const NetworkOption& network, std::size_t medium, bool at_card,
                               Pieces& pieces) {
  const MediumModels& of = network.media[medium];
  if (of.medium.is_copper() || of.medium.kind == MediumKind::active_optical) return Piece{};
  const FabricDesign& fabric = network.choice.fabric;
  const auto end = [&](bool at_switch) -> std::optional<Piece> {
    const std::int64_t ports =
        at_switch ? fabric.cabling.ports_per_switch_module : fabric.cabling.ports_per_nic_module;
    const auto module =
        pieces.priced(module_part(of, is_nearest_fibre(network.media, medium), fabric.port_gbps,
                                  at_switch, ports, network.models));
    return module ? std::optional(1 / real(ports) * *module) : std::nullopt;
  };
  const auto one = end(true), other = end(!at_card);
  return one && other ? std::optional(*one + *other) : std::nullopt;
}

/// A link in a building: no less than in the medium and at the length that are the least. Copper
/// fits only cards with a port a module. What has no price is no medium: no cluster with it is
/// priced.
Piece laid_link(const NetworkOption& network, bool at_card, Pieces& pieces) {
  const FabricDesign& fabric = network.choice.fabric;
  std::vector<Piece> by_medium;
  for (std::size_t m = 0; m < network.media.size(); ++m) {
    const MediumModels& of = network.media[m];
    if (at_card && of.medium.is_copper() && fabric.cabling.ports_per_nic_module > 1) continue;
    const std::optional<Piece> ends = laid_ends(network, m, at_card, pieces);
    std::vector<Piece> cables;
    for (const double metres : of.medium.sold_m) {
      Part cable =
          cable_part(of, fabric.port_gbps, fabric.cabling.ports_per_switch_module, network.models);
      // Trunks too, if the building has some: whatever carries a link for least.
      std::vector<Part> ways{cable};
      for (const std::int64_t fibres : kTrunkFibres) {
        if (of.medium.is_fibre()) ways.push_back(trunk_of(cable, fibres));
      }
      for (Part& way : ways) {
        way.length_m = metres;
        const std::int64_t links = std::max<std::int64_t>(1, way.ports);
        if (const auto piece = pieces.priced(way)) cables.push_back(1 / real(links) * *piece);
      }
    }
    if (ends && !cables.empty()) by_medium.push_back(*ends + least_of(cables));
  }
  return least_of(by_medium);
}

Part switch_part(const SwitchModel& model, const FabricDesign& fabric) {
  return {.id = model.name,
          .category = PartCategory::switches,
          .power = model.power,
          .ports = fabric.radix,
          .port_gbps = fabric.port_gbps};
}

/// Nothing where the network has none at its speed: what stands there may have no price.
Piece optic_piece(const std::optional<Optic>& model, PartCategory category, std::int64_t gbps,
                  Pieces& pieces) {
  if (!model || (model->port_gbps && *model->port_gbps != gbps)) return {};
  return pieces.of({.id = model->name, .category = category, .power = model->power});
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
    link = link + 1 / real(fabric.radix) * pieces.of(switch_part(*models.switches, fabric));
  }
  if (space.stand) {
    const bool laid = fabric.cabling.host != CableKind::backplane;
    return laid ? link + laid_link(network, true, pieces) : link;
  }
  const auto optic = [&](const std::optional<Optic>& model, PartCategory category, double share) {
    link = link + share * optic_piece(model, category, fabric.port_gbps, pieces);
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

/// What a network's switches and links come to, where its count says how many. In fibre each end
/// needs that share of a module that it has at most.
PartsFloor::CountedPieces counted_pieces(const NetworkOption& network, const Space& space,
                                         Pieces& pieces) {
  const FabricDesign& fabric = network.choice.fabric;
  const FabricModels& models = network.models;
  PartsFloor::CountedPieces all;
  if (models.quote || !space.book.transceiver_ends.empty()) return all;
  const auto piece = [&](const std::optional<SwitchModel>& model) {
    return model ? pieces.of(switch_part(*model, fabric)) : Piece{};
  };
  all.lowest_switch = piece(models.switches);
  all.upper_switch = piece(models.upper_switches ? models.upper_switches : models.switches);
  all.laid = static_cast<bool>(space.stand);
  if (all.laid) {
    all.at_card = laid_link(network, true, pieces);
    all.between_switches = laid_link(network, false, pieces);
    return all;
  }
  const auto one = [&](const std::optional<Optic>& model, PartCategory category) {
    return optic_piece(model, category, fabric.port_gbps, pieces);
  };
  using enum PartCategory;
  const Cabling& cabling = fabric.cabling;
  if (models.copper && models.copper->ports == cabling.ports_per_switch_module) {
    all.copper = 1 / real(models.copper->ports) * one(models.copper, cables);
  }
  all.active_optical = one(models.active_optical, cables);
  all.fibre = one(models.fibre, cables);
  all.nic_end = 1 / real(cabling.ports_per_nic_module) * one(models.nic_module, transceivers);
  all.switch_end =
      1 / real(cabling.ports_per_switch_module) * one(models.switch_module, transceivers);
  return all;
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
    kept_ = pieces.price(kept.part, kept.own_price).value_or(Piece{});
  }
  for (const NetworkOption& network : space.systems[system].networks) {
    const auto ports = ports_of_endpoint(network.choice.fabric);
    per_endpoint_.push_back(ports ? real(*ports) * host_link(network, space, pieces) : Piece{});
    counted_.push_back(counted_pieces(network, space, pieces));
  }
  least_ = least_of(per_endpoint_);
}

CountedParts parts_of(const FabricDesign& fabric, const FabricCount& count) {
  CountedParts parts;
  for (std::size_t tier = 0; tier < count.switches.size(); ++tier) {
    const SwitchTier& of = count.switches[tier];
    if (of.radix != fabric.radix) continue;
    (tier == 0 ? parts.lowest_switches : parts.upper_switches) += real(of.switches);
  }
  for (const LinkLayer& layer : count.layers) {
    if (layer.gbps != fabric.port_gbps || layer.cable == CableKind::backplane) continue;
    const double links = real(layer.links);
    (layer.host ? parts.links_at_card : parts.links_between_switches) += links;
    if (layer.cable == CableKind::copper) parts.copper += links;
    if (layer.cable == CableKind::active_optical) parts.active_optical += links;
    if (layer.cable != CableKind::fibre) continue;
    const std::int64_t at_card = layer.host ? 1 : 0;
    parts.fibre += links;
    parts.nic_ends += real(at_card) * links;
    parts.switch_ends += real(layer.optical_ends - at_card) * links;
  }
  return parts;
}

Piece PartsFloor::of(std::int64_t gpus, std::size_t network, const CountedParts& parts) const {
  const CountedPieces& pieces = counted_[network];
  const Piece switches =
      parts.lowest_switches * pieces.lowest_switch + parts.upper_switches * pieces.upper_switch;
  const Piece links =
      pieces.laid ? parts.links_at_card * pieces.at_card +
                        parts.links_between_switches * pieces.between_switches
                  : parts.copper * pieces.copper + parts.active_optical * pieces.active_optical +
                        parts.fibre * pieces.fibre + parts.nic_ends * pieces.nic_end +
                        parts.switch_ends * pieces.switch_end;
  return with_nodes(gpus, switches + links);
}

Piece PartsFloor::with_nodes(std::int64_t gpus, const Piece& network) const {
  const std::int64_t nodes = nodes_of(gpus), kept = std::min(nodes, owned_);
  Piece sum = kRounding * (real(nodes - kept) * node_ + real(kept) * kept_ + network);
  sum.capex = std::max(0.0, sum.capex - kCents);
  sum.tco = std::max(0.0, sum.tco - kCents);
  return sum;
}

}  // namespace planner::design
