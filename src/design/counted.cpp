#include "planner/design/counted.hpp"

#include <algorithm>
#include <utility>

#include "planner/core/real.hpp"
#include "planner/cost/bill.hpp"
#include "planner/cost/estimate_math.hpp"
#include "planner/cost/owning.hpp"

namespace planner::design {

CountedDesigns::CountedDesigns(const Space& space) : space_(space), parts_(space.systems.size()) {
  for (const SystemOption& option : space.systems) {
    std::vector<OfNetwork>& networks = networks_.emplace_back(option.networks.size());
    for (std::size_t n = 0; n < networks.size(); ++n) {
      networks[n].wired = &wired_as(option.networks[n].choice.fabric, option);
    }
  }
}

CountedDesigns::WiredAlike& CountedDesigns::wired_as(const FabricDesign& fabric,
                                                     const SystemOption& at) {
  const Node& node = at.node;
  const BytesPerSecond cards = at.system().network_bandwidth;
  const auto alike = std::find_if(wired_.begin(), wired_.end(), [&](const WiredAlike& other) {
    return other.gpus_per_node == node.accelerators && other.endpoints_per_node == node.nics &&
           other.cards == cards && other.fabric == fabric;
  });
  if (alike != wired_.end()) return *alike;
  return wired_.emplace_back(fabric, node, cards);
}

const Counted* CountedDesigns::of(const DesignId& id) {
  OfNetwork& network = networks_[id.system][id.network];
  auto known = network.by_gpus.find(id.gpus);
  if (known == network.by_gpus.end()) {  // nothing is kept where something is wrong with the input
    known = network.by_gpus.emplace(id.gpus, count(id, network)).first;
  }
  return known->second.get();
}

Buildable& CountedDesigns::buildable_of(const DesignId& id) {
  std::optional<Buildable>& of = networks_[id.system][id.network].of;
  if (!of) of = buildable(space_, id);
  return *of;
}

const CountedNetwork* CountedDesigns::network_of(const DesignId& id) {
  WiredAlike& wired = *networks_[id.system][id.network].wired;
  const std::lock_guard lock(wired.mutex);
  auto known = wired.by_gpus.find(id.gpus);
  if (known == wired.by_gpus.end()) {
    std::optional<CountedNetwork> network;
    if (const auto count = counted_network(id, buildable_of(id))) {
      NetworkSpeed speed = network_speed(space_, id, *count);
      if (wired.speed == nullptr || *wired.speed != speed) wired.speed = one_of(std::move(speed));
      network = {parts_of(wired.fabric, *count), wired.speed};
    }
    known = wired.by_gpus.emplace(id.gpus, std::move(network)).first;
  }
  return known->second ? &*known->second : nullptr;
}

const NetworkSpeed* CountedDesigns::one_of(NetworkSpeed speed) {
  SpeedKey key{speed.rails_apart, speed.ports, {}};
  for (const NetworkTier& tier : speed.tiers) {
    std::get<2>(key).emplace_back(tier.gpus, tier.bandwidth_share);
  }
  const std::lock_guard lock(speeds_mutex_);
  return &speeds_.try_emplace(std::move(key), std::move(speed)).first->second;
}

std::unique_ptr<const Counted> CountedDesigns::count(const DesignId& id, OfNetwork& network) {
  std::unique_lock lock(standing_mutex_, std::defer_lock);
  if (space_.stand) lock.lock();
  const std::optional<MadeOf> made = made_of(space_, id, buildable_of(id));
  if (lock) lock.unlock();
  if (!made) return nullptr;
  Counted counted{.lines = {}, .cluster = without_money(space_, id, *made)};
  if (made->standing) counted.racks = made->standing->racks;
  counted.lines.reserve(made->parts.size());
  for (const PartQuantity& line : made->parts) {
    if (line.quantity == 0) continue;
    counted.lines.push_back({place_of(line, id.system, network), line.quantity});
  }
  return std::make_unique<const Counted>(std::move(counted));
}

std::size_t CountedDesigns::place_of(const PartQuantity& line, std::size_t system,
                                     OfNetwork& network) {
  const bool kept = line.own_price.has_value();
  std::vector<DistinctPart>& parts = parts_[system];
  const auto same = [&](std::size_t place) {
    const DistinctPart& known = parts[place];
    return known.one.part == line.part && known.one.included_in == line.included_in &&
           known.kept == kept;
  };
  const auto known = std::find_if(network.parts.begin(), network.parts.end(), same);
  if (known != network.parts.end()) return *known;
  std::size_t place = 0;
  while (place < parts.size() && !same(place)) ++place;
  if (place == parts.size()) {
    parts.push_back({.one = line, .kept = kept, .system = system});
    parts.back().one.quantity = 1;
  }
  network.parts.push_back(place);
  return place;
}

PricedDesigns::PricedPart PricedDesigns::price(const DistinctPart& part) const {
  const PartQuantity one = part.kept ? kept_part(space_.systems[part.system], 1) : part.one;
  const BillResult billed = bill_of_materials({one}, space_.book);
  if (const auto* const problem = std::get_if<CostProblem>(&billed)) {
    return {.missing = to_string(*problem)};
  }
  const BillLine& line = std::get<BillOfMaterials>(billed).lines.front();
  if (line.unpriced()) return {.part = line.part.id, .missing = "price of " + line.part.title};
  if (!line.power) return {.part = line.part.id, .missing = "power of " + line.part.title};
  return {.missing = {},
          .included = !line.included_in.empty(),
          .amount = line.unit_price.value_or(Estimate<Money>{}),
          .power = *line.power};
}

const PricedDesigns::PricedPart& PricedDesigns::priced(std::size_t system, std::size_t part) {
  std::vector<std::optional<PricedPart>>& parts = parts_[system];
  if (parts.size() <= part) parts.resize(counted_.parts(system).size());
  std::optional<PricedPart>& known = parts[part];
  if (!known) known = price(counted_.parts(system)[part]);
  return *known;
}

// In the order of the bill, and each sum as bill_of_materials(), capex() and power_draw() form it:
// to the last bit the same.
BoughtResult PricedDesigns::of(const DesignId& id) {
  const Counted* const counted = counted_.of(id);
  if (counted == nullptr) return NoSuchNetwork{};
  const auto too_large = [](const char* what) {
    return Unpriced{to_string(CostProblem{CostRule::too_large, what})};
  };
  const Economics& economics = space_.economics;
  Total capex;
  PowerDraw power;
  for (const Counted::Line& line : counted->lines) {
    const PricedPart& part = priced(id.system, line.part);
    if (!part.missing.empty()) return Unpriced{part.missing, part.part};
    power.it += real(line.quantity) * part.power;
    if (part.included) continue;
    const auto total = product(part.amount, line.quantity);
    const auto larger = total ? sum(capex.amount, *total) : std::nullopt;
    if (!larger) return too_large("capex");
    capex.amount = *larger;
  }
  if (economics.pue) {
    power.facility = each([&](double factor) { return power.it * factor; }, *economics.pue);
  }
  OwningResult result = owning(economics, {.capex = capex,
                                           .power = power,
                                           .compute_power_known = true,
                                           .gpus = id.gpus,
                                           .racks = counted->racks});
  if (const auto* const problem = std::get_if<CostProblem>(&result)) {
    return Unpriced{to_string(*problem)};
  }
  const auto& owned = std::get<Owning>(result);
  for (const OpexLine& line : owned.opex) {
    if (!line.per_year) return Unpriced{"yearly cost: " + std::string(name_of(line.item))};
  }
  Bought all = counted->cluster;
  all.capex = capex.amount;
  all.tco = owned.ownership->total;
  all.financed = owned.financed;
  all.power = power;
  all.per_gpu_hour = *owned.per_gpu_hour;
  return all;
}

}  // namespace planner::design
