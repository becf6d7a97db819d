#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "planner/api/commands.hpp"
#include "planner/cost/bill.hpp"
#include "planner/cost/capex.hpp"
#include "planner/cost/network_parts.hpp"
#include "planner/network/count.hpp"

namespace planner {

namespace {

/// The flags that only some topologies have, and which of them a topology took.
class FabricFlags {
 public:
  explicit FabricFlags(const Request& request) : request_(request) {}

  template <class T>
  void take(const char* name, const std::optional<T>& flag, auto& member) {
    taken_.emplace_back(name);
    if (flag) member = *flag;
  }
  void take(const char* name, bool flag, bool& member) {
    taken_.emplace_back(name);
    if (flag) member = true;
  }
  /// GPUs of an HB domain, which are the rails of the rail topologies.
  void take_rails(std::int64_t& rails) {
    take("hb-domain", request_.hb_domain, rails);
    take("rails", request_.rails, rails);
  }

  /// Throws for a flag that was given but that the topology does not have.
  void refuse_others(Topology topology) const {
    const std::array<std::pair<const char*, bool>, 9> given{{
        {"planes", request_.planes.has_value()},
        {"rails", request_.rails.has_value()},
        {"oversubscription", request_.oversubscription.has_value()},
        {"scalable-units", request_.scalable_units.has_value()},
        {"fabric-manager-ports", request_.fabric_manager_ports.has_value()},
        {"zone-switches", request_.zone_switches.has_value()},
        {"inter-zone-links", request_.inter_zone_links.has_value()},
        {"storage-ports", request_.storage_ports.has_value()},
        {"pod-aligned", request_.pod_aligned},
    }};
    for (const auto& [name, was_given] : given) {
      if (was_given && !took(name)) {
        usage_error(fmt::format("--{} has no meaning for {}", name, name_of(topology)));
      }
    }
  }
  /// Whether --hb-domain was given to a topology whose parts do not depend on it. It is a fact
  /// about the machine, the same for every network compared: no error.
  [[nodiscard]] bool hb_domain_unused() const {
    return request_.hb_domain.has_value() && !took("hb-domain");
  }

  void apply(FatTree& tree) {
    take("oversubscription", request_.oversubscription, tree.oversubscription);
    take("pod-aligned", request_.pod_aligned, tree.pod_aligned);
  }
  void apply(RailOptimized& rail) {
    take_rails(rail.rails);
    take("planes", request_.planes, rail.planes);
    take("oversubscription", request_.oversubscription, rail.oversubscription);
  }
  void apply(SuperPod& pod) {
    if (request_.gpus) pod.scalable_units.reset();  // as many as these need, unless given
    take("scalable-units", request_.scalable_units, pod.scalable_units);
    take("planes", request_.planes, pod.planes);
    take("fabric-manager-ports", request_.fabric_manager_ports, pod.fabric_manager_ports);
    take("oversubscription", request_.oversubscription, pod.oversubscription);
  }
  void apply(RailOnly& rail) {
    take_rails(rail.rails);
    take("oversubscription", request_.oversubscription, rail.oversubscription);
    take("pod-aligned", request_.pod_aligned, rail.pod_aligned);
  }
  void apply(MultiPlane& planes) {
    take("planes", request_.planes, planes.planes);
    take("oversubscription", request_.oversubscription, planes.oversubscription);
    take("pod-aligned", request_.pod_aligned, planes.pod_aligned);
  }
  void apply(Hpn& hpn) { take_rails(hpn.rails); }
  void apply(TwoZoneFatTree& zones) {
    take("zone-switches", request_.zone_switches, zones.zone_switches);
    take("inter-zone-links", request_.inter_zone_links, zones.inter_zone_links);
    take("storage-ports", request_.storage_ports, zones.storage_ports_per_zone);
  }
  void apply(MetaAiZone& zone) {
    take("oversubscription", request_.oversubscription, zone.rtsw_oversubscription);
  }
  void apply(DcnPlus&) {}
  void apply(Dragonfly&) {}
  void apply(SlimFly&) {}
  void apply(Torus&) {}

 private:
  [[nodiscard]] bool took(std::string_view name) const {
    return std::find(taken_.begin(), taken_.end(), name) != taken_.end();
  }

  const Request& request_;
  std::vector<std::string_view> taken_;
};

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
  FabricDesign design = default_design(*request.topology);
  if (request.gpus) design.gpus = *request.gpus;
  if (request.radix) design.radix = *request.radix;
  if (request.port_gbps) design.port_gbps = *request.port_gbps;
  FabricFlags flags(request);
  std::visit([&](auto& options) { flags.apply(options); }, design.topology);
  flags.refuse_others(*request.topology);
  if (flags.hb_domain_unused()) {
    warnings.push_back(
        fmt::format("--hb-domain changes nothing: the parts of a {} network do not "
                    "depend on it",
                    name_of(*request.topology)));
  }
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
  const auto* const zones = std::get_if<TwoZoneFatTree>(&design.topology);
  if (zones == nullptr || zones->zones < 2 || zones->inter_zone_links) return;
  warnings.emplace_back(
      "the number of links between the zones is not known: none is counted or priced "
      "(--inter-zone-links, inter_zone_links in a file)");
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
