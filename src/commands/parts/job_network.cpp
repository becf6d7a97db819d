#include "planner/commands/parts/job_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "planner/core/ceil_div.hpp"
#include "planner/core/real.hpp"
#include "planner/core/usage.hpp"
#include "planner/job/network_left.hpp"
#include "planner/network/port_speed.hpp"
#include "planner/network/topologies/topologies.hpp"

namespace planner::commands {

namespace {

/// The network cards of a cluster's GPUs.
struct Cards {
  std::int64_t number = 0;
  std::int64_t gpus = 0;       ///< that have them
  std::int64_t gbps = 0;       ///< of one
  BytesPerSecond of_gpu{};     ///< its share of them
  std::int64_t node_gpus = 1;  ///< whose cards send together
  std::int64_t rails = 1;      ///< cards of a node
};

/// A system without a node has a card for each GPU.
Cards cards_of(const System& system, const std::optional<Node>& node, std::int64_t gpus) {
  const auto gbps = [](BytesPerSecond rate) {
    constexpr double kRounding = 1e-6;  // no port is slower than its card by it
    return std::max<std::int64_t>(
        1, static_cast<std::int64_t>(std::ceil(8 * rate.in(units::GBps)-kRounding)));
  };
  if (!node) {
    return {.number = gpus,
            .gpus = gpus,
            .gbps = gbps(system.network_bandwidth),
            .of_gpu = system.network_bandwidth,
            .node_gpus = system.hb_domain,
            .rails = system.hb_domain};
  }
  const std::int64_t nodes = ceil_div(gpus, node->accelerators);
  const std::int64_t together = job::gpus_sending_together(system, *node);
  return {.number = nodes * node->nics,
          .gpus = nodes * node->accelerators,
          .gbps = gbps(node->nic_bandwidth),
          .of_gpu = real(node->nics) / real(node->accelerators) * node->nic_bandwidth,
          .node_gpus = together,
          .rails = together / node->accelerators * node->nics};
}

}  // namespace

job::JobOnNetwork network_of_job(job::FabricChoice asked,
                                 const std::optional<std::int64_t>& cluster_gpus,
                                 const System& system, std::int64_t job_gpus,
                                 std::int64_t of_domain, const catalog::Catalog& catalog,
                                 std::vector<std::string>& assumed,
                                 std::vector<std::string>& warnings) {
  if (cluster_gpus && *cluster_gpus < job_gpus) {
    usage_error(
        fmt::format("--cluster-gpus: the job alone has {}, not {}", job_gpus, *cluster_gpus));
  }
  std::optional<Node> node;
  if (system.node) node = catalog.load_node(*system.node);
  const std::int64_t together = cards_of(system, node, job_gpus).node_gpus;
  job::JobOnNetwork on{.cluster_gpus = cluster_gpus.value_or(job_gpus * together),
                       .node_gpus = together,
                       .job_gpus = job_gpus,
                       .nominal = system.network_bandwidth};
  on.used_gpus = job::used_gpus(on, system, of_domain);
  if (!cluster_gpus) on.cluster_gpus = job::gpus_of_nodes(on);
  const Cards cards = cards_of(system, node, on.cluster_gpus);
  asked.gpus = cards.number;
  // Where another bandwidth is asked for, ports that nobody asks for are as fast.
  const bool as_asked = !asked.port_gbps && system.network_bandwidth > cards.of_gpu;
  const auto assume = [&](auto& option, auto value, const char* name) {
    if (option) return;
    option = value;
    assumed.emplace_back(name);
  };
  assume(asked.topology, Topology::rail_optimized, "topology");
  assume(asked.port_gbps, cards.gbps, "port-gbps");
  if (requires_option(default_options(*asked.topology), "rails") &&
      asked.inputs.emplace("rails", cards.rails).second) {
    assumed.emplace_back("rails");
  }
  if (!asked.radix) assumed.emplace_back("radix");
  on.name = name_of(*asked.topology);
  on.design = job::design_of(asked, warnings);
  on.count = job::counted(on.design);
  if (as_asked) return on;
  if (const auto ports = slower_ports(on.design, on.count, cards.gpus, on.nominal)) {
    warnings.push_back(job::slow_ports(*ports, on.nominal));
    on.nominal = *ports;
  }
  return on;
}

}  // namespace planner::commands
