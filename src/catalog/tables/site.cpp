#include "planner/catalog/tables/site.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "planner/catalog/tables/name_fields.hpp"
#include "planner/json/lifted_field.hpp"
#include "planner/json/source_text.hpp"

namespace planner::catalog {

using namespace json;

namespace {

using Settings = SiteSettings;

/// A figure of a site, which a file may leave out.
Field<Settings> figure_field(std::size_t index) {
  const SiteFigure& figure = site_figures()[index];
  const std::string key{figure.key};
  const Codec<double> codec = number({figure.least, figure.most});
  return {key,
          std::string{figure.doc},
          false,
          [=, whole = figure.whole](const JsonNode& node, Settings& settings,
                                    const ReadContext& context) {
            const std::optional<double> value = codec.read(node, context);
            if (!value) return false;
            if (whole && *value != static_cast<double>(static_cast<std::int64_t>(*value))) {
              context.report(node, "wrong-type", "must be a whole number");
              return false;
            }
            settings.figures.emplace_back(index, *value);
            return true;
          },
          [=](const Settings& settings, Json& object) {
            for (const auto& [at, value] : settings.figures) {
              if (at == index) codec.write(value, json::detail::member(object, key));
            }
          },
          codec.description()};
}

const FieldTable<KeepOut>& keep_out_table() {
  using K = KeepOut;
  static const FieldTable<K> table{
      "keep-out",
      "Places of a row that hold no rack",
      {required("row", &K::row, integer(1, 10'000), "from 1"),
       required("from", &K::from, integer(1, 10'000), "first place, from 1"),
       required("to", &K::to, integer(1, 10'000), "last place")},
      {{.keys = {"to", "from"},
        .holds = [](const K& out) { return out.from <= out.to; },
        .message = [](const K&) { return std::string("must not be before \"from\""); }}}};
  return table;
}

/// Stretches of rows, no place in two of them.
Codec<std::vector<KeepOut>> keep_outs() {
  using Outs = std::vector<KeepOut>;
  return checked(list(object(keep_out_table())), [](const Outs& outs, const JsonNode& node,
                                                    const ReadContext& context) {
    bool apart = true;
    for (std::size_t i = 0; i < outs.size(); ++i) {
      const KeepOut& out = outs[i];
      const auto both = std::find_if(
          outs.begin(), outs.begin() + static_cast<std::ptrdiff_t>(i), [&](const KeepOut& other) {
            return other.row == out.row && other.from <= out.to && out.from <= other.to;
          });
      if (both == outs.begin() + static_cast<std::ptrdiff_t>(i)) continue;
      context.element(i).report((*node.get<JsonNode::Array>())[i], "inconsistent",
                                "place " + std::to_string(std::max(both->from, out.from)) +
                                    " of row " + std::to_string(out.row) + " is kept out twice",
                                "keep one of them");
      apart = false;
    }
    return apart;
  });
}

/// A list whose values are each named once.
/// @param name_of  what a value is known by
template <class V, class Name>
Codec<std::vector<V>> distinct(const Codec<V>& item, Name name_of, std::string what) {
  return checked(list(item), [name_of, what](const std::vector<V>& values, const JsonNode& node,
                                             const ReadContext& context) {
    std::set<std::string> names;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::string name = name_of(values[i]);
      if (names.insert(name).second) continue;
      context.element(i).report((*node.get<JsonNode::Array>())[i], "inconsistent",
                                what + " " + name + " is named twice", "keep one of them");
    }
    return names.size() == values.size();
  });
}

std::string named_rack(std::int64_t rack) {
  return std::to_string(rack);
}

const FieldTable<PowerUnit>& power_unit_table() {
  using P = PowerUnit;
  static const FieldTable<P> table{
      "power unit",
      "A PDU, a UPS or a feed above racks",
      {required("name", &P::name, text(), "that others call it by"),
       optional("of", &P::of, text(), "the unit that feeds it; left out: none"),
       required("limit_kW", &P::limit, quantity(1000 * units::W, Range::positive()),
                "what it carries"),
       optional("racks", &P::racks, distinct(integer(1, 1'000'000), named_rack, "rack"),
                "on it directly, from 1")}};
  return table;
}

/// The first unit of a chain that feeds itself; nothing: every way leads to a root.
const PowerUnit* in_circle(const std::vector<PowerUnit>& units) {
  std::map<std::string, const PowerUnit*> named;
  for (const PowerUnit& unit : units) named.emplace(unit.name, &unit);
  for (const PowerUnit& unit : units) {
    const PowerUnit* above = &unit;
    for (std::size_t step = 0; step < units.size() && above->of; ++step) {
      above = named.at(*above->of);
      if (above == &unit) return &unit;
    }
  }
  return nullptr;
}

/// Units that are named once, are fed by units that are there, and not by themselves.
Codec<std::vector<PowerUnit>> power_chain() {
  using Units = std::vector<PowerUnit>;
  const Codec<Units> named = distinct(
      object(power_unit_table()), [](const PowerUnit& unit) { return unit.name; }, "unit");
  return checked(named, [](const Units& units, const JsonNode& node, const ReadContext& context) {
    const auto wrong = [&](const PowerUnit& unit, const std::string& message, std::string hint) {
      const auto at = static_cast<std::size_t>(&unit - units.data());
      const JsonNode& element = (*node.get<JsonNode::Array>())[at];
      context.element(at).member("of").report(*element.find("of"), "inconsistent", message,
                                              std::move(hint));
    };
    bool known = true;
    for (const PowerUnit& unit : units) {
      const auto feeds = [&](const PowerUnit& other) { return other.name == *unit.of; };
      if (!unit.of || std::any_of(units.begin(), units.end(), feeds)) continue;
      wrong(unit, "no unit is called " + in_quotes(*unit.of),
            "add it to the list, or leave \"of\" out: the unit is then a root");
      known = false;
    }
    if (!known) return false;
    const PowerUnit* const unit = in_circle(units);
    if (unit == nullptr) return true;
    wrong(*unit, "feeds itself by way of " + in_quotes(*unit->of),
          "leave \"of\" out of the unit at the root");
    return false;
  });
}

/// Names of media: none at all would be no cables.
Codec<std::vector<std::string>> some_media() {
  using Names = std::vector<std::string>;
  const Codec<Names> named = distinct(
      text(), [](const std::string& name) { return name; }, "medium");
  const Codec<Names> some =
      checked(named, [](const Names& names, const JsonNode& node, const ReadContext& context) {
        if (!names.empty()) return true;
        context.report(node, "out-of-range", "is empty: then there is no cable for any link",
                       "leave it out for the usual media, or name some: planner list media");
        return false;
      });
  return described(some, [some](Json& schema) {
    some.describe(schema);
    schema["minItems"] = 1;
  });
}

std::vector<Field<Settings>> settings_fields() {
  std::vector<Field<Settings>> fields;
  for (std::size_t i = 0; i < site_figures().size(); ++i) fields.push_back(figure_field(i));
  fields.push_back(optional("switch_position", &Settings::switch_position, choice(kSwitchPositions),
                            "where switches stand"));
  fields.push_back(optional("media", &Settings::media, some_media(),
                            "that cables may be of, the preferred first: planner list media"));
  fields.push_back(
      optional("keep_outs", &Settings::keep_outs, keep_outs(), "places without racks"));
  fields.push_back(optional("power_units", &Settings::power_units, power_chain(),
                            "the power chain above the racks"));
  return fields;
}

template <class T>
void add_settings(std::vector<Field<T>>& fields) {
  const auto part = [](auto& of) -> auto& {
    return of.settings;
  };
  for (Field<Settings>& field : settings_fields()) {
    fields.push_back(lifted<T, Settings>(part, std::move(field)));
  }
}

bool ascending(const Medium& medium) {
  return std::is_sorted(medium.sold_m.begin(), medium.sold_m.end()) && !medium.sold_m.empty() &&
         medium.sold_m.front() > 0;
}

}  // namespace

const FieldTable<SiteFile>& site_table() {
  static const FieldTable<SiteFile> table = [] {
    std::vector<Field<SiteFile>> fields{name_field<SiteFile>(), title_field<SiteFile>()};
    add_settings(fields);
    fields.push_back(sources_field<SiteFile>());
    return FieldTable<SiteFile>{"site",
                                "A building: its racks, floor, trays, feeds and cooling",
                                std::move(fields),
                                {},
                                check_source_keys,
                                complete_title<SiteFile>};
  }();
  return table;
}

const FieldTable<BuildSettings>& build_table() {
  static const FieldTable<BuildSettings> table = [] {
    using B = BuildSettings;
    std::vector<Field<B>> fields{
        optional("site", &B::site, text(), "catalog name or file: planner list sites"),
        optional("chassis", &B::chassis, text(), "of the nodes: planner list chassis")};
    add_settings(fields);
    return FieldTable<B>{"build", "Where a cluster stands; its keys go before the site's",
                         std::move(fields)};
  }();
  return table;
}

const FieldTable<Chassis>& chassis_table() {
  using C = Chassis;
  static const FieldTable<C> table{
      "chassis",
      "A server as a rack meets it: what the node itself does not say",
      {name_field<C>(),
       title_field<C>(),
       optional("accelerators", &C::accelerators, integer(1, 100'000),
                "GPUs in one, where no node says"),
       optional("rack_units", &C::rack_units, integer(1, 1'000), "height, where no node says"),
       optional("power_W", &C::power, draw(), "where no node says"),
       optional("kg", &C::kg, number(Range::non_negative(1e5)), "weight"),
       optional("liquid_share", &C::liquid_share, number({0, 1}), "of its heat"),
       optional("port_units", &C::port_units, list(number({0, 1000})),
                "height of its network ports in turn, in units above its lowest"),
       optional("most_per_rack", &C::most_per_rack, integer(1, 1000), "whatever else would fit"),
       optional("psus", &C::psus, integer(1, 1000), "power supplies"),
       optional("psus_needed", &C::psus_needed, integer(1, 1000), "of them, to live"),
       optional("domain_switch_racks", &C::domain_switch_racks, integer(0, 10'000),
                "of an HB domain in several racks"),
       optional("domain_switch_W", &C::domain_switch_power, draw(), "of such a rack"),
       optional("domain_switch_kg", &C::domain_switch_kg, number(Range::non_negative(1e5)),
                "of such a rack"),
       optional("domain_cables_per_rack", &C::domain_cables_per_rack, integer(0, 1'000'000),
                "from each rack of nodes to those"),
       optional("domain_cable_mm", &C::domain_cable_mm, number(Range::positive(1000)),
                "diameter of such a cable"),
       optional("domain_cable_kg_per_m", &C::domain_cable_kg_per_m,
                number(Range::non_negative(1000)), "of such a cable"),
       optional("racks_per_sidecar", &C::racks_per_sidecar, integer(0, 10'000),
                "that one cooling rack serves; 0: none"),
       optional("sidecar_W", &C::sidecar_power, draw(), "of a cooling rack"),
       optional("sidecar_kW", &C::sidecar_cooling, quantity(1000 * units::W, Range::positive()),
                "of heat that it carries away; left out: not known"),
       optional("sidecar_kg", &C::sidecar_kg, number(Range::non_negative(1e5)),
                "of a cooling rack"),
       sources_field<C>()},
      {},
      check_source_keys,
      complete_title<C>};
  return table;
}

const FieldTable<Medium>& medium_table() {
  using M = Medium;
  static const FieldTable<M> table{
      "medium",
      "A way to make a link, with the lengths it is sold in",
      {name_field<M>(), title_field<M>(),
       required("kind", &M::kind, choice(kMediumKinds), "what it is"),
       required("reach_m", &M::reach_m, number(Range::positive(1e6)), "end to end, metres"),
       required("sold_m", &M::sold_m, list(number(Range::positive(1e6))), "metres, ascending"),
       optional("diameter_mm", &M::diameter_mm, number(Range::positive(1000)), "of a cable"),
       optional("kg_per_m", &M::kg_per_m, number(Range::non_negative(1000)), "of a cable"),
       optional("cable", &M::cable, text(),
                "optic that a piece is bought as; left out: a nameless one"),
       optional("modules", &M::modules, list(text()),
                "transceivers that may be at its ends: planner list optics"),
       sources_field<M>()},
      {{.keys = {"sold_m"},
        .holds = ascending,
        .message = [](const M&) { return std::string("must be ascending lengths above 0"); }}},
      check_source_keys,
      complete_title<M>};
  return table;
}

}  // namespace planner::catalog
