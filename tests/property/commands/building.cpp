// The building and the bill of a cluster say the same: of watts, whatever of them is known, and of
// the pieces that are bought, pulled and written down one by one.

#include <doctest/doctest.h>

#include <map>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "planner/commands/build/build.hpp"
#include "planner/commands/parts/cluster_bill.hpp"
#include "planner/commands/parts/physical_build.hpp"
#include "planner/commands/parts/price_book.hpp"
#include "planner/cost/power.hpp"
#include "support/random_fabrics.hpp"

namespace {

using namespace planner;
using namespace planner::commands;
using namespace planner::testing;
using doctest::Approx;

const catalog::Catalog& files() {
  static const catalog::Catalog all({PLANNER_SOURCE_DIR});
  return all;
}

void give(SiteSettings& settings, std::string_view key, double value) {
  const auto figures = site_figures();
  for (std::size_t i = 0; i < figures.size(); ++i) {
    if (figures[i].key == key) settings.figures.emplace_back(i, value);
  }
}

/// A cluster of any topology, whose parts are named or not, in a building that says what stands in
/// for unknown power or not.
std::optional<ClusterNetwork> random_cluster(std::mt19937_64& random, int topology) {
  const auto fabric = random_fabric(random, topology, 1500, 10'000);
  if (!fabric) return std::nullopt;
  const auto flag = [&] { return any(random, 0, 1) == 1; };
  const bool fast = flag(), named = flag();
  ClusterNetwork at{.file = {}};
  try {
    at = cluster_network(
        PLANNER_SOURCE_DIR "/examples/clusters/h100-16k.json", files(), [&](Cluster& cluster) {
          cluster.fabric = fabric->first;
          cluster.fabric.port_gbps = fast ? 400 : 200;
          cluster.fabric.cabling = {.ports_per_switch_module = any(random, 1, 2),
                                    .ports_per_nic_module = 1};
          if (flag()) cluster.fabric.cabling.host = CableKind::copper;
          cluster.gpus = 8 * any(random, 1, 200);
          cluster.fabric.gpus = fabric->first.gpus;
          cluster.fabric_parts = {};
          if (named && fast) {
            const bool twin = cluster.fabric.cabling.ports_per_switch_module == 2;
            cluster.fabric_parts.switch_module = twin ? "mma4z00-ns" : "mma4z00-ns400";
            cluster.fabric_parts.nic_module = "mma4z00-ns400";  // of unknown power
            if (twin) cluster.fabric_parts.copper = "mca7j60";
          }
          if (flag()) cluster.node.reset();
          cluster.build.emplace();
          SiteSettings& settings = cluster.build->settings;
          give(settings, "rack_kW", 120);
          if (flag()) cluster.spare_nodes = any(random, 0, 30);
          if (flag()) give(settings, "node_load", 0.1 * static_cast<double>(any(random, 4, 10)));
          if (flag()) give(settings, "switch_W", 700);
          if (flag()) give(settings, "module_W", 11);
          if (flag()) give(settings, "trunk_fibres", static_cast<double>(any(random, 1, 12)));
        });
  } catch (const InputError&) {  // not every topology goes with these cables
    return std::nullopt;
  }
  return at;
}

TEST_CASE("property: the power of the racks is that of the bill, and unknown in both") {
  const PriceBook book = load_prices("street-2026", files());
  for (int topology = 0; topology < 12; ++topology) {
    std::mt19937_64 random(900 + topology);
    for (int made = 0, tried = 0; made < 8 && tried < 400; ++tried) {
      const auto at = random_cluster(random, topology);
      if (!at) continue;
      ++made;
      CAPTURE(topology);
      CAPTURE(tried);
      std::vector<std::string> said;
      const Physical physical = physical_of(*at, {}, files(), said);
      const site::Build built = stand(physical, "random", {.swaps = false, .judged = false});
      if (built.laid.beyond.cables > 0) continue;
      ClusterModels models = models_of(*at, files());
      take_stand_ins(physical, models);
      models.links = laid_parts(*at, physical, built.laid, models.fabric, book);
      const BillOfMaterials bill = billed(*at, models, book);
      const PowerDraw draw = power_draw(bill, std::nullopt);
      REQUIRE(built.power.rated.si() == Approx(draw.it.si()));
      const double load = physical.site.node_load;
      REQUIRE(
          (load < 1 ? built.power.it < built.power.rated : built.power.it == built.power.rated));
      if (draw.lines_without_power > 0) REQUIRE_FALSE(physical.unknown_power.empty());

      // Every piece of the bill is in the schedule as often, by part and length.
      std::map<std::pair<std::string, std::string>, std::int64_t> pulled, bought;
      for (const BillLine& line : bill.lines) {
        if (line.part.category != PartCategory::cables || !line.part.length_m) continue;
        std::ostringstream metres;
        metres << *line.part.length_m;
        bought[{line.part.id, metres.str()}] += line.quantity;
      }
      const CablePart part_of = [&](std::size_t network, std::size_t medium, std::int64_t gbps,
                                    std::int64_t fibres) {
        const std::int64_t ports =
            physical.hardware.of(network).design.cabling.ports_per_switch_module;
        const Part cord = cable_part(physical.media_models[medium], gbps, ports, models.fabric);
        return fibres > 0 ? trunk_of(cord, fibres).id : cord.id;
      };
      std::istringstream schedule(cable_schedule(built, physical.site, physical.media, part_of));
      std::set<std::string> pieces;
      std::int64_t lines = -1;  // the heading
      for (std::string line; std::getline(schedule, line); ++lines) {
        if (lines < 0) continue;
        std::vector<std::string> cells;
        std::istringstream row(line.substr(0, line.find('\r')));
        for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
        REQUIRE(cells.size() == 17);
        if (pieces.insert(cells[16]).second) ++pulled[{cells[13], cells[15]}];
      }
      REQUIRE(lines == at->count.total_links() - [&] {
        std::int64_t inside = 0;
        for (const LinkLayer& layer : at->count.layers) {
          if (layer.cable == CableKind::backplane) inside += layer.links;
        }
        return inside;
      }());
      REQUIRE(pulled == bought);
    }
  }
}

}  // namespace
