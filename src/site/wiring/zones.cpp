#include "planner/site/wiring/wirer.hpp"

namespace planner::site {
namespace {

/// Switches of all zones, zone by zone.
struct Zones {
  std::int64_t zones = 1, radix = 0;

  [[nodiscard]] std::int64_t leaf(std::int64_t zone, std::int64_t i) const {
    return zone * radix + i;
  }
  [[nodiscard]] std::int64_t spine(std::int64_t zone, std::int64_t i) const {
    return zone * (radix / 2) + i;
  }
};

/// The links between zones, an end of each on the leaves of its zone in turn, after its hosts and
/// storage: to the zone switches in turn, or without any in pairs to the next zone.
void wire_between(Wirer& wirer, const FabricCount& count, const TwoZoneFatTree& options,
                  const Zones& zones, const Runs& hosts) {
  if (count.links_named("inter_zone") == 0) return;
  const std::size_t leaf = wirer.tier("leaf");
  const bool direct = options.zone_switches == 0;
  const std::size_t layer = wirer.layer("inter_zone", leaf, direct ? leaf : wirer.tier("zone"));
  const auto end_of = [&](std::int64_t zone, std::int64_t i) {
    const std::int64_t taken = hosts.size(zone) + options.storage_ports_per_zone;
    return zones.leaf(zone, (taken + i) % zones.radix);
  };
  const std::int64_t ends = *options.inter_zone_links * zones.zones;
  for (std::int64_t x = 0; x < ends; x += direct ? 2 : 1) {
    const std::int64_t near = end_of(x % zones.zones, x / zones.zones);
    const std::int64_t far =
        direct ? end_of((x + 1) % zones.zones, (x + 1) / zones.zones) : x % options.zone_switches;
    wirer.link(layer, near, far);
  }
}

}  // namespace

void wire_parts(Wirer& wirer, const FabricDesign& design, const FabricCount& count,
                const TwoZoneFatTree& options) {
  const Zones zones{.zones = options.zones, .radix = design.radix};
  const Runs hosts{.things = count.endpoints, .bins = options.zones};
  const std::size_t gpu = wirer.devices("gpu", count.endpoints);
  const std::size_t leaf = wirer.tier("leaf"), spine = wirer.tier("spine");
  const std::size_t host = wirer.layer("host", gpu, leaf);
  std::vector<std::int64_t> set;
  for (std::int64_t zone = 0; zone < options.zones; ++zone) {
    const Runs on_leaves{.things = hosts.size(zone), .bins = design.radix};
    for (std::int64_t i = 0; i < hosts.size(zone); ++i) {
      set.push_back(zones.leaf(zone, on_leaves.bin_of(i)));
      wirer.link(host, static_cast<std::int64_t>(set.size()) - 1, set.back());
    }
  }
  wirer.sets(options.zones * design.radix);
  wirer.set_of(gpu, [&](std::int64_t e) { return set[e]; });
  wirer.set_of(leaf, [](std::int64_t id) { return id; });
  if (const std::int64_t servers = options.storage_ports_per_zone; servers > 0) {
    const std::size_t storage = wirer.devices("storage", servers * options.zones);
    const std::size_t layer = wirer.layer("storage", storage, leaf);
    for (std::int64_t s = 0; s < servers * options.zones; ++s) {
      const std::int64_t zone = s / servers;
      const std::int64_t first = hosts.size(zone) % design.radix;
      wirer.link(layer, s, zones.leaf(zone, (first + s % servers) % design.radix));
    }
    wirer.set_of(storage, [&](std::int64_t s) { return zones.leaf(s / servers, 0); });
  }
  wire_between(wirer, count, options, zones, hosts);
  wirer.align(leaf);
  const std::size_t up = wirer.layer("leaf_spine", leaf, spine);
  for (std::int64_t zone = 0; zone < options.zones; ++zone) {
    for (std::int64_t l = 0; l < design.radix; ++l) {
      for (std::int64_t s = 0; s < design.radix / 2; ++s) {
        wirer.link(up, zones.leaf(zone, l), zones.spine(zone, s));
      }
    }
  }
}

}  // namespace planner::site
