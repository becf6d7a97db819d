#include <algorithm>

#include "planner/catalog/tables/name_fields.hpp"
#include "planner/catalog/tables/tables.hpp"

namespace planner::catalog {

using namespace json;

namespace {

Codec<double> share() {
  return number({0.001, 1});
}

const FieldTable<CollectiveMethod>& method_table() {
  using M = CollectiveMethod;
  static const FieldTable<M> table{
      "method",
      "An algorithm of the library over one of its protocols",
      {required("algorithm", &M::algorithm, choice(kLibraryAlgorithms), "ring, tree, …"),
       required("protocol", &M::protocol, text(), "as the library calls it"),
       required("collectives", &M::kinds, list(choice(kCollectiveKinds)), "that it does"),
       optional("one_gpu_per_domain", &M::one_gpu_per_domain, boolean(),
                "only where no two GPUs share an HB domain"),
       required("bandwidth_share", &M::bandwidth_share, share(),
                "payload over bytes on the wire, and losses of its own"),
       optional("most_GBps", &M::most, list(gbps()),
                "bus bandwidth that it does not exceed in one, two and more HB domains"),
       required("launch_us", &M::launch, microseconds(), "once per collective"),
       required("hb_hop_us", &M::hb_hop, microseconds(),
                "to the next GPU of an HB domain, the chunk it forwards included"),
       required("network_hop_us", &M::net_hop, microseconds(), "to a GPU of another domain")}};
  return table;
}

/// A ring's protocols stand in for those of an algorithm that the library lacks.
bool has_ring(const CollectiveLibrary& library) {
  return std::any_of(library.methods.begin(), library.methods.end(), [](const auto& method) {
    return method.algorithm == CollectiveAlgorithm::ring;
  });
}

bool limits_fit(const CollectiveLibrary& library) {
  return std::all_of(library.methods.begin(), library.methods.end(),
                     [](const auto& method) { return method.most.size() <= 3; });
}

}  // namespace

const FieldTable<CollectiveLibrary>& collective_library_table() {
  using C = CollectiveLibrary;
  static const FieldTable<C> table{
      "collectives",
      "How a collective communication library uses the links of a machine",
      {name_field<C>(), title_field<C>(),
       required("hb_efficiency", &C::hb_efficiency, share(),
                "of the HB bandwidth, with large messages"),
       required("network_efficiency", &C::network_efficiency, share(),
                "of the network bandwidth, with large messages"),
       required("hb_in_switch_efficiency", &C::hb_in_switch_efficiency, share(),
                "of the HB bandwidth, where its switches reduce"),
       required("hb_in_switch_us", &C::hb_in_switch, microseconds(),
                "a collective in the switches of a domain, launch included"),
       required("network_in_switch_us", &C::network_in_switch, microseconds(),
                "a collective in the switches of the network, launch included"),
       required("methods", &C::methods, list(object(method_table())),
                "the fastest for a size is taken"),
       sources_field<C>()},
      {{.keys = {"methods"},
        .holds = has_ring,
        .message =
            [](const C&) {
              return std::string("at least one method of algorithm ring is needed");
            }},
       {.keys = {"methods"},
        .holds = limits_fit,
        .message =
            [](const C&) {
              return std::string("most_GBps has up to three values: one, two and more HB domains");
            }}},
      check_source_keys,
      complete_title<C>};
  return table;
}

}  // namespace planner::catalog
