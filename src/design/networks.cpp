#include "planner/design/networks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "planner/core/real.hpp"

namespace planner::design {

namespace {

/// Every price of a part at its upper end.
PriceBook at_upper_ends(PriceBook book) {
  for (Price& price : book.prices) {
    if (price.amount) price.amount = Estimate<Money>::exactly(price.amount->high);
  }
  return book;
}

/// What a link of a network is made of, and what that comes to.
struct PricedLink {
  OpticsOption optics;
  Piece expected, upper;  ///< at the prices that are expected, and at their upper ends

  [[nodiscard]] std::int64_t ports() const { return optics.module ? optics.module->ports : 1; }
  [[nodiscard]] bool has(const std::string& part) const {
    const auto is = [&](const std::optional<Optic>& one) { return one && one->name == part; };
    return is(optics.module) || is(optics.fibre) || is(optics.active_optical);
  }
};

/// Whether no network has a reason to be of `other` in place of `one`: neither what is expected of
/// any figure nor how much more it may be is less, and no port of a module may stay empty that has
/// a cable in the other's. Sums of both rank whole clusters, see Judge.
bool beats(const PricedLink& one, const PricedLink& other) {
  if (one.optics.port_gbps != other.optics.port_gbps || one.ports() > other.ports()) return false;
  constexpr std::array kFigures{&Piece::capex, &Piece::tco, &Piece::usd_per_second, &Piece::watts};
  return std::all_of(kFigures.begin(), kFigures.end(), [&](double Piece::*figure) {
    const auto more = [&](const PricedLink& of) { return of.upper.*figure - of.expected.*figure; };
    return one.expected.*figure <= other.expected.*figure && more(one) <= more(other);
  });
}

/// Prices parts of a catalog as pieces of a network.
class LinkPrices {
 public:
  LinkPrices(const PriceBook& book, const Economics& economics)
      : book_(book), upper_(at_upper_ends(book)), economics_(economics) {}

  struct Part {
    Optic optic;
    Piece expected, upper;
  };
  /// Nothing: its price or power is not known.
  [[nodiscard]] std::optional<Part> of(const Optic& optic) const {
    const auto piece = [&](const PriceBook& book) -> std::optional<Piece> {
      const bool transceiver = optic.kind == OpticKind::transceiver;
      const PieceResult result =
          piece_of({.id = optic.name,
                    .category = transceiver ? PartCategory::transceivers : PartCategory::cables,
                    .power = optic.power},
                   book, economics_);
      const auto* const known = std::get_if<Piece>(&result);
      return known == nullptr ? std::nullopt : std::optional(*known);
    };
    const auto expected = piece(book_), upper = piece(upper_);
    if (!expected || !upper) return std::nullopt;
    return Part{optic, *expected, *upper};
  }

