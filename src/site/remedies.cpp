#include "planner/site/remedies.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "planner/core/grouped.hpp"

namespace planner::site {
namespace {

constexpr double kRoundingUp = 1 + 1e-9;

}  // namespace

Remedies::Remedies(const Build& built, const Hardware& hardware, const Site& site,
                   const Media& media, const BuildOptions& options)
    : built_(built),
      hardware_(hardware),
      site_(site),
      media_(media),
      options_(options),
      searched_(options.arrangement == Arrangement::searched) {
  options_.arrangement = std::min(options_.arrangement, Arrangement::regular);
  options_.judged = false;
}

std::string Remedies::healed(const Site& site, const Holds& holds) const {
  return healed(site, hardware_, holds);
}

std::string Remedies::healed(const Site& site, const Hardware& hardware, const Holds& holds) const {
  BuildOptions options = options_;
  // Large ones are tried as groups fall; only what heals has its racks swapped.
  constexpr std::size_t kFewTried = 1500;
  options.swaps = built_.plan.racks.size() <= kFewTried;
  for (;;) {
    const auto result = build(hardware, site, media_, options);
    const auto* const found = std::get_if<Build>(&result);
    if (found == nullptr || !holds(*found)) return {};
    if (options.swaps || !options_.swaps) return outcome(*found);
    options.swaps = true;
  }
}

std::string Remedies::outcome(const Build& tried) const {
  return grouped(static_cast<std::int64_t>(tried.plan.racks.size())) + " racks, longest cable " +
         grouped(tried.laid.longest_m, 1) + " m" +
         (searched_ ? " (arranged regularly, not searched)" : "") +
         (options_.priced ? ", " + options_.priced(tried) : std::string());
}

std::string Remedies::of_rack(const Rack& worst, const Load& load, const Limit& limit,
                              const std::vector<Other>& others) const {
  const auto under = [&](const Site& site) -> Holds {
    return [&, most = limit(site)](const Build& with) { return load(with) <= most * kRoundingUp; };
  };
  if (worst.nodes > 1) {
    Hardware fewer = hardware_;
    fewer.chassis.most_per_rack = worst.nodes - 1;
    const std::string with = healed(site_, fewer, under(site_));
    if (!with.empty()) {
      return grouped(worst.nodes - 1) + (worst.nodes == 2 ? " node a rack: " : " nodes a rack: ") +
             with;
    }
  }
  std::vector<Other> all;
  if (worst.is_network && worst.kind != kFrameRack && worst.contents.size() > 1) {
    Site fewer = site_;
    const double share = limit(site_) / load(built_);
    fewer.switches_per_rack =
        std::max(1.0, std::floor(static_cast<double>(worst.contents.size()) * share));
    all.push_back({grouped(fewer.switches_per_rack, 0) + " switches a rack", fewer});
  }
  all.insert(all.end(), others.begin(), others.end());
  for (const Other& other : all) {
    const std::string with = healed(other.site, under(other.site));
    if (!with.empty()) return other.words + ": " + with;
  }
  return {};
}

std::string Remedies::of_power(const Load& load, double limit,
                               const std::function<bool(std::size_t)>& where) const {
  constexpr double kLeastShare = 0.3;  // a node that may draw less does no work worth a rack
  double nodes = 0;
  for (std::size_t i = 0; i < built_.plan.racks.size(); ++i) {
    if (where(i)) nodes += static_cast<double>(built_.plan.racks[i].nodes);
  }
  // In the unit of the load, which all have the same PUE.
  const double all = load(built_);
  const double of_nodes = nodes * hardware_.node_power.in(1e6 * units::W) * site_.pue;
  if (of_nodes <= 0) return {};
  const double share = std::floor(100 * (1 - (all - limit) / of_nodes)) / 100;
  if (share < kLeastShare) return {};
  Hardware held = hardware_;
  held.node_power = held.node_power * share;
  // As with that node_load: racks take as many more.
  const std::string with =
      healed(site_, held, [&](const Build& built) { return load(built) <= limit * kRoundingUp; });
  if (with.empty()) return {};
  const double kw = hardware_.node_power.in(1000 * units::W);
  return "nodes held to " + grouped(kw * share, 1) + " kW in place of " + grouped(kw, 1) +
         " (node_load " + grouped(site_.node_load * share, 2) + "): " + with;
}

std::string Remedies::of_chain(const CarriedUnit& broken) const {
  std::vector<Watts> racks;
  for (const Rack& rack : built_.plan.racks) racks.push_back(rack.drawn());
  std::vector<PowerUnit> units = site_.power_units;
  const auto carried = [&](const std::vector<PowerUnit>& chain) {
    return PowerChain(chain, racks, draws_of(built_.plan, hardware_.chassis)).carried();
  };
  const auto over = [](const std::vector<CarriedUnit>& all) {
    return std::count_if(all.begin(), all.end(),
                         [](const CarriedUnit& one) { return one.broken(); });
  };
  const std::int64_t before = over(carried(units));
  const auto at = std::find_if(units.begin(), units.end(),
                               [&](const PowerUnit& unit) { return unit.name == broken.name; });
  for (std::size_t to = 0; to < units.size() && !at->racks.empty(); ++to) {
    if (units[to].racks.empty() || units[to].name == broken.name) continue;
    std::vector<PowerUnit> moved = units;
    std::vector<std::int64_t>& from = moved[static_cast<std::size_t>(at - units.begin())].racks;
    std::string names;
    while (from.size() > 1) {
      const std::int64_t rack = from.back();
      from.pop_back();
      if (std::find(moved[to].racks.begin(), moved[to].racks.end(), rack) !=
          moved[to].racks.end()) {
        break;  // it hangs on both already
      }
      moved[to].racks.push_back(rack);
      names = std::to_string(rack) + (names.empty() ? "" : ", ") + names;
      const std::vector<CarriedUnit> after = carried(moved);
      const auto own = std::find_if(after.begin(), after.end(), [&](const CarriedUnit& one) {
        return one.name == broken.name;
      });
      const auto other = std::find_if(after.begin(), after.end(), [&](const CarriedUnit& one) {
        return one.name == moved[to].name;
      });
      if (other->broken()) break;
      if (own->broken() || over(after) >= before) continue;
      const auto kw = [](Watts power) { return grouped(power.in(1000 * units::W), 1); };
      return (names.find(',') == std::string::npos ? "rack " : "racks ") + names + " on " +
             other->name + ": " + kw(own->worst) + " kW stay, " + kw(other->worst) + " kW there";
    }
  }
  const double number = std::ceil(broken.worst / broken.limit - 1e-9);
  return grouped(number, 0) + " such units that share its load: " +
         grouped(broken.worst.in(1000 * units::W) / number, 1) + " kW each" + unpriced();
}

}  // namespace planner::site
