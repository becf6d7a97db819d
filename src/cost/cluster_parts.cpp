#include "planner/cost/cluster_parts.hpp"

#include "planner/core/ceil_div.hpp"

namespace planner::inline cost {
namespace {

using Parts = std::vector<PartQuantity>;

PartQuantity nodes(const Cluster& cluster, const Node& node) {
  return {.part = {.id = node.name,
                   .title = node.title,
                   .category = PartCategory::compute,
                   .power = cluster.node_power ? cluster.node_power : node.power},
          .quantity = nodes_of(cluster, node)};
}

Parts bare_gpus(const Cluster& cluster, const Accelerator& accelerator) {
  return {{.part = {.id = accelerator.name,
                    .title = accelerator.title,
                    .category = PartCategory::compute,
                    .power = accelerator.power},
           .quantity = cluster.gpus},
          {.part = {.id = "rest-of-nodes",
                    .title = "rest of the nodes: CPUs, memory, chassis (no node is named)",
                    .category = PartCategory::compute},
           .quantity = 1}};
}

PartQuantity storage(const PartOrder& order) {
  return {.part = {.id = order.part,
                   .title = order.title,
                   .category = PartCategory::storage,
                   .power = order.power},
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

}  // namespace

std::int64_t nodes_of(const Cluster& cluster, const Node& node) {
  return ceil_div(cluster.gpus, node.accelerators);
}

std::int64_t endpoints_of(const Cluster& cluster, const std::optional<Node>& node) {
  if (cluster.fabric.gpus) return *cluster.fabric.gpus;
  return node ? nodes_of(cluster, *node) * node->nics : cluster.gpus;
}

PartsResult cluster_parts(const Cluster& cluster, const ClusterModels& models,
                          const FabricCount& count, const PriceBook& book) {
  PartsResult network = network_parts(cluster.fabric, count, models.fabric, book);
  if (std::holds_alternative<CostProblem>(network)) return network;

  Parts parts =
      models.node ? Parts{nodes(cluster, *models.node)} : bare_gpus(cluster, models.accelerator);
  for (PartQuantity& bought : std::get<Parts>(network)) parts.push_back(std::move(bought));
  if (cluster.storage_nodes) parts.push_back(storage(*cluster.storage_nodes));
  for (const ExtraLine& line : cluster.extra_lines) parts.push_back(extra(line, book.currency));
  return parts;
}

}  // namespace planner::cost
