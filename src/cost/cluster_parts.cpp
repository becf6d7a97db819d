#include "planner/cost/cluster_parts.hpp"

#include <algorithm>

#include "planner/core/ceil_div.hpp"

namespace planner::inline cost {
namespace {

using Parts = std::vector<PartQuantity>;

constexpr const char* kOpticalPort = "optical-circuit-switch-port";

PartQuantity nodes(const Cluster& cluster, const Node& node) {
  return {.part = {.id = node.name,
                   .title = node.title,
                   .category = PartCategory::compute,
                   .power = cluster.node_power ? cluster.node_power : node.power},
          .quantity = nodes_of(cluster, node)};
}

/// The nodes come first; those that are there already are kept, not bought.
void keep_owned(const OwnedNodes& owned, Parts& parts) {
  const std::int64_t kept = std::min(owned.nodes, parts.front().quantity);
  parts.front().quantity -= kept;
  parts.insert(parts.begin() + 1, owned_nodes(parts.front().part, kept, owned.resale));
}

/// @param all_nodes  what nodes draw in all, GPUs included; nothing: not known
/// @param spare  GPUs of hosts in reserve
Parts bare_gpus(const Cluster& cluster, const Accelerator& accelerator,
                const std::optional<Watts>& all_nodes, std::int64_t spare) {
  const auto gpus = static_cast<double>(cluster.gpus + spare);
  std::optional<Watts> gpu = accelerator.power, rest;
  if (all_nodes) {
    gpu = std::min(gpu.value_or(Watts{}), *all_nodes / gpus);
    rest = *all_nodes - *gpu * gpus;
  }
  Parts parts{{.part = {.id = accelerator.name,
                        .title = accelerator.title,
                        .category = PartCategory::compute,
                        .power = gpu},
               .quantity = cluster.gpus}};
  if (spare > 0) {
    parts.push_back(parts.front());
    parts.back().part.title += ", spare";
    parts.back().quantity = spare;
  }
  parts.push_back(
      {.part = {.id = "rest-of-nodes",
                .title = std::string("rest of all nodes: CPUs, memory, chassis (no node is named") +
                         (rest ? ", power assumed)" : ")"),
                .category = PartCategory::compute,
                .power = rest},
       .quantity = 1});
  return parts;
}

PartQuantity ordered(const PartOrder& order, PartCategory category) {
  return {
      .part = {.id = order.part, .title = order.title, .category = category, .power = order.power},
      .quantity = order.quantity};
}

/// Without a price, the line is in any currency.
PartQuantity extra(const ExtraLine& line, Currency book) {
  return {
      .part = {.id = line.item, .title = line.item, .category = line.category, .power = line.power},
      .quantity = line.quantity,
      .own_price = Price{.part = line.item,
                         .amount = line.unit_price,
                         .currency = line.unit_price ? Currency::usd : book,
                         .origin = {.source = line.source, .as_of = line.as_of}}};
}

PartsResult nodes_and_networks(const Cluster& cluster, const ClusterModels& models,
                               const FabricCount& count, const PriceBook& book) {
  Parts parts = models.node ? Parts{nodes(cluster, *models.node)}
                            : bare_gpus(cluster, models.accelerator, models.all_nodes,
                                        spare_gpus_of(cluster, count));
  if (cluster.owned && models.node) keep_owned(*cluster.owned, parts);
  const std::int64_t spare = models.node ? spare_nodes_of(cluster, *models.node, count) : 0;
  if (spare > 0) {
    parts.push_back(nodes(cluster, *models.node));
    parts.back().part.title += ", spare";
    parts.back().quantity = spare;
  }
  const auto links = [&](std::size_t network) {
    return models.links.empty() ? nullptr : &models.links[network];
  };
  PartsResult network = network_parts(cluster.fabric, count, models.fabric, book, links(0));
  if (std::holds_alternative<CostProblem>(network)) return network;
  for (PartQuantity& bought : std::get<Parts>(network)) parts.push_back(std::move(bought));
  for (std::size_t i = 0; i < models.beside.size(); ++i) {
    const CountedNetwork& beside = models.beside[i];
    network = network_parts(beside.design, beside.count, beside.models, book, links(i + 1));
    if (std::holds_alternative<CostProblem>(network)) return network;
    for (PartQuantity& bought : std::get<Parts>(network)) {
      bought.part.title = beside.name + ": " + bought.part.title;
      parts.push_back(std::move(bought));
    }
  }
  if (models.optical_ports) parts.push_back(*models.optical_ports);
  return parts;
}

}  // namespace

std::optional<PartQuantity> optical_ports(const ReliabilitySettings& asked) {
  if (!asked.reconfigure || !asked.optical_ports) return std::nullopt;
  return PartQuantity{.part = {.id = kOpticalPort,
                               .title = "optical circuit switch port, between trays",
                               .category = PartCategory::other,
                               .power = asked.optical_port_power},
                      .quantity = *asked.optical_ports,
                      .own_price = {},
                      .included_in = {}};
}

void price_optical_ports(const ReliabilitySettings& asked, const std::string& source,
                         PriceBook& book) {
  if (!optical_ports(asked) || !asked.optical_port_price) return;
  const auto dollars = Money::from_dollars(asked.optical_port_price->in(units::usd));
  std::erase_if(book.prices, [](const Price& price) { return price.part == kOpticalPort; });
  book.prices.push_back({.part = kOpticalPort,
                         .amount = Estimate<Money>::exactly(dollars.value()),
                         .currency = Currency::usd,
                         .origin = {.source = source}});
}

PartQuantity owned_nodes(Part node, std::int64_t nodes, Money resale) {
  node.title += ", owned, at what it would sell for";
  return {.part = node,
          .quantity = nodes,
          .own_price = Price{.part = node.id,
                             .amount = Estimate<Money>::exactly(resale),
                             .origin = {.source = "who owns it: what it would sell for"}},
          .included_in = {}};
}

std::int64_t nodes_of(const Cluster& cluster, const Node& node) {
  return ceil_div(cluster.gpus, node.accelerators);
}

std::int64_t ports_of_node(const FabricCount& count, std::int64_t nodes) {
  return std::max<std::int64_t>(1, ceil_div(count.endpoints, nodes));
}

std::int64_t hosts_in_reserve(const FabricCount& count, std::int64_t nodes) {
  return ceil_div(count.backup_endpoints, ports_of_node(count, nodes));
}

std::int64_t spare_nodes_of(const Cluster& cluster, const Node& node, const FabricCount& count) {
  return std::max(cluster.spare_nodes.value_or(0),
                  hosts_in_reserve(count, nodes_of(cluster, node)));
}

/// In reserve: a port of the network for each GPU, or as the file has it.
std::int64_t spare_gpus_of(const Cluster& cluster, const FabricCount& count) {
  if (count.backup_endpoints == 0) return cluster.spare_gpus;
  return std::max(cluster.spare_gpus,
                  ceil_div(count.backup_endpoints * cluster.gpus, count.endpoints));
}

std::int64_t spare_gpus_of(const Cluster& cluster, const std::optional<Node>& node) {
  return node ? cluster.spare_nodes.value_or(0) * node->accelerators : cluster.spare_gpus;
}

std::int64_t gpus_paid_for(const Cluster& cluster, const std::optional<Node>& node) {
  const std::int64_t asked = node ? nodes_of(cluster, *node) * node->accelerators : cluster.gpus;
  return asked + spare_gpus_of(cluster, node);
}

std::int64_t endpoints_of(const Cluster& cluster, const std::optional<Node>& node) {
  if (cluster.fabric.gpus) return *cluster.fabric.gpus;
  return node ? nodes_of(cluster, *node) * node->nics : cluster.gpus;
}

std::int64_t gpus_at_endpoints(const Cluster& cluster, const std::optional<Node>& node) {
  if (cluster.fabric.gpus || !node) return cluster.gpus;
  return nodes_of(cluster, *node) * node->accelerators;
}

std::vector<NamedNetwork> networks_beside(const Cluster& cluster) {
  std::vector<NamedNetwork> networks;
  const auto add = [&](const char* name, const char* key,
                       const std::optional<SideNetwork>& network) {
    if (network) networks.push_back({name, key, &*network});
  };
  add("frontend", "frontend", cluster.frontend);
  add("storage", "storage_network", cluster.storage_network);
  add("management", "management_network", cluster.management_network);
  return networks;
}

SidePorts ports_beside(const Cluster& cluster, const SideNetwork& network, std::int64_t nodes) {
  const auto of = [](const std::optional<PartOrder>& order, std::int64_t ports) {
    return order ? order->quantity * ports : 0;
  };
  return {
      .nodes = nodes * network.ports_per_node,
      .storage_nodes = of(cluster.storage_nodes, network.ports_per_storage_node),
      .management_nodes = of(cluster.management_nodes, network.ports_per_management_node),
      .uplinks = network.uplinks,
  };
}

PartsResult cluster_parts(const Cluster& cluster, const ClusterModels& models,
                          const FabricCount& count, const PriceBook& book) {
  PartsResult result =
      cluster.rent ? PartsResult{Parts{}} : nodes_and_networks(cluster, models, count, book);
  if (std::holds_alternative<CostProblem>(result)) return result;
  Parts& parts = std::get<Parts>(result);
  if (cluster.storage_nodes) {
    parts.push_back(ordered(*cluster.storage_nodes, PartCategory::storage));
  }
  if (cluster.management_nodes) {
    parts.push_back(ordered(*cluster.management_nodes, PartCategory::other));
  }
  for (const ExtraLine& line : cluster.extra_lines) parts.push_back(extra(line, book.currency));
  return result;
}

}  // namespace planner::cost
