#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "planner/core/ceil_div.hpp"
#include "planner/site/cables.hpp"
#include "planner/site/flows.hpp"

// What cables are bought and pulled as: cords, splitters and trunks.
namespace planner::site {
namespace {

constexpr std::int64_t kUsualBundle =
    8;  ///< cables from which trunks are told, where none are used

/// A cable of the count, by its layer and number.
struct CableAt {
  std::uint32_t layer = 0, link = 0;
};

class Sharing {
 public:
  Sharing(const RackPlan& plan, const Lengths& lengths, const Media& media, Laid& laid)
      : plan_(plan), lengths_(lengths), media_(media), laid_(laid) {}

  /// One piece carries these, which are of one medium.
  void share(const CableAt* first, const CableAt* last, std::int64_t fibres) {
    const WiredLayer& layer = plan_.wiring.layers[first->layer];
    const auto number = static_cast<std::int32_t>(laid_.shared.size());
    SharedPiece piece{
        .network = layer.network,
        .medium = static_cast<std::size_t>(laid_.layers[first->layer].medium[first->link]),
        .gbps = layer.gbps,
        .fibres = fibres,
        .links = last - first};
    for (const CableAt* at = first; at != last; ++at) {
      const WiredLayer& of = plan_.wiring.layers[at->layer];
      std::vector<std::int32_t>& shared = laid_.layers[at->layer].shared;
      if (shared.empty()) shared.assign(of.links.size(), -1);
      shared[at->link] = number;
      piece.longest_m = std::max(piece.longest_m, lengths_.of(of, of.links[at->link]).metres);
    }
    piece.sold_m = sold_length(media_.all[piece.medium].sold_m, piece.longest_m);
    laid_.shared.push_back(piece);
  }

