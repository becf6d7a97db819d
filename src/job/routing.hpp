#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "planner/core/diagnostic.hpp"
#include "planner/core/quantity.hpp"
#include "planner/domain/calibration.hpp"
#include "planner/domain/fabric.hpp"
#include "planner/domain/reliability.hpp"
#include "planner/domain/routing.hpp"
#include "planner/domain/system.hpp"
#include "planner/job/job_on_network.hpp"
#include "planner/network/routing/job_slowdowns.hpp"
#include "planner/network/routing/link_load.hpp"
#include "planner/network/routing/routed_fabric.hpp"
#include "planner/network/routing/routing.hpp"
#include "planner/network/routing/sharing.hpp"

namespace planner::job {

struct RoutedStage {
  LinkStage stage;
  double mmr_mean = 1, mmr_quantile = 1;  ///< max/mean of its links
  double slowdown_mean = 1;               ///< alone
};

/// What routing leaves of the network.
struct RoutingResult {
  std::string cluster;  ///< name; empty: plain numbers
  Routing routing;
  Placement placement = Placement::whole;
  std::string traffic;              ///< what the stages are those of: "all_rings, pod"
  std::vector<RoutedStage> stages;  ///< of the receive port last, where it is hashed
  double receive_port_slowdown = 1;
  Slowdown slowdown;
  std::string binding;                          ///< stage; empty: none
  std::optional<BytesPerSecond> nominal{};      ///< of the network, per GPU and direction
  std::vector<RoutedCollective> collectives{};  ///< of a cluster
  /// Queue pairs per pair of ports with which the fullest link of the stage shown carries no more
  /// than so many times the mean, on average (nothing: more than kMostQps); empty: no hash decides,
  /// or QPs change nothing.
  std::vector<std::pair<double, std::optional<std::int64_t>>> qps_needed{};
  std::string link_load_stage;
  std::vector<LoadBin> link_load;
  RoutingFactors factors{};  ///< of the job on average, as timing models take them
  RoutingFactors unlucky{};  ///< where 19 of 20 draws of hashed paths are better
  /// GPUs of the job in each pod, zone or leaf unit, where it was told which are free.
  std::vector<std::int64_t> taken{};
  std::optional<std::int64_t> stage_limit{};  ///< GPUs beyond which only pipelines may reach
  RoutingFactors balanced{};                  ///< the same on perfectly balanced links, none failed
  std::optional<RoutingFactors> whole{};      ///< the job's on average with nothing failed
  std::optional<Fault> fault{};
  /// On average while one port of a card is down; nothing: cards have one.
  std::optional<RoutingFactors> card_down{};
  std::optional<BrokenPairs> broken{};  ///< by the fault; nothing: none
  std::optional<SharingImpact> sharing{};
  std::vector<std::string> assumptions;
  std::shared_ptr<const JobSlowdowns> on_links{};  ///< the job where it stands
};

/// What routing leaves of the network to each collective in each scope.
/// @throws InputError "no-routing" for a topology that is no tree, UsageError for settings that
/// contradict each other or the network
/// @param known  of the same scheme with the same queue pairs; null: none was asked for so far
RoutingResult route_job(const RoutingSettings& asked, const JobOnNetwork& on,
                        std::shared_ptr<StageSlowdowns> known = nullptr);

/// Puts the slowdowns against those of the routing by which the runs of a calibration that has one
/// were routed, as its timing model takes them.
void relate_to_measured(const Calibration& constants, const JobOnNetwork& on,
                        RoutingResult& result);

/// The settings with defaults in the place of what nobody said.
/// @throws UsageError where they contradict each other
Routing resolved(const RoutingSettings& asked);

/// Throws the UsageError of more failed links than leave a path.
void check_failures(const Fault& fault, std::int64_t links);

/// What stages leave, alone and together, and how one of them loads its links.
void fill_stages(const std::vector<LinkStage>& stages, RoutingResult& result);

/// Names the defaults and the formulas that were used.
void state_routing(const RoutingSettings& asked, RoutingResult& result);

}  // namespace planner::job
