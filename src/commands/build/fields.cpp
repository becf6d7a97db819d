#include <algorithm>

#include "planner/commands/build/build.hpp"
#include "planner/commands/build/cable_fields.hpp"
#include "planner/commands/build/floor_fields.hpp"
#include "planner/commands/parts/bill.hpp"
#include "planner/commands/parts/broken_rules.hpp"
#include "planner/commands/parts/younger_field.hpp"
#include "planner/cost/capex.hpp"
#include "planner/cost/unpriced.hpp"
#include "planner/json/compared_field.hpp"
#include "planner/json/number_text.hpp"

namespace planner::commands {

namespace {

using namespace json;
using A = BuildAnswer;

const FieldTable<site::Content>& content_table() {
  using C = site::Content;
  static const FieldTable<C> kTable{
      .type = "content",
      .doc = "a device in a rack",
      .fields = {required("unit", &C::unit, figure(), "where it begins, from 0"),
                 required("device", &C::device, any_text(), "as in the schedule of cables")},
      .open = true};
  return kTable;
}

const FieldTable<A::RackLine>& rack_table() {
  using L = A::RackLine;
  static const FieldTable<L> kTable{
      .type = "rack",
      .doc = "a rack on its place",
      .fields = {naming(required("name", &L::name, any_text(), "of the rack")),
                 required("place", &L::place, any_text(), "row and number: B07"),
                 required("kind", &L::kind, any_text(), "compute, or the tier of its switches"),
                 required("row", &L::row, whole(), "from 1"),
                 required("column", &L::column, whole(), "from 1"),
                 required("x_m", &L::x_m, figure(), "of its middle"),
                 required("y_m", &L::y_m, figure(), "of its middle"),
                 required("units_used", &L::units_used, whole(), "of its height"),
                 required("gpus", &L::gpus, whole(), "in it"),
                 required("watts", &L::watts, or_null(figure()),
                          "rated, modules included; null: not known, and in no sum"),
                 added("cooling_w", &L::cooling_w, figure(),
                       "of its pumps: no IT power, but part of the PUE"),
                 required("kg", &L::kg, figure(), "with what is in it"),
                 required("liquid_w", &L::liquid_w, figure(), "of its heat, into liquid"),
                 required("feeds", &L::circuits, whole(), "circuits of each feed"),
                 required("contents", &L::contents, list(object(content_table())), "from below"),
                 optional("cables_to", &L::cables_to, named(whole()),
                          "cables to each other rack, those of HB domains too")},
      .open = true};
  return kTable;
}

const FieldTable<A::TrayLine>& tray_line_table() {
  using T = A::TrayLine;
  static const FieldTable<T> kTable{
      .type = "tray",
      .doc = "the fullest stretch of tray",
      .fields = {required("cables", &T::cables, whole(), "in it"),
                 required("fill", &T::fill, figure(), "of what cables may take"),
                 required("kg_per_m", &T::kg_per_m, figure(), "of the cables")},
      .open = true};
  return kTable;
}

const FieldTable<A::Trays>& trays_table() {
  using T = A::Trays;
  static const FieldTable<T> kTable{
      .type = "trays",
      .doc = "what lies in trays",
      .fields = {required("row", &T::row, object(tray_line_table()), "fullest over a row"),
                 required("cross", &T::cross, object(tray_line_table()), "fullest across rows"),
                 required("stretches", &T::stretches, whole(), "looked at"),
                 required("overfilled", &T::overfilled, whole(), "of them"),
                 required("allowed_fill", &T::allowed_fill, figure(), "share of the section"),
                 required("row_fill", &T::row_fill, list(list(figure())),
                          "by row, from each place to the next"),
                 required("cross_fill", &T::cross_fill, list(list(figure())),
                          "by cross tray, from each row to the next")},
      .open = true};
  return kTable;
}

const FieldTable<A::RowLine>& row_table() {
  using L = A::RowLine;
  static const FieldTable<L> kTable{
      .type = "row",
      .doc = "a row of one block: what a busway feeds",
      .fields = {required("row", &L::row, any_text(), "row and block"),
                 required("watts", &L::watts, figure(), "of its racks"),
                 required("racks", &L::racks, whole(), "in it"),
                 required("gpus", &L::gpus, whole(), "in it")},
      .open = true};
  return kTable;
}

const FieldTable<A::ChainLine>& chain_table() {
  using L = A::ChainLine;
  static const FieldTable<L> kTable{
      .type = "power unit",
      .doc = "a unit of the power chain with what it carries",
      .fields = {naming(required("name", &L::name, any_text(), "its name")),
                 required("watts", &L::watts, figure(), "carried"),
                 added("worst_w", &L::worst_w, figure(), "when one other unit is lost"),
                 required("limit_w", &L::limit_w, figure(), "at most")},
      .open = true};
  return kTable;
}

const FieldTable<site::Backup>& backup_table() {
  using B = site::Backup;
  static const FieldTable<B> kTable{
      .type = "backup",
      .doc = "what carries the building when the utility fails; left out: not known",
      .fields = {optional("ups_w", &B::ups, quantity(units::W, Range::non_negative()),
                          "IT power behind a UPS"),
                 optional("ups_minutes", &B::ups_minutes, figure(), "that it lasts"),
                 optional("ups_kwh", &B::ups_kwh, figure(), "that it must hold"),
                 optional("generators_w", &B::generators, quantity(units::W, Range::non_negative()),
                          "IT and cooling on generators")},
      .open = true};
  return kTable;
}

const FieldTable<A::PowerLine>& power_table() {
  using P = A::PowerLine;
  static const FieldTable<P> kTable{
      .type = "power",
      .doc = "power, feeds and heat",
      .fields = {required("it_w", &P::it_w, figure(),
                          "of all racks, hosts in reserve among them; nodes by \"node_load\""),
                 added("rated_w", &P::rated_w, figure(),
                       "the same, nodes at their rated power: the IT power of `cost`"),
                 added("spare_nodes", &P::spare_nodes, whole(), "hosts in reserve"),
                 required("spare_w", &P::spare_w, figure(), "of it_w, hosts in reserve"),
                 required("facility_w", &P::facility_w, figure(), "with cooling, by the PUE"),
                 required("liquid_w", &P::liquid_w, figure(), "of the heat, into liquid"),
                 required("densest_rack_w", &P::densest_rack_w, figure(), "the densest rack"),
                 required("circuits", &P::circuits, whole(), "of all racks and feeds"),
                 required("circuit_w", &P::circuit_w, figure(), "that one carries"),
                 required("busway_w", &P::busway_w, figure(), "that one of a row carries"),
                 required("air_m3_per_s", &P::air_m3_per_s, figure(), "through the racks"),
                 required("coolant_l_per_min", &P::coolant_l_per_min, figure(), "of water"),
                 required("cdus", &P::cdus, whole(),
                          "coolant distribution units: racks of their own, or of the hall"),
                 added("cdus_needed", &P::cdus_needed, whole(), "of them, the others in reserve"),
                 added("cdu_heat_w", &P::cdu_heat_w, figure(),
                       "of the hottest, with one of its loop lost if it has a reserve"),
                 added("cdu_limit_w", &P::cdu_limit_w, figure(), "that one carries"),
                 added("cdu_limit_assumed", &P::cdu_limit_assumed, boolean(),
                       "for neither the chassis nor the building says it"),
                 added("unknown", &P::unknown, list(any_text()),
                       "of what nobody says what it draws: in none of these figures"),
                 added("backup", &P::backup, object(backup_table()), "if the utility fails"),
                 required("by_row", &P::by_row, list(object(row_table())), "row by row"),
                 required("chain", &P::chain, list(object(chain_table())), "above the racks")},
      .open = true};
  return kTable;
}

const FieldTable<site::FailureDomain>& domain_table() {
  using D = site::FailureDomain;
  static const FieldTable<D> kTable{
      .type = "failure domain",
      .doc = "what fails together; each figure the largest that any one part of its kind has",
      .fields = {required("kind", &D::kind, any_text(), "what it is"),
                 required("count", &D::count, whole(), "how many there are"),
                 required("gpus_cut", &D::gpus_cut, or_null(whole()),
                          "dark, or without any port; null: not known, since nobody says how many "
                          "power supplies a node needs"),
                 required("gpus_slowed", &D::gpus_slowed, or_null(whole()), "with fewer ports"),
                 required("links_lost", &D::links_lost, or_null(whole()),
                          "cables that go with it")},
      .open = true};
  return kTable;
}

const FieldTable<A::BillLine>& bill_table() {
  using L = A::BillLine;
  static const FieldTable<L> kTable{
      .type = "bill line",
      .doc = "cables alike, to be bought",
      .fields = {naming(required("part", &L::part, any_text(), "medium")),
                 required("length_m", &L::length_m, figure(), "sold"),
                 required("pieces", &L::pieces, whole(), "of it")},
      .open = true};
  return kTable;
}

const FieldTable<BillOfMaterials>& materials_table() {
  using M = BillOfMaterials;
  const auto total = [](const M& bill) -> std::optional<Money> {
    const auto sum = capex(bill);
    return sum && sum->known() ? std::optional(sum->amount.expected) : std::nullopt;
  };
  static const FieldTable<M> kTable{
      .type = "materials",
      .doc = "the bill of materials",
      .fields = {bill_lines(),
                 shown<M>("capex", total, or_null(dollars()),
                          "of all lines, in the book's unit; null: what has no price may be a "
                          "fifth of it"),
                 shown<M>(
                     "not_priced", [](const M& bill) { return not_priced(bill); }, text_or_null(),
                     "which lines have no price; null: none")},
      .open = true};
  return kTable;
}

const FieldTable<A>& inputs_table() {
  static const FieldTable<A> kTable{
      .type = "inputs",
      .doc = "the cluster and its building",
      .fields = {required("cluster", &A::cluster, any_text(), "name"),
                 required("title", &A::title, any_text(), "of the cluster"),
                 required("gpus", &A::gpus, whole(), "in all"),
                 required("topology", &A::topology, any_text(), "of the network"),
                 required("arrangement", &A::arrangement, json::choice(kArrangements),
                          "how racks found their places"),
                 required("switch_position", &A::switch_position, any_text(), "of the switches"),
                 required("chassis", &A::chassis, any_text(), "of the nodes"),
                 required("media", &A::media, list(any_text()), "that were offered"),
                 required("site", &A::figures, named(figure()), "figures of the building"),
                 required("assumed", &A::assumed, list(any_text()), "of them: nobody gave them"),
                 optional("pue_of", &A::pue_of, any_text(),
                          "the economics whose PUE stands in, since no building says one")},
      .open = true};
  return kTable;
}

const FieldTable<A>& bound_table() {
  static const FieldTable<A> kTable{
      .type = "bound",
      .doc = "what no placement on this floor goes below",
      .fields = {required("required_m", &A::bound_m, figure(), "with cables of HB domains"),
                 required("gap", &A::gap, figure(), "of this one over it, as a share")},
      .open = true};
  return kTable;
}

const FieldTable<A>& packing_table() {
  static const FieldTable<A> kTable{
      .type = "packing",
      .doc = "how racks are filled",
      .fields = {required("nodes_per_rack", &A::nodes_per_rack, whole(), "at most"),
                 required("bound_by", &A::bound_by, any_text(), "units, power or weight")},
      .open = true};
  return kTable;
}

const FieldTable<A>& result_table() {
  static const FieldTable<A> kTable{
      .type = "build",
      .doc = "a cluster in its racks on its floor",
      .fields = {shown<A>(
                     "racks_by_kind", [](const A& answer) { return answer.racks_by_kind(); },
                     named(whole()), "how many of each"),
                 group("packing", packing_table(), "how racks are filled"),
                 required("racks", &A::racks, list(object(rack_table())), "every rack"),
                 shown<A>(
                     "rows", [](const A& answer) { return answer.floor.rows; }, whole(),
                     "of racks"),
                 required("floor", &A::floor, object(floor_fields()), "its size"),
                 added("halls", &A::halls, list(object(hall_fields())), "where there are several"),
                 required("cables", &A::cables, object(cable_fields()), "every cable"),
                 required("trays", &A::trays, object(trays_table()), "that they lie in"),
                 required("power", &A::power, object(power_table()), "feeds and heat"),
                 group("bound", bound_table(), "the least metres"),
                 required("swaps", &A::swaps, whole(), "of racks, that saved metres"),
                 required("domains", &A::domains, list(object(domain_table())),
                          "what fails together"),
                 required("broken", &A::broken, list(object(broken_fields())), "rules"),
                 required("notes", &A::notes, list(any_text()), "what a reader should know"),
                 optional("bill", &A::bill, list(object(bill_table())), "with --bill"),
                 optional("materials", &A::materials, object(materials_table()),
                          "with --bill: all that is bought, as cost has it"),
                 optional("price_book", &A::price_book, any_text(), "whose prices those are")},
      .open = true};
  return kTable;
}

}  // namespace

const FieldTable<BuildAnswer>& build_fields() {
  static const FieldTable<A> kTable{.type = "answer",
                                    .doc = "an answer of build",
                                    .fields = {group("inputs", inputs_table(), "what was built"),
                                               group("result", result_table(), "how it stands")},
                                    .open = true};
  return kTable;
}

}  // namespace planner::commands
