#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "planner/cost/link_parts.hpp"
#include "planner/cost/network_parts.hpp"
#include "planner/domain/brief.hpp"
#include "planner/domain/reliability.hpp"
#include "planner/domain/run.hpp"
#include "planner/search/space.hpp"

// The clusters that can be bought, as values: systems × GPUs × networks; and what they are for:
// runs that come one after the other, each with global batches to choose from.
namespace planner::design {

/// A network that can be bought, all but the number of its endpoints.
struct NetworkOption {
  NetworkChoice choice;
  FabricModels models{};  ///< its parts, looked up
  /// Where clusters are laid out: what its links may be of, as link_parts() has it.
  std::vector<MediumModels> media{};
};

/// Nodes of a system that are there already, without a network.
struct Owned {
  std::int64_t nodes = 0;
  Money node{};  ///< what each would sell for; what is kept costs as much
};

/// One of the runs on a system.
struct RunOn {
  Workload job;  ///< its GPUs, global batch and network are each design's own
  SearchSpace strategies;
};

/// A system that can be bought, and the networks for it.
struct SystemOption {
  std::vector<RunOn> runs;  ///< those of the space, in their order
  Node node;
  std::vector<NetworkOption> networks;
  Owned owned{};
  bool for_sale = true;  ///< false: there are those that are owned, and no others
  Seconds lead{};        ///< from the order until the nodes run

  [[nodiscard]] const System& system() const { return runs.front().job.system; }
};

/// One of the runs with one of the global batches that it may have.
struct RunBatch {
  std::size_t run = 0;
  std::int64_t size = 0;
};

/// What fails while the run runs, and how it recovers.
struct Failures {
  FailureRates rates;
  ReliabilitySettings recovery;  ///< but its spares
  /// Swap units kept ready, to choose from; none: whatever stands idle.
  std::vector<std::int64_t> spares{};
};

/// A cluster laid out in the building that is asked for.
struct Standing {
  std::vector<PartQuantity> links;  ///< of its network, by length and reach
  std::int64_t racks = 0;
  std::optional<std::int64_t> feeds{};  ///< of power, whose loss takes nodes with it; if known
  std::int64_t feed_hosts = 0;          ///< that one of them takes
  double longest_m = 0;                 ///< of its cables
};
/// Nothing: it cannot stand there.
using StandingResult = std::shared_ptr<const Standing>;

/// All that can be bought.
struct Space {
  std::vector<SystemOption> systems;
  std::vector<double> tokens;     ///< of each run; they come one after the other
  std::vector<RunBatch> batches;  ///< by run, then by size
  GpuChoice gpus;
  PriceBook book;
  Economics economics;
  std::optional<Failures> failures{};        ///< nothing: nothing fails
  std::optional<RoutingSettings> routing{};  ///< of the run's flows; nothing: perfectly balanced
  /// What all that is owned would sell for, of these systems and others. A purchase is paid from
  /// it: what is kept costs as much as it would sell for, and the rest is sold.
  Money owned_value{};
  /// Lays a cluster of one of the systems out; nothing: links are as their number has them.
  std::function<StandingResult(const SystemOption&, const Cluster&)> stand{};
};

/// Nodes of so many GPUs.
std::int64_t nodes_of(const SystemOption& option, std::int64_t gpus);
/// Of them, those that are owned and kept: as many as there are.
std::int64_t kept_nodes(const SystemOption& option, std::int64_t gpus);
/// From the order until a cluster runs: no time where no node is ordered.
Seconds lead_of(const SystemOption& option, std::int64_t gpus);

/// One cluster; its places in the lists of the space. The order of designs.
struct DesignId {
  std::uint32_t system = 0;
  std::int64_t gpus = 0;  ///< bought
  std::uint32_t network = 0;

  auto operator<=>(const DesignId&) const = default;
};

/// GPUs that are bought together: whole nodes, and whole HB domains where these are larger.
std::int64_t bought_together(const SystemOption& option);

/// The numbers of GPUs of a system that can be bought, ascending.
std::vector<std::int64_t> gpu_counts(const SystemOption& option, const GpuChoice& choice);

/// How many designs there are.
std::int64_t count_designs(const Space& space);

/// Iterations of the run that a batch is of, the last one counted whole.
double iterations(const Space& space, std::size_t batch);

/// The run that a batch is of.
const RunOn& run_on(const Space& space, std::size_t system, std::size_t batch);
/// It on a system at that batch, on `used` of its GPUs and a network of full bandwidth.
Workload job_of(const Space& space, std::size_t system, std::size_t batch, std::int64_t used);

}  // namespace planner::design
