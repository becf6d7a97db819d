#include <algorithm>

#include "planner/core/ceil_div.hpp"
#include "planner/network/clos/draft.hpp"
#include "planner/network/clos/inputs.hpp"
#include "planner/network/topologies/topologies.hpp"

namespace planner::inline network {
namespace {

/// A complete two-tier tree on k-port switches, as a frame switch is sold: k leaves, k/2 spines,
/// k²/2 ports. What hangs on the ports is dealt out evenly over the leaves.
struct Zone {
  Whole hosts;
  Whole storage;
  Whole links;  ///< to other zones

  [[nodiscard]] Whole ports() const { return hosts + storage + links; }
};

std::optional<FabricProblem> check_rules(const FabricDesign& design,
                                         const TwoZoneFatTree& options) {
  if (auto problem = check_tree_radix(design)) return problem;
  const bool direct = options.zones > 1 && options.zone_switches == 0;
  const std::int64_t link_ends = options.inter_zone_links.value_or(0) * options.zones;
  if (!direct || link_ends % 2 == 0) return std::nullopt;
  return FabricProblem{.rule = FabricRule::uneven,
                       .subject = "inter-zone-links",
                       .unit = {},
                       .need = link_ends,
                       .have = 2,
                       .max_endpoints = std::nullopt,
                       .hint = "a link between zones has two ends"};
}

void add_switches(Draft& draft, const FabricDesign& design, const TwoZoneFatTree& options,
                  Whole gpus, const Zone& reserved) {
  const Whole radix = design.radix;
  const Whole zones = options.zones;
  const std::size_t host = draft.host_layer("host", design.port_gbps);
  const std::size_t storage = draft.host_layer("storage", design.port_gbps);
  const std::size_t leaf_spine = draft.switch_layer("leaf_spine", design.cabling.first);
  const std::size_t inter_zone = draft.switch_layer("inter_zone", design.cabling.upper);
  const std::size_t leaf = draft.tier("leaf", radix);
  for (const DraftGroup& alike : deal(zones, {{host, gpus}})) {
    DraftGroups leaves = deal(radix, {{host, alike.ports.front().second},
                                      {storage, reserved.storage},
                                      {inter_zone, reserved.links}});
    for (DraftGroup& group : leaves) {
      group.count = group.count * alike.count;
      group.ports.emplace_back(leaf_spine, radix / 2);
    }
    draft.add(leaf, leaves);
  }
  draft.oversubscription(leaf, radix / 2, radix / 2);
  draft.add(draft.tier("spine", radix), {{zones * (radix / 2), {{leaf_spine, radix}}}});
  if (options.zone_switches == 0) return;
  draft.add(draft.tier("zone", radix),
            deal(options.zone_switches, {{inter_zone, zones * reserved.links}}));
}

void add_failures(Draft& draft, const FabricDesign& design, Whole gpus, Whole zones) {
  const Whole radix = design.radix;
  const Whole in_zone = ceil_div(gpus, zones);
  const Whole on_leaf = ceil_div(in_zone, radix);
  draft.failure("leaf", on_leaf, 0, radix / 2, zones * radix * (radix / 2));
  draft.failure("spine", 0, in_zone, 1, radix / 2);
  draft.failure("host link", 1, 0, 1, 1);
  draft.failure("leaf_spine link", 0, on_leaf, 1, radix / 2);
}

// Fire-Flyer paper (arXiv 2408.14158), §§ III-B and III-C, Fig. 5, Table III: two zones of 20
// spine and 40 leaf switches, and 2 switches of which the paper says nothing: 122.
CountResult count_parts(const FabricDesign& design, const TwoZoneFatTree& options) {
  if (auto problem = check_rules(design, options)) return *problem;
  const Whole zones = options.zones;
  const Zone reserved{.hosts = 0,
                      .storage = options.storage_ports_per_zone,
                      .links = options.zones == 1 ? 0 : options.inter_zone_links.value_or(0)};
  const Whole zone_ports = Whole{design.radix} * (design.radix / 2);
  const Whole most = zones * (zone_ports - reserved.ports());
  const Whole gpus = design.gpus ? Whole{*design.gpus} : most;
  if (gpus > most || most == Whole{0}) {
    FabricProblem problem = too_many_ports("zone", ceil_div(gpus, zones) + reserved.ports(),
                                           zone_ports, "more zones, or fewer reserved ports");
    problem.rule = FabricRule::too_many_endpoints;
    problem.max_endpoints = most.value();
    return problem;
  }
  Draft draft(design);
  add_switches(draft, design, options, gpus, reserved);
  add_failures(draft, design, gpus, zones);
  draft.endpoints(gpus, most);
  // One zone: the whole tree. Two: the links between them.
  if (options.zones == 1) draft.bisection(gpus * design.port_gbps / 2);
  if (options.zones == 2 && options.inter_zone_links) {
    draft.bisection(std::min(gpus / 2, reserved.links) * design.port_gbps);
  }
  FabricCount& count = draft.count();
  count.tiers = 2;
  count.units = options.zones;
  // Zone switches hang on leaves: up to two more trees in the way.
  const bool separate =
      options.zones == 1 || (options.inter_zone_links && reserved.links == Whole{0});
  count.max_hops = separate ? 3 : (options.zone_switches == 0 ? 6 : 7);
  return draft.finish();
}

// Fire-Flyer paper §§ III-B, VI-B: 800-port frame switches, about 600 nodes a zone, 180 storage
// servers on both.
FabricDesign published_two_zone_fat_tree(std::optional<std::int64_t> gpus) {
  return {.gpus = gpus.value_or(1200),
          .radix = 40,
          .port_gbps = 200,
          .topology = TwoZoneFatTree{.storage_ports_per_zone = 180},
          .cabling = {.first = CableKind::backplane}};
}

/// What is there is dealt out over the zones, as deal() above does.
FabricUnits units_of(const TreePorts& tree, const TwoZoneFatTree& options) {
  return {.leaf = tree.leaf,
          .pod = planner::ceil_div(tree.count.endpoints, options.zones),
          .trees = options.zones,
          .zones = SeparateZones{.zones = options.zones, .links = options.inter_zone_links}};
}

std::string unknown_of(const TwoZoneFatTree& options) {
  if (options.zones < 2 || options.inter_zone_links) return {};
  return "the number of links between the zones is not known: none is counted or priced "
         "(--inter-zone-links, inter_zone_links in a file)";
}

}  // namespace

const TopologyOf<TwoZoneFatTree>& facts_of(const TwoZoneFatTree&) {
  using O = TwoZoneFatTree;
  static const TopologyOf<O> facts{
      .design = published_two_zone_fat_tree,
      .inputs =
          {
              {.key = "zones", .member = &O::zones, .doc = "complete two-tier trees"},
              {.key = "zone_switches",
               .member = &O::zone_switches,
               .doc = "besides those of the trees",
               .least = 0,
               .options = {"zone-switches"}},
              {.key = "inter_zone_links",
               .member = &O::inter_zone_links,
               .doc = "of each zone to the others",
               .least = 0,
               .options = {"inter-zone-links"}},
              {.key = "storage_ports_per_zone",
               .member = &O::storage_ports_per_zone,
               .doc = "taken by storage servers",
               .least = 0,
               .options = {"storage-ports"}},
          },
      .count = count_parts,
      .units = units_of,
      .unknown = unknown_of,
  };
  return facts;
}

}  // namespace planner::network
