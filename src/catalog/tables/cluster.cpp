#include "planner/catalog/tables/name_fields.hpp"
#include "planner/catalog/tables/network_choice.hpp"
#include "planner/catalog/tables/site.hpp"
#include "planner/catalog/tables/tables.hpp"
#include "planner/domain/names.hpp"
#include "planner/json/answer_fields.hpp"
#include "planner/json/estimate_codec.hpp"
#include "planner/json/lifted_field.hpp"

namespace planner::catalog {

using namespace json;

const FieldTable<FabricParts>& fabric_parts_table() {
  using P = FabricParts;
  static const FieldTable<P> table{
      "fabric parts",
      "The catalog parts that the network is bought as",
      {optional("switch", &P::switches, text(), "of every tier"),
       optional("upper_switch", &P::upper_switches, text(), "of the tiers above the first"),
       optional("switch_module", &P::switch_module, text(), "transceiver in the switches"),
       optional("nic_module", &P::nic_module, text(), "transceiver in the NICs"),
       optional("copper", &P::copper, text(), "copper cable"),
       optional("active_optical", &P::active_optical, text(), "active optical cable"),
       optional("fibre", &P::fibre, text(), "fibre between transceivers"),
       optional("quote", &P::quote, text(),
                "price of the whole network: its parts are then not billed one by one")}};
  return table;
}

namespace {

const FieldTable<ClusterRun>& cluster_run_table() {
  using R = ClusterRun;
  static const FieldTable<R> table{
      "cluster run",
      "What the cluster is to train",
      {required("model", &R::model, text(), "catalog name or file"),
       optional("global_batch", &R::global_batch, count(), "sequences per iteration"),
       optional("sequence", &R::sequence, count(), "tokens per sequence"),
       optional("precision", &R::precision, choice(kPrecisions), "of the matrix products"),
       optional("tokens", &R::tokens, number({1, 1e18}), "to train in all"),
       optional("gpus", &R::gpus, count(), "at most so many; left out: all of the cluster's"),
       optional("gpus_exact", &R::gpus_exact, boolean(), "just so many, and no fewer")}};
  return table;
}

void name_after_part(PartOrder& order) {
  if (order.title.empty()) order.title = order.part;
}

const FieldTable<PartOrder>& part_order_table() {
  using O = PartOrder;
  static const FieldTable<O> table{
      "part order",
      "Parts bought by number",
      {required("part", &O::part, text(), "name in the price book"),
       derived("title", &O::title, text(), "as in the bill; the part's name when not given"),
       required("quantity", &O::quantity, count(), "how many"),
       optional("power_W", &O::power, draw(), "of one")},
      {},
      {},
      name_after_part};
  return table;
}

const FieldTable<ExtraLine>& extra_line_table() {
  using L = ExtraLine;
  static const FieldTable<L> table{
      "extra line",
      "A line of the bill that is in no catalog",
      {required("item", &L::item, text(), "what is bought"),
       required("category", &L::category, choice(kPartCategories), "where it is counted"),
       required("quantity", &L::quantity, count(), "how many"),
       optional("unit_price_usd", &L::unit_price, or_null(estimate(money())),
                "of one; left out or null: not known"),
       optional("power_W", &L::power, draw(), "of one; left out: not known"),
       required("source", &L::source, text(), "offer, document or page"),
       optional("as_of", &L::as_of, date(), "date of the price")}};
  return table;
}

const FieldTable<ClusterRent>& rent_table() {
  using R = ClusterRent;
  static const FieldTable<R> table{
      "cluster rent",
      "GPUs that somebody else owns, with their nodes, network, space, power and repair",
      {optional("accelerator", &R::accelerator, text(), "which GPU; left out: the system's"),
       optional("term", &R::term, choice(kRentTerms), "that they are rented for"),
       optional("usd_per_gpu_hour", &R::rate,
                estimate(quantity(units::usd / units::hour, Range::positive(1e12))),
                "of one GPU; left out: as the economics have it"),
       when([](const R& rent) { return !rent.source.empty(); },
            optional("source", &R::source, text(), "of that rent: offer, document or page")),
       optional("as_of", &R::as_of, date(), "date of that rent")}};
  return table;
}

const FieldTable<OwnedNodes>& owned_nodes_table() {
  using O = OwnedNodes;
  static const FieldTable<O> table{
      "owned nodes",
      "Nodes that are there already: kept, and as many fewer bought",
      {required("nodes", &O::nodes, count(), "how many, at most those of \"gpus\""),
       required("resale_usd", &O::resale, money(),
                "what each would sell for: what keeping it costs")}};
  return table;
}

/// Who rents nodes has nothing to say of what stands around them: that is the owner's.
template <class Member>
Check<Cluster> bought_only(const char* key, Member Cluster::*member) {
  return {.keys = {key, "rent"},
          .holds = [=](const Cluster& cluster) { return !cluster.rent || !(cluster.*member); },
          .message =
              [](const Cluster&) {
                return std::string("is of bought nodes: with \"rent\" it is the owner's");
              }};
}

using EconomicsRef = std::variant<std::string, Economics>;

Codec<SideNetwork> side_network() {
  using N = SideNetwork;
  static const FieldTable<N> table{
      "side network",
      "A network of its own beside the one between the GPUs",
      {required("fabric", &N::fabric, fabric_design(),
                "the network; its \"gpus\" are its ports below, left out: those that follow"),
       optional("fabric_parts", &N::parts, object(fabric_parts_table()),
                "catalog parts that it is bought as"),
       optional("ports_per_node", &N::ports_per_node, count_or_none(), "of each server"),
       optional("ports_per_storage_node", &N::ports_per_storage_node, count_or_none(),
                "of each of the storage nodes"),
       optional("ports_per_management_node", &N::ports_per_management_node, count_or_none(),
                "of each of the management nodes"),
       optional("uplinks", &N::uplinks, count_or_none(), "ports to what stands elsewhere")}};
  return object(table);
}

/// A name or file, or the object itself.
Codec<EconomicsRef> economics_or_name() {
  const Codec<std::string> name = text();
  const Codec<Economics> inlined = object(economics_table());
  return {[=](const JsonNode& node, const ReadContext& context) -> std::optional<EconomicsRef> {
            if (node.get<JsonNode::Object>() == nullptr) return name.read(node, context);
            return inlined.read(node, context);
          },
          [=](const EconomicsRef& from, Json& out) {
            if (const auto* const given = std::get_if<std::string>(&from)) {
              name.write(*given, out);
            } else {
              inlined.write(std::get<Economics>(from), out);
            }
          },
          [=](Json& schema) { json::detail::describe_name_or(schema, inlined.description()); }};
}

/// What a recovery calls a server or a swap unit is no larger than the cluster.
Check<Cluster> fits_in_cluster(const char* key,
                               std::optional<std::int64_t> ReliabilitySettings::*size) {
  return {
      .keys = {key, "gpus"},
      .holds =
          [=](const Cluster& cluster) {
            const auto& how = cluster.recovery;
            return !how || ((*how).*size).value_or(0) <= cluster.gpus;
          },
      .message = [](const Cluster&) { return std::string("is more than the cluster's \"gpus\""); }};
}

}  // namespace

const FieldTable<Cluster>& cluster_table() {
  using C = Cluster;
  static const FieldTable<C> table{
      "cluster",
      "Everything that is bought, where it stands and what it is for",
      {name_field<C>(),
       title_field<C>(),
       required("system", &C::system, text(), "catalog name or file"),
       optional("node", &C::node, text(), "what is bought; left out: the system's node"),
       optional("node_power_W", &C::node_power, draw(),
                "of one node, measured or planned; left out: the node's own figure"),
       optional("rent", &C::rent, object(rent_table()),
                "nodes and network are rented; left out: they are bought"),
       optional("owned", &C::owned, object(owned_nodes_table()),
                "of its nodes, those that are there already"),
       required("gpus", &C::gpus, count(), "of the whole cluster"),
       required("fabric", &C::fabric, fabric_design(), "the network between the HB domains"),
       optional("fabric_parts", &C::fabric_parts, object(fabric_parts_table()),
                "catalog parts that it is bought as"),
       required("prices", &C::prices, text(), "price book: catalog name or file"),
       optional("economics", &C::economics, economics_or_name(),
                "catalog name, file or object; left out: no opex"),
       optional("run", &C::run, object(cluster_run_table()), "what it is to train"),
       optional("routing", &C::routing, object(routing_table()),
                "of the run's flows; left out: perfectly balanced"),
       optional("storage_traffic", &C::sharing, object(sharing_table()),
                "on the run's network; left out: it has one of its own"),
       optional("rates", &C::rates, text(), "of failures: catalog name or file; left out: none"),
       optional("recovery", &C::recovery, object(recovery_table()),
                "how the run meets them, where it is not as the rates say"),
       optional("racks", &C::racks, count(), "of all its parts together"),
       optional("build", &C::build, object(build_table()),
                "the building, for `planner build`; left out: one of our own"),
       optional("storage_nodes", &C::storage_nodes, object(part_order_table()),
                "servers of the file system"),
       optional("management_nodes", &C::management_nodes, object(part_order_table()),
                "servers that run the cluster"),
       optional("spare_nodes", &C::spare_nodes, count_or_none(),
                "bought and housed beside those of \"gpus\""),
       optional("frontend", &C::frontend, side_network(),
                "network for users, data and management, with a port of each node"),
       optional("storage_network", &C::storage_network, side_network(),
                "network of the file system, where it has one of its own"),
       optional("management_network", &C::management_network, side_network(),
                "network of consoles and controllers, where it has one of its own"),
       optional("extra_lines", &C::extra_lines, list(object(extra_line_table())),
                "what is in no catalog"),
       optional("relative_performance", &C::relative_performance, number(Range::positive(1e6)),
                "measured, of one GPU, in a unit that the clusters compared share"),
       optional("notes", &C::notes, list(text()), "what a reader of the report should know"),
       sources_field<C>()},
      {{.keys = {"recovery", "rates"},
        .holds = [](const C& cluster) { return !cluster.recovery || cluster.rates; },
        .message = [](const C&) { return std::string("needs \"rates\" to recover from"); }},
       {.keys = {"run.gpus", "gpus"},
        .holds =
            [](const C& cluster) {
              return !cluster.run || !cluster.run->gpus || *cluster.run->gpus <= cluster.gpus;
            },
        .message = [](const C&) { return std::string("are more than the cluster's \"gpus\""); }},
       {.keys = {"rent", "economics"},
        .holds = [](const C& cluster) { return !cluster.rent || cluster.economics; },
        .message =
            [](const C&) {
              return std::string(
                  "needs \"economics\": for how long, and for how many of the hours");
            }},
       bought_only("node_power_W", &C::node_power),
       bought_only("owned", &C::owned),
       bought_only("spare_nodes", &C::spare_nodes),
       bought_only("racks", &C::racks),
       bought_only("build", &C::build),
       bought_only("frontend", &C::frontend),
       bought_only("storage_network", &C::storage_network),
       bought_only("management_network", &C::management_network),
       fits_in_cluster("recovery.swap_unit_gpus", &ReliabilitySettings::swap_unit),
       fits_in_cluster("recovery.gpus_per_node", &ReliabilitySettings::gpus_per_node)},
      check_source_keys,
      complete_title<C>};
  return table;
}

}  // namespace planner::catalog
