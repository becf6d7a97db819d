#include "planner/commands/build/cable_fields.hpp"

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "planner/commands/parts/younger_field.hpp"
#include "planner/json/number_text.hpp"

namespace planner::commands {

using namespace json;

namespace {

using A = BuildAnswer;

/// {"5": 120}: pieces by sold length in metres.
Field<site::MediumUse> by_length() {
  using U = site::MediumUse;
  using Pieces = std::vector<std::pair<std::string, std::int64_t>>;
  return computed<U>(
      "by_length",
      [](const U& use) {
        Pieces pieces;
        for (const site::SoldLength& sold : use.by_length) {
          pieces.emplace_back(shortest(sold.metres), sold.pieces);
        }
        return pieces;
      },
      [](U& use, Pieces pieces) {
        for (const auto& [metres, number] : pieces) {
          use.by_length.push_back({std::strtod(metres.c_str(), nullptr), number});
        }
      },
      named(whole()), "pieces by sold length in metres");
}

const FieldTable<site::SoldTrunks>& sold_trunks_table() {
  using T = site::SoldTrunks;
  static const FieldTable<T> kTable{.type = "sold trunks",
                                    .doc = "trunks of one size and length",
                                    .fields = {required("fibres", &T::fibres, whole(), "in one"),
                                               required("length_m", &T::metres, figure(), "sold"),
                                               required("pieces", &T::pieces, whole(), "of it")},
                                    .open = true};
  return kTable;
}

const FieldTable<site::MediumUse>& medium_table() {
  using U = site::MediumUse;
  static const FieldTable<U> kTable{
      .type = "medium",
      .doc = "the cables of one medium",
      .fields =
          {optional("title", &U::title, any_text(), "for people"),
           required("pieces", &U::pieces, whole(), "that are bought: a splitter or a trunk is one"),
           added("links", &U::links, whole(), "cables of the network's count that they carry"),
           required("required_m", &U::required_m, figure(), "of links, along trays and drops"),
           added("pieces_required_m", &U::pieces_required_m, figure(),
                 "of pieces, each as long as the longest link that it carries"),
           required("sold_m", &U::sold_m, figure(), "of pieces, as bought"), by_length(),
           added("trunks", &U::trunks, list(object(sold_trunks_table())), "of the pieces, trunks")},
      .open = true};
  return kTable;
}

const FieldTable<A::LayerLine>& layer_table() {
  using L = A::LayerLine;
  static const FieldTable<L> kTable{
      .type = "layer",
      .doc = "the cables of one layer",
      .fields = {required("layer", &L::layer, any_text(), "as in network"),
                 required("cables", &L::cables, whole(), "in it"),
                 required("required_m", &L::required_m, figure(), "0: in a chassis"),
                 required("sold_m", &L::sold_m, figure(), "as bought"),
                 required("longest_m", &L::longest_m, figure(), "the longest")},
      .open = true};
  return kTable;
}

Field<A::Cables> by_medium() {
  using C = A::Cables;
  using Uses = std::vector<std::pair<std::string, site::MediumUse>>;
  return computed<C>(
      "by_medium",
      [](const C& cables) {
        Uses uses;
        for (const site::MediumUse& use : cables.by_medium) uses.emplace_back(use.medium, use);
        return uses;
      },
      [](C& cables, Uses uses) {
        for (auto& [name, use] : uses) {
          use.medium = name;
          cables.by_medium.push_back(std::move(use));
        }
      },
      named(object(medium_table())), "by the name of the medium");
}

const FieldTable<site::TrunkPieces>& trunk_table() {
  using T = site::TrunkPieces;
  static const FieldTable<T> kTable{
      .type = "trunks",
      .doc = "trunks of one size",
      .fields = {required("fibres", &T::fibres, whole(), "in one"),
                 required("pieces", &T::pieces, whole(), "as many pulls")},
      .open = true};
  return kTable;
}

}  // namespace

const FieldTable<A::Cables>& cable_fields() {
  using C = A::Cables;
  static const FieldTable<C> kTable{
      .type = "cables",
      .doc = "all cables of the network",
      .fields = {by_medium(),
                 required("by_layer", &C::by_layer, list(object(layer_table())), "as in network"),
                 required("longest_m", &C::longest_m, figure(), "the longest"),
                 required("total", &C::total, whole(), "cables"),
                 required("required_m", &C::required_m, figure(), "of all links"),
                 added("pieces_required_m", &C::pieces_required_m, figure(),
                       "of all pieces, each as long as the longest link that it carries"),
                 required("sold_m", &C::sold_m, figure(), "of all pieces, as bought"),
                 required("forced_by_cages", &C::forced_by_cages, whole(),
                          "cables of a longer medium than they need, for the other port of a cage"),
                 required("beyond_reach", &C::beyond_reach, whole(), "that no medium reaches"),
                 added("pieces", &C::pieces, whole(), "that are bought and pulled for them"),
                 required("trunks", &C::trunks, whole(),
                          "bundles: fibre cables of a layer and medium between the same two racks"),
                 required("in_trunks", &C::in_trunks, whole(), "cables in them"),
                 added("trunks_from", &C::trunks_from, whole(), "cables of a bundle at least"),
                 added(
                     "trunks_pulled", &C::trunks_pulled, boolean(),
                     "bundles are bought and pulled as trunks (\"trunk_fibres\"); false: as cords"),
                 added("trunk_pieces", &C::trunk_pieces, list(object(trunk_table())),
                       "trunks that the bundles take, twelve fibres a cable"),
                 added("breakout_racks", &C::breakout_racks, whole(), "where trunks end"),
                 required("domain_cables", &C::domain_cables, whole(),
                          "inside HB domains, beside the network's"),
                 required("domain_m", &C::domain_m, figure(), "of those"),
                 required("domain_longest_m", &C::domain_longest_m, figure(), "of those")},
      .open = true};
  return kTable;
}

}  // namespace planner::commands
