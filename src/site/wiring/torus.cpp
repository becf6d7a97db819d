#include <array>

#include "planner/core/ceil_div.hpp"
#include "planner/network/clos/compact_box.hpp"
#include "planner/site/wiring/wirer.hpp"

namespace planner::site {
namespace {

using Place = std::array<std::int64_t, 3>;

/// Chips cube by cube, along x first.
struct Cubes {
  std::int64_t edge = 4;

  [[nodiscard]] std::int64_t chip(std::int64_t cube, const Place& at) const {
    return ((cube * edge + at[2]) * edge + at[1]) * edge + at[0];
  }
  /// The chip on a face across `axis`: at its near side (0) or its far one.
  [[nodiscard]] std::int64_t on_face(std::int64_t cube, int axis, std::int64_t position,
                                     bool far) const {
    Place at{};
    at[axis] = far ? edge - 1 : 0;
    at[(axis + 1) % 3] = position % edge;
    at[(axis + 2) % 3] = position / edge;
    return chip(cube, at);
  }
};

void wire_cube(Wirer& wirer, std::size_t layer, const Cubes& cubes, std::int64_t cube) {
  const std::int64_t edge = cubes.edge;
  for (int axis = 0; axis < 3; ++axis) {
    for (std::int64_t position = 0; position < edge * edge; ++position) {
      Place at{0, 0, 0};
      at[(axis + 1) % 3] = position % edge;
      at[(axis + 2) % 3] = position / edge;
      for (at[axis] = 0; at[axis] + 1 < edge; ++at[axis]) {
        Place next = at;
        ++next[axis];
        wirer.link(layer, cubes.chip(cube, at), cubes.chip(cube, next));
      }
    }
  }
}

}  // namespace

void wire_parts(Wirer& wirer, const FabricDesign&, const FabricCount& count, const Torus& options) {
  const std::int64_t edge = options.cube_edge, face = edge * edge, number = count.units;
  const Cubes cubes{edge};
  const std::size_t chip = wirer.devices("gpu", number * face * edge);
  wirer.sets(number);
  wirer.set_of(chip, [&](std::int64_t id) { return id / (face * edge); });
  const std::size_t within = wirer.layer("within_cube", chip, chip);
  for (std::int64_t cube = 0; cube < number; ++cube) wire_cube(wirer, within, cubes, cube);
  if (options.ocs) {
    const std::size_t ocs = wirer.tier("ocs");
    const std::size_t layer = wirer.layer("chip_ocs", chip, ocs);
    for (std::int64_t cube = 0; cube < number; ++cube) {
      for (int axis = 0; axis < 3; ++axis) {
        for (std::int64_t position = 0; position < face; ++position) {
          for (const bool far : {false, true}) {
            wirer.link(layer, cubes.on_face(cube, axis, position, far), axis * face + position);
          }
        }
      }
    }
    return;
  }
  const Place box = most_compact_box(number);
  const std::size_t layer = wirer.layer("between_cubes", chip, chip);
  for (std::int64_t cube = 0; cube < number; ++cube) {
    const Place at{cube % box[0], cube / box[0] % box[1], cube / box[0] / box[1]};
    for (int axis = 0; axis < 3; ++axis) {
      Place next = at;
      next[axis] = (at[axis] + 1) % box[axis];
      const std::int64_t other = (next[2] * box[1] + next[1]) * box[0] + next[0];
      for (std::int64_t position = 0; position < face; ++position) {
        wirer.link(layer, cubes.on_face(cube, axis, position, true),
                   cubes.on_face(other, axis, position, false));
      }
    }
  }
}

}  // namespace planner::site
