#include <algorithm>
#include <map>
#include <tuple>

#include "planner/core/ceil_div.hpp"
#include "planner/site/cables.hpp"
#include "planner/site/flows.hpp"

namespace planner::site {
namespace {

/// What is in a cage.
struct Cage {
  std::int32_t ends = 0;
  std::int32_t gbps = 0;
  std::int8_t medium = -1;
};

/// Cages of the devices of a kind; those of network cards belong to cards in turn.
struct KindCages {
  std::int64_t ports = 1;  ///< of a cage
  bool own = true;         ///< no two devices share one
  std::uint32_t most = 0;  ///< ports of one device
  std::vector<Cage> all{};

  [[nodiscard]] std::int64_t of_device() const { return ceil_div(most, ports); }
  Cage& at(std::uint32_t device, std::uint32_t port) {
    return all[own ? device * of_device() + port / ports
                   : (static_cast<std::int64_t>(device) * most + port) / ports];
  }
  [[nodiscard]] std::size_t device_of(std::size_t cage) const {
    const auto at = static_cast<std::int64_t>(cage);
    return static_cast<std::size_t>(own ? at / of_device() : at * ports / most);
  }
};

std::vector<KindCages> cages_of(const Wiring& wiring, const Hardware& hardware) {
  std::vector<KindCages> kinds;
  for (const DeviceKind& kind : wiring.kinds) {
    const Cabling& cabling = hardware.of(kind.network).design.cabling;
    kinds.push_back(
        {.ports = kind.is_switch ? cabling.ports_per_switch_module : cabling.ports_per_nic_module,
         .own = kind.is_switch});
  }
  for (const WiredLayer& layer : wiring.layers) {
    if (!is_laid(layer)) continue;
    for (const Link& link : layer.links) {
      kinds[layer.from].most = std::max(kinds[layer.from].most, link.from_port + 1);
      kinds[layer.to].most = std::max(kinds[layer.to].most, link.to_port + 1);
    }
  }
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    KindCages& kind = kinds[k];
    const std::int64_t devices = wiring.kinds[k].count;
    kind.all.resize(kind.own ? devices * kind.of_device()
                             : ceil_div(devices * kind.most, kind.ports));
  }
  return kinds;
}

const MediumPower* power_of(const NetworkHardware& network, std::size_t medium, std::int64_t gbps) {
  const auto found =
      std::find_if(network.by_medium.begin(), network.by_medium.end(),
                   [&](const MediumPower& of) { return of.medium == medium && of.gbps == gbps; });
  return found == network.by_medium.end() ? nullptr : &*found;
}

}  // namespace

void count_modules(const Wiring& wiring, const Hardware& hardware, Laid& laid) {
  std::vector<KindCages> kinds = cages_of(wiring, hardware);
  for (const DeviceKind& kind : wiring.kinds) laid.draw.emplace_back(kind.count, Watts{});
  for (std::size_t l = 0; l < wiring.layers.size(); ++l) {
    const WiredLayer& layer = wiring.layers[l];
    if (!is_laid(layer)) continue;
    const NetworkHardware& network = hardware.of(layer.network);
    for (std::size_t i = 0; i < layer.links.size(); ++i) {
      const std::int8_t medium = laid.layers[l].medium[i];
      if (medium < 0) continue;
      const Link& link = layer.links[i];
      if (laid.has_ends[static_cast<std::size_t>(medium)] == 0) {
        const MediumPower* const power =
            power_of(network, static_cast<std::size_t>(medium), layer.gbps);
        if (power == nullptr) continue;
        const std::vector<std::int32_t>& shared = laid.layers[l].shared;
        const std::int32_t piece = shared.empty() ? -1 : shared[i];
        const std::int64_t links =
            piece < 0 ? 1 : laid.shared[static_cast<std::size_t>(piece)].links;
        const Watts end = power->cable / (2 * static_cast<double>(links));
        laid.draw[layer.from][link.from] += end;
        laid.draw[layer.to][link.to] += end;
        continue;
      }
      const auto put = [&](std::size_t kind, std::uint32_t device, std::uint32_t port) {
        Cage& cage = kinds[kind].at(device, port);
        ++cage.ends;
        cage.medium = medium;
        cage.gbps = std::max(cage.gbps, static_cast<std::int32_t>(layer.gbps));
      };
      put(layer.from, link.from, link.from_port);
      if (layer.optical_ends > 1) put(layer.to, link.to, link.to_port);
    }
  }
  using Of = std::tuple<std::size_t, std::size_t, std::int64_t, bool>;
  std::map<Of, LaidModules> modules;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    const DeviceKind& kind = wiring.kinds[k];
    const NetworkHardware& network = hardware.of(kind.network);
    for (std::size_t c = 0; c < kinds[k].all.size(); ++c) {
      const Cage& cage = kinds[k].all[c];
      if (cage.ends == 0) continue;
      const auto medium = static_cast<std::size_t>(cage.medium);
      LaidModules& of = modules[{kind.network, medium, cage.gbps, kind.is_switch}];
      ++of.modules;
      of.ends += cage.ends;
      if (const MediumPower* const power = power_of(network, medium, cage.gbps)) {
        laid.draw[k][kinds[k].device_of(c)] +=
            kind.is_switch ? power->switch_module : power->nic_module;
      }
    }
  }
  for (auto& [of, count] : modules) {
    std::size_t network = 0;
    std::tie(network, count.medium, count.gbps, count.at_switch) = of;
    laid.links[network].modules.push_back(count);
  }
}

void draw_by_medium(const Hardware& hardware, const Laid& laid, RackPlan& plan) {
  const PortPower planned = port_power(hardware, plan.wiring);
  for (std::size_t k = 0; k < planned.of_device.size(); ++k) {
    const DeviceKind& kind = plan.wiring.kinds[k];
    if (hardware.of(kind.network).by_medium.empty()) continue;
    for (std::size_t d = 0; d < planned.of_device[k].size(); ++d) {
      const std::int32_t rack = plan.rack_of[k][d];
      if (rack >= 0) plan.racks[rack].power += laid.draw[k][d] - planned.of_device[k][d] * units::W;
    }
  }
}

}  // namespace planner::site
