#include "planner/site/wiring/trees.hpp"

#include <algorithm>

#include "planner/core/ceil_div.hpp"
#include "planner/core/grouped.hpp"

namespace planner::site {
namespace {

/// One tree of those that are alike.
struct Tree {
  std::int64_t leaves = 0;
  std::int64_t up = 0;     ///< uplinks of a leaf
  std::int64_t links = 0;  ///< leaf to spine
  std::int64_t spines = 0, cores = 0;
  std::int64_t core_links = 0;
  std::int64_t half = 0;  ///< ports down of a spine, and leaves of a pod, on three tiers

  /// Only the last leaf of a packed tree has fewer.
  [[nodiscard]] std::int64_t uplinks(std::int64_t leaf) const {
    return leaf + 1 < leaves ? up : links - (leaves - 1) * up;
  }
};

Tree tree_of(const FabricDesign& design, const FabricCount& count, const Trees& trees) {
  return {.leaves = trees.leaves,
          .up = fullest(count, "leaf", "leaf_spine"),
          .links = count.links_named("leaf_spine") / trees.trees,
          .spines = count.switches_named("spine") / trees.trees,
          .cores = count.switches_named("core") / trees.trees,
          .core_links = count.links_named("spine_core") / trees.trees,
          .half = design.radix / 2};
}

/// Spines of one pod, in order, from `first`: each takes `half` links, the last what is left.
struct PodSpines {
  std::int64_t first = 0, spines = 0, rest = 0;  ///< rest: links of the last

