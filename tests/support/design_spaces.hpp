// Small random spaces of clusters and questions to them, the same in every run.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "planner/core/ceil_div.hpp"
#include "planner/cost/cluster_parts.hpp"
#include "planner/cost/link_parts.hpp"
#include "planner/design/goals.hpp"
#include "planner/design/space.hpp"
#include "planner/network/count.hpp"
#include "support/random_workloads.hpp"

namespace planner::testing {

inline Estimate<Money> random_price(Random& random, double low, double high) {
  const double expected = random.scale(low, high);
  const auto dollars = [](double amount) { return *Money::from_dollars(amount); };
  return {dollars(expected * random.uniform(0.6, 1)), dollars(expected),
          dollars(expected * random.uniform(1, 1.8))};
}

inline void add_price(PriceBook& book, const std::string& part, const Estimate<Money>& amount) {
  book.prices.push_back({.part = part, .amount = amount, .origin = {.source = "a test"}});
}

/// What errors of predicted times are: wider beyond a few GPUs.
inline TimingModel random_timing(Random& random) {
  Calibration constants = prior_calibration();
  for (const bool experts : {false, true}) {
    constants.residuals.push_back({.generation = std::nullopt,
                                   .mixture_of_experts = experts,
                                   .low = -random.uniform(0.02, 0.2),
                                   .high = random.uniform(0.01, 0.3),
                                   .rows = 10,
                                   .sources = 3,
                                   .most_gpus = random.pick({2, 16}),
                                   .longest_sequence = 1024});
  }
  return std::make_shared<const Calibration>(std::move(constants));
}

inline NetworkChoice random_network(Random& random, std::int64_t rails) {
  const Ratio ratio{.down = random.pick({1, 1, 2, 3}), .up = 1};
  FabricDesign fabric{.radix = random.pick({8, 16, 32}), .port_gbps = 400};
  switch (random.below(4)) {
    case 0:
      fabric.topology = FatTree{.oversubscription = ratio};
      break;
    case 1:
      fabric.topology =
          RailOptimized{.rails = rails, .planes = random.pick({1, 2}), .oversubscription = ratio};
      break;
    case 2:
      fabric.topology = RailOnly{.rails = rails, .oversubscription = ratio};
      break;
    default:
      fabric.topology =
          MultiPlane{.planes = 2, .ports_per_gpu = 2, .oversubscription = ratio, .max_tiers = 3};
      break;
  }
  fabric.cabling.ports_per_switch_module = random.pick({1, 2});
  return {.fabric = fabric,
          .parts = {.switches = "switch",
                    .switch_module = "switch-module",
                    .nic_module = "nic-module",
                    .fibre = "fibre"}};
}

inline FabricModels models_of(const NetworkChoice& choice) {
  const FabricDesign& fabric = choice.fabric;
  return {
      .switches =
          SwitchModel{
              .name = "switch", .ports = fabric.radix, .port_gbps = 400, .power = 700 * units::W},
      .switch_module = Optic{.name = "switch-module",
                             .ports = fabric.cabling.ports_per_switch_module,
                             .port_gbps = 400,
                             .power = 15 * units::W},
      .nic_module = Optic{.name = "nic-module", .port_gbps = 400, .power = 9 * units::W},
      .fibre = Optic{.name = "fibre", .kind = OpticKind::fibre, .power = Watts{}}};
}

/// A node that is a whole HB domain, or a part of one; one that has no price now and then.
/// @param likes  the runs, but for the system that they are on
inline design::SystemOption random_system(Random& random, const std::vector<Workload>& likes,
                                          int number, PriceBook& book) {
  design::SystemOption option;
  System system = likes.front().system;
  system.name = "system-" + std::to_string(number);
  system.hb_domain = random.pick({2, 4, 8, 9, 9, 18, 18});
  system.hb_bandwidth = random.scale(50, 900) * units::GBps;
  system.network_bandwidth = random.scale(3, 100) * units::GBps;
  Accelerator& part = system.accelerator;
  part.datasheet.bf16 = random.scale(50, 1000) * units::TFLOPs;
  part.memory_bandwidth = random.scale(500, 8000) * units::GBps;
  part.memory = random.scale(2.6, 4.2) * units::GB;
  const std::int64_t gpus = system.hb_domain == 18 ? random.pick({2, 18}) : system.hb_domain;
  option.node = {.name = "node-" + std::to_string(number),
                 .title = "a node",
                 .accelerators = gpus,
                 .nics = gpus,
                 .nic_bandwidth = 50 * units::GBps,
                 .power = static_cast<double>(gpus) * random.scale(500, 1600) * units::W};
  if (random.below(12) != 0) {
    add_price(
        book, option.node.name,
        random_price(random, static_cast<double>(gpus) * 5e3, static_cast<double>(gpus) * 5e4));
  }
  for (Workload job : likes) {
    job.system = system;
    SearchSpace strategies = all_calibrated_axes(job);
    option.runs.push_back({.job = std::move(job), .strategies = std::move(strategies)});
  }
  const std::int64_t networks = 1 + random.below(6);
  for (std::int64_t i = 0; i < networks; ++i) {
    design::NetworkOption network{.choice = random_network(random, system.hb_domain)};
    network.models = models_of(network.choice);
    option.networks.push_back(std::move(network));
  }
  return option;
}

inline Economics random_economics(Random& random) {
  Economics economics{.name = "a-place",
                      .electricity = Estimate<UsdPerJoule>::exactly(random.uniform(0.03, 0.2) *
                                                                    units::usd / units::kWh),
                      .pue = Estimate<double>{1.1, 1.3, 1.5},
                      .load = random.uniform(0.5, 1),
                      .depreciation_years = 4,
                      .horizon_years = random.uniform(2, 6),
                      .grid_kg_co2_per_kwh = 0.4};
  if (random.coin()) {
    economics.staff = Estimate<UsdPerSecond>::exactly(1e6 * units::usd / units::year);
  }
  if (random.coin()) economics.maintenance = Estimate<double>{0.02, 0.03, 0.05};
  // Of half of them money costs something, of another half profits are taxed.
  const double part = economics.horizon_years - std::floor(economics.horizon_years);
  if (part < 0.5) economics.cost_of_capital = 0.4 * part;
  if (part > 0.25 && part < 0.75) economics.tax_rate = 0.5 * part;
  return economics;
}

/// Prices of GPU-hours for all terms.
inline void add_rents(Random& random, design::Space& space) {
  for (design::SystemOption& option : space.systems) {
    System& system = option.runs.front().job.system;
    system.accelerator.name = "gpu of " + system.name;
    for (const RentTerm term : kRentTerms) {
      const UsdPerSecond hour = random.uniform(0.5, 4) * units::usd / units::hour;
      space.economics.cloud.push_back({.accelerator = system.accelerator.name,
                                       .term = term,
                                       .rent = {0.8 * hour, hour, 1.5 * hour}});
    }
  }
}

/// Parts that fail so often that it matters to runs of minutes.
inline design::Failures random_failures(Random& random) {
  const auto hours = [&](double low, double high) { return random.scale(low, high) * units::hour; };
  design::Failures failures;
  FailureRates& rates = failures.rates;
  const auto add = [&](const char* part, FailureUnit unit, double most, bool needs_spare) {
    rates.components.push_back({.component = part,
                                .unit = unit,
                                .rate = random.scale(1e-3 * most, most) * units::per_hour,
                                .detect = hours(1e-4, 1e-2),
                                .diagnose = hours(1e-4, 1e-2),
                                .repair = hours(0.01, 5),
                                .needs_spare = needs_spare});
  };
  add("GPU", FailureUnit::gpu, 0.1, true);
  add("link", FailureUnit::link, 0.02, false);
  add("switch", FailureUnit::network_switch, 0.05, false);
  add("feed", FailureUnit::feed, 0.05, false);
  rates.restart = hours(1e-4, 1e-2);
  rates.checkpoint_stall = hours(1e-5, 1e-3);
  if (random.below(3) == 0) failures.recovery.access = AccessLinks::dual_tor;
  if (random.below(3) == 0) failures.spares = {0, 1, 3};
  if (random.below(5) == 0) failures.spares = {2};
  return failures;
}

/// Copper, and two fibres of which the far one has other transceivers.
inline std::vector<MediumModels> some_media(std::int64_t switch_ports) {
  const auto optic = [](const char* name, std::int64_t ports, double watts) {
    return Optic{.name = name, .ports = ports, .port_gbps = 400, .power = watts * units::W};
  };
  using K = MediumKind;
  return {{.medium = {.name = "copper", .kind = K::copper, .reach_m = 3, .sold_m = {1, 3}},
           .cable = optic("copper", 1, 0.1)},
          {.medium = {.name = "near",
                      .kind = K::multi_mode,
                      .reach_m = 30,
                      .sold_m = {3, 10, 30},
                      .modules = {"switch-module", "nic-module"}}},
          {.medium = {.name = "far",
                      .kind = K::single_mode,
                      .reach_m = 500,
                      .sold_m = {50, 500},
                      .modules = {"far-module", "far-switch-module"}},
           .modules = {optic("far-module", 1, 6), optic("far-switch-module", switch_ports, 17)}}};
}

/// A building of a kind: each layer of a network is of a medium and length of its own, which
/// depend on the number of GPUs, and some numbers do not fit.
inline design::StandingResult standing_of(const design::NetworkOption& network,
                                          const Cluster& cluster, std::int64_t endpoints,
                                          const PriceBook& book) {
  if (cluster.gpus % 13 == 0) return nullptr;
  FabricDesign fabric = cluster.fabric;
  fabric.gpus = endpoints;
  const Cabling& cabling = fabric.cabling;
  const FabricCount count = std::get<FabricCount>(count_fabric(fabric));
  LaidLinks laid;
  for (std::size_t layer = 0; layer < count.layers.size(); ++layer) {
    const std::size_t turn = static_cast<std::size_t>(cluster.gpus) / 4 + layer;
    const std::size_t medium = layer == 0 ? turn % 3 : 1 + turn % 2;
    const std::int64_t links = count.layers[layer].links;
    const std::vector<double>& sold = network.media[medium].medium.sold_m;
    laid.cables.push_back({medium, 400, sold[turn % sold.size()], links});
    if (medium == 0) continue;
    const std::int64_t each = cabling.ports_per_switch_module;
    laid.modules.push_back({medium, 400, true, ceil_div(links, each), links});
    if (layer == 0) {
      laid.modules.push_back({medium, 400, false, links, links});
    } else {
      laid.modules.push_back({medium, 400, true, ceil_div(links, each), links});
    }
  }
  return std::make_shared<const design::Standing>(
      design::Standing{.links = link_parts(laid, network.media, cabling, network.models, book),
                       .racks = 1 + cluster.gpus / 16,
                       .feeds = cluster.gpus % 3 == 0 ? 0 : 1 + cluster.gpus / 32,
                       .feed_hosts = 2});
}

inline void lay_out_clusters(Random& random, design::Space& space) {
  add_price(space.book, "copper", random_price(random, 20, 2000));
  add_price(space.book, "far-module", random_price(random, 50, 2000));
  add_price(space.book, "far-switch-module", random_price(random, 50, 2000));
  add_price(space.book, "fibre-single-mode", random_price(random, 20, 300));
  for (Price& price : space.book.prices) {
    if (price.part.starts_with("fibre")) price.per_metre = random_price(random, 1, 9);
  }
  if (random.coin()) {
    space.economics.rack_rental =
        Estimate<UsdPerSecond>::exactly(random.uniform(1e3, 2e4) * units::usd / units::year);
  }
  for (design::SystemOption& option : space.systems) {
    for (design::NetworkOption& network : option.networks) {
      network.media = some_media(network.choice.fabric.cabling.ports_per_switch_module);
    }
  }
  space.stand = [book = space.book](const design::SystemOption& option, const Cluster& cluster) {
    const auto network =
        std::find_if(option.networks.begin(), option.networks.end(),
                     [&](const auto& one) { return one.choice.fabric == cluster.fabric; });
    return standing_of(*network, cluster, endpoints_of(cluster, option.node), book);
  };
}

inline Workload random_run(Random& random) {
  Workload like = random_calibrated_workload(random);
  like.network_tiers.clear();
  like.routing.reset();
  like.model.layers = random.pick({2, 6, 8, 12});
  like.timing = random_timing(random);
  return like;
}

/// Some hundred to some thousand designs; of several runs, one after the other, fewer.
inline design::Space random_space(Random& random, std::size_t runs = 1) {
  std::vector<Workload> likes{random_run(random)};
  design::Space space;
  space.tokens = {random.scale(1e6, 1e9)};
  space.economics = random_economics(random);
  add_price(space.book, "switch", random_price(random, 1e3, 6e4));
  add_price(space.book, "switch-module", random_price(random, 100, 2000));
  add_price(space.book, "nic-module", random_price(random, 100, 2000));
  add_price(space.book, "fibre", random_price(random, 20, 200));
  space.batches = {{0, random.pick({4, 6, 8})}, {0, random.pick({12, 16, 24, 64})}};
  if (random.coin()) space.batches.pop_back();
  space.gpus = {.from = 1, .to = random.pick({48, 96, 160, 480})};
  for (std::size_t run = 1; run < runs; ++run) {
    Workload other = random_run(random);
    other.run.precision = likes.front().run.precision;
    likes.push_back(std::move(other));
    space.tokens.push_back(random.scale(0.1, 10) * space.tokens.front());
    space.batches.push_back({run, random.pick({4, 8, 12, 16})});
    if (random.coin()) space.batches.push_back({run, random.pick({24, 48})});
    space.gpus.to = runs == 2 ? random.pick({24, 36, 54}) : 18;
  }
  const std::int64_t systems = 1 + random.below(3);
  for (int i = 0; i < systems; ++i) {
    space.systems.push_back(random_system(random, likes, i, space.book));
  }
  if (random.below(3) == 0) space.failures = random_failures(random);
  if (random.below(4) == 0) {
    space.routing = RoutingSettings{
        .scheme = random.pick(std::vector{RoutingScheme::ecmp, RoutingScheme::ecmp_qp,
                                          RoutingScheme::pin, RoutingScheme::spray})};
    if (space.routing->scheme == RoutingScheme::ecmp_qp) space.routing->qps = 4;
  }
  for (design::SystemOption& option : space.systems) {
    if (random.below(4) == 0) option.lead = random.uniform(0.001, 2) * units::day;
    if (random.below(4) != 0) continue;
    const double new_price = static_cast<double>(option.node.accelerators) * 2e4;
    option.owned = {.nodes = random.pick({1, 3, 8}),
                    .node = *Money::from_dollars(std::floor(new_price * random.uniform(0.1, 1.2)))};
    option.for_sale = random.below(3) != 0;
    space.owned_value = Money::cents(space.owned_value.in_cents() +
                                     option.owned.nodes * option.owned.node.in_cents());
  }
  if (random.below(3) == 0) lay_out_clusters(random, space);
  return space;
}

inline design::Question random_question(Random& random) {
  design::Question question;
  std::vector<Measure> measures{kMeasures.begin(), kMeasures.end()};
  const std::int64_t goals = 1 + random.below(3);
  for (std::int64_t i = 0; i < goals; ++i) {
    const auto at = measures.begin() + random.below(static_cast<std::int64_t>(measures.size()));
    question.goals.push_back({.measure = *at, .confident = random.below(4) == 0});
    measures.erase(at);
  }
  question.front = goals > 1 && random.coin();
  question.top = static_cast<std::size_t>(random.pick({1, 1, 2, 5}));
  question.confidence = random.pick(std::vector<double>{0.5, 0.8, 0.95});
  return question;
}

/// Limits on some figures around those of a design that there is.
inline BriefLimits random_limits(Random& random, const design::Judged& around) {
  const auto limit = [&](Measure measure) {
    return around.confident[design::at(measure)] * random.pick(std::vector<double>{0.7, 1, 1.2, 2});
  };
  const auto cents = [&](Measure measure) {
    return Money::cents(static_cast<std::int64_t>(limit(measure)));
  };
  BriefLimits limits;
  if (random.coin()) limits.days = limit(Measure::days);
  if (random.below(3) == 0) limits.capex = cents(Measure::capex);
  if (random.below(3) == 0) limits.tco = cents(Measure::tco);
  if (random.below(3) == 0) limits.run_cost = cents(Measure::run_cost);
  if (random.below(3) == 0) limits.power = Watts{limit(Measure::power)};
  if (random.below(4) == 0) limits.facility_power = Watts{limit(Measure::facility_power)};
  if (random.below(4) == 0) {
    limits.gpus = static_cast<std::int64_t>(limit(Measure::gpus));
  }
  return limits;
}

}  // namespace planner::testing
