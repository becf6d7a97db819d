#include <algorithm>
#include <utility>
#include <variant>

#include "planner/catalog/tables/network_choice.hpp"
#include "planner/catalog/tables/tables.hpp"
#include "planner/core/closest_match.hpp"
#include "planner/json/estimate_codec.hpp"
#include "planner/json/lifted_field.hpp"
#include "planner/network/topologies/topologies.hpp"

namespace planner::catalog {

using namespace json;

namespace {

const FieldTable<Ratio>& ratio_table() {
  static const FieldTable<Ratio> table{
      "ratio",
      "Bandwidth towards the hosts against bandwidth upwards",
      {required("down", &Ratio::down, count(), "towards the hosts"),
       required("up", &Ratio::up, count(), "towards the rest of the network")}};
  return table;
}

const FieldTable<Cabling>& cabling_table() {
  using C = Cabling;
  static const FieldTable<C> table{
      "cabling",
      "How the links are made",
      {optional("host", &C::host, choice(kCableKinds), "endpoint to its switch"),
       optional("first", &C::first, choice(kCableKinds), "first layer between switches"),
       optional("upper", &C::upper, choice(kCableKinds), "the layers above"),
       optional("ports_per_switch_module", &C::ports_per_switch_module, integer(1, 64),
                "2: twin-port OSFP"),
       optional("ports_per_nic_module", &C::ports_per_nic_module, integer(1, 64),
                "2: one module for two cards")}};
  return table;
}

/// Counts end in a file as all counts there do.
template <class Options>
Codec<std::int64_t> whole(const TopologyInput<Options>& input) {
  return integer(input.least, std::min(input.most, kLargestCount));
}

template <class Options, class V>
Field<Options> field(const TopologyInput<Options>& input, V Options::*member, Codec<V> codec) {
  std::string key{input.key}, doc{input.doc};
  return input.required ? required(std::move(key), member, std::move(codec), std::move(doc))
                        : optional(std::move(key), member, std::move(codec), std::move(doc));
}

template <class Options>
Field<Options> field_of(const TopologyInput<Options>& input, std::int64_t Options::*member) {
  return field(input, member, whole(input));
}
template <class Options>
Field<Options> field_of(const TopologyInput<Options>& input,
                        std::optional<std::int64_t> Options::*member) {
  return optional(std::string{input.key}, member, whole(input), std::string{input.doc});
}
template <class Options>
Field<Options> field_of(const TopologyInput<Options>& input, bool Options::*member) {
  return field(input, member, boolean());
}
template <class Options>
Field<Options> field_of(const TopologyInput<Options>& input, Ratio Options::*member) {
  return field(input, member, object(ratio_table()));
}

/// The keys that one topology has besides those of all.
using OwnFields = std::vector<Field<FabricDesign>>;

template <class Options>
OwnFields own_fields(const Options& options) {
  const auto part = [](auto& design) -> auto& {
    return std::get<Options>(design.topology);
  };
  OwnFields fields;
  for (const TopologyInput<Options>& input : facts_of(options).inputs) {
    const auto made = [&](auto member) { return field_of(input, member); };
    fields.push_back(lifted<FabricDesign, Options>(part, std::visit(made, input.member)));
  }
  return fields;
}

std::string name_of(const TopologyOptions& options) {
  return std::string(name_of(static_cast<Topology>(options.index())));
}

/// The topology is known before the table is chosen: reading it puts its options into place.
Field<FabricDesign> topology_field(const TopologyOptions& options) {
  return {"topology",
          "the kind of network, which decides its further keys",
          true,
          [options](const JsonNode&, FabricDesign& design, const ReadContext&) {
            design.topology = options;
            return true;
          },
          [](const FabricDesign& design, Json& object) {
            text().write(name_of(design.topology), json::detail::member(object, "topology"));
          },
          word({name_of(options)}).description()};
}

FieldTable<FabricDesign> table_of(const TopologyOptions& options) {
  using D = FabricDesign;
  OwnFields fields = {
      topology_field(options),
      optional("endpoints", &D::gpus, count(), "NIC ports; left out: one for each NIC of the GPUs"),
      required("radix", &D::radix, integer(2, 1'000'000), "ports of a switch at port_gbps"),
      required("port_gbps", &D::port_gbps, integer(1, 1'000'000), "Gb/s per direction")};
  for (auto& own : std::visit([](const auto& o) { return own_fields(o); }, options)) {
    fields.push_back(std::move(own));
  }
  fields.push_back(optional("cabling", &D::cabling, object(cabling_table()), "kinds of cable"));
  return {"fabric", "A network of the topology " + name_of(options), std::move(fields)};
}

const std::vector<FieldTable<FabricDesign>>& tables() {
  static const std::vector<FieldTable<FabricDesign>> all = [] {
    std::vector<FieldTable<FabricDesign>> made;
    for (const TopologyOptions& options : all_topologies()) made.push_back(table_of(options));
    return made;
  }();
  return all;
}

Codec<std::string> topology_name() {
  std::vector<std::string> names;
  for (const TopologyOptions& options : all_topologies()) names.push_back(name_of(options));
  return word(names);
}

/// The same with the parts that it is bought as; how many endpoints it has is open.
const std::vector<FieldTable<NetworkChoice>>& choice_tables() {
  using C = NetworkChoice;
  static const std::vector<FieldTable<C>> all = [] {
    std::vector<FieldTable<C>> made;
    for (const FieldTable<FabricDesign>& table : tables()) {
      FieldTable<C> with_parts{table.type, table.doc, {}};
      for (const Field<FabricDesign>& field : table.fields) {
        if (field.key == "endpoints") continue;
        with_parts.fields.push_back(lifted<C, FabricDesign>(
            [](auto& choice) -> auto& { return choice.fabric; }, field));
      }
      with_parts.fields.push_back(optional("parts", &C::parts, object(fabric_parts_table()),
                                           "catalog parts that it is bought as"));
      made.push_back(std::move(with_parts));
    }
    return made;
  }();
  return all;
}

/// An object whose key "topology" says by which of the tables it is read.
template <class T, class TopologyOf>
Codec<T> by_topology(const std::vector<FieldTable<T>>& (*all)(), TopologyOf topology_of) {
  return {[all](const JsonNode& node, const ReadContext& context) -> std::optional<T> {
            if (!json::detail::expect_object(node, context)) return std::nullopt;
            const JsonNode* const topology = node.find("topology");
            if (topology == nullptr) {
              context.report(node, "missing-key", "the key \"topology\" is missing");
              return std::nullopt;
            }
            const auto name = topology_name().read(*topology, context.member("topology"));
            if (!name) return std::nullopt;
            return read_object(all()[static_cast<std::size_t>(*topology_named(*name))], node,
                               context);
          },
          [all, topology_of](const T& value, Json& out) {
            write_object(all()[topology_of(value).index()], value, out);
          },
          [all](Json& schema) {
            std::vector<std::function<void(Json&)>> each;
            for (const FieldTable<T>& table : all()) {
              each.emplace_back([&table](Json& one) { describe_object(table, one); });
            }
            json::detail::describe_one_of(schema, each);
          }};
}

}  // namespace

Codec<FabricDesign> fabric_design() {
  return by_topology<FabricDesign>(tables,
                                   [](const FabricDesign& design) { return design.topology; });
}

Codec<NetworkChoice> network_choice() {
  return by_topology<NetworkChoice>(
      choice_tables, [](const NetworkChoice& choice) { return choice.fabric.topology; });
}

}  // namespace planner::catalog
