#include "planner/catalog/tables/name_fields.hpp"
#include "planner/catalog/tables/tables.hpp"

namespace planner::catalog {

using namespace json;

namespace {

Codec<std::int64_t> speed() {
  return integer(1, 1'000'000);
}

bool divides_every(const SwitchModel& model) {
  for (const std::int64_t slower : model.breakout_gbps) {
    if (slower >= model.port_gbps || model.port_gbps % slower != 0) return false;
  }
  return true;
}

}  // namespace

const FieldTable<SwitchModel>& switch_table() {
  using S = SwitchModel;
  static const FieldTable<S> table{
      "switch",
      "A switch as its vendor specifies it; a modular chassis is one switch",
      {name_field<S>(), title_field<S>(),
       required("ports", &S::ports, integer(2, 1'000'000), "ports at port_gbps"),
       required("port_gbps", &S::port_gbps, speed(), "Gb/s of each port, per direction"),
       optional("breakout_gbps", &S::breakout_gbps, list(speed()),
                "slower speeds into which every port splits without losing bandwidth"),
       optional("chips", &S::chips, integer(1, 100'000), "switch chips inside"),
       optional("rack_units", &S::rack_units, integer(1, 1'000), "height"),
       optional("power_W", &S::power, draw(), "typical, without optical modules"),
       optional("peak_power_W", &S::peak_power, draw(), "with everything in it"),
       sources_field<S>()},
      {{.keys = {"breakout_gbps", "port_gbps"},
        .holds = divides_every,
        .message = [](const S&) { return std::string("every speed must divide port_gbps"); }}},
      check_source_keys,
      complete_title<S>};
  return table;
}

const FieldTable<Optic>& optic_table() {
  using O = Optic;
  static const FieldTable<O> table{
      "optic",
      "A transceiver, of which a link needs two, or a whole cable",
      {name_field<O>(), title_field<O>(),
       required("kind", &O::kind, choice(kOpticKinds), "what it is"),
       optional("ports", &O::ports, integer(1, 64), "of one transceiver: 2 for twin-port OSFP"),
       optional("port_gbps", &O::port_gbps, speed(), "Gb/s of each port; left out: any"),
       optional("reach_m", &O::reach_m, number(Range::positive()), "metres"),
       optional("power_W", &O::power, draw(),
                "of one piece with its ends; of a splitter cable, per link"),
       sources_field<O>()},
      {{.keys = {"port_gbps", "kind"},
        .holds = [](const O& o) { return o.port_gbps || o.kind == OpticKind::fibre; },
        .message = [](const O&) { return std::string("only fibre carries any speed"); }}},
      check_source_keys,
      complete_title<O>};
  return table;
}

const FieldTable<Nic>& nic_table() {
  using N = Nic;
  static const FieldTable<N> table{
      "nic",
      "A network card",
      {name_field<N>(), title_field<N>(),
       optional("ports", &N::ports, integer(1, 64), "of the card"),
       required("port_gbps", &N::port_gbps, speed(), "Gb/s of each port, per direction"),
       optional("pcie_generation", &N::pcie_generation, integer(1, 20), "of its slot"),
       optional("power_W", &N::power, draw(), "without its optical modules"), sources_field<N>()},
      {},
      check_source_keys,
      complete_title<N>};
  return table;
}

}  // namespace planner::catalog
