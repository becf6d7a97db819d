#include <fmt/format.h>

#include <utility>

#include "planner/api/commands.hpp"
#include "planner/api/options.hpp"
#include "planner/cost/bill.hpp"
#include "planner/cost/capex.hpp"
#include "planner/cost/network_parts.hpp"
#include "planner/network/count.hpp"
#include "planner/network/topologies/topologies.hpp"

namespace planner {

namespace {

/// Puts the options that only some topologies have into this one. A size of HB domains is a fact
/// about the machine, the same for every network compared: no error where it changes nothing.
void set_inputs(const Request& request, TopologyOptions& topology,
                std::vector<std::string>& warnings) {
  const std::string_view name = name_of(*request.topology);
  if (request.hb_domain && takes_option(topology, "hb-domain")) {
    set_option(topology, "hb-domain", *request.hb_domain);
  } else if (request.hb_domain) {
    warnings.push_back(fmt::format(
        "--hb-domain changes nothing: the parts of a {} network do not depend on it", name));
  }
  for (const Option& option : options()) {
    const auto given = request.topology_inputs.find(option.name);
    if (given == request.topology_inputs.end()) continue;
    if (!takes_option(topology, option.name)) {
      usage_error(fmt::format("--{} has no meaning for {}", option.name, name));
    }
    set_option(topology, option.name, given->second);
  }
}

/// `--switch-port-price` and `--transceiver-price`: that pair is the whole price book.
PriceBook flag_prices(const Request& request, const FabricDesign& design) {
  PriceBook book{.name = "flags", .title = "prices given as flags"};
  const auto add = [&](const std::optional<double>& dollars, const char* flag,
                       std::vector<PortPrice>& prices) {
    if (!dollars) return;
    const std::optional<Money> price = Money::from_dollars(*dollars);
    if (price <= Money{}) usage_error(fmt::format("--{} is out of range", flag));
    prices.push_back({.port_gbps = design.port_gbps,
                      .amount = Estimate<Money>::exactly(*price),
                      .origin = {.source = fmt::format("--{}", flag)}});
  };
  add(request.switch_port_price, "switch-port-price", book.switch_ports);
  add(request.transceiver_price, "transceiver-price", book.transceiver_ends);
  book.included.push_back({.category = PartCategory::cables, .within = PartCategory::transceivers});
  return book;
}

std::optional<PriceBook> asked_prices(const Request& request, const FabricDesign& design,
                                      const catalog::Catalog& catalog) {
  const bool by_flags = request.switch_port_price || request.transceiver_price;
  if (by_flags && request.prices) {
    usage_error("--prices and --switch-port-price or --transceiver-price exclude each other");
  }
  if (by_flags) return flag_prices(request, design);
  if (request.prices) return catalog.load_price_book(*request.prices);
  return std::nullopt;
}

[[noreturn]] void fail(const CostProblem& problem) {
  throw InputError(Diagnostic{.code = "cannot-price", .message = to_string(problem)});
}

NetworkCost price(const FabricDesign& design, const FabricCount& count, PriceBook book) {
  const PartsResult parts = network_parts(design, count, {}, book);
  if (const auto* problem = std::get_if<CostProblem>(&parts)) fail(*problem);
  const BillResult bill = bill_of_materials(std::get<std::vector<PartQuantity>>(parts), book);
  if (const auto* problem = std::get_if<CostProblem>(&bill)) fail(*problem);
  NetworkCost cost{.book = std::move(book), .bill = std::get<BillOfMaterials>(bill)};
  const auto categories = capex_by_category(cost.bill);
  const auto total = capex(cost.bill);
  if (!categories || !total) fail({.rule = CostRule::too_large, .subject = "capex"});
  cost.categories = *categories;
  cost.total = *total;
  return cost;
}

}  // namespace

FabricDesign asked_design(const Request& request, std::vector<std::string>& warnings) {
  if (!request.topology) usage_error("--topology is missing", "planner network --help lists them");
  one_gpu_count(request);
  FabricDesign design = default_design(*request.topology, request.gpus);
  if (request.radix) design.radix = *request.radix;
  if (request.port_gbps) design.port_gbps = *request.port_gbps;
  set_inputs(request, design.topology, warnings);
  return design;
}

Diagnostic fabric_error(const FabricProblem& problem) {
  std::string message = to_string(problem);
  const bool said = problem.max_endpoints &&
                    message.find(std::to_string(*problem.max_endpoints)) != std::string::npos;
  if (problem.max_endpoints && !said) {
    message += fmt::format("; the most that fits is {} endpoints", *problem.max_endpoints);
  }
  return {.code = "no-such-network", .message = std::move(message), .hint = problem.hint};
}

void warn_about_unknown_links(const FabricDesign& design, std::vector<std::string>& warnings) {
  std::string unknown = unknown_of(design.topology);
  if (!unknown.empty()) warnings.push_back(std::move(unknown));
}

Response network(const Request& request, const catalog::Catalog& catalog) {
  Response response{.command = Command::network};
  const FabricDesign design = asked_design(request, response.warnings);
  const CountResult counted = count_fabric(design);
  if (const auto* problem = std::get_if<FabricProblem>(&counted)) {
    response.exit_code = problem->bad_value() ? ExitCode::usage : ExitCode::infeasible;
    response.errors.push_back(fabric_error(*problem));
    return response;
  }
  warn_about_unknown_links(design, response.warnings);
  NetworkResult result{.design = design, .count = std::get<FabricCount>(counted)};
  std::string missing = "no prices are given";
  if (auto book = asked_prices(request, design, catalog)) {
    result.cost = price(design, result.count, *std::move(book));
    missing.clear();
    if (result.cost->total.at_least()) {
      missing = unpriced(result.cost->total.missing);
      response.warnings.push_back(missing + ": the total is a lower bound");
    }
  }
  if (request.require_prices && !missing.empty()) refuse_unpriced(missing, response);
  response.result = std::move(result);
  return response;
}

}  // namespace planner
