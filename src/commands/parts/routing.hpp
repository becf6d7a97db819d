#pragma once

#include <string>
#include <vector>

#include "planner/job/routing.hpp"
#include "planner/json/field_table.hpp"
#include "planner/present/document.hpp"

namespace planner::commands {

/// What routing leaves of a network, as answers tell it.
struct RoutingSummary {
  struct Stage {
    LinkStage links;
    double ratio_mean = 1, ratio_quantile = 1;  ///< largest load over mean
    double slowdown = 1;                        ///< alone
  };
  struct Collective {
    TrafficPattern pattern = TrafficPattern::ring;
    RoutingScope scope = RoutingScope::pod;
    std::int64_t gpus = 0;
    double mean = 1, quantile = 1;  ///< slowdowns
    std::string binding{};          ///< stage; empty: none
  };
  struct QpsNeeded {
    double ratio = 0;
    std::optional<std::int64_t> qps{};  ///< nothing: more than kMostQps
  };
  std::string cluster{};  ///< name; empty: plain numbers
  RoutingScheme scheme = RoutingScheme::ecmp;
  std::int64_t qps = 1;
  double distinct_paths = 1;
  Striping striping = Striping::fixed;
  Placement placement = Placement::whole;
  std::vector<std::int64_t> taken{};
  std::optional<std::int64_t> stage_limit{};
  double quantile = 0;  ///< which one
  std::string traffic{};
  std::vector<Stage> stages{};
  double receive_port = 1;           ///< slowdown
  double slowdown = 1, unlucky = 1;  ///< mean, and the quantile
  std::optional<double> nominal{};   ///< GB/s per GPU and direction
  std::string binding{};
  std::vector<Collective> collectives{};
  std::string load_stage{};
  std::vector<LoadBin> loads{};
  std::vector<QpsNeeded> qps_needed{};
  std::optional<SharingImpact> sharing{};
  std::vector<std::string> assumptions{};

  /// GB/s that are left of the nominal bandwidth, which is known.
  [[nodiscard]] double effective(double slowed_by) const;
};

RoutingSummary summary_of(const job::RoutingResult& result);
const json::FieldTable<RoutingSummary>& routing_summary_fields();
const json::FieldTable<SharingImpact>& sharing_fields();

/// Collectives, stages, loads, queue pairs and storage, under headings of their own.
void add_routing(const RoutingSummary& routing, present::Document& document);
void add_assumptions(const RoutingSummary& routing, present::Document& document);

/// "2.26", "∞".
std::string ratio_text(double value);

}  // namespace planner::commands
