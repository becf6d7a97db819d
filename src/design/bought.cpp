#include "planner/design/bought.hpp"

#include <algorithm>

#include "planner/core/real.hpp"
#include "planner/cost/bill.hpp"
#include "planner/cost/capex.hpp"
#include "planner/cost/owning.hpp"
#include "planner/cost/power.hpp"
#include "planner/domain/run.hpp"
#include "planner/job/fabric.hpp"
#include "planner/job/reliability.hpp"
#include "planner/network/bandwidth_tiers.hpp"
#include "planner/network/count.hpp"
#include "planner/network/port_speed.hpp"

namespace planner::design {

namespace {

// Rents are not asked for: no accelerator is named.
ClusterUse use_of(std::int64_t gpus, const Economics& economics,
                  std::optional<std::int64_t> racks = std::nullopt) {
  return {.gpus = gpus, .accelerator = {}, .racks = racks, .economics = economics};
}

/// What keeps the figures from being whole.
std::optional<Unpriced> missing(const BillOfMaterials& bill, const std::vector<OpexLine>& opex) {
  for (const BillLine& line : bill.lines) {
    if (line.unpriced()) return Unpriced{"price of " + line.part.title, line.part.id};
    if (!line.power) return Unpriced{"power of " + line.part.title, line.part.id};
  }
  for (const OpexLine& line : opex) {
    if (!line.per_year) return Unpriced{"yearly cost: " + std::string(name_of(line.item))};
  }
  return std::nullopt;
}

/// Of so many GPUs the nodes that are there already; nothing: none are.
std::optional<OwnedNodes> owned_in(const SystemOption& option, std::int64_t gpus) {
  const std::int64_t kept = kept_nodes(option, gpus);
  if (kept == 0) return std::nullopt;
  return OwnedNodes{.nodes = kept, .resale = option.owned.node};
}

}  // namespace

Cluster cluster_of(const Space& space, const DesignId& id) {
  const SystemOption& option = space.systems[id.system];
  const NetworkOption& network = option.networks[id.network];
  return {.system = option.system().name,
          .owned = owned_in(option, id.gpus),
          .gpus = id.gpus,
          .fabric = network.choice.fabric,
          .fabric_parts = network.choice.parts};
}

Buildable buildable(const Space& space, const DesignId& id) {
  const SystemOption& option = space.systems[id.system];
  return {.cluster = cluster_of(space, id),
          .models = {.accelerator = option.system().accelerator,
                     .node = option.node,
                     .fabric = option.networks[id.network].models}};
}

std::optional<FabricCount> counted_network(const DesignId& id, Buildable& of) {
  of.cluster.gpus = id.gpus;
  FabricDesign fabric = of.cluster.fabric;
  fabric.gpus = endpoints_of(of.cluster, of.models.node);
  CountResult counted = count_fabric(fabric);
  auto* const count = std::get_if<FabricCount>(&counted);
  return count == nullptr ? std::nullopt : std::optional(std::move(*count));
}

std::optional<MadeOf> made_of(const Space& space, const DesignId& id, Buildable& of) {
  const SystemOption& option = space.systems[id.system];
  std::optional<FabricCount> count = counted_network(id, of);
  if (!count) return std::nullopt;
  StandingResult standing;
  if (space.stand) {
    standing = space.stand(option, of.cluster);
    if (!standing) return std::nullopt;
    of.models.links = {standing->links};
  }
  of.cluster.owned = owned_in(option, id.gpus);
  if (space.failures) of.models.optical_ports = optical_ports(space.failures->recovery);
  PartsResult parts = cluster_parts(of.cluster, of.models, *count, space.book);
  auto* const quantities = std::get_if<std::vector<PartQuantity>>(&parts);
  if (quantities == nullptr) return std::nullopt;
  return MadeOf{std::move(*quantities), *std::move(count), std::move(standing)};
}

PurchaseResult purchase_of(const Space& space, const DesignId& id) {
  Buildable of = buildable(space, id);
  std::optional<MadeOf> made = made_of(space, id, of);
  if (!made) return NoSuchNetwork{};
  const BillResult billed = bill_of_materials(made->parts, space.book);
  const auto* const bill = std::get_if<BillOfMaterials>(&billed);
  if (bill == nullptr) return Unpriced{to_string(std::get<CostProblem>(billed))};
  const auto racks = made->standing ? std::optional(made->standing->racks) : std::nullopt;
  const CostResult costed = cost_of(*bill, use_of(id.gpus, space.economics, racks));
  const auto* const cost = std::get_if<CostBreakdown>(&costed);
  if (cost == nullptr) return Unpriced{to_string(std::get<CostProblem>(costed))};
  if (auto lacks = missing(*bill, cost->opex)) return *std::move(lacks);
  if (!cost->ownership || !cost->per_gpu_hour || cost->capex.at_least()) {
    return Unpriced{"total cost of ownership"};
  }
  return Purchase{.bill = *bill,
                  .cost = *cost,
                  .fabric = std::move(made->fabric),
                  .standing = std::move(made->standing)};
}

NetworkSpeed network_speed(const Space& space, const DesignId& id, const FabricCount& network) {
  const SystemOption& option = space.systems[id.system];
  const Cluster cluster = cluster_of(space, id);
  FabricDesign design = cluster.fabric;
  design.gpus = network.endpoints;
  return {.tiers = bandwidth_tiers(design, network, id.gpus),
          .rails_apart = job::rails_apart(design),
          .ports = slower_ports(design, network, gpus_at_endpoints(cluster, option.node),
                                option.system().network_bandwidth)};
}

Bought without_money(const Space& space, const DesignId& id, const MadeOf& made) {
  const SystemOption& option = space.systems[id.system];
  const FabricCount& fabric = made.fabric;
  Bought all{.gpus = id.gpus,
             .network = network_speed(space, id, fabric),
             .lead = lead_of(option, id.gpus)};
  if (space.failures) {
    ReliabilitySettings recovery = space.failures->recovery;
    const StandingResult& standing = made.standing;
    if (standing && standing->feeds && !recovery.feeds) {
      recovery.feeds = standing->feeds;
      if (!recovery.feed_hosts && *standing->feeds > 0) recovery.feed_hosts = standing->feed_hosts;
    }
    all.parts = std::make_shared<const ReliabilitySettings>(
        job::counted_parts(std::move(recovery), option.node, fabric));
  }
  return all;
}

BoughtResult bought(const Space& space, const DesignId& id) {
  PurchaseResult result = purchase_of(space, id);
  if (const auto* unpriced = std::get_if<Unpriced>(&result)) return *unpriced;
  if (std::holds_alternative<NoSuchNetwork>(result)) return NoSuchNetwork{};
  const Purchase& purchase = std::get<Purchase>(result);
  const CostBreakdown& cost = purchase.cost;
  Bought all = without_money(
      space, id, {.parts = {}, .fabric = purchase.fabric, .standing = purchase.standing});
  all.capex = cost.capex.amount;
  all.tco = cost.ownership->total;
  all.financed = cost.financed;
  all.power = cost.power;
  all.per_gpu_hour = *cost.per_gpu_hour;
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
  job::JobOnNetwork on{.name = option.system().name,
                       .design = cluster.fabric,
                       .count = {},
                       .cluster_gpus = id.gpus,
                       .node_gpus = job::gpus_sending_together(option.system(), option.node),
                       .job_gpus = id.gpus,
                       .nominal = option.system().network_bandwidth};
  on.used_gpus =
      job::used_gpus(on, option.system(), usable_hb_domain(option.system().hb_domain, on.job_gpus));
  on.design.gpus = endpoints_of(cluster, option.node);
  on.count = std::get<FabricCount>(count_fabric(on.design));
  on.nominal = network_speed(space, id, on.count).ports.value_or(on.nominal);
  return on;
}

}  // namespace

