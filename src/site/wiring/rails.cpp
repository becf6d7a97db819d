#include <algorithm>

#include "planner/core/ceil_div.hpp"
#include "planner/network/clos/arithmetic.hpp"
#include "planner/site/wiring/trees.hpp"

namespace planner::site {
namespace {

/// Each rail has its own spines, and every core switch reaches every rail (network/clos/rails.cpp).
void wire_rail_spines(Wirer& wirer, const FabricCount& count, const Trees& trees,
                      std::int64_t rails) {
  const std::int64_t units = trees.leaves / rails;
  const std::int64_t up = fullest(count, "leaf", "leaf_spine");
  const std::int64_t spines = count.switches_named("spine") / trees.trees / rails;  // of a rail
  const std::int64_t cores = count.switches_named("core") / trees.trees;
  const std::int64_t ports = units * up / spines;
  const auto groups = fewest_parallel_groups(spines, ports, cores);
  const std::int64_t sets = groups->groups.value(), each = groups->per_group.value();
  const std::size_t leaf = wirer.tier("leaf"), spine = wirer.tier("spine");
  const std::size_t core = wirer.tier("core");
  wirer.align(leaf);
  const std::size_t lower = wirer.layer("leaf_spine", leaf, spine);
  const auto spine_id = [&](std::int64_t tree, std::int64_t rail, std::int64_t s) {
    return (tree * rails + rail) * spines + s;
  };
  for (std::int64_t t = 0; t < trees.trees; ++t) {
    for (std::int64_t l = 0; l < trees.leaves; ++l) {
      for (std::int64_t j = 0; j < up; ++j) {
        wirer.link(lower, trees.leaf_id(t, l), spine_id(t, l % rails, j % spines));
      }
    }
  }
  wirer.align(spine);
  const std::size_t upper = wirer.layer("spine_core", spine, core);
  for (std::int64_t t = 0; t < trees.trees; ++t) {
    for (std::int64_t rail = 0; rail < rails; ++rail) {
      for (std::int64_t s = 0; s < spines; ++s) {
        for (std::int64_t q = 0; q < ports; ++q) {
          wirer.link(upper, spine_id(t, rail, s), t * cores + s % sets * each + q % each);
        }
      }
    }
  }
  wirer.plane_of(spine, [&](std::int64_t id) { return id / (rails * spines); });
  wirer.plane_of(core, [&](std::int64_t id) { return id / cores; });
}

/// Whether the leaves of a unit fill pods of k/2, or each rail has no spines of its own for
/// another reason (network/clos/rails.cpp).
bool in_pods(const FabricDesign& design, const FabricCount& count, const Trees& trees,
             std::int64_t rails) {
  const std::int64_t half = design.radix / 2;
  return count.tiers < 3 || half % rails == 0 || rails % half == 0 || trees.leaves / rails > half ||
         rails > design.radix;
}

void wire_rails(Wirer& wirer, const FabricDesign& design, const FabricCount& count,
                std::int64_t rails) {
  const std::int64_t planes = count.planes;
  const std::int64_t leaves = count.switches_named("leaf") / planes;
  const std::int64_t down = fullest(count, "leaf", "host");
  const std::int64_t unit = down * rails;
  const std::size_t gpu = wirer.devices("gpu", count.endpoints);
  const std::size_t leaf = wirer.tier("leaf");
  const std::size_t host = wirer.layer("host", gpu, leaf);
  const auto id = [rails, planes](std::int64_t plane, std::int64_t l) {
    return l / rails * rails * planes + plane * rails + l % rails;
  };
  for (std::int64_t e = 0; e < count.endpoints; ++e) {
    for (std::int64_t plane = 0; plane < planes; ++plane) {
      wirer.link(host, e, id(plane, e / unit * rails + e % rails));
    }
  }
  if (const std::int64_t ports = count.links_named("fabric_manager"); ports > 0) {
    const std::size_t manager = wirer.devices("fabric-manager", ports / planes);
    const std::size_t layer = wirer.layer("fabric_manager", manager, leaf);
    // In the last unit, from the rail on where its GPUs end.
    const std::int64_t last = leaves / rails - 1;
    const std::int64_t in_last = std::max<std::int64_t>(count.endpoints - last * unit, 0);
    for (std::int64_t i = 0; i < ports / planes; ++i) {
      for (std::int64_t plane = 0; plane < planes; ++plane) {
        wirer.link(layer, i, id(plane, last * rails + (in_last + i) % rails));
      }
    }
    wirer.set_of(manager, [last](std::int64_t) { return last; });
  }
  wirer.sets(leaves / rails);
  wirer.set_of(gpu, [unit](std::int64_t e) { return e / unit; });
  wirer.set_of(leaf, [&](std::int64_t l) { return l / (rails * planes); });
  wirer.plane_of(leaf, [&](std::int64_t l) { return l / rails % planes; });
  const Trees trees{.trees = planes, .leaves = leaves, .leaf_id = id};
  if (in_pods(design, count, trees, rails)) {
    wire_spines(wirer, design, count, trees);
  } else {
    wire_rail_spines(wirer, count, trees, rails);
  }
}

}  // namespace

void wire_parts(Wirer& wirer, const FabricDesign& design, const FabricCount& count,
                const RailOptimized& options) {
  wire_rails(wirer, design, count, options.rails);
}

void wire_parts(Wirer& wirer, const FabricDesign& design, const FabricCount& count,
                const SuperPod& options) {
  wire_rails(wirer, design, count, options.gpus_per_node);
}

}  // namespace planner::site
