#include "planner/io/cost_tables.hpp"
#include "planner/io/name_fields.hpp"
#include "planner/io/tables.hpp"

namespace planner::io {

namespace {

Codec<double> share() {
  return number({0.001, 1});
}
Codec<Seconds> microseconds() {
  return quantity(units::us, Range::non_negative());
}

const Table<CollectiveProtocol>& protocol_table() {
  using P = CollectiveProtocol;
  static const Table<P> table{
      "protocol",
      "One way in which the library moves a message",
      {required("name", &P::name, text(), "as the library calls it"),
       required("bandwidth_share", &P::bandwidth_share, share(), "payload over bytes on the wire"),
       required("launch_us", &P::launch, microseconds(), "once per collective"),
       required("hb_hop_us", &P::hb_hop, microseconds(),
                "to the next GPU of an HB domain, the chunk it forwards included"),
       required("network_hop_us", &P::net_hop, microseconds(), "to a GPU of another domain"),
       required("network_tree_hop_us", &P::net_tree_hop, microseconds(),
                "to a parent or child of another domain in a tree")}};
  return table;
}

}  // namespace

const Table<CollectiveLibrary>& collective_library_table() {
  using C = CollectiveLibrary;
  static const Table<C> table{
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
       required("protocols", &C::protocols, list(object(protocol_table())),
                "the fastest for a size is taken"),
       sources_field<C>()},
      {{.keys = {"protocols"},
        .holds = [](const C& c) { return !c.protocols.empty(); },
        .message = [](const C&) { return std::string("at least one protocol is needed"); }}},
      check_source_keys,
      complete_title<C>};
  return table;
}

}  // namespace planner::io
