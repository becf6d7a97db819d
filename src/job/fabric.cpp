#include "planner/job/fabric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "planner/cost/bill.hpp"
#include "planner/cost/capex.hpp"
#include "planner/cost/network_parts.hpp"
#include "planner/network/count.hpp"

namespace planner::job {

namespace {

[[noreturn]] void misused(std::string message, std::string hint = {}) {
  throw UsageError(
      Diagnostic{.code = "usage", .message = std::move(message), .hint = std::move(hint)});
}

/// The flags that only some topologies have, and which of them a topology took.
class FabricFlags {
 public:
  explicit FabricFlags(const FabricChoice& choice) : choice_(choice) {}

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
    take("hb-domain", choice_.hb_domain, rails);
    take("rails", choice_.rails, rails);
  }

  /// Throws for a flag that was given but that the topology does not have.
  void refuse_others(Topology topology) const {
    const std::array<std::pair<const char*, bool>, 9> given{{
        {"planes", choice_.planes.has_value()},
        {"rails", choice_.rails.has_value()},
        {"oversubscription", choice_.oversubscription.has_value()},
        {"scalable-units", choice_.scalable_units.has_value()},
        {"fabric-manager-ports", choice_.fabric_manager_ports.has_value()},
        {"zone-switches", choice_.zone_switches.has_value()},
        {"inter-zone-links", choice_.inter_zone_links.has_value()},
        {"storage-ports", choice_.storage_ports.has_value()},
        {"pod-aligned", choice_.pod_aligned},
    }};
    for (const auto& [name, was_given] : given) {
      if (was_given && !took(name)) {
        misused(fmt::format("--{} has no meaning for {}", name, name_of(topology)));
      }
    }
  }
  /// Whether --hb-domain was given to a topology whose parts do not depend on it. It is a fact
  /// about the machine, the same for every network compared: no error.
  [[nodiscard]] bool hb_domain_unused() const {
    return choice_.hb_domain.has_value() && !took("hb-domain");
  }

  void apply(FatTree& tree) {
    take("oversubscription", choice_.oversubscription, tree.oversubscription);
    take("pod-aligned", choice_.pod_aligned, tree.pod_aligned);
  }
  void apply(RailOptimized& rail) {
    take_rails(rail.rails);
    take("planes", choice_.planes, rail.planes);
    take("oversubscription", choice_.oversubscription, rail.oversubscription);
  }
  void apply(SuperPod& pod) {
    if (choice_.gpus) pod.scalable_units.reset();  // as many as these need, unless given
    take("scalable-units", choice_.scalable_units, pod.scalable_units);
    take("planes", choice_.planes, pod.planes);
    take("fabric-manager-ports", choice_.fabric_manager_ports, pod.fabric_manager_ports);
    take("oversubscription", choice_.oversubscription, pod.oversubscription);
  }
  void apply(RailOnly& rail) {
    take_rails(rail.rails);
    take("oversubscription", choice_.oversubscription, rail.oversubscription);
    take("pod-aligned", choice_.pod_aligned, rail.pod_aligned);
  }
  void apply(MultiPlane& planes) {
    take("planes", choice_.planes, planes.planes);
    take("oversubscription", choice_.oversubscription, planes.oversubscription);
    take("pod-aligned", choice_.pod_aligned, planes.pod_aligned);
  }
  void apply(Hpn& hpn) { take_rails(hpn.rails); }
  void apply(TwoZoneFatTree& zones) {
    take("zone-switches", choice_.zone_switches, zones.zone_switches);
    take("inter-zone-links", choice_.inter_zone_links, zones.inter_zone_links);
    take("storage-ports", choice_.storage_ports, zones.storage_ports_per_zone);
  }
  void apply(MetaAiZone& zone) {
    take("oversubscription", choice_.oversubscription, zone.rtsw_oversubscription);
  }
  void apply(DcnPlus&) {}
  void apply(Dragonfly&) {}
  void apply(SlimFly&) {}
  void apply(Torus&) {}

 private:
  [[nodiscard]] bool took(std::string_view name) const {
    return std::find(taken_.begin(), taken_.end(), name) != taken_.end();
  }

  const FabricChoice& choice_;
  std::vector<std::string_view> taken_;
};

[[noreturn]] void fail(const CostProblem& problem) {
  throw InputError(Diagnostic{.code = "cannot-price", .message = to_string(problem)});
}

}  // namespace

FabricDesign design_of(const FabricChoice& choice, std::vector<std::string>& warnings) {
  if (!choice.topology) misused("--topology is missing", "planner network --help lists them");
  FabricDesign design = default_design(*choice.topology);
  if (choice.gpus) design.gpus = *choice.gpus;
  if (choice.radix) design.radix = *choice.radix;
  if (choice.port_gbps) design.port_gbps = *choice.port_gbps;
  FabricFlags flags(choice);
  std::visit([&](auto& options) { flags.apply(options); }, design.topology);
  flags.refuse_others(*choice.topology);
  if (flags.hb_domain_unused()) {
    warnings.push_back(
        fmt::format("--hb-domain changes nothing: the parts of a {} network do not "
                    "depend on it",
                    name_of(*choice.topology)));
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

PricedNetwork price_network(const FabricDesign& design, const FabricCount& count,
                            const PriceBook& book) {
  const PartsResult parts = network_parts(design, count, {}, book);
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

}  // namespace planner::job