bool can_be_built(const Space& space, const DesignId& id) {
  const Cluster cluster = cluster_of(space, id);
  FabricDesign fabric = cluster.fabric;
  fabric.gpus = endpoints_of(cluster, space.systems[id.system].node);
  return std::holds_alternative<FabricCount>(count_fabric(fabric));
}

job::RoutedNetwork routed_on(const Space& space, const DesignId& id,
                             job::RoutedNetworks& networks) {
  return networks.of(on_network(space, id));
}

job::RoutedNetwork routed_on(const Space& space, const DesignId& id) {
  job::RoutedNetworks alone(*space.routing);
  return routed_on(space, id, alone);
}

Workload with_routing(Workload job, const job::RoutedNetwork& network) {
  job.routing = network.factors;
  job.stage_limit = network.stage_limit;
  job.rails_apart = network.rails_apart;
  return job;
}

Workload at_ports(Workload job, std::optional<BytesPerSecond> ports) {
  if (ports) job.system.network_bandwidth = *ports;
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
  const auto whole = capex(*bill);
  if (!whole) return Unpriced{to_string(CostProblem{CostRule::too_large, "capex"})};
  const PowerDraw power = power_draw(*bill, economics.pue);
  const OwningResult owned = owning(
      economics,
      {.capex = *whole, .power = power, .compute_power_known = true, .gpus = 1, .racks = {}});
  const auto* const cost = std::get_if<Owning>(&owned);
  if (cost == nullptr) return Unpriced{to_string(std::get<CostProblem>(owned))};
  if (auto lacks = missing(*bill, cost->opex)) return *std::move(lacks);
  const double share = 1 / real(kMany);
  const Money owning = cost_of_owning(cost->financed, cost->ownership->total).expected;
  return Piece{.capex = share * whole->amount.expected.dollars(),
               .tco = share * owning.dollars(),
               .usd_per_second = share * (cost->per_gpu_hour->expected / units::hour).si(),
               .watts = share * power.it.si(),
               .facility_watts = power.facility ? share * power.facility->expected.si() : 0};
}

Piece as_piece(const Bought& cluster) {
  return {.capex = cluster.capex.expected.dollars(),
          .tco = cluster.owning().expected.dollars(),
          .usd_per_second = real(cluster.gpus) * (cluster.per_gpu_hour.expected / units::hour).si(),
          .watts = cluster.power.it.si(),
          .facility_watts = cluster.power.facility ? cluster.power.facility->expected.si() : 0};
}

Part node_part(const Node& node) {
  return {
      .id = node.name, .title = node.title, .category = PartCategory::compute, .power = node.power};
}

PartQuantity kept_part(const SystemOption& option, std::int64_t nodes) {
  return owned_nodes(node_part(option.node), nodes, option.owned.node);
}

}  // namespace planner::design