 private:
  const PriceBook& book_;
  PriceBook upper_;
  const Economics& economics_;
};

/// Fibres that transceivers of a reach are made for: of those that carry as far the ones of the
/// least reach. One that says nothing of its reach ends no link before its transceivers do.
std::vector<Optic> fibres_for(const Optic& module, const std::vector<Optic>& optics) {
  constexpr double kAny = std::numeric_limits<double>::infinity();
  std::vector<Optic> fibres;
  double least = kAny;
  for (const Optic& fibre : optics) {
    const double reach = fibre.reach_m.value_or(kAny);
    if (fibre.kind != OpticKind::fibre || reach < module.reach_m.value_or(kAny)) continue;
    if (reach < least) fibres.clear();
    least = std::min(least, reach);
    if (reach == least) fibres.push_back(fibre);
  }
  return fibres;
}

/// Every link that can be priced: an active optical cable, or a fibre with a transceiver of one or
/// two ports at either end.
std::vector<PricedLink> priced_links(const std::vector<Optic>& optics, const LinkPrices& prices) {
  std::vector<PricedLink> links;
  for (const Optic& optic : optics) {
    if (!optic.port_gbps || optic.kind == OpticKind::fibre) continue;
    const std::optional<LinkPrices::Part> part = prices.of(optic);
    if (!part) continue;
    if (optic.kind == OpticKind::active_optical) {
      links.push_back(
          {{.port_gbps = *optic.port_gbps, .active_optical = optic}, part->expected, part->upper});
    }
    if (optic.kind != OpticKind::transceiver || optic.ports > 2) continue;
    for (const Optic& fibre : fibres_for(optic, optics)) {
      const std::optional<LinkPrices::Part> cable = prices.of(fibre);
      if (!cable) continue;
      const double ends = 2 / real(optic.ports);
      links.push_back({{.port_gbps = *optic.port_gbps, .module = optic, .fibre = fibre},
                       ends * part->expected + cable->expected,
                       ends * part->upper + cable->upper});
    }
  }
  return links;
}

NetworkOption network_of(const SwitchModel& model, const OpticsOption& optics,
                         const TopologyOptions& topology) {
  FabricDesign fabric{.radix = model.ports_at(optics.port_gbps),
                      .port_gbps = optics.port_gbps,
                      .topology = topology};
  FabricParts names{.switches = model.name};
  FabricModels models{.switches = model};
  const auto take = [](const std::optional<Optic>& optic, auto& name, auto& place) {
    if (!optic) return;
    name = optic->name;
    place = optic;
  };
  if (optics.active_optical) {
    fabric.cabling = {.host = CableKind::active_optical,
                      .first = CableKind::active_optical,
                      .upper = CableKind::active_optical};
    take(optics.active_optical, names.active_optical, models.active_optical);
  } else {
    fabric.cabling.ports_per_switch_module = optics.module->ports;
    fabric.cabling.ports_per_nic_module = optics.module->ports;
    take(optics.module, names.switch_module, models.switch_module);
    take(optics.module, names.nic_module, models.nic_module);
    take(optics.fibre, names.fibre, models.fibre);
  }
  return {.choice = {.fabric = fabric, .parts = names}, .models = models};
}

}  // namespace

std::vector<OpticsOption> worthwhile_optics(const std::vector<Optic>& optics, const PriceBook& book,
                                            const Economics& economics) {
  const std::vector<PricedLink> links = priced_links(optics, LinkPrices(book, economics));
  /// Whether one that is not of `without` beats a link; of two that beat each other the first does.
  const auto beaten = [&](std::size_t link, const std::string& without) {
    for (std::size_t i = 0; i < links.size(); ++i) {
      if (i == link || links[i].has(without) || !beats(links[i], links[link])) continue;
      if (i < link || !beats(links[link], links[i])) return true;
    }
    return false;
  };
  std::vector<OpticsOption> kept;
  for (std::size_t link = 0; link < links.size(); ++link) {
    const auto unbeaten = [&](const Optic& without) {
      return !links[link].has(without.name) && !beaten(link, without.name);
    };
    if (!beaten(link, {}) || std::any_of(optics.begin(), optics.end(), unbeaten)) {
      kept.push_back(links[link].optics);
    }
  }
  return kept;
}

std::vector<NetworkOption> open_networks(const System& system, const Node& node,
                                         const NetworkParts& parts) {
  std::vector<NetworkOption> options;
  const std::int64_t nic = std::llround(node.nic_bandwidth.in(units::Gbps));
  const bool card_each = node.nics == node.accelerators;
  for (const SwitchModel& model : parts.switches) {
    for (const OpticsOption& optics : parts.optics) {
      for (const std::int64_t planes : kPlanes) {
        if (optics.port_gbps * planes != nic || model.ports_at(optics.port_gbps) == 0) continue;
        for (const std::int64_t down : kOversubscriptions) {
          const Ratio ratio{.down = down, .up = 1};
          const auto one = [&](const TopologyOptions& topology) {
            options.push_back(network_of(model, optics, topology));
          };
          if (planes == 1) {
            one(FatTree{.oversubscription = ratio});
          } else {
            one(MultiPlane{.planes = planes,
                           .ports_per_gpu = planes,
                           .oversubscription = ratio,
                           .max_tiers = 3});
          }
          if (!card_each) continue;
          one(RailOptimized{
              .rails = system.hb_domain, .planes = planes, .oversubscription = ratio});
          if (planes == 1) {
            one(RailOnly{.rails = system.hb_domain, .oversubscription = ratio});
          }
        }
      }
    }
  }
  return options;
}

}  // namespace planner::design
