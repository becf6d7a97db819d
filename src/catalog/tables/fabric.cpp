#include <array>

#include "planner/catalog/tables/tables.hpp"
#include "planner/core/closest_match.hpp"
#include "planner/json/estimate_codec.hpp"
#include "planner/json/lifted_field.hpp"

namespace planner::catalog {

using namespace json;

namespace {

const Table<Ratio>& ratio_table() {
  static const Table<Ratio> table{
      "ratio",
      "Bandwidth towards the hosts against bandwidth upwards",
      {required("down", &Ratio::down, count(), "towards the hosts"),
       required("up", &Ratio::up, count(), "towards the rest of the network")}};
  return table;
}

const Table<Cabling>& cabling_table() {
  using C = Cabling;
  static const Table<C> table{
      "cabling",
      "How the links are made",
      {optional("host", &C::host, choice(kCableKinds), "endpoint to its switch"),
       optional("first", &C::first, choice(kCableKinds), "first layer between switches"),
       optional("upper", &C::upper, choice(kCableKinds), "the layers above"),
       optional("ports_per_switch_module", &C::ports_per_switch_module, integer(1, 64),
                "2: twin-port OSFP"),
       optional("ports_per_nic_module", &C::ports_per_nic_module, integer(1, 64),
                "2: one module for two cards")}};
  return table;
}

/// A field of the topology's own options.
template <class Options>
Field<FabricDesign> option(Field<Options> field) {
  return lifted<FabricDesign, Options>(
      [](auto& design) -> auto& { return std::get<Options>(design.topology); }, std::move(field));
}

template <class Options>
Field<FabricDesign> oversubscription() {
  return option(optional("oversubscription", &Options::oversubscription, object(ratio_table()),
                         "of every leaf, down : up"));
}

/// The keys that one topology has besides those of all.
using OwnFields = std::vector<Field<FabricDesign>>;

template <class Options>
OwnFields tree_fields() {
  return {oversubscription<Options>(),
          option(optional("pod_aligned", &Options::pod_aligned, boolean(), "whole pods only")),
          option(optional("max_tiers", &Options::max_tiers, integer(1, 3), "tiers allowed"))};
}

OwnFields with(OwnFields fields, OwnFields more) {
  for (Field<FabricDesign>& field : more) fields.push_back(std::move(field));
  return fields;
}

OwnFields own_fields(const FatTree&) {
  return tree_fields<FatTree>();
}

OwnFields own_fields(const RailOptimized&) {
  using O = RailOptimized;
  return {option(required("rails", &O::rails, count(), "GPUs of an HB domain")),
          option(optional("planes", &O::planes, count(), "ports of each GPU, a network each")),
          oversubscription<O>()};
}

OwnFields own_fields(const SuperPod&) {
  using O = SuperPod;
  return {option(optional("scalable_units", &O::scalable_units, count(),
                          "bought; left out: as many as the GPUs need")),
          option(optional("nodes_per_unit", &O::nodes_per_unit, count(), "of a scalable unit")),
          option(optional("gpus_per_node", &O::gpus_per_node, count(), "which is its rails")),
          option(optional("planes", &O::planes, count(), "2: DGX B300 on Spectrum-X")),
          option(optional("fabric_manager_ports", &O::fabric_manager_ports, count_or_none(),
                          "leaf ports that it takes from whole nodes")),
          oversubscription<O>()};
}

OwnFields own_fields(const RailOnly&) {
  return with({option(required("rails", &RailOnly::rails, count(), "GPUs of an HB domain"))},
              tree_fields<RailOnly>());
}

OwnFields own_fields(const MultiPlane&) {
  using O = MultiPlane;
  return with({option(required("planes", &O::planes, count(), "disjoint trees")),
               option(optional("ports_per_gpu", &O::ports_per_gpu, count(),
                               "1: each GPU on one plane; as many as planes: on all"))},
              tree_fields<O>());
}

OwnFields own_fields(const Hpn&) {
  using O = Hpn;
  return {
      option(optional("rails", &O::rails, count(), "of a host")),
      option(optional("tors_per_rail", &O::tors_per_rail, count(), "one for each port of a NIC")),
      option(optional("tor_host_ports", &O::tor_host_ports, count(), "to active GPUs")),
      option(
          optional("tor_backup_ports", &O::tor_backup_ports, count_or_none(), "to backup hosts")),
      option(optional("host_port_gbps", &O::host_port_gbps, count(), "Gb/s of a NIC's port")),
      option(optional("tor_uplinks", &O::tor_uplinks, count(), "to aggregation switches")),
      option(optional("agg_core_ports", &O::agg_core_ports, count_or_none(),
                      "kept for the core on each aggregation switch")),
      option(optional("rail_only_tier2", &O::rail_only_tier2, boolean(),
                      "each rail in planes of its own")),
      option(optional("max_pods", &O::max_pods, count(), "beyond one, the core joins them")),
      option(optional("core_layer", &O::core_layer, boolean(),
                      "count the core for a single pod too"))};
}

OwnFields own_fields(const DcnPlus&) {
  using O = DcnPlus;
  return {
      option(optional("gpus_per_segment", &O::gpus_per_segment, count(), "of 16 hosts")),
      option(optional("segments_per_pod", &O::segments_per_pod, count(), "joined by two tiers")),
      option(optional("max_pods", &O::max_pods, count(), "joined by the core")),
      option(optional("tors_per_segment", &O::tors_per_segment, count(), "leaf switches")),
      option(optional("ports_per_gpu", &O::ports_per_gpu, count(), "on different ToRs")),
      option(optional("host_port_gbps", &O::host_port_gbps, count(), "Gb/s of a NIC's port")),
      option(optional("tor_uplinks", &O::tor_uplinks, count(), "to aggregation switches")),
      option(optional("aggs_per_pod", &O::aggs_per_pod, count(), "aggregation switches")),
      option(optional("agg_core_ports", &O::agg_core_ports, count(), "to the core"))};
}

OwnFields own_fields(const MetaAiZone&) {
  using O = MetaAiZone;
  return {option(optional("gpus_per_rack", &O::gpus_per_rack, count(), "under one RTSW")),
          option(optional("racks_per_zone", &O::racks_per_zone, count(), "under the CTSWs")),
          option(optional("rtsw_oversubscription", &O::rtsw_oversubscription, object(ratio_table()),
                          "of the rack switches, down : up")),
          option(optional("ctsw_ports", &O::ctsw_ports, count(), "of a zone chassis")),
          option(optional("zone_oversubscription", &O::zone_oversubscription, object(ratio_table()),
                          "between zones, down : up")),
          option(optional("atsw_ports", &O::atsw_ports, count(), "of an aggregation chassis")),
          option(optional("max_zones", &O::max_zones, count(), "joined by the ATSWs"))};
}

OwnFields own_fields(const TwoZoneFatTree&) {
  using O = TwoZoneFatTree;
  return {option(optional("zones", &O::zones, count(), "complete two-tier trees")),
          option(optional("zone_switches", &O::zone_switches, count_or_none(),
                          "besides those of the trees")),
          option(optional("inter_zone_links", &O::inter_zone_links, count_or_none(),
                          "of each zone to the others")),
          option(optional("storage_ports_per_zone", &O::storage_ports_per_zone, count_or_none(),
                          "taken by storage servers"))};
}

OwnFields own_fields(const Dragonfly&) {
  using O = Dragonfly;
  return {option(optional("hosts_per_router", &O::hosts_per_router, count(), "p")),
          option(optional("routers_per_group", &O::routers_per_group, count(), "a")),
          option(optional("global_per_router", &O::global_per_router, count(), "h")),
          option(optional("groups", &O::groups, count(), "g; left out: as many as needed"))};
}

OwnFields own_fields(const SlimFly&) {
  using O = SlimFly;
  return {option(optional("q", &O::q, count(), "a prime power; left out: the smallest that fits")),
          option(optional("hosts_per_router", &O::hosts_per_router, count(), "p"))};
}

OwnFields own_fields(const Torus&) {
  using O = Torus;
  return {option(optional("cube_edge", &O::cube_edge, count(), "chips")),
          option(optional("ocs_spare_ports", &O::ocs_spare_ports, count_or_none(),
                          "kept for tests and repairs")),
          option(optional("ocs", &O::ocs, boolean(), "false: cubes are cabled to each other"))};
}

/// One of each topology, with its defaults.
template <std::size_t... Index>
std::vector<TopologyOptions> defaults(std::index_sequence<Index...>) {
  return {TopologyOptions(std::in_place_index<Index>)...};
}

const std::vector<TopologyOptions>& topologies() {
  static const auto all =
      defaults(std::make_index_sequence<std::variant_size_v<TopologyOptions>>());
  return all;
}

std::string name_of(const TopologyOptions& options) {
  return std::string(name_of(static_cast<Topology>(options.index())));
}

/// The topology is known before the table is chosen: reading it puts its options into place.
Field<FabricDesign> topology_field(const TopologyOptions& options) {
  return {"topology",
          "the kind of network, which decides its further keys",
          true,
          [options](const JsonNode&, FabricDesign& design, const ReadContext&) {
            design.topology = options;
            return true;
          },
          [](const FabricDesign& design, Json& object) {
            text().write(name_of(design.topology), json::detail::member(object, "topology"));
          },
          word({name_of(options)}).describe};
}

Table<FabricDesign> table_of(const TopologyOptions& options) {
  using D = FabricDesign;
  OwnFields common = {
      topology_field(options),
      optional("endpoints", &D::gpus, count(), "NIC ports; left out: one for each NIC of the GPUs"),
      required("radix", &D::radix, integer(2, 1'000'000), "ports of a switch at port_gbps"),
      required("port_gbps", &D::port_gbps, integer(1, 1'000'000), "Gb/s per direction")};
  OwnFields own = std::visit([](const auto& chosen) { return own_fields(chosen); }, options);
  OwnFields last = {optional("cabling", &D::cabling, object(cabling_table()), "kinds of cable")};
  return {"fabric", "A network of the topology " + name_of(options),
          with(with(std::move(common), std::move(own)), std::move(last))};
}

const std::vector<Table<FabricDesign>>& tables() {
  static const std::vector<Table<FabricDesign>> all = [] {
    std::vector<Table<FabricDesign>> made;
    for (const TopologyOptions& options : topologies()) made.push_back(table_of(options));
    return made;
  }();
  return all;
}

Codec<std::string> topology_name() {
  std::vector<std::string> names;
  for (const TopologyOptions& options : topologies()) names.push_back(name_of(options));
  return word(names);
}

std::optional<FabricDesign> read_fabric(const JsonNode& node, const ReadContext& context) {
  if (!json::detail::expect_object(node, context)) return std::nullopt;
  const JsonNode* const topology = node.find("topology");
  if (topology == nullptr) {
    context.report(node, "missing-key", "the key \"topology\" is missing");
    return std::nullopt;
  }
  const auto name = topology_name().read(*topology, context.member("topology"));
  if (!name) return std::nullopt;
  return read_object(tables()[static_cast<std::size_t>(*topology_named(*name))], node, context);
}

}  // namespace

Codec<FabricDesign> fabric_design() {
  return {read_fabric,
          [](const FabricDesign& design, Json& out) {
            write_object(tables()[design.topology.index()], design, out);
          },
          [](Json& schema) {
            std::vector<std::function<void(Json&)>> each;
            for (const Table<FabricDesign>& table : tables()) {
              each.emplace_back([&table](Json& one) { describe_object(table, one); });
            }
            json::detail::describe_one_of(schema, each);
          }};
}

}  // namespace planner::catalog