  /// The spine of the pod's x-th uplink: round after round, the last spine until it is full.
  [[nodiscard]] std::int64_t of(std::int64_t x) const {
    if (x < rest * spines) return first + x % spines;
    return first + (x - rest * spines) % std::max<std::int64_t>(spines - 1, 1);
  }
};

/// Uplinks to the spines of the pods. @return down ports of each spine
std::vector<std::int64_t> wire_pods(Wirer& wirer, std::size_t layer, const Tree& tree,
                                    std::int64_t number, const Trees& trees) {
  // Whole pods have a spine for every uplink of a leaf; packed ones as many as their links fill.
  const bool packed = tree.core_links == tree.links;
  std::vector<std::int64_t> down(tree.spines, 0);
  std::int64_t first_spine = 0;
  for (std::int64_t first = 0; first < tree.leaves; first += tree.half) {
    const std::int64_t last = std::min(first + tree.half, tree.leaves);
    std::int64_t links = 0;
    for (std::int64_t leaf = first; leaf < last; ++leaf) links += tree.uplinks(leaf);
    PodSpines pod{.first = first_spine, .spines = tree.up, .rest = last - first};
    if (packed) {
      pod.spines = ceil_div(links, tree.half);
      pod.rest = links - (pod.spines - 1) * tree.half;
    }
    std::int64_t x = 0;
    for (std::int64_t leaf = first; leaf < last; ++leaf) {
      for (std::int64_t j = 0; j < tree.uplinks(leaf); ++j, ++x) {
        const std::int64_t spine = pod.of(x);
        wirer.link(layer, trees.leaf_id(number, leaf), number * tree.spines + spine);
        ++down[spine];
      }
    }
    first_spine += pod.spines;
  }
  return down;
}

/// Whether spine j of every pod can have core switches of its own, all alike.
bool even_core(const Tree& tree) {
  if (tree.spines % tree.up != 0 || tree.core_links != tree.spines * tree.half) return false;
  const std::int64_t each = tree.cores / tree.up;
  return tree.cores % tree.up == 0 && each > 0 && tree.half % each == 0;
}

void wire_core(Wirer& wirer, std::size_t layer, const Tree& tree, std::int64_t number,
               const std::vector<std::int64_t>& down) {
  const bool even = even_core(tree);
  const bool packed = tree.core_links == tree.links;
  const std::int64_t each = std::max<std::int64_t>(1, tree.cores / tree.up);
  std::int64_t x = 0;
  for (std::int64_t spine = 0; spine < tree.spines; ++spine) {
    const std::int64_t up = packed ? down[spine] : tree.half;
    for (std::int64_t q = 0; q < up; ++q, ++x) {
      const std::int64_t core = even ? spine % tree.up * each + q % each : x % tree.cores;
      wirer.link(layer, number * tree.spines + spine, number * tree.cores + core);
    }
  }
}

}  // namespace

void wire_spines(Wirer& wirer, const FabricDesign& design, const FabricCount& count,
                 const Trees& trees) {
  const Tree tree = tree_of(design, count, trees);
  if (tree.spines == 0) return;
  const std::size_t leaf = wirer.tier("leaf");
  const std::size_t spine = wirer.tier("spine");
  wirer.align(leaf);
  const std::size_t up = wirer.layer("leaf_spine", leaf, spine);
  if (tree.cores == 0) {
    for (std::int64_t t = 0; t < trees.trees; ++t) {
      std::int64_t x = 0;
      for (std::int64_t l = 0; l < tree.leaves; ++l) {
        for (std::int64_t j = 0; j < tree.uplinks(l); ++j, ++x) {
          wirer.link(up, trees.leaf_id(t, l), t * tree.spines + x % tree.spines);
        }
      }
    }
  } else {
    std::vector<std::vector<std::int64_t>> down;
    for (std::int64_t t = 0; t < trees.trees; ++t) {
      down.push_back(wire_pods(wirer, up, tree, t, trees));
    }
    wirer.align(spine);
    const std::size_t core = wirer.tier("core");
    const std::size_t top = wirer.layer("spine_core", spine, core);
    for (std::int64_t t = 0; t < trees.trees; ++t) wire_core(wirer, top, tree, t, down[t]);
    wirer.plane_of(core, [&](std::int64_t id) { return id / tree.cores; });
    if (!even_core(tree)) {
      wirer.note(grouped(tree.cores) +
                 " core switches cannot reach all spines evenly: "
                 "links are dealt out like cards (whole pods: \"pod_aligned\" in \"fabric\")");
    }
  }
  wirer.plane_of(spine, [&](std::int64_t id) { return id / tree.spines; });
}

namespace {

/// Trees whose hosts fill leaf after leaf. Port p of endpoint e is on `tree_of(e, p)`, the
/// `index_of(e, p)`-th there.
template <class TreeOf, class IndexOf>
void wire_filled(Wirer& wirer, const FabricDesign& design, const FabricCount& count,
                 std::int64_t trees, std::int64_t ports, TreeOf tree_of, IndexOf index_of) {
  const std::int64_t leaves = count.switches_named("leaf") / trees;
  const std::int64_t down = fullest(count, "leaf", "host");
  const std::size_t gpu = wirer.devices("gpu", count.endpoints);
  const std::size_t leaf = wirer.tier("leaf");
  const std::size_t host = wirer.layer("host", gpu, leaf);
  const auto id = [trees](std::int64_t tree, std::int64_t l) { return l * trees + tree; };
  for (std::int64_t e = 0; e < count.endpoints; ++e) {
    for (std::int64_t p = 0; p < ports; ++p) {
      wirer.link(host, e, id(tree_of(e, p), index_of(e, p) / down));
    }
  }
  wirer.sets(leaves);
  wirer.set_of(gpu, [&](std::int64_t e) { return index_of(e, 0) / down; });
  wirer.set_of(leaf, [&](std::int64_t l) { return l / trees; });
  wirer.plane_of(leaf, [&](std::int64_t l) { return l % trees; });
  wire_spines(wirer, design, count, {.trees = trees, .leaves = leaves, .leaf_id = id});
}

/// Rails that share switches. The rails of one GPU fewer are dealt out first.
void wire_shared_rails(Wirer& wirer, const FabricCount& count, std::int64_t rails) {
  rails = std::min(rails, count.endpoints);
  const std::int64_t missing = ceil_div(count.endpoints, rails) * rails - count.endpoints;
  const Runs runs{.things = rails, .bins = count.switches_named("leaf")};
  const std::size_t gpu = wirer.devices("gpu", count.endpoints);
  const std::size_t leaf = wirer.tier("leaf");
  const std::size_t host = wirer.layer("host", gpu, leaf);
  for (std::int64_t e = 0; e < count.endpoints; ++e) {
    wirer.link(host, e, runs.bin_of((e % rails + missing) % rails));
  }
  wirer.set_of(gpu, [](std::int64_t) { return 0; });
  wirer.set_of(leaf, [](std::int64_t) { return 0; });
}

}  // namespace

void wire_parts(Wirer& wirer, const FabricDesign& design, const FabricCount& count,
                const FatTree&) {
  wire_filled(
      wirer, design, count, 1, 1, [](std::int64_t, std::int64_t) { return 0; },
      [](std::int64_t e, std::int64_t) { return e; });
}

void wire_parts(Wirer& wirer, const FabricDesign& design, const FabricCount& count,
                const RailOnly& options) {
  const std::int64_t rails = options.rails;
  if (count.tiers == 1) return wire_shared_rails(wirer, count, rails);
  wire_filled(
      wirer, design, count, rails, 1, [=](std::int64_t e, std::int64_t) { return e % rails; },
      [=](std::int64_t e, std::int64_t) { return e / rails; });
}

void wire_parts(Wirer& wirer, const FabricDesign& design, const FabricCount& count,
                const MultiPlane& options) {
  const std::int64_t planes = options.planes, ports = options.ports_per_gpu;
  wire_filled(
      wirer, design, count, planes, ports,
      [=](std::int64_t e, std::int64_t p) { return (e * ports + p) % planes; },
      [=](std::int64_t e, std::int64_t p) { return (e * ports + p) / planes; });
}

}  // namespace planner::site
