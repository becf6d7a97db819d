#include <fmt/format.h>

#include <iterator>
#include <map>
#include <utility>

#include "planner/commands/network/network.hpp"
#include "planner/commands/parts/network_drawing.hpp"
#include "planner/present/text.hpp"
#include "planner/site/wiring/wiring.hpp"

// The DOT language: graphviz.org/doc/info/lang.html.
namespace planner::commands {

namespace {

constexpr std::int64_t kMostDevices = 2000;  // that Graphviz draws in a minute

std::string opened(const FabricCount& count, const char* note) {
  return fmt::format(
      "// {}, {} endpoints: {}\ngraph network {{\n  rankdir=BT;\n  node [shape=box];\n",
      name_of(count.topology), count.endpoints, note);
}

/// Every device, links between the same two as one edge.
std::string by_device(const FabricDesign& design, const FabricCount& count) {
  const site::Wiring wiring = site::wire(design, count);
  std::string text = opened(count, "every device");
  const auto out = std::back_inserter(text);
  for (const site::DeviceKind& kind : wiring.kinds) {
    if (kind.count == 0) continue;
    fmt::format_to(out, "  {{ rank=same;");
    for (std::int64_t i = 0; i < kind.count; ++i) {
      fmt::format_to(out, " \"{}-{}\"{};", kind.name, i, kind.is_switch ? "" : " [shape=oval]");
    }
    fmt::format_to(out, " }}\n");
  }
  for (const site::WiredLayer& layer : wiring.layers) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t> links;
    for (const site::Link& link : layer.links) ++links[{link.from, link.to}];
    for (const auto& [ends, number] : links) {
      fmt::format_to(out, "  \"{}-{}\" -- \"{}-{}\"", wiring.kinds[layer.from].name, ends.first,
                     wiring.kinds[layer.to].name, ends.second);
      if (number > 1) fmt::format_to(out, " [label=\"{} x\"]", number);
      fmt::format_to(out, ";\n");
    }
  }
  return text + "}\n";
}

std::string by_tier(const FabricCount& count) {
  std::string text = opened(count, "by tier, too many to be drawn one by one");
  const auto out = std::back_inserter(text);
  const auto row = [&](std::size_t of) -> std::string {
    return of == 0 ? "endpoint" : count.switches[of - 1].name;
  };
  fmt::format_to(out, "  endpoint [shape=oval, label=\"{} endpoints\"];\n",
                 grouped(count.endpoints));
  for (const SwitchTier& tier : count.switches) {
    std::string more = tier.radix > 0 ? fmt::format("\\n{} ports each", tier.radix) : "";
    if (tier.oversubscription) {
      more += fmt::format("\\n{} : {} down : up", tier.oversubscription->down,
                          tier.oversubscription->up);
    }
    fmt::format_to(out, "  {} [label=\"{} {}{}\"];\n", tier.name, grouped(tier.switches), tier.name,
                   more);
  }
  for (const LinkLayer& layer : count.layers) {
    if (layer.links == 0) continue;
    const auto [low, high] = rows_of(count, layer);
    fmt::format_to(out, "  {} -- {} [label=\"{} {} links of {} Gb/s\"];\n", row(low), row(high),
                   grouped(layer.links), layer.name, layer.gbps);
  }
  return text + "}\n";
}

}  // namespace

std::string network_dot(const FabricDesign& design, const FabricCount& count) {
  const bool few = count.endpoints + count.total_switches() <= kMostDevices;
  return few ? by_device(design, count) : by_tier(count);
}

}  // namespace planner::commands
