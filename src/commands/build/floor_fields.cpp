#include "planner/commands/build/floor_fields.hpp"

#include "planner/commands/parts/younger_field.hpp"

namespace planner::commands {

namespace {

using namespace json;
using A = BuildAnswer;

const FieldTable<KeepOut>& keep_out_table() {
  using K = KeepOut;
  static const FieldTable<K> kTable{.type = "keep-out",
                                    .doc = "places that hold no rack",
                                    .fields = {required("row", &K::row, whole(), "from 1"),
                                               required("from", &K::from, whole(), "first place"),
                                               required("to", &K::to, whole(), "last place")},
                                    .open = true};
  return kTable;
}

}  // namespace

const FieldTable<A::FloorLine>& floor_fields() {
  using F = A::FloorLine;
  static const FieldTable<F> kTable{
      .type = "floor",
      .doc = "the floor that the racks take",
      .fields = {required("width_m", &F::width_m, figure(), "along the rows"),
                 required("depth_m", &F::depth_m, figure(), "across them"),
                 required("area_m2", &F::area_m2, figure(), "with the walkway around"),
                 required("white_space_m2", &F::white_space_m2, figure(), "racks and aisles"),
                 required("W_per_m2", &F::watts_per_m2, figure(), "IT power over the area"),
                 required("rows", &F::rows, whole(), "of all halls"),
                 required("places_per_row", &F::places_per_row, whole(), "of all row blocks"),
                 required("blocks", &F::blocks, whole(), "row blocks side by side"),
                 required("halls", &F::halls, whole(), "one behind the other"),
                 added("used_m2", &F::used_m2, figure(),
                       "of the area, racks with their share of aisles and walkways"),
                 added("empty_rows", &F::empty_rows, whole(), "rows in reserve: no rack in them"),
                 required("free_places", &F::free_places, whole(), "without a rack"),
                 required("rack_width_m", &F::rack_width_m, figure(), "of a place"),
                 required("rack_depth_m", &F::rack_depth_m, figure(), "of a place"),
                 required("cross_trays_m", &F::cross_trays_m, list(figure()), "where they lie"),
                 added("rows_m", &F::rows_m, list(figure()), "middles of the rows"),
                 added("keep_outs", &F::keep_outs, list(object(keep_out_table())),
                       "places without racks")},
      .open = true};
  return kTable;
}

const FieldTable<A::HallLine>& hall_fields() {
  using H = A::HallLine;
  static const FieldTable<H> kTable{
      .type = "hall",
      .doc = "one of several halls",
      .fields = {required("racks", &H::racks, whole(), "in it"),
                 required("gpus", &H::gpus, whole(), "in it"),
                 required("it_w", &H::it_w, figure(), "of its racks"),
                 required("facility_w", &H::facility_w, figure(), "with cooling"),
                 required("cables_out", &H::cables_out, whole(), "to racks of other halls")},
      .open = true};
  return kTable;
}

}  // namespace planner::commands
