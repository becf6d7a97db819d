#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "planner/cost/cost.hpp"
#include "planner/domain/cluster.hpp"
#include "planner/domain/system.hpp"
#include "planner/job/forecast.hpp"
#include "planner/job/outlook.hpp"
#include "planner/job/spare_settings.hpp"
#include "planner/job/traffic.hpp"
#include "planner/job/used_gpus.hpp"
#include "planner/job/workload.hpp"
#include "planner/perf/metrics.hpp"
#include "planner/search/search.hpp"

namespace planner::job {

/// The training run of a cluster: the best strategy on its own fabric.
struct ClusterTraining {
  Workload workload;  ///< on the GPUs that it uses
  Plan plan;
  GpuUse use;
  std::int64_t strategies = 0, feasible = 0;
  std::optional<SharingImpact> sharing{};  ///< where somebody asks for it
  std::optional<TrainingTotals> totals{};  ///< where the run has a number of tokens
  std::optional<Traffic> traffic{};        ///< of the plan on the cluster's network
};

/// A cluster with everything that follows from it.
struct ClusterReport {
  Cluster cluster;
  System system;
  std::optional<Node> node{};
  FabricCount fabric;
  std::vector<std::pair<std::string, FabricCount>> beside;  ///< other networks, by name
  std::string price_book;                                   ///< title
  std::vector<std::string> price_book_notes;
  std::optional<Economics> economics{};
  std::optional<CloudPrice> rent{};  ///< of the GPUs; nothing: they are bought
  BillOfMaterials bill;
  CostBreakdown cost;
  std::optional<ClusterTraining> training{};
  std::optional<Forecast> forecast{};  ///< where the cluster has routing, storage or failure rates
  Outlook outlook;
  /// Of one GPU, relative to that of the cluster it is compared with: by the training times of
  /// both.
  std::optional<double> computed_performance{};

  /// Of one GPU in a unit that the clusters compared share: computed, or else as the file says.
  [[nodiscard]] std::optional<double> performance() const {
    return computed_performance ? computed_performance : cluster.relative_performance;
  }
  std::vector<std::string> warnings;
};

/// The training of a workload by the fastest strategy that fits, on as many of the GPUs as it can
/// use.
/// @param warnings  gets why there is none, and what no measured run says of it
/// @throws Interrupted
std::optional<ClusterTraining> train(const Workload& workload, const GpuSupply& supply,
                                     const SearchOptions& options,
                                     std::vector<std::string>& warnings);

/// The GPUs of a cluster, in whole nodes, and those that its run may use.
/// @param node  that is bought; nothing: GPUs are had one by one
GpuSupply supply_of(const Cluster& cluster, const System& system, const std::optional<Node>& node);

/// Of the parts of a cluster, as many as its job stands on: nodes, with their network cards and
/// their share of the access switches. What it takes from a domain is what is swapped.
/// @param counted  all, see counted_parts()
/// @param use  nothing: the job uses all GPUs
ReliabilitySettings parts_in_use(ReliabilitySettings counted, const GpuSupply& supply,
                                 const std::optional<GpuUse>& use);

/// GPUs in domains that the job does not stand on: they can stand by as spares.
std::int64_t idle_in_domains(const GpuSupply& supply, const GpuUse& use);

/// GPUs that are bought with the domains and stand by as spares: those of idle_in_domains(), and of
/// the spare trays in the domains that the job stands on, as far as it leaves any there: all that
/// it leaves, where optical switches reach them.
std::int64_t standing_by(const ReliabilitySettings& recovery, const GpuSupply& supply,
                         const GpuUse& use);

/// A cluster's spares, and what they take the place of where nobody says.
StandingSpares standing_spares(const Cluster& cluster, const System& system,
                               const std::optional<Node>& node);

/// GPUs that the rent is paid for, of whole nodes and with the spares that are asked for; of a
/// bought cluster those that would be rented in its place, where who rents them out has the spares.
std::int64_t rented_gpus(const ClusterReport& report);

/// What the bill alone does not say of a cluster's cost.
ClusterUse use_of(const ClusterReport& report);

/// How a cluster's job and its network behave, besides what the report knows.
struct ClusterBehaviour {
  std::optional<RoutingResult> routing{};
  std::optional<FailureRates> rates{};
  ReliabilitySettings recovery{};
};

/// What to expect of a report's run, without its cost; nothing where nobody asks.
/// @throws UsageError and InfeasibleError  as forecast_of() of its inputs
std::optional<Forecast> forecast_of(const ClusterReport& report, ClusterBehaviour behaviour,
                                    std::vector<std::string>& warnings);

/// Buys, or rents, the spares that the forecast counts on and that neither the file nor idle GPUs
/// are, beside those of the file: whole nodes, or GPUs where no node is named.
/// @param warnings  gets that spares are taken for granted where nobody says how many there are
void pay_for_spares(ClusterReport& report, std::vector<std::string>& warnings);

/// What the forecast's run costs at the cluster's price of an hour: nothing, with a warning, of a
/// run that takes longer than the years over which that is the price.
void add_expected_cost(ClusterReport& report);

/// Days and dollars of a report's run and cluster, as all that is not known leaves them.
Outlook outlook_of(const ClusterReport& report, double confidence);

/// The tier of an oversubscribed network that the training time charges most, where no routing is
/// given.
std::optional<NetworkTier> tightest_tier(const ClusterTraining& training);

}  // namespace planner::job
