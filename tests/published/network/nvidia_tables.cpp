// Component tables of NVIDIA's DGX SuperPOD reference architectures that are not among the cases.

#include "support/fabrics.hpp"

namespace {

using namespace planner;
using namespace planner::testing;

struct Row {
  std::int64_t units, gpus, leaf, spine, core, host_links, leaf_spine, spine_core;
};

void check_rows(const std::vector<Row>& rows, std::int64_t radix, const SuperPod& options) {
  for (const Row& row : rows) {
    CAPTURE(row.units);
    SuperPod pod = options;
    pod.scalable_units = row.units;
    const FabricCount count = counted({.radix = radix, .topology = pod});
    CHECK(count.endpoints == row.gpus);
    CHECK(count.switches_named("leaf") == row.leaf);
    CHECK(count.switches_named("spine") == row.spine);
    CHECK(count.switches_named("core") == row.core);
    CHECK(count.host_links() == row.host_links);
    CHECK(count.links_named("leaf_spine") == row.leaf_spine);
    CHECK(count.links_named("spine_core") == row.spine_core);
  }
}

// DGX H100 reference architecture, network fabrics, Table 4
// (docs.nvidia.com/dgx-superpod/reference-architecture-scalable-infrastructure-h100).
TEST_CASE("NVIDIA reference architectures: DGX H100 SuperPOD, compute fabric with UFM ports") {
  check_rows({{1, 248, 8, 4, 0, 252, 256, 0},
              {2, 504, 16, 8, 0, 508, 512, 0},
              {3, 760, 24, 16, 0, 764, 768, 0},
              {4, 1016, 32, 16, 0, 1020, 1024, 0}},
             64, {.fabric_manager_ports = 4});
}

// DGX B200 reference architecture, "DGX SuperPOD Architecture"
// (docs.nvidia.com/dgx-superpod/reference-architecture-scalable-infrastructure-b200).
TEST_CASE("NVIDIA reference architectures: DGX B200, larger SuperPODs on two and three tiers") {
  check_rows({{2, 512, 16, 8, 0, 512, 512, 0},
              {4, 1024, 32, 16, 0, 1024, 1024, 0},
              {8, 2048, 64, 32, 0, 2048, 2048, 0},
              {16, 4096, 128, 128, 64, 4096, 4096, 4096},
              {32, 8192, 256, 256, 128, 8192, 8192, 8192},
              {64, 16384, 512, 512, 256, 16384, 16384, 16384}},
             64, {});
}

// DGX B300 XDR reference architecture, Table 3: 72 nodes per unit, Q3400 with 144 ports
// (docs.nvidia.com/dgx-superpod/reference-architecture/scalable-infrastructure-b300-xdr). The table
// prints 9,216 GPUs for 18 units, but 1,296 nodes have 10,368, and so many node-leaf cables.
TEST_CASE("NVIDIA reference architectures: DGX B300 XDR SuperPOD") {
  check_rows({{1, 576, 8, 4, 0, 576, 576, 0},
              {2, 1152, 16, 8, 0, 1152, 1152, 0},
              {4, 2304, 32, 18, 0, 2304, 2304, 0},
              {8, 4608, 64, 36, 0, 4608, 4608, 0},
              {18, 10368, 144, 72, 0, 10368, 10368, 0}},
             144, {.nodes_per_unit = 72});
}

// DGX B300 Spectrum-X reference architecture, Table 3: two planes of 400 Gb/s, 64 nodes per unit
// (docs.nvidia.com/dgx-superpod/reference-architecture/scalable-infrastructure-b300). The table
// counts 800 Gb/s cables of two links each: half of the links here.
TEST_CASE("NVIDIA reference architectures: DGX B300 SuperPOD on two planes") {
  check_rows({{1, 512, 16, 8, 0, 2 * 512, 2 * 512, 0},
              {2, 1024, 32, 16, 0, 2 * 1024, 2 * 1024, 0},
              {4, 2048, 64, 32, 0, 2 * 2048, 2 * 2048, 0},
              {8, 4096, 128, 64, 0, 2 * 4096, 2 * 4096, 0},
              {16, 8192, 256, 128, 0, 2 * 8192, 2 * 8192, 0}},
             128, {.nodes_per_unit = 64, .planes = 2});
}

// DeepSeek-V3 Insights (arXiv 2505.09343), Table 3: no field of 28 elements exists.
TEST_CASE("NVIDIA reference architectures: slim fly with q = 28 cannot be built") {
  const FabricProblem problem = problem_of({.radix = 64, .topology = SlimFly{.q = 28}});
  CHECK(problem.rule == FabricRule::no_such_graph);
}

}  // namespace
