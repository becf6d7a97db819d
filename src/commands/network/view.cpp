#include <fmt/format.h>

#include "planner/commands/network/network.hpp"
#include "planner/commands/parts/bill.hpp"
#include "planner/commands/parts/network_drawing.hpp"
#include "planner/cost/unpriced.hpp"
#include "planner/present/text.hpp"

namespace planner::commands {

namespace {

using namespace present;

std::string plural(std::int64_t number, const char* noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

/// A count that an answer may have been saved without.
Cell known(std::int64_t value) {
  return value > 0 ? count(value) : none();
}

void add_shape(const FabricCount& fabric, Document& document) {
  document.add(
      Text{.text = fmt::format(
               "{}, {}, {}; oversubscription {} : {}; at most {} hops; holds up to {} endpoints",
               plural(fabric.tiers, "tier"), plural(fabric.planes, "plane"),
               plural(fabric.rails, "rail"), fabric.oversubscription.down,
               fabric.oversubscription.up, fabric.max_hops, grouped(fabric.max_endpoints)),
           .indent = 0});
  if (fabric.bisection_gbps.value_or(0) > 0) {
    const double terabits = static_cast<double>(*fabric.bisection_gbps) / 1000;
    document.add(Figures{.figures = {{"bisection", number(terabits, "Tb/s")}}, .indent = 0});
  }
}

void add_switches(const FabricCount& fabric, Document& document) {
  document.add(Section{"Switches"});
  Table table{.header = {"tier", "switches", "ports each", "down : up"}};
  for (const SwitchTier& tier : fabric.switches) {
    const auto& ratio = tier.oversubscription;
    table.add({words(tier.name), count(tier.switches), known(tier.radix),
               ratio ? words(fmt::format("{} : {}", ratio->down, ratio->up)) : none()});
  }
  table.add({words("total"), count(fabric.total_switches())});
  document.add(std::move(table));
}

void add_links(const FabricCount& fabric, Document& document) {
  document.add(Section{"Links"});
  Table table{.header = {"layer", "links", "Gb/s", "cable"}};
  for (const LinkLayer& layer : fabric.layers) {
    if (layer.links == 0) continue;
    table.add({words(layer.name), count(layer.links), known(layer.gbps),
               layer.gbps > 0 ? words(std::string{name_of(layer.cable)}) : none()});
  }
  table.add({words("total"), count(fabric.total_links())});
  document.add(std::move(table));
  document.add(Figures{.figures = {{"transceivers (link ends)", count(fabric.transceivers),
                                    "{} transceivers (link ends)"},
                                   {"modules", count(fabric.modules), "in {} modules"}},
                       .separator = " "});
  Facts cables;
  cables.facts = {{"links between switches", count(fabric.inter_switch_links())},
                  {"copper cables", count(fabric.cables.copper)},
                  {"active optical cables", count(fabric.cables.active_optical)},
                  {"fibre cables", count(fabric.cables.fibre)}};
  document.detail(std::move(cables));
}

void add_failures(const FabricCount& fabric, Document& document) {
  if (fabric.failures.empty()) return;
  document.add(Section{"What a failure takes with it"});
  Table table{.header = {"part", "GPUs cut off", "GPUs slowed", "links lost"}};
  for (const FailureImpact& impact : fabric.failures) {
    table.add({words(impact.part), count(impact.gpus_cut_off), count(impact.gpus_slowed),
               impact.links_shared > 0 ? words(fmt::format("{} of {}", grouped(impact.links_lost),
                                                           grouped(impact.links_shared)))
                                       : none()});
  }
  document.add(std::move(table));
}

void add_cost(const job::PricedNetwork& priced, Document& document) {
  const Currency currency = priced.bill.currency;
  const bool relative = currency == Currency::relative;
  document.add(
      Section{fmt::format("Cost, {}{}", priced.book, relative ? " (relative units)" : "")});
  document.add(shown_bill(priced.bill, priced.total, "Bill of materials", priced.book));
  if (!priced.total.known()) {
    document.add(Text{.text = "no total, not priced: " + not_priced(priced.bill)});
  } else if (!priced.total.amount.exact()) {
    document.add(
        Text{.text = fmt::format("the prices known span {} to {}",
                                 present::dollars(priced.total.amount.low, currency).text,
                                 present::dollars(priced.total.amount.high, currency).text)});
  }
  if (!priced.notes.empty()) document.detail(List{priced.notes});
}

}  // namespace

Document network_view(const NetworkAnswer& answer) {
  const FabricCount& fabric = answer.count;
  Document document{
      .title = fmt::format(
          "{} for {} endpoints{}, switches of {} ports", name_of(fabric.topology),
          grouped(fabric.endpoints),
          answer.port_gbps > 0 ? fmt::format(" at {} Gb/s", grouped(answer.port_gbps)) : "",
          grouped(fabric.radix)),
      .kicker = "Network"};
  add_shape(fabric, document);
  if (answer.port_gbps > 0) document.detail(network_drawing(fabric));
  add_switches(fabric, document);
  add_links(fabric, document);
  add_failures(fabric, document);
  if (answer.priced) add_cost(*answer.priced, document);
  return document;
}

}  // namespace planner::commands
