#include "planner/site/cables.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace planner::site {
namespace {

constexpr double kRounding = 1e-9;

/// Cages of all devices of the wiring, and which medium is in each.
class Cages {
 public:
  Cages(const Wiring& wiring, const Hardware& hardware) {
    for (const DeviceKind& kind : wiring.kinds) {
      const Cabling& cabling = hardware.of(kind.network).design.cabling;
      const std::int64_t ports =
          kind.is_switch ? cabling.ports_per_switch_module : cabling.ports_per_nic_module;
      kinds_.push_back({.ports_per_cage = ports, .own = kind.is_switch, .devices = kind.count});
    }
    for (const WiredLayer& layer : wiring.layers) {
      if (layer.name == kDomainLayer) continue;
      for (const Link& link : layer.links) {
        kinds_[layer.from].most = std::max(kinds_[layer.from].most, link.from_port + 1);
        kinds_[layer.to].most = std::max(kinds_[layer.to].most, link.to_port + 1);
      }
    }
    for (Kind& kind : kinds_) {
      if (kind.ports_per_cage > 1) kind.medium.assign(cages(kind), -1);
    }
  }

  /// Cards of a node share modules: port after port, card after card.
  [[nodiscard]] std::int8_t* at(std::size_t kind, std::uint32_t device, std::uint32_t port) {
    Kind& of = kinds_[kind];
    if (of.ports_per_cage < 2) return nullptr;
    const std::int64_t ports = of.ports_per_cage;
    const std::int64_t cage = of.own ? device * ((of.most + ports - 1) / ports) + port / ports
                                     : (static_cast<std::int64_t>(device) * of.most + port) / ports;
    return &of.medium[cage];
  }

 private:
  struct Kind {
    std::int64_t ports_per_cage = 1;
    bool own = true;  ///< no two devices share a cage
    std::int64_t devices = 0;
    std::uint32_t most = 0;  ///< ports of one device
    std::vector<std::int8_t> medium{};
  };
  static std::int64_t cages(const Kind& kind) {
    const std::int64_t ports = kind.ports_per_cage, most = kind.most;
    return kind.own ? kind.devices * ((most + ports - 1) / ports)
                    : (kind.devices * most + ports - 1) / ports;
  }

  std::vector<Kind> kinds_;
};

/// One round of the cage rule. @return cables that changed
std::int64_t agree_in_cages(const Wiring& wiring, const Hardware& hardware, Laid& laid) {
  Cages cages(wiring, hardware);
  const auto each = [&](auto&& visit) {
    for (std::size_t l = 0; l < wiring.layers.size(); ++l) {
      const WiredLayer& layer = wiring.layers[l];
      if (!is_laid(layer)) continue;
      for (std::size_t i = 0; i < layer.links.size(); ++i) {
        const Link& link = layer.links[i];
        std::int8_t& medium = laid.layers[l].medium[i];
        for (std::int8_t* cage : {cages.at(layer.from, link.from, link.from_port),
                                  cages.at(layer.to, link.to, link.to_port)}) {
          if (cage != nullptr) visit(medium, *cage);
        }
      }
    }
  };
  each([](std::int8_t medium, std::int8_t& cage) { cage = std::max(cage, medium); });
  std::int64_t changed = 0;
  each([&](std::int8_t& medium, std::int8_t cage) {
    if (medium < 0 || medium >= cage) return;
    medium = cage;
    ++changed;
  });
  return changed;
}

}  // namespace

double drop_metres(const Site& site, double unit) {
  const double height = site.rack_base_m + unit * kUnitMetres;
  return site.underfloor_m > 0 ? height + site.underfloor_m : site.tray_height_m - height;
}

double in_rack_metres(const Site& site, double unit_a, double unit_b) {
  return std::abs(unit_a - unit_b) * kUnitMetres + site.in_rack_slack_m;
}

double sold_length(const std::vector<double>& sold, double metres) {
  const auto found = std::lower_bound(sold.begin(), sold.end(), metres - kRounding);
  return found == sold.end() ? -1 : *found;
}

int Media::nearest(double metres, bool copper, const std::vector<std::size_t>& offered) const {
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].is_copper() && !copper) continue;
    if (!offered.empty() && std::find(offered.begin(), offered.end(), i) == offered.end()) continue;
    if (metres <= all[i].reach_m + kRounding && sold_length(all[i].sold_m, metres) >= 0) {
      return static_cast<int>(i);
    }
  }
  return -1;
}

