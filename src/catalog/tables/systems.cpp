#include <numeric>
#include <string>
#include <utility>

#include "planner/catalog/tables/name_fields.hpp"
#include "planner/catalog/tables/tables.hpp"
#include "planner/catalog/tables/torus.hpp"
#include "planner/domain/names.hpp"

namespace planner::catalog {

using namespace json;

namespace {

Codec<FlopsPerSecond> tflops() {
  return quantity(units::TFLOPs, Range::positive());
}
Codec<Watts> watts() {
  return quantity(units::W, Range::positive());
}

const FieldTable<PeakRates>& peak_rates_table() {
  static const FieldTable<PeakRates> table{"peak rates",
                                           "Dense matrix throughput per number format, in TFLOP/s",
                                           {optional("fp32", &PeakRates::fp32, tflops(), "TFLOP/s"),
                                            optional("tf32", &PeakRates::tf32, tflops(), "TFLOP/s"),
                                            optional("fp16", &PeakRates::fp16, tflops(), "TFLOP/s"),
                                            optional("bf16", &PeakRates::bf16, tflops(), "TFLOP/s"),
                                            optional("fp8", &PeakRates::fp8, tflops(), "TFLOP/s"),
                                            optional("fp4", &PeakRates::fp4, tflops(), "TFLOP/s")}};
  return table;
}

const FieldTable<PcieLayout>& pcie_table() {
  using P = PcieLayout;
  static const FieldTable<P> table{
      "PCIe layout",
      "How the GPUs of a node reach its host memory and its NICs",
      {required("gpu_bandwidth_GBps", &P::gpu_bandwidth, gbps(),
                "one GPU and the CPU, practical, per direction"),
       required("gpus_per_host_bridge", &P::gpus_per_host_bridge, list(integer(1, 1'000'000)),
                "GPUs behind each host bridge (root port)"),
       optional("gpus_per_switch", &P::gpus_per_switch, integer(1, 1'000'000),
                "GPUs behind one PCIe switch, which share a port of the CPU with a NIC"),
       optional("host_bridge_bandwidth_GBps", &P::host_bridge_bandwidth, gbps(),
                "of one host bridge to the CPU, both directions together"),
       optional("gpu_to_nic_bandwidth_GBps", &P::gpu_to_nic_bandwidth, gbps(),
                "peer to peer, practical")}};
  return table;
}

const FieldTable<NvlinkBridges>& nvlink_bridges_table() {
  using B = NvlinkBridges;
  static const FieldTable<B> table{
      "NVLink bridges",
      "NVLink bridges that can be put on neighbouring PCIe cards",
      {optional("gpus", &B::gpus, integer(2, 1'000), "that one bridge joins"),
       required("bandwidth_GBps", &B::bandwidth, gbps(), "per GPU and direction"),
       optional("across_numa", &B::across_numa, boolean(),
                "whether a bridge joins GPUs of different NUMA nodes")}};
  return table;
}

const FieldTable<MeasuredReduce>& measured_reduce_table() {
  using M = MeasuredReduce;
  static const FieldTable<M> table{
      "measured all-reduce",
      "All-reduce rates that were measured on such nodes, per GPU of gradient data",
      {required("library", &M::library, text(), "that all-reduced"),
       optional("nvlink_pairs", &M::nvlink_pairs, boolean(), "with NVLink bridges"),
       required("low_GBps", &M::low, gbps(), "the least"),
       optional("high_GBps", &M::high, gbps(), "the most; absent: more than the least")}};
  return table;
}

bool bridges_hold_every_gpu(const Node& node) {
  if (!node.pcie) return true;
  const std::vector<std::int64_t>& behind = node.pcie->gpus_per_host_bridge;
  return std::accumulate(behind.begin(), behind.end(), std::int64_t{0}) == node.accelerators;
}

/// A catalog name or an object; always written as an object.
Codec<Accelerator> accelerator_or_name(AcceleratorLookup lookup) {
  const Codec<Accelerator> inlined = object(accelerator_table());
  const auto read = [lookup = std::move(lookup), inlined](
                        const JsonNode& node,
                        const ReadContext& context) -> std::optional<Accelerator> {
    const std::string* const name = node.get<std::string>();
    if (name == nullptr) return inlined.read(node, context);
    try {
      return lookup(*name);
    } catch (const InputError& error) {
      for (const Diagnostic& found : error.diagnostics()) {
        if (found.file.empty()) {
          context.report(node, found.code, found.message, found.hint);
        } else {
          context.problems.add(found);
        }
      }
      return std::nullopt;
    }
  };
  return described(read_by(inlined, read), [inlined](Json& schema) {
    json::detail::describe_name_or(schema, inlined.description());
  });
}

}  // namespace

const FieldTable<Accelerator>& accelerator_table() {
  using A = Accelerator;
  static const FieldTable<A> table{
      "accelerator",
      "One GPU as its vendor specifies it",
      {name_field<A>(), title_field<A>(), required("vendor", &A::vendor, text(), "who makes it"),
       required("generation", &A::generation, choice(kGenerations), "architecture family"),
       required("datasheet_tflops", &A::datasheet, object(peak_rates_table()),
                "dense peak in TFLOP/s per number format, as printed by the vendor"),
       optional("silicon_tflops", &A::silicon, object(peak_rates_table()),
                "dense peak of the die before power limits, where it differs"),
       optional("gemm_TFLOPs", &A::gemm, object(peak_rates_table()),
                "the most that large matrix products were measured to reach"),
       required("hbm_GB", &A::memory, quantity(units::GB, Range::positive()),
                "memory; 1 GB is 1e9 bytes"),
       optional("driver_memory_GB", &A::driver_memory, quantity(units::GB, Range::positive()),
                "what the driver offers to programs, more than a datasheet's round figure; absent: "
                "hbm_GB"),
       required("hbm_bandwidth_GBps", &A::memory_bandwidth, gbps(), "memory bandwidth"),
       optional("power_W", &A::power, watts(), "TDP"),
       optional("devices", &A::devices, integer(1, 64),
                "that software sees of one, as JAX does two of a TPU7x; absent: 1"),
       sources_field<A>()},
      {{.keys = {"datasheet_tflops"},
        .holds = [](const A& a) { return a.datasheet != PeakRates{}; },
        .message = [](const A&) { return std::string("at least one format is needed"); }}},
      check_source_keys,
      complete_title<A>};
  return table;
}

const FieldTable<Node>& node_table() {
  using N = Node;
  static const FieldTable<N> table{
      "node",
      "A server: what is bought and racked as one piece",
      {name_field<N>(), title_field<N>(),
       required("accelerator", &N::accelerator, text(), "name in the catalog"),
       required("accelerators", &N::accelerators, integer(1, 1'000'000), "per node"),
       required("nics", &N::nics, integer(0, 1'000'000), "NICs on the compute network"),
       required("nic_bandwidth_GBps", &N::nic_bandwidth, gbps(), "of each NIC, per direction"),
       optional("host_memory_bandwidth_GBps", &N::host_memory_bandwidth, gbps(),
                "practical, reads and writes together"),
       optional("host_memory_peak_GBps", &N::host_memory_peak, gbps(),
                "memory channels times their rate"),
       optional("numa_nodes", &N::numa_nodes, integer(1, 1'000), "NUMA nodes of the host"),
       optional("cpu_reduce_bandwidth_GBps", &N::cpu_reduce_bandwidth, gbps(),
                "operands that all cores add per second"),
       optional("pcie_generation", &N::pcie_generation, integer(1, 20), "of the NICs' slots"),
       optional("pcie", &N::pcie, object(pcie_table()), "how GPUs reach host memory and NICs"),
       optional("nvlink_bridges", &N::nvlink_bridges, object(nvlink_bridges_table()),
                "that can be put on neighbouring cards"),
       optional("measured_reduce", &N::measured_reduce, list(object(measured_reduce_table())),
                "all-reduce rates measured on such nodes"),
       optional("storage", &N::storage, text(), "name in the catalog of the storage it uses"),
       optional("power_W", &N::power, watts(), "of the whole node at full load"),
       optional("rack_units", &N::rack_units, integer(1, 1'000), "height"),
       optional("gpus_per_tray", &N::gpus_per_tray, integer(1, 1'000'000),
                "of a rack whose trays are swapped one by one; it divides \"accelerators\""),
       sources_field<N>()},
      {{.keys = {"pcie.gpus_per_host_bridge", "accelerators"},
        .holds = bridges_hold_every_gpu,
        .message =
            [](const N& node) {
              return "the host bridges must hold " + std::to_string(node.accelerators) +
                     " GPUs in all, as \"accelerators\" says";
            }},
       {.keys = {"gpus_per_tray", "accelerators"},
        .holds =
            [](const N& node) { return node.accelerators % node.gpus_per_tray.value_or(1) == 0; },
        .message =
            [](const N& node) {
              return "trays of " + std::to_string(*node.gpus_per_tray) +
                     " GPUs do not make up the " + std::to_string(node.accelerators) + " of a node";
            }},
       {.keys = {"pcie.gpus_per_switch", "accelerators"},
        .holds =
            [](const N& node) {
              return !node.pcie || !node.pcie->gpus_per_switch ||
                     node.accelerators % *node.pcie->gpus_per_switch == 0;
            },
        .message =
            [](const N& node) {
              return "must divide the " + std::to_string(node.accelerators) + " accelerators";
            }},
       {.keys = {"host_memory_bandwidth_GBps", "host_memory_peak_GBps"},
        .holds =
            [](const N& node) {
              return !node.host_memory_bandwidth || !node.host_memory_peak ||
                     *node.host_memory_bandwidth <= *node.host_memory_peak;
            },
        .message =
            [](const N&) {
              return std::string("the practical bandwidth must not be above the peak");
            }},
       {.keys = {"nvlink_bridges.gpus", "accelerators"},
        .holds =
            [](const N& node) {
              return !node.nvlink_bridges || node.accelerators % node.nvlink_bridges->gpus == 0;
            },
        .message =
            [](const N& node) {
              return "must divide the " + std::to_string(node.accelerators) + " accelerators";
            }}},
      check_source_keys,
      complete_title<N>};
  return table;
}

const FieldTable<DomainTorus>& torus_table() {
  using T = DomainTorus;
  static const FieldTable<T> table{
      "torus",
      "Chips joined along dimensions",
      {required("shape", &T::shape, list(integer(1, 4096)), "chips along each dimension"),
       optional("ring_from", &T::ring_from, integer(0, 4096),
                "a dimension of a multiple of so many chips closes into a ring, of three all or "
                "none (cubes between optical switches); 0: all chips of a dimension are joined to "
                "one another, as in a full mesh or hypercube")},
      {{.keys = {"shape"},
        .holds =
            [](const T& t) {
              const std::size_t fewest = t.ring_from == 0 ? 1 : 2;
              return t.shape.size() >= fewest && t.shape.size() <= 3;
            },
        .message =
            [](const T& t) {
              return std::string(t.ring_from == 0 ? "must have one to three dimensions"
                                                  : "must have two or three dimensions");
            }}}};
  return table;
}

bool has_chips(const DomainTorus& torus, std::int64_t chips) {
  for (const std::int64_t extent : torus.shape) {
    if (chips % extent != 0) return false;
    chips /= extent;
  }
  return chips == 1;
}

FieldTable<System> system_table(AcceleratorLookup lookup) {
  using S = System;
  return {
      "system",
      "GPUs joined into high-bandwidth (HB) domains, and the network between the domains",
      {name_field<S>(), title_field<S>(),
       required("accelerator", &S::accelerator, accelerator_or_name(std::move(lookup)),
                "name in the catalog, or an accelerator object"),
       optional("node", &S::node, text(), "name in the catalog of the server it is built of"),
       required("hb_domain", &S::hb_domain, count(), "GPUs per HB domain"),
       required("hb_bandwidth_GBps", &S::hb_bandwidth, gbps(),
                "inside the HB domain, per GPU and direction"),
       required("network_bandwidth_GBps", &S::network_bandwidth, gbps(),
                "between HB domains, per GPU and direction"),
       required("hb_latency_us", &S::hb_latency, microseconds(), "per collective phase"),
       required("network_latency_us", &S::network_latency, microseconds(), "per collective phase"),
       optional("hb_switches_reduce", &S::hb_switches_reduce, boolean(),
                "whether switches of the HB domain add and copy (NVLink SHARP)"),
       optional("torus", &S::torus, object(torus_table()),
                "of the HB domain; left out: its GPUs reach each other alike"),
       sources_field<S>()},
      {{.keys = {"torus.shape", "hb_domain"},
        .holds = [](const S& s) { return !s.torus || has_chips(*s.torus, s.hb_domain); },
        .message =
            [](const S& system) {
              return "must multiply to the " + std::to_string(system.hb_domain) +
                     " chips of \"hb_domain\"";
            }}},
      check_source_keys,
      complete_title<S>};
}

const FieldTable<System>& whole_system_table() {
  static const FieldTable<System> table = system_table({});
  return table;
}

}  // namespace planner::catalog
