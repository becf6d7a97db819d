#include "planner/site/wiring/wirer.hpp"

#include <algorithm>
#include <stdexcept>

namespace planner::site {

std::int64_t Wiring::cables() const {
  std::int64_t sum = 0;
  for (const WiredLayer& layer : layers) sum += static_cast<std::int64_t>(layer.links.size());
  return sum;
}

Wirer::Wirer(const FabricCount& count) : count_(count) {
  for (const SwitchTier& tier : count.switches) {
    wiring_.kinds.push_back({.name = tier.name,
                             .count = tier.switches,
                             .is_switch = true,
                             .tier = wiring_.kinds.size()});
    next_port_.emplace_back(tier.switches, 0);
  }
}

std::size_t Wirer::devices(std::string name, std::int64_t count) {
  wiring_.kinds.push_back({.name = std::move(name), .count = count});
  next_port_.emplace_back(count, 0);
  return wiring_.kinds.size() - 1;
}

std::size_t Wirer::tier(std::string_view name) const {
  const auto found = std::find_if(wiring_.kinds.begin(), wiring_.kinds.end(),
                                  [&](const DeviceKind& kind) { return kind.name == name; });
  return static_cast<std::size_t>(found - wiring_.kinds.begin());
}

std::size_t Wirer::layer(std::string_view name, std::size_t from, std::size_t to) {
  const auto counted = std::find_if(count_.layers.begin(), count_.layers.end(),
                                    [&](const LinkLayer& layer) { return layer.name == name; });
  wiring_.layers.push_back({.name = std::string{name},
                            .gbps = counted->gbps,
                            .cable = counted->cable,
                            .host = counted->host,
                            .optical_ends = counted->optical_ends,
                            .from = from,
                            .to = to});
  wiring_.layers.back().links.reserve(counted->links);
  return wiring_.layers.size() - 1;
}

void Wirer::link(std::size_t layer, std::int64_t from, std::int64_t to) {
  WiredLayer& wired = wiring_.layers[layer];
  const std::uint32_t from_port = next_port_[wired.from][from]++;
  wired.links.push_back({.from = static_cast<std::uint32_t>(from),
                         .from_port = from_port,
                         .to = static_cast<std::uint32_t>(to),
                         .to_port = next_port_[wired.to][to]++});
}

void Wirer::align(std::size_t kind) {
  std::vector<std::uint32_t>& next = next_port_[kind];
  if (next.empty()) return;
  std::fill(next.begin(), next.end(), *std::max_element(next.begin(), next.end()));
}

void Wirer::set_of(std::size_t kind, const std::function<std::int64_t(std::int64_t)>& set) {
  std::vector<std::int32_t>& sets = wiring_.kinds[kind].set;
  sets.resize(wiring_.kinds[kind].count);
  for (std::size_t i = 0; i < sets.size(); ++i) {
    sets[i] = static_cast<std::int32_t>(set(static_cast<std::int64_t>(i)));
  }
}

void Wirer::plane_of(std::size_t kind, const std::function<std::int64_t(std::int64_t)>& plane) {
  std::vector<std::int32_t>& planes = wiring_.kinds[kind].plane;
  planes.resize(wiring_.kinds[kind].count);
  for (std::size_t i = 0; i < planes.size(); ++i) {
    planes[i] = static_cast<std::int32_t>(plane(static_cast<std::int64_t>(i)));
  }
}

std::int64_t fullest(const FabricCount& count, std::string_view tier, std::string_view layer) {
  std::int64_t most = 0;
  for (const SwitchTier& switches : count.switches) {
    if (switches.name != tier) continue;
    for (const SwitchGroup& group : switches.groups) {
      for (const PortUse& use : group.ports) {
        if (count.layers[use.layer].name == layer) most = std::max(most, use.ports);
      }
    }
  }
  return most;
}

std::int64_t Runs::bin_of(std::int64_t thing) const {
  const std::int64_t each = things / bins;
  const std::int64_t longer = things % bins;
  const std::int64_t in_longer = longer * (each + 1);
  return thing < in_longer ? thing / (each + 1) : longer + (thing - in_longer) / each;
}

Wiring wire(const FabricDesign& design, const FabricCount& count) {
  if (count.total_links() > kMostCables) throw std::length_error("too many cables");
  Wirer wirer(count);
  std::visit([&](const auto& options) { wire_parts(wirer, design, count, options); },
             design.topology);
  return wirer.finish();
}

void add_network(Wiring& wiring, const std::string& name, Wiring other) {
  const std::size_t first = wiring.kinds.size();
  const std::size_t network = wiring.kinds.empty() ? 0 : wiring.kinds.back().network + 1;
  for (DeviceKind& kind : other.kinds) {
    kind.name = name + "-" + (kind.is_switch ? kind.name : "port");
    kind.set.clear();  // where its cards are is known once the nodes have their racks
    kind.network = network;
    wiring.kinds.push_back(std::move(kind));
  }
  for (WiredLayer& layer : other.layers) {
    layer.name = name + "_" + layer.name;
    layer.from += first;
    layer.to += first;
    layer.network = network;
    wiring.layers.push_back(std::move(layer));
  }
  for (const std::string& note : other.notes) wiring.notes.push_back(name + ": " + note);
}

}  // namespace planner::site