Lengths::Lengths(const RackPlan& plan, const Site& site, const Floor& floor, const Places& places)
    : plan_(plan), site_(site), floor_(floor), places_(places) {
  for (const auto& units : plan.unit_of) {
    drops_.emplace_back();
    for (const float unit : units) {
      drops_.back().push_back(static_cast<float>(drop_metres(site, unit)));
    }
  }
}

Lengths::Length Lengths::of(const WiredLayer& layer, const Link& link) const {
  const std::int32_t a = plan_.rack_of[layer.from][link.from];
  const std::int32_t b = plan_.rack_of[layer.to][link.to];
  if (a == b) {
    return {.metres = in_rack_metres(site_, plan_.unit_of[layer.from][link.from],
                                     plan_.unit_of[layer.to][link.to])};
  }
  const std::int32_t pa = places_[a], pb = places_[b];
  const double tray = floor_.distance(pa, pb);
  const double drops = static_cast<double>(drops_[layer.from][link.from]) +
                       static_cast<double>(drops_[layer.to][link.to]);
  return {.metres = tray + drops + 2 * site_.slack_m, .tray = tray};
}

double Lengths::fixed_metres() const {
  double sum = 0;
  for (const WiredLayer& layer : plan_.wiring.layers) {
    if (!has_cables(layer)) continue;
    for (const Link& link : layer.links) {
      const Length length = of(layer, link);
      sum += length.metres - length.tray;
    }
  }
  return sum;
}

namespace {

/// The media of a network's links of a speed.
std::vector<std::size_t> offered_to(const NetworkHardware& network, std::int64_t gbps,
                                    std::size_t media) {
  std::vector<std::size_t> offered = network.media;
  for (std::size_t m = 0; network.media.empty() && m < media; ++m) offered.push_back(m);
  std::erase_if(offered, [&](std::size_t m) {
    const auto& none = network.not_made;
    return std::find(none.begin(), none.end(), std::pair(gbps, m)) != none.end();
  });
  return offered;
}

}  // namespace

Laid lay_cables(const RackPlan& plan, const Hardware& hardware, const Site& site,
                const Floor& floor, const Places& places, const Media& media) {
  const Lengths lengths(plan, site, floor, places);
  Laid laid;
  for (const WiredLayer& layer : plan.wiring.layers) {
    LaidLayer out{.name = layer.name};
    if (layer.name == kDomainLayer) {
      for (const Link& link : layer.links) {
        const Lengths::Length length = lengths.of(layer, link);
        ++laid.domain_cables;
        laid.domain_m += length.metres;
        laid.domain_tray_m += length.tray;
        laid.domain_longest_m = std::max(laid.domain_longest_m, length.metres);
      }
    } else if (has_cables(layer)) {
      const NetworkHardware& network = hardware.of(layer.network);
      const Cabling& cabling = network.design.cabling;
      const bool copper =
          layer.host ? cabling.ports_per_nic_module == 1 : cabling.ports_per_switch_module == 1;
      const std::vector<std::size_t> offered = offered_to(network, layer.gbps, media.all.size());
      out.cables = static_cast<std::int64_t>(layer.links.size());
      out.medium.reserve(layer.links.size());
      for (const Link& link : layer.links) {
        const Lengths::Length length = lengths.of(layer, link);
        out.required_m += length.metres;
        out.tray_m += length.tray;
        out.longest_m = std::max(out.longest_m, length.metres);
        out.medium.push_back(
            static_cast<std::int8_t>(media.nearest(length.metres, copper, offered)));
        if (out.medium.back() >= 0) continue;
        ++laid.beyond.cables;
        if (length.metres <= laid.beyond.longest_m) continue;
        laid.beyond.longest_m = length.metres;
        laid.beyond.layer = layer.name;
      }
      laid.cables += out.cables;
      laid.required_m += out.required_m;
      laid.tray_m += out.tray_m;
      laid.longest_m = std::max(laid.longest_m, out.longest_m);
    }
    laid.layers.push_back(std::move(out));
  }
  for (const Medium& medium : media.all) {
    laid.beyond.reach_m = std::max(laid.beyond.reach_m, medium.reach_m);
  }
  while (const std::int64_t changed = agree_in_cages(plan.wiring, hardware, laid)) {
    laid.forced_ends += changed;
  }
  laid.links.resize(hardware.beside.size() + 1);
  for (const Medium& medium : media.all) {
    laid.has_ends.push_back(medium.is_fibre() ? 1 : 0);
  }
  share_pieces(plan, hardware, site, lengths, media, laid);
  count_media(plan, lengths, media, laid);
  count_modules(plan.wiring, hardware, laid);
  return laid;
}

}  // namespace planner::site
