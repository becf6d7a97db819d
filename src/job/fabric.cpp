#include "planner/job/fabric.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "planner/core/usage.hpp"
#include "planner/cost/bill.hpp"
#include "planner/cost/capex.hpp"
#include "planner/cost/network_parts.hpp"
#include "planner/network/count.hpp"
#include "planner/network/topologies/topologies.hpp"

namespace planner::job {

namespace {

[[noreturn]] void no_meaning(std::string_view option, std::string_view topology) {
  const bool complete_zones =
      option == kOversubscription && topology == name_of(Topology::two_zone_fat_tree);
  usage_error(
      fmt::format("--{} has no meaning for {}", option, topology),
      complete_zones ? "each zone is a full tree: --inter-zone-links says what they share" : "");
}

/// Puts what only some topologies take into this one. A size of HB domains is a fact about the
/// machine, the same for every network compared: no error where it changes nothing.
void set_inputs(const FabricChoice& choice, FabricDesign& design,
                std::vector<std::string>& warnings) {
  const std::string_view name = name_of(*choice.topology);
  const bool by_domain = choice.hb_domain && takes_option(design.topology, "hb-domain");
  if (by_domain) set_option(design, "hb-domain", *choice.hb_domain);  // gives way to the others
  for (const auto& [option, value] : choice.inputs) {
    if (!takes_option(design.topology, option)) no_meaning(option, name);
    set_option(design, option, value);
  }
  if (choice.hb_domain && !by_domain) {
    warnings.push_back(fmt::format(
        "--hb-domain changes nothing: the parts of a {} network do not depend on it", name));
  }
}

[[noreturn]] void fail(const CostProblem& problem) {
  throw InputError(Diagnostic{.code = "cannot-price", .message = to_string(problem)});
}

}  // namespace

FabricDesign design_of(const FabricChoice& choice, std::vector<std::string>& warnings) {
  if (!choice.topology) usage_error("--topology is missing", "planner network --help lists them");
  FabricDesign design = default_design(*choice.topology, choice.gpus);
  if (choice.radix) design.radix = *choice.radix;
  if (choice.port_gbps) design.port_gbps = *choice.port_gbps;
  set_inputs(choice, design, warnings);
  return design;
}

std::int64_t rails_apart(const FabricDesign& design) {
  return network::rails_apart(design.topology);
}

Diagnostic fabric_error(const FabricProblem& problem) {
  std::string message = to_string(problem);
  // Where too many are asked for, the message has it already.
  if (problem.max_endpoints && problem.have != *problem.max_endpoints) {
    message += fmt::format("; the most that fits is {} endpoints", *problem.max_endpoints);
  }
  return {.code = "no-such-network", .message = std::move(message), .hint = problem.hint};
}

void warn_about_unknown_links(const FabricDesign& design, std::vector<std::string>& warnings) {
  std::string unknown = unknown_of(design.topology);
  if (!unknown.empty()) warnings.push_back(std::move(unknown));
}

void warn_about_reserve(const FabricCount& count, std::vector<std::string>& warnings) {
  if (count.backup_endpoints == 0) return;
  warnings.push_back(
      fmt::format("{} ports are for GPUs of backup hosts: links and transceivers are counted here, "
                  "the hosts are spare nodes of a cluster, in its cost and its build",
                  count.backup_endpoints));
}

PricedNetwork price_network(const FabricDesign& design, const FabricCount& count,
                            const FabricModels& models, const PriceBook& book) {
  const PartsResult parts = network_parts(design, count, models, book);
  if (const auto* problem = std::get_if<CostProblem>(&parts)) fail(*problem);
  const BillResult bill = bill_of_materials(std::get<std::vector<PartQuantity>>(parts), book);
  if (const auto* problem = std::get_if<CostProblem>(&bill)) fail(*problem);
  PricedNetwork priced{
      .book = book.title, .notes = book.notes, .bill = std::get<BillOfMaterials>(bill)};
  const auto categories = capex_by_category(priced.bill);
  const auto total = capex(priced.bill);
  if (!categories || !total) fail({.rule = CostRule::too_large, .subject = "capex"});
  priced.categories = *categories;
  priced.total = *total;
  return priced;
}

std::string unpriced(std::int64_t lines) {
  return lines == 1 ? "1 line has no price" : fmt::format("{} lines have no price", lines);
}

Diagnostic unpriced_error(std::string message) {
  return {.code = "unpriced",
          .message = std::move(message),
          .hint = "add them to the price book (--prices), or leave --require-prices out"};
}

FabricCount counted(const FabricDesign& design) {
  CountResult result = count_fabric(design);
  const auto* const problem = std::get_if<FabricProblem>(&result);
  if (problem == nullptr) return std::get<FabricCount>(std::move(result));
  if (problem->bad_value()) throw UsageError(fabric_error(*problem));
  throw InfeasibleError(fabric_error(*problem));
}

}  // namespace planner::job
