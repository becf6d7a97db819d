#include <fmt/format.h>

#include <set>

#include "planner/commands/network/network.hpp"
#include "planner/commands/options/fabric.hpp"
#include "planner/commands/options/machine.hpp"
#include "planner/commands/parts/price_book.hpp"
#include "planner/json/output.hpp"
#include "planner/present/currency.hpp"

namespace planner::commands {

namespace {

/// `--switch-port-price` and `--transceiver-price`: that pair is the whole price book.
PriceBook flag_prices(const NetworkRequest& request, const FabricDesign& design,
                      const FabricCount& count) {
  PriceBook book{.name = "flags", .title = "prices given as flags"};
  const auto add = [&](const std::optional<double>& given, const char* flag,
                       const std::set<std::int64_t>& speeds, std::vector<PortPrice>& prices) {
    if (!given) return;
    const std::optional<Money> price = Money::from_dollars(*given);
    if (price <= Money{}) usage_error(fmt::format("--{} is out of range", flag));
    for (const std::int64_t gbps : speeds) {
      prices.push_back({.port_gbps = gbps,
                        .amount = Estimate<Money>::exactly(*price),
                        .origin = {.source = fmt::format("--{}", flag)}});
    }
  };
  std::set<std::int64_t> speeds{design.port_gbps};
  for (const LinkLayer& layer : count.layers) speeds.insert(layer.gbps);
  add(request.switch_port_price, "switch-port-price", {design.port_gbps}, book.switch_ports);
  add(request.transceiver_price, "transceiver-price", speeds, book.transceiver_ends);
  book.included.push_back({.category = PartCategory::cables, .within = PartCategory::transceivers});
  return book;
}

std::optional<PriceBook> asked_prices(const NetworkRequest& request, const FabricDesign& design,
                                      const FabricCount& count, const catalog::Catalog& catalog) {
  const bool by_flags = request.switch_port_price || request.transceiver_price;
  if (by_flags && request.prices) {
    usage_error("--prices and --switch-port-price or --transceiver-price exclude each other");
  }
  if (by_flags) return flag_prices(request, design, count);
  if (request.prices) return load_prices(*request.prices, catalog);
  return std::nullopt;
}

/// What the network is bought as, and the design with what follows from that: a switch's ports,
/// where nobody gave a radix, and the ports of modules.
FabricModels models_of(const NetworkRequest& request, const catalog::Catalog& catalog,
                       FabricDesign& design) {
  FabricModels models;
  if (!request.switches && !request.modules && !request.nic_modules) return models;
  if (!request.prices) usage_error("--switch and --modules need --prices", "planner list prices");
  if (request.switches) {
    models.switches = catalog.load_switch(*request.switches);
    const std::int64_t ports = models.switches->ports_at(design.port_gbps);
    if (!request.fabric.radix && ports > 0) design.radix = ports;
  }
  const auto& at_nics = request.nic_modules ? request.nic_modules : request.modules;
  if (request.modules) {
    models.switch_module = catalog.load_optic(*request.modules);
    design.cabling.ports_per_switch_module = models.switch_module->ports;
  }
  if (at_nics) {
    models.nic_module = catalog.load_optic(*at_nics);
    design.cabling.ports_per_nic_module = models.nic_module->ports;
  }
  return models;
}

std::vector<OptionOf<NetworkRequest>> options() {
  using R = NetworkRequest;
  using F = job::FabricChoice;
  constexpr const char* kFabric = "The network";
  return joined<R>({
      in(&R::fabric,
         std::vector<OptionOf<F>>{
             integer({"gpus", "N", "GPUs in all", kWhat}, &F::gpus, 1, kMostGpus),
             integer({"hb-domain", "K", "GPUs per HB domain", "Change the system"}, &F::hb_domain,
                     1, kMostDomainGpus)}),
      in(&R::fabric, fabric_options()),
      in(&R::fabric, fabric_count_options()),
      {text({"prices", "NAME|FILE", "price book: planner list prices", kFabric}, &R::prices),
       text({"switch", "PART", "its switches: planner list switches", kFabric}, &R::switches),
       text({"modules", "PART", "its transceivers: planner list optics", kFabric}, &R::modules),
       text({"nic-modules", "PART", "those in the NICs, where they are others", kFabric},
            &R::nic_modules),
       positive({"switch-port-price", "USD", "of every switch port; no price book then", kFabric},
                &R::switch_port_price, kMostPriceUsd),
       positive({"transceiver-price", "USD", "of every optical end, cables included", kFabric},
                &R::transceiver_price, kMostPriceUsd),
       turn_on({"require-prices", "", "exit with 5 when a line has no price", kFabric},
               &R::require_prices),
       text({"dot", "FILE", "its graph for Graphviz: device by device, or by tier where many",
             kFabric},
            &R::dot)},
  });
}

std::vector<SweepLine> lines(const NetworkAnswer& answer) {
  SweepLine line{
      .figures = {
          {"switches", "switches", present::count(answer.count.total_switches())},
          {"transceivers", "transceivers (link ends)", present::count(answer.count.transceivers)}}};
  if (!answer.priced) return {line};
  const Total& total = answer.priced->total;
  const Currency currency = answer.priced->bill.currency;
  line.figures.push_back(
      {currency == Currency::relative ? "cost_relative" : "cost_usd",
       fmt::format("cost ({})", present::money_unit(currency)),
       total.known()
           ? present::at_least(total.at_least(),
                               present::plain_money(total.amount.expected.dollars(), currency))
           : present::unknown("not priced")});
  line.figures.push_back(
      {"unpriced_lines", "lines without a price", present::count(total.missing), 0});
  return {line};
}

}  // namespace

NetworkAnswer count_network(const NetworkRequest& request, Context& context) {
  FabricDesign design = job::design_of(request.fabric, context.warnings);
  const FabricModels models = models_of(request, context.catalog, design);
  NetworkAnswer answer{.count = job::counted(design), .port_gbps = design.port_gbps};
  job::warn_about_unknown_links(design, context.warnings);
  job::warn_about_reserve(answer.count, context.warnings);
  std::string missing = "no prices are given";
  if (const auto book = asked_prices(request, design, answer.count, context.catalog)) {
    answer.priced = job::price_network(design, answer.count, models, *book);
    const BillOfMaterials& bill = answer.priced->bill;
    const Total& total = answer.priced->total;
    missing = total.at_least() ? job::unpriced(total.missing) : "";
    if (total.at_least()) context.warnings.push_back(price_remark(bill, total.known()));
    if (request.prices) {
      warn_about_unused(*book, *request.prices, bill, context.catalog, context.warnings);
    }
  }
  if (request.dot) json::write_file(*request.dot, network_dot(design, answer.count));
  if (request.require_prices && !missing.empty()) {
    context.fail(ExitCode::limit_exceeded, job::unpriced_error(missing));
  }
  return answer;
}

Command network() {
  return erased(CommandOf<NetworkRequest, NetworkAnswer>{.name = "network",
                                                         .summary = "count and price one network",
                                                         .shows_money = true,
                                                         .options = options(),
                                                         .run = count_network,
                                                         .fields = network_fields,
                                                         .view = network_view,
                                                         .lines = lines});
}

}  // namespace planner::commands
