#include "planner/design/bounds.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include "planner/core/ceil_div.hpp"
#include "planner/core/real.hpp"
#include "planner/cost/link_parts.hpp"
#include "planner/design/rounding.hpp"
#include "planner/network/clos/clos.hpp"

namespace planner::design {

namespace {

/// A bill rounds each line, and what follows from it, to cents: a dollar is a hundred of these.
constexpr double kCents = 1;

/// Equal trees, over which the ports of the endpoints are dealt out.
struct Trees {
  std::int64_t trees = 1, ports_of_endpoint = 1;
  Ratio oversubscription{};
};
/// Nothing: the topology is one whose least parts nobody has written down.
std::optional<Trees> trees_of(const FabricDesign& fabric) {
  if (const auto* one = std::get_if<FatTree>(&fabric.topology)) {
    return Trees{.oversubscription = one->oversubscription};
  }
  if (const auto* rails = std::get_if<RailOnly>(&fabric.topology)) {
    return Trees{.trees = rails->rails, .oversubscription = rails->oversubscription};
  }
  if (const auto* rails = std::get_if<RailOptimized>(&fabric.topology)) {
    return Trees{rails->planes, rails->planes, rails->oversubscription};
  }
  if (const auto* planes = std::get_if<MultiPlane>(&fabric.topology)) {
    return Trees{planes->planes, planes->ports_per_gpu, planes->oversubscription};
  }
  return std::nullopt;
}

/// @param optical_ends  of a fibre
void add_links(CountedParts& parts, CableKind cable, bool at_card, double links,
               std::int64_t optical_ends = 2) {
  if (cable == CableKind::backplane) return;
  (at_card ? parts.links_at_card : parts.links_between_switches) += links;
  if (cable == CableKind::copper) parts.copper += links;
  if (cable == CableKind::active_optical) parts.active_optical += links;
  if (cable != CableKind::fibre) return;
  const std::int64_t ends_at_card = at_card ? 1 : 0;
  parts.fibre += links;
  parts.nic_ends += real(ends_at_card) * links;
  parts.switch_ends += real(optical_ends - ends_at_card) * links;
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

/// The last of ascending steps that begins before so many endpoints.
const Piece& step_of(const std::vector<std::pair<std::int64_t, Piece>>& steps,
                     std::int64_t endpoints) {
  const auto behind = std::partition_point(
      steps.begin(), steps.end(), [=](const auto& step) { return step.first < endpoints; });
  return behind == steps.begin() ? steps.front().second : std::prev(behind)->second;
}

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
  using PartCategory::cables, PartCategory::transceivers;
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
  std::set<std::int64_t> beyond{0};
  for (const NetworkOption& network : space.systems[system].networks) {
    const CountedPieces& pieces_of = counted_.emplace_back(counted_pieces(network, space, pieces));
    PerEndpoint& steps = per_endpoint_.emplace_back();
    for (const LeastParts& least : least_parts(network.choice.fabric)) {
      steps.emplace_back(least.beyond, pieces_of.of(least.per_endpoint));
      beyond.insert(least.beyond);
    }
    if (steps.empty()) steps.emplace_back(0, Piece{});
  }
  for (const std::int64_t endpoints : beyond) {
    std::vector<Piece> all;
    for (const PerEndpoint& steps : per_endpoint_) all.push_back(step_of(steps, endpoints + 1));
    least_.emplace_back(endpoints, least_of(all));
  }
}

// A leaf has no fewer ports up than its endpoints' ports over the oversubscription, and no switch
// more than `radix`. One switch holds no more than `radix` endpoints; where leaves are more than
// the ports of a spine there is a core, and spines have no fewer ports up than down.
std::vector<LeastParts> least_parts(const FabricDesign& fabric) {
  const std::optional<Trees> trees = trees_of(fabric);
  if (!trees) return {};
  const auto split = split_leaf(fabric.radix, trees->oversubscription);
  if (!split) return {};
  const double ports = real(trees->ports_of_endpoint), radix = real(fabric.radix);
  const double uplinks =
      ports * real(trees->oversubscription.up) / real(trees->oversubscription.down);
  const auto in_trees = [&](Whole of_tree) {
    return (of_tree * trees->trees / trees->ports_of_endpoint).value();
  };
  CountedParts parts{.lowest_switches = ports / radix};
  add_links(parts, fabric.cabling.host, true, ports);
  std::vector<LeastParts> all{{.beyond = 0, .per_endpoint = parts}};
  parts.lowest_switches += uplinks / radix;
  parts.upper_switches += uplinks / radix;
  add_links(parts, fabric.cabling.first, false, uplinks);
  all.push_back({.beyond = in_trees(fabric.radix), .per_endpoint = parts});
  parts.upper_switches += 2 * uplinks / radix;
  add_links(parts, fabric.cabling.upper, false, uplinks);
  all.push_back({.beyond = in_trees(split->down * fabric.radix), .per_endpoint = parts});
  return all;
}

CountedParts parts_of(const FabricDesign& fabric, const FabricCount& count) {
  CountedParts parts;
  for (std::size_t tier = 0; tier < count.switches.size(); ++tier) {
    const SwitchTier& of = count.switches[tier];
    if (of.radix != fabric.radix) continue;
    (tier == 0 ? parts.lowest_switches : parts.upper_switches) += real(of.switches);
  }
  for (const LinkLayer& layer : count.layers) {
    if (layer.gbps != fabric.port_gbps) continue;
    add_links(parts, layer.cable, layer.host, real(layer.links), layer.optical_ends);
  }
  return parts;
}

Piece PartsFloor::CountedPieces::of(const CountedParts& parts) const {
  const Piece switches =
      parts.lowest_switches * lowest_switch + parts.upper_switches * upper_switch;
  return switches +
         (laid ? parts.links_at_card * at_card + parts.links_between_switches * between_switches
               : parts.copper * copper + parts.active_optical * active_optical +
                     parts.fibre * fibre + parts.nic_ends * nic_end +
                     parts.switch_ends * switch_end);
}

Piece PartsFloor::of(std::int64_t gpus, std::size_t network, const CountedParts& parts) const {
  return with_nodes(gpus, counted_[network].of(parts));
}

Piece PartsFloor::of(std::int64_t gpus, const PerEndpoint& network) const {
  const std::int64_t endpoints = nodes_of(gpus) * endpoints_per_node_;
  return with_nodes(gpus, real(endpoints) * step_of(network, endpoints));
}

Piece PartsFloor::with_nodes(std::int64_t gpus, const Piece& network) const {
  const std::int64_t nodes = nodes_of(gpus), kept = std::min(nodes, owned_);
  Piece sum = kRounding * (real(nodes - kept) * node_ + real(kept) * kept_ + network);
  sum.capex = std::max(0.0, sum.capex - kCents);
  sum.tco = std::max(0.0, sum.tco - kCents);
  return sum;
}

}  // namespace planner::design
