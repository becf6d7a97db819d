#include <fmt/format.h>

#include <cmath>

#include "planner/design/search.hpp"
#include "planner/job/strategy.hpp"
#include "planner/job/workload.hpp"
#include "planner/published/published.hpp"
#include "planner/published/sources.hpp"

// Clusters that papers printed to be cheaper, found by the exact search where they are among what
// can be bought.
namespace planner::published {

namespace {

using design::NetworkOption;
using design::SystemOption;

constexpr Watts kNotAsked{};  // papers that print prices alone: power decides nothing here

/// Nothing but the purchase is asked: every other figure is known, and decides nothing.
Economics purchase_alone() {
  return {.name = "purchase-alone",
          .electricity = Estimate<UsdPerJoule>{},
          .pue = Estimate<double>::exactly(1)};
}

SystemOption option_of(const catalog::Catalog& catalog, const char* model, const char* system,
                       const job::RunChoice& run, Node node) {
  std::vector<std::string> warnings;
  Workload job = job::workload_of({.model = catalog.load_model(model).spec,
                                   .system = catalog.load_system(system),
                                   .gpus = 1,
                                   .run = run,
                                   .timing = catalog.load_calibration("default")},
                                  warnings);
  SearchSpace strategies = job::search_space({}, job);
  return {.runs = {{.job = std::move(job), .strategies = std::move(strategies)}},
          .node = std::move(node)};
}

/// The cheapest designs to buy, of equals the fastest.
std::vector<design::Found> cheapest(const design::Space& space, std::size_t top,
                                    std::optional<std::size_t> system = {}) {
  design::Times times(space);
  const design::Question question{
      .goals = {{.measure = Measure::capex}, {.measure = Measure::days}},
      .top = top,
      .system = system};
  return find_designs(space, question, times).found;
}

double dollars(const design::Found& found) {
  return found.cluster.capex.expected.dollars();
}

// --- rail-only -----------------------------------------------------------------------------------

constexpr const char* kTable2 = "rail-only networks (arXiv 2307.12169), Table 2";

NetworkOption priced_by_port(std::int64_t radix, const TopologyOptions& topology) {
  return {
      .choice = {.fabric = {.radix = radix, .port_gbps = 400, .topology = topology}, .parts = {}},
      .models = {
          .switches =
              SwitchModel{.name = "switch", .ports = radix, .port_gbps = 400, .power = kNotAsked},
          .switch_module = Optic{.name = "module", .power = kNotAsked}}};
}

struct Table2Row {
  std::int64_t gpus, radix;
  double reduction;  ///< of the network's price, %, cut to whole ones
};

/// GPT-1T, GPUs in HB domains of 256: the paper prices no nodes, so these cost nothing.
void add_rail_only(const catalog::Catalog& catalog, Checks& rows) {
  constexpr std::int64_t kDomain = 256;
  const Node node{.name = "domain",
                  .title = "an HB domain of 256 GPUs",
                  .accelerators = kDomain,
                  .nics = kDomain,
                  .nic_bandwidth = 50 * units::GBps,
                  .power = kNotAsked};
  design::Space space;
  space.systems.push_back(
      option_of(catalog, "gpt1t", "gh200-256", {.global_batch = 4096, .sequence = 2048}, node));
  space.batches = {{.run = 0, .size = 4096}};
  space.tokens = {450e9};  // Narayanan et al. 2021 (arXiv 2104.04473), section 5.1
  space.book = catalog.load_price_book("rail-only-paper");
  space.economics = purchase_alone();
  space.book.prices.push_back({.part = node.name, .amount = Estimate<Money>{}});
  constexpr std::array<Table2Row, 6> kRows{{{32768, 64, 37},
                                            {32768, 128, 75},
                                            {32768, 256, 60},
                                            {65536, 64, 37},
                                            {65536, 128, 37},
                                            {65536, 256, 75}}};
  for (const Table2Row& row : kRows) {
    space.gpus.counts = {row.gpus};
    space.systems.front().networks = {priced_by_port(row.radix, FatTree{}),
                                      priced_by_port(row.radix, RailOnly{.rails = kDomain})};
    const auto found = cheapest(space, 2);
    // The search found it: the first is the one that has no links between rails.
    const bool both = found.size() == 2 && found.front().place.id.network == 1;
    const auto add = [&](const char* what, double published, double ours, double tolerance,
                         const char* note) {
      rows.push_back({.id = "railonly_T2_searched",
                      .source = kTable2,
                      .quantity = fmt::format("{} GPUs, {} ports, cheapest of both networks: {}",
                                              row.gpus, row.radix, what),
                      .unit = "%",
                      .kind = Kind::timing,
                      .published = published,
                      .ours = both ? ours : std::nan(""),
                      .tolerance = tolerance,
                      .note = note});
    };
    const auto saved = [&](auto value) {
      return both ? 100 * (1 - value(found[0]) / value(found[1])) : 0;
    };
    add("saves of the price", row.reduction, saved(dollars), 0.5 + 1e-9, "the paper cuts 37.5");
    add("saves of the time", 0,
        saved([](const design::Found& one) { return one.times.front().time.si(); }), 0, "");
  }
}

// --- Fire-Flyer ----------------------------------------------------------------------------------

/// A network that Table III prices as a whole.
NetworkOption quoted(const catalog::Catalog& catalog, const TopologyOptions& topology,
                     const char* quote) {
  constexpr CableKind kCable = CableKind::active_optical;
  return {
      .choice = {.fabric = {.radix = 40,
                            .port_gbps = 200,
                            .topology = topology,
                            .cabling = {.host = kCable, .first = kCable, .upper = kCable}},
                 .parts = {.switches = "qm8700", .active_optical = "cable", .quote = quote}},
      .models = {.switches = catalog.load_switch("qm8700"),
                 .active_optical =
                     Optic{.name = "cable", .kind = OpticKind::active_optical, .power = kNotAsked},
                 .quote = quote}};
}

/// Relative units, read as dollars: only their ratios are asked for.
PriceBook as_dollars(PriceBook book) {
  book.currency = Currency::usd;
  for (Price& price : book.prices) price.currency = Currency::usd;
  return book;
}

/// 10,000 GPUs of either kind on the networks of Table III.
void add_fire_flyer(const catalog::Catalog& catalog, Checks& rows) {
  constexpr std::int64_t kBatch = 4608;  // of DeepSeekMoE-16B, the paper's Figure 9
  constexpr double kTokens = 2e12;       // DeepSeekMoE (arXiv 2401.06066), section 5.1.2
  const job::RunChoice run{.global_batch = kBatch};
  design::Space space;
  for (const char* const name : {"fire-flyer-2", "dgx-a100-40gb"}) {
    space.systems.push_back(
        option_of(catalog, "deepseek-moe-16b", name, run, catalog.load_node(name)));
  }
  space.batches = {{.run = 0, .size = kBatch}};
  space.tokens = {kTokens};
  space.gpus.counts = {10000};
  space.book = as_dollars(catalog.load_price_book("fire-flyer-relative"));
  space.economics = purchase_alone();
  const NetworkOption zones =
      quoted(catalog, TwoZoneFatTree{.zone_switches = 2}, "two-zone-network");
  space.systems[0].networks = {quoted(catalog, FatTree{}, "three-layer-network-1600"), zones};
  space.systems[1].networks = {quoted(catalog, FatTree{}, "three-layer-network-10000"), zones};
  const auto found = cheapest(space, 2), dgx = cheapest(space, 1, 1);
  const design::DesignId own{.system = 0, .gpus = 10000, .network = 1};
  const bool two_zones = found.size() == 2 && dgx.size() == 1 && found.front().place.id == own;
  const auto add = [&](const char* what, double published, double ours, const char* note) {
    rows.push_back({.id = "fireflyer_T3_searched",
                    .source = place_in(kFireFlyer, "Table III"),
                    .quantity = what,
                    .unit = "%",
                    .kind = Kind::computed,
                    .published = published,
                    .ours = two_zones ? ours : std::nan(""),
                    .tolerance = 0.5,
                    .note = note});
  };
  if (!two_zones) return add("the cheapest of all is its own design", 50, 0, "");
  add("10,000 A100, cheapest of all against the best of DGX-A100, price", 50,
      100 * dollars(found[0]) / dollars(dgx[0]), "the paper rounds 11,600 of 23,000");
  add("the same against three layers under the same nodes, price", 97.9,
      100 * dollars(found[0]) / dollars(found[1]), "11,600 of 11,850");
}

}  // namespace

Checks searched_designs(const catalog::Catalog& catalog) {
  Checks rows;
  add_rail_only(catalog, rows);
  add_fire_flyer(catalog, rows);
  return rows;
}

}  // namespace planner::published