 private:
  const RackPlan& plan_;
  const Lengths& lengths_;
  const Media& media_;
  Laid& laid_;
};

/// Copper at a cage of several ports splits: a piece for each such cage.
void share_splitters(const RackPlan& plan, const Hardware& hardware, const Media& media,
                     const Laid& laid, Sharing& sharing) {
  struct AtCage {
    std::uint64_t kind = 0, cage = 0;
    CableAt cable;
  };
  std::vector<AtCage> all;
  for (std::size_t l = 0; l < plan.wiring.layers.size(); ++l) {
    const WiredLayer& layer = plan.wiring.layers[l];
    if (!is_laid(layer) || !plan.wiring.kinds[layer.to].is_switch) continue;
    const std::int64_t ports = hardware.of(layer.network).design.cabling.ports_per_switch_module;
    if (ports < 2) continue;
    for (std::size_t i = 0; i < layer.links.size(); ++i) {
      const int medium = laid.layers[l].medium[i];
      if (medium < 0 || !media.all[static_cast<std::size_t>(medium)].is_copper()) continue;
      const Link& link = layer.links[i];
      const std::uint64_t cage = std::uint64_t{link.to} << 32 | link.to_port / ports;
      all.push_back(
          {layer.to, cage, {static_cast<std::uint32_t>(l), static_cast<std::uint32_t>(i)}});
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const AtCage& a, const AtCage& b) {
    return std::tie(a.kind, a.cage) < std::tie(b.kind, b.cage);
  });
  std::vector<CableAt> of_cage;
  for (std::size_t from = 0; from < all.size();) {
    of_cage.clear();
    std::size_t to = from;
    for (; to < all.size() && all[to].kind == all[from].kind && all[to].cage == all[from].cage;
         ++to) {
      of_cage.push_back(all[to].cable);
    }
    sharing.share(of_cage.data(), of_cage.data() + of_cage.size(), 0);
    from = to;
  }
}

/// The trunk for so many cables: the smallest that holds them, or the largest there is.
std::size_t trunk_for(std::int64_t cables) {
  std::size_t size = kTrunkFibres.size() - 1;
  while (size > 0 && cables * kFibresOfLink > kTrunkFibres[size]) --size;
  return size;
}

/// Bundles: fibre cables of one layer and medium between the same two racks. What is pulled for one
/// are as few trunks as can be: of 144 fibres, and one of the rest.
void bundle(const RackPlan& plan, const Site& site, const Media& media, Laid& laid,
            Sharing& sharing) {
  Bundles& bundles = laid.bundles;
  bundles.pulled = site.trunk_links.has_value();
  bundles.links = static_cast<std::int64_t>(site.trunk_links.value_or(kUsualBundle));
  std::vector<char> at_end(plan.racks.size(), 0);
  std::array<std::int64_t, kTrunkFibres.size()> pieces{};
  struct Joined {
    std::uint64_t racks = 0;
    std::uint32_t link = 0;
    std::int8_t medium = 0;
  };
  std::vector<Joined> joined;
  std::vector<CableAt> in_one;
  for (std::size_t l = 0; l < plan.wiring.layers.size(); ++l) {
    const WiredLayer& layer = plan.wiring.layers[l];
    if (!is_laid(layer)) continue;
    joined.clear();
    for (std::size_t i = 0; i < layer.links.size(); ++i) {
      const std::int8_t medium = laid.layers[l].medium[i];
      if (medium < 0 || !media.all[static_cast<std::size_t>(medium)].is_fibre()) continue;
      const auto a = static_cast<std::uint32_t>(plan.rack_of[layer.from][layer.links[i].from]);
      const auto b = static_cast<std::uint32_t>(plan.rack_of[layer.to][layer.links[i].to]);
      if (a == b) continue;
      joined.push_back({std::uint64_t{std::min(a, b)} << 32 | std::max(a, b),
                        static_cast<std::uint32_t>(i), medium});
    }
    std::sort(joined.begin(), joined.end(), [](const Joined& a, const Joined& b) {
      return std::tie(a.racks, a.medium, a.link) < std::tie(b.racks, b.medium, b.link);
    });
    for (std::size_t from = 0; from < joined.size();) {
      in_one.clear();
      std::size_t to = from;
      for (; to < joined.size() && joined[to].racks == joined[from].racks &&
             joined[to].medium == joined[from].medium;
           ++to) {
        in_one.push_back({static_cast<std::uint32_t>(l), joined[to].link});
      }
      const std::uint64_t racks = joined[from].racks;
      from = to;
      const auto cables = static_cast<std::int64_t>(in_one.size());
      if (cables < bundles.links) continue;
      ++bundles.bundles;
      bundles.cables += cables;
      at_end[racks >> 32] = at_end[racks & 0xffffffff] = 1;
      for (std::int64_t done = 0; done < cables;) {
        const std::size_t size = trunk_for(cables - done);
        const std::int64_t now = std::min(cables - done, kTrunkFibres[size] / kFibresOfLink);
        ++pieces[size];
        const CableAt* const first = in_one.data() + done;
        if (bundles.pulled) sharing.share(first, first + now, kTrunkFibres[size]);
        done += now;
      }
    }
  }
  for (std::size_t size = 0; size < kTrunkFibres.size(); ++size) {
    if (pieces[size] > 0) bundles.trunks.push_back({kTrunkFibres[size], pieces[size]});
  }
  bundles.racks = std::count(at_end.begin(), at_end.end(), 1);
}

}  // namespace

double Laid::sold_length_of(std::size_t layer, std::size_t link, double metres,
                            const Media& offered) const {
  const LaidLayer& of = layers[layer];
  if (!of.shared.empty() && of.shared[link] >= 0) {
    return shared[static_cast<std::size_t>(of.shared[link])].sold_m;
  }
  // A cage may force a medium whose shortest piece is longer than needed.
  return sold_length(offered.all[static_cast<std::size_t>(of.medium[link])].sold_m, metres);
}

void share_pieces(const RackPlan& plan, const Hardware& hardware, const Site& site,
                  const Lengths& lengths, const Media& media, Laid& laid) {
  Sharing sharing(plan, lengths, media, laid);
  share_splitters(plan, hardware, media, laid, sharing);
  bundle(plan, site, media, laid, sharing);
}

void count_media(const RackPlan& plan, const Lengths& lengths, const Media& media, Laid& laid) {
  using Sold = std::pair<std::int64_t, double>;  // fibres of a trunk, metres
  std::vector<std::map<Sold, std::int64_t>> pieces(media.all.size());
  using Bought = std::tuple<std::size_t, std::size_t, std::int64_t, Sold>;
  std::map<Bought, std::int64_t> bought;
  std::vector<double> required(media.all.size(), 0), pieces_required(media.all.size(), 0);
  std::vector<std::int64_t> links(media.all.size(), 0);
  std::vector<char> counted(laid.shared.size(), 0);
  for (std::size_t l = 0; l < plan.wiring.layers.size(); ++l) {
    const WiredLayer& layer = plan.wiring.layers[l];
    if (!is_laid(layer)) continue;
    LaidLayer& out = laid.layers[l];
    for (std::size_t i = 0; i < layer.links.size(); ++i) {
      if (out.medium[i] < 0) continue;
      const auto medium = static_cast<std::size_t>(out.medium[i]);
      const double metres = lengths.of(layer, layer.links[i]).metres;
      required[medium] += metres;
      ++links[medium];
      const std::int32_t piece = out.shared.empty() ? -1 : out.shared[i];
      if (piece >= 0 && std::exchange(counted[static_cast<std::size_t>(piece)], 1) != 0) continue;
      const SharedPiece* const shared =
          piece < 0 ? nullptr : &laid.shared[static_cast<std::size_t>(piece)];
      const std::int64_t fibres = shared == nullptr ? 0 : shared->fibres;
      pieces_required[medium] += shared == nullptr ? metres : shared->longest_m;
      const double sold = laid.sold_length_of(l, i, metres, media);
      ++pieces[medium][{fibres, sold}];
      ++bought[{layer.network, medium, layer.gbps, {fibres, sold}}];
      out.sold_m += sold;
    }
    laid.sold_m += out.sold_m;
  }
  for (const auto& [of, number] : bought) {
    const auto& [network, medium, gbps, sold] = of;
    laid.links[network].cables.push_back({medium, gbps, sold.second, number, sold.first});
  }
  for (std::size_t m = 0; m < media.all.size(); ++m) {
    if (pieces[m].empty()) continue;
    MediumUse use{.medium = media.all[m].name, .title = media.all[m].title, .links = links[m]};
    use.required_m = required[m];
    use.pieces_required_m = pieces_required[m];
    for (const auto& [sold, number] : pieces[m]) {
      const auto& [fibres, metres] = sold;
      if (fibres == 0) {
        use.by_length.push_back({metres, number});
      } else {
        use.trunks.push_back({fibres, metres, number});
      }
      use.pieces += number;
      use.sold_m += metres * static_cast<double>(number);
    }
    laid.media.push_back(std::move(use));
  }
}

}  // namespace planner::site
