// Saved answers of build may say anything: what does not agree is not drawn.

#include "planner/commands/build/build.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>

#include "planner/commands/build/floor_key.hpp"
#include "planner/commands/parts/network_drawing.hpp"

using namespace planner;
using namespace planner::commands;

namespace {

BuildAnswer one_rack() {
  BuildAnswer answer;
  answer.title = "one rack";
  answer.floor = {.width_m = 2.4,
                  .depth_m = 1.2,
                  .rows = 1,
                  .places_per_row = 4,
                  .blocks = 1,
                  .halls = 1,
                  .rack_width_m = 0.6,
                  .rack_depth_m = 1.2,
                  .cross_trays_m = {0.6}};
  answer.racks = {{.name = "a", .place = "A01", .kind = "compute", .row = 1, .column = 1}};
  return answer;
}

}  // namespace

TEST_CASE("a floor is drawn where its racks, rows and trays agree") {
  CHECK(drawable(one_rack()));
  CHECK_FALSE(floor_svg(one_rack(), true).empty());
  CHECK_FALSE(drawable(BuildAnswer{}));
  const auto spoiled = [](auto spoil) {
    BuildAnswer answer = one_rack();
    spoil(answer);
    build_view(answer);  // comes to its end
    return !drawable(answer);
  };
  CHECK(spoiled([](BuildAnswer& answer) { answer.racks.front().row = -5; }));
  CHECK(spoiled([](BuildAnswer& answer) { answer.racks.front().column = 5; }));
  CHECK(spoiled([](BuildAnswer& answer) { answer.floor.rows = std::int64_t{1} << 60; }));
  CHECK(spoiled([](BuildAnswer& answer) { answer.floor.blocks = 0; }));
  CHECK(spoiled([](BuildAnswer& answer) { answer.floor.width_m = 1e308; }));
  CHECK(spoiled([](BuildAnswer& answer) { answer.trays.cross_fill = {{0.5}, {0.5}}; }));
  CHECK(spoiled([](BuildAnswer& answer) { answer.figures = {{"rows_per_hall", 0}}; }));
  CHECK(spoiled([](BuildAnswer& answer) { answer.figures = {{"rack_units", 1e9}}; }));
}

TEST_CASE("a network of which nothing is counted has a picture without groups") {
  FabricCount none;
  none.switches = {{.name = "leaf"}};
  CHECK_FALSE(network_drawing(none).svg.empty());
}
