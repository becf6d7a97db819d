#include "planner/design/bought.hpp"

#include <algorithm>

#include "planner/core/real.hpp"
#include "planner/cost/bill.hpp"
#include "planner/cost/cluster_parts.hpp"
#include "planner/job/fabric.hpp"
#include "planner/job/reliability.hpp"
#include "planner/network/bandwidth_tiers.hpp"
#include "planner/network/count.hpp"

namespace planner::design {

namespace {

// Rents are not asked for: no accelerator is named.
ClusterUse use_of(std::int64_t gpus, const Economics& economics,
                  std::optional<std::int64_t> racks = std::nullopt) {
  return {.gpus = gpus, .accelerator = {}, .racks = racks, .economics = economics};
}

/// What keeps the figures from being whole; empty: nothing.
std::string missing(const BillOfMaterials& bill, const CostBreakdown& cost) {
  for (const BillLine& line : bill.lines) {
    if (line.unpriced()) return "price of " + line.part.title;
    if (!line.power) return "power of " + line.part.title;
  }
  for (const OpexLine& line : cost.opex) {
    if (!line.per_year) return "yearly cost: " + std::string(name_of(line.item));
  }
  return cost.ownership && cost.per_gpu_hour && !cost.at_least() ? std::string()
                                                                 : "total cost of ownership";
}

/// The nodes come first; those that are there already are kept, not bought.
void keep_owned(const SystemOption& option, std::int64_t gpus, std::vector<PartQuantity>& parts) {
  const std::int64_t kept = kept_nodes(option, gpus);
  if (kept == 0) return;
  parts.front().quantity -= kept;
  parts.insert(parts.begin() + 1, kept_part(option, kept));
}

}  // namespace

Cluster cluster_of(const Space& space, const DesignId& id) {
  const SystemOption& option = space.systems[id.system];
  const NetworkOption& network = option.networks[id.network];
  return {.system = option.job.system.name,
          .gpus = id.gpus,
          .fabric = network.choice.fabric,
          .fabric_parts = network.choice.parts,
          .run = ClusterRun{.model = option.job.model.name,
                            .global_batch = space.batches[id.batch],
                            .sequence = option.job.run.sequence,
                            .tokens = space.tokens}};
}

PurchaseResult purchase_of(const Space& space, const DesignId& id) {
  const SystemOption& option = space.systems[id.system];
  const Cluster cluster = cluster_of(space, id);
  ClusterModels models{.accelerator = option.job.system.accelerator,
                       .node = option.node,
                       .fabric = option.networks[id.network].models};
  FabricDesign fabric = cluster.fabric;
  fabric.gpus = endpoints_of(cluster, models.node);
  const CountResult counted = count_fabric(fabric);
  const auto* const count = std::get_if<FabricCount>(&counted);
  if (count == nullptr) return NoSuchNetwork{};
  StandingResult standing;
  if (space.stand) {
    standing = space.stand(option, cluster);
    if (!standing) return NoSuchNetwork{};
    models.links = {standing->links};
  }
  PartsResult parts = cluster_parts(cluster, models, *count, space.book);
  auto* const quantities = std::get_if<std::vector<PartQuantity>>(&parts);
  if (quantities == nullptr) return NoSuchNetwork{};
  keep_owned(option, id.gpus, *quantities);
  const BillResult billed = bill_of_materials(*quantities, space.book);
  const auto* const bill = std::get_if<BillOfMaterials>(&billed);
  if (bill == nullptr) return Unpriced{to_string(std::get<CostProblem>(billed))};
  const auto racks = standing ? std::optional(standing->racks) : std::nullopt;
  const CostResult costed = cost_of(*bill, use_of(id.gpus, space.economics, racks));
  const auto* const cost = std::get_if<CostBreakdown>(&costed);
  if (cost == nullptr) return Unpriced{to_string(std::get<CostProblem>(costed))};
  if (std::string what = missing(*bill, *cost); !what.empty()) return Unpriced{std::move(what)};
  return Purchase{.bill = *bill, .cost = *cost, .fabric = *count, .standing = standing};
}

BoughtResult bought(const Space& space, const DesignId& id) {
  PurchaseResult result = purchase_of(space, id);
  if (const auto* unpriced = std::get_if<Unpriced>(&result)) return *unpriced;
  if (std::holds_alternative<NoSuchNetwork>(result)) return NoSuchNetwork{};
  const auto& [bill, cost, fabric, standing] = std::get<Purchase>(result);
  const SystemOption& option = space.systems[id.system];
  FabricDesign design = option.networks[id.network].choice.fabric;
  design.gpus = endpoints_of(cluster_of(space, id), option.node);
  Bought all{.gpus = id.gpus,
             .capex = cost.capex.amount,
             .tco = cost.ownership->total,
             .power = cost.power,
             .per_gpu_hour = *cost.per_gpu_hour,
             .tiers = bandwidth_tiers(design, fabric,
                                      std::max<std::int64_t>(1, id.gpus / fabric.endpoints)),
             .rails_apart = !job::joins_rails(design),
             .lead = lead_of(option, id.gpus)};
  if (space.failures) {
    ReliabilitySettings recovery = space.failures->recovery;
    if (standing && !recovery.feeds) {
      recovery.feeds = standing->feeds;
      if (!recovery.feed_hosts && standing->feeds > 0) recovery.feed_hosts = standing->feed_hosts;
    }
    all.parts = job::counted_parts(std::move(recovery), option.node, fabric);
  }
  return all;
}

Economics economics_of_parts(const Space& space) {
  Economics economics = space.economics;
  if (space.stand) economics.rack_rental.reset();
  return economics;
}

namespace {

job::JobOnNetwork on_network(const Space& space, const DesignId& id) {
  const SystemOption& option = space.systems[id.system];
  const Cluster cluster = cluster_of(space, id);
  job::JobOnNetwork on{.name = option.job.system.name,
                       .design = cluster.fabric,
                       .count = {},
                       .cluster_gpus = id.gpus,
                       .node_gpus = option.node.accelerators,
                       .job_gpus = id.gpus,
                       .nominal = option.job.system.network_bandwidth};
  on.design.gpus = endpoints_of(cluster, option.node);
  on.count = std::get<FabricCount>(count_fabric(on.design));
  return on;
}

}  // namespace

bool can_be_built(const Space& space, const DesignId& id) {
  const Cluster cluster = cluster_of(space, id);
  FabricDesign fabric = cluster.fabric;
  fabric.gpus = endpoints_of(cluster, space.systems[id.system].node);
  return std::holds_alternative<FabricCount>(count_fabric(fabric));
}

job::RoutedNetwork routed_on(const Space& space, const DesignId& id) {
  return job::routed_network(*space.routing, on_network(space, id));
}

Workload with_routing(Workload job, const job::RoutedNetwork& network) {
  job.routing = network.factors;
  job.stage_limit = network.stage_limit;
  job.rails_apart = network.rails_apart;
  return job;
}

std::optional<job::RoutingResult> routing_of(const Space& space, const DesignId& id) {
  if (!space.routing) return std::nullopt;
  return job::route_job(*space.routing, on_network(space, id));
}

PieceResult piece_of(const Part& part, const PriceBook& book, const Economics& economics,
                     std::optional<Price> own_price) {
  // Enough that cents and what does not grow with the cluster, such as staff, are nothing of a
  // piece's share; the sum stays far below Money's range.
  constexpr std::int64_t kMany = 100'000'000;
  const BillResult billed = bill_of_materials(
      {{.part = part, .quantity = kMany, .own_price = std::move(own_price), .included_in = {}}},
      book);
  const auto* const bill = std::get_if<BillOfMaterials>(&billed);
  if (bill == nullptr) return Unpriced{to_string(std::get<CostProblem>(billed))};
  const CostResult costed = cost_of(*bill, use_of(1, economics));
  const auto* const cost = std::get_if<CostBreakdown>(&costed);
  if (cost == nullptr) return Unpriced{to_string(std::get<CostProblem>(costed))};
  if (std::string what = missing(*bill, *cost); !what.empty()) return Unpriced{std::move(what)};
  const double share = 1 / real(kMany);
  return Piece{
      .capex = share * cost->capex.amount.expected.dollars(),
      .tco = share * cost->ownership->total.expected.dollars(),
      .usd_per_second = share * (cost->per_gpu_hour->expected / units::hour).si(),
      .watts = share * cost->power.it.si(),
      .facility_watts = cost->power.facility ? share * cost->power.facility->expected.si() : 0};
}

Piece as_piece(const Bought& cluster) {
  return {.capex = cluster.capex.expected.dollars(),
          .tco = cluster.tco.expected.dollars(),
          .usd_per_second = real(cluster.gpus) * (cluster.per_gpu_hour.expected / units::hour).si(),
          .watts = cluster.power.it.si(),
          .facility_watts = cluster.power.facility ? cluster.power.facility->expected.si() : 0};
}

Part node_part(const Node& node) {
  return {
      .id = node.name, .title = node.title, .category = PartCategory::compute, .power = node.power};
}

PartQuantity kept_part(const SystemOption& option, std::int64_t nodes) {
  Part part = node_part(option.node);
  part.title += ", owned, at what it would sell for";
  return {.part = part,
          .quantity = nodes,
          .own_price = Price{.part = part.id,
                             .amount = Estimate<Money>::exactly(option.owned.node),
                             .origin = {.source = "the brief: what it would sell for"}},
          .included_in = {}};
}

}  // namespace planner::design
