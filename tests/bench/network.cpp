// Counting and pricing a network of 100,000 GPUs.
#include <benchmark/benchmark.h>

#include "planner/cost/bill.hpp"
#include "planner/cost/capex.hpp"
#include "planner/cost/network_parts.hpp"
#include "planner/network/count.hpp"

namespace {

using namespace planner;

PriceBook ports_and_ends() {
  PriceBook book;
  for (const std::int64_t gbps : {56, 200, 400}) {
    book.switch_ports.push_back({.port_gbps = gbps,
                                 .amount = Estimate<Money>::exactly(Money::cents(74'800)),
                                 .origin = {}});
    book.transceiver_ends.push_back({.port_gbps = gbps,
                                     .amount = Estimate<Money>::exactly(Money::cents(37'400)),
                                     .origin = {}});
  }
  return book;
}

/// From a design to its total.
void count_and_price(benchmark::State& state, const FabricDesign& design) {
  const PriceBook book = ports_and_ends();
  for (auto _ : state) {
    const FabricCount count = std::get<FabricCount>(count_fabric(design));
    const auto parts = std::get<std::vector<PartQuantity>>(network_parts(design, count, {}, book));
    const auto bill = std::get<BillOfMaterials>(bill_of_materials(parts, book));
    benchmark::DoNotOptimize(capex(bill));
  }
}

FabricDesign at_100k(std::int64_t radix, TopologyOptions topology) {
  return {.gpus = 100'000, .radix = radix, .port_gbps = 400, .topology = std::move(topology)};
}

BENCHMARK_CAPTURE(count_and_price, fat_tree, at_100k(128, FatTree{}));
BENCHMARK_CAPTURE(count_and_price, fat_tree_pod_aligned,
                  at_100k(128, FatTree{.pod_aligned = true}));
BENCHMARK_CAPTURE(count_and_price, fat_tree_oversubscribed,
                  at_100k(128,
                          FatTree{.oversubscription = {.down = 7, .up = 3}, .pod_aligned = true}));
BENCHMARK_CAPTURE(count_and_price, rail_optimized, at_100k(128, RailOptimized{}));
BENCHMARK_CAPTURE(count_and_price, rail_only, at_100k(128, RailOnly{}));
BENCHMARK_CAPTURE(count_and_price, hpn, at_100k(128, Hpn{.max_pods = 16}));
BENCHMARK_CAPTURE(count_and_price, dragonfly, at_100k(64, Dragonfly{}));
BENCHMARK_CAPTURE(count_and_price, slim_fly, at_100k(128, SlimFly{}));

}  // namespace
