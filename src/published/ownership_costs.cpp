// What owning a GPU costs by others, beside what our street prices give.

#include <fmt/format.h>

#include "planner/cost/bill.hpp"
#include "planner/cost/cost.hpp"
#include "planner/cost/network_parts.hpp"
#include "planner/network/count.hpp"
#include "planner/published/published.hpp"

namespace planner::published {

namespace {

constexpr const char* kInferenceX =
    "InferenceX, hardware registry (github.com/SemiAnalysisAI/InferenceX), 2026";
constexpr const char* kClusterMax = "ClusterMAX (SemiAnalysis), 4,096 GPUs over 36 months";
constexpr std::int64_t kClusterGpus = 4096;

/// What is bought for each row: servers of so many GPUs.
struct Server {
  std::string part;  ///< in the street book
  std::int64_t gpus = 8;
  Watts power{};  ///< of one server
};

/// 400 Gb/s for each GPU on three tiers of QM9700 with twin-port modules.
std::vector<PartQuantity> network_of(std::int64_t gpus, const catalog::Catalog& catalog,
                                     const PriceBook& book) {
  FabricDesign design = default_design(Topology::fat_tree, gpus);
  design.cabling.ports_per_switch_module = design.cabling.ports_per_nic_module = 2;
  FabricModels models;
  models.switches = catalog.load_switch("qm9700");
  models.switch_module = models.nic_module = catalog.load_optic("mma4z00-ns");
  models.fibre = catalog.load_optic("om4-fibre");
  const CountResult count = count_fabric(design);
  const PartsResult parts = network_parts(design, std::get<FabricCount>(count), models, book);
  return std::get<std::vector<PartQuantity>>(parts);
}

/// About 4,096 GPUs in whole servers, their network and rented space.
CostBreakdown cost_of_servers(const Server& server, double years, const catalog::Catalog& catalog) {
  const PriceBook book = catalog.load_price_book("street-2026");
  Economics economics = catalog.load_economics("us-2026");
  economics.horizon_years = economics.depreciation_years = years;
  const std::int64_t servers = kClusterGpus / server.gpus, gpus = servers * server.gpus;
  std::vector<PartQuantity> parts = network_of(gpus, catalog, book);
  parts.push_back({.part = {.id = server.part,
                            .title = server.part,
                            .category = PartCategory::compute,
                            .power = server.power},
                   .quantity = servers});
  const auto bill = std::get<BillOfMaterials>(bill_of_materials(parts, book));
  return std::get<CostBreakdown>(cost_of(bill, {.gpus = gpus, .economics = economics}));
}

double per_gpu_hour(const Server& server, double years, const catalog::Catalog& catalog) {
  const CostBreakdown cost = cost_of_servers(server, years, catalog);
  return cost.per_gpu_hour ? cost.per_gpu_hour->expected.si() : 0;
}

Server server_of(const char* node, const catalog::Catalog& catalog) {
  const Node found = catalog.load_node(node);
  return {.part = node, .gpus = found.accelerators, .power = found.power.value_or(Watts{})};
}

}  // namespace

Checks ownership_costs(const catalog::Catalog& catalog) {
  Checks rows;
  const auto row = [&](const char* gpu, double hyperscaler, double neocloud, const Server& server,
                       const char* why) {
    const double ours = per_gpu_hour(server, 4, catalog);
    const std::string note =
        fmt::format("{}; over five years ours is {:.2f}", why, per_gpu_hour(server, 5, catalog));
    for (const bool large : {true, false}) {
      rows.push_back({.id = "ownership_per_gpu_hour",
                      .source = kInferenceX,
                      .quantity = std::string(gpu) + (large ? ", a GPU-hour at a hyperscaler"
                                                            : ", a GPU-hour at a neocloud"),
                      .unit = "USD",
                      .kind = Kind::shown,
                      .published = large ? hyperscaler : neocloud,
                      .ours = ours,
                      .note = note});
    }
  };
  constexpr const char* kTheirs =
      "[F] ours: street prices of servers and an InfiniBand network, space and power of us-2026, "
      "four years to nothing, no cost of capital, staff, storage or resale; theirs: not published";
  row("H100", 1.17, 1.55, server_of("dgx-h100", catalog), kTheirs);
  row("B200", 1.73, 2.07, server_of("dgx-b200", catalog), kTheirs);
  Server rack = server_of("gb300-nvl72", catalog);
  if (rack.power == Watts{}) rack.power = 72 * 2.12 * units::kW;
  row("GB300", 2.31, 2.79, rack,
      "[F] as above; 2.12 kW for each GPU, all included, are theirs: no figure of the rack is "
      "published");
  const Server amd{.part = "mi355x-node", .gpus = 8, .power = 8 * 2.09 * units::kW};
  row("MI355X", 1.50, 2.09, amd,
      "[F] as above; 2.09 kW for each GPU, all included, are theirs; a node of eight is derived: 8 "
      "× $24,000 and a host");
  const CostBreakdown h100 = cost_of_servers(server_of("dgx-h100", catalog), 3, catalog);
  for (const double published : {199.4, 251.6}) {
    rows.push_back({.id = "ownership_4096_gpus",
                    .source = kClusterMax,
                    .quantity = published < 200 ? "total cost, lowest" : "total cost, highest",
                    .unit = "M USD",
                    .kind = Kind::shown,
                    .published = published,
                    .ours = h100.ownership ? h100.ownership->total.expected.dollars() / 1e6 : 0,
                    .note = "[F] secondary copy: neither the GPU nor what is counted is known; "
                            "ours: H100, without resale"});
  }
  return rows;
}

}  // namespace planner::published
