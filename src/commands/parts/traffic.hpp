#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "planner/job/traffic.hpp"
#include "planner/json/field_table.hpp"
#include "planner/present/document.hpp"

namespace planner::commands {

/// What a plan sends, as answers tell it. Bytes are sent ones, of one iteration.
struct TrafficSummary {
  /// A figure of each type of traffic.
  struct ByType {
    std::array<double, kTrafficTypes.size()> figures{};

    [[nodiscard]] double of(TrafficType type) const {
      return figures[static_cast<std::size_t>(type)];
    }
    [[nodiscard]] double total() const;
  };
  struct Tier {
    std::string name;
    std::int64_t unit_gpus = 0;
    ByType GB{};          ///< of all GPUs
    double share = 0;     ///< of all bytes
    std::string links;    ///< by which it is reached
    ByType busiest_GB{};  ///< out of the busiest unit of these links
    std::int64_t links_unit_gpus = 1;
    double capacity_GBps = 0;  ///< of its links, one direction
    double utilisation = 0;
  };
  /// Of a node whose GPUs share NICs: what both directions share.
  struct Host {
    std::string name;
    std::int64_t unit_gpus = 1;  ///< GPUs that share it
    ByType GB{};                 ///< of the busiest
    double capacity_GBps = 0;
    double utilisation = 0;
  };
  struct Pairs {
    double possible = 0, silent_share = 0;
    ByType share{};
  };
  /// Groups that send alike, from which the heat map follows.
  struct Groups {
    TrafficType type = TrafficType::tensor;
    FlowKind kind = FlowKind::ring;
    std::int64_t stride = 1, ranks = 1;
    double GB = 0;                 ///< that each rank sends
    double senders = 1;            ///< share of the ranks that do
    std::vector<Sending> sends{};  ///< who alone does, and where to; none: all
    std::int64_t end_gpus = 0;  ///< of answers without `sends`: the first and the last so many do
    std::int64_t mixed_ranks = 1, mixed_stride = 1;
  };
  /// What one rank sends to whom.
  struct HeatRow {
    std::int64_t from = 0;
    std::vector<std::int64_t> to{};
    std::vector<double> GB{};
  };
  struct Distance {
    TrafficType type = TrafficType::tensor;
    std::int64_t distance = 0;
    double pairs = 0, GB_per_pair = 0;
  };
  struct RailOnly {
    bool enough = false;
    double network_GB = 0, off_rail_GB = 0;  ///< of all GPUs
    std::int64_t rails = 1;
    double rail_GB = 0;       ///< of one rail, of what stays on it
    double forwarding_s = 0;  ///< of an iteration, for what changes rail
    std::string sentence;
  };
  struct Zone {
    std::int64_t gpus = 0;
    ByType out_GB{};
  };
  struct Zones {
    std::string outermost;  ///< "pp" or "dp": what the ranks of different zones differ in
    std::vector<Zone> zones;
    double pp_outermost_GB = 0, dp_outermost_GB = 0;  ///< out of all zones
  };

  std::int64_t gpus = 0, hb_domain = 1;
  ByType per_gpu_GB{};
  std::vector<Tier> tiers{};
  std::vector<Host> host{};
  Pairs pairs{};
  std::vector<Groups> groups{};
  std::vector<Distance> distances{};
  RailOnly rail_only{};
  std::optional<Zones> zones{};
  bool by_cpus = false;             ///< gradients are summed by HFReduce
  std::int64_t gradient_bytes = 2;  ///< of a parameter, in a reduction
};

/// Every rank's row of the heat map; nothing of more than kMostHeatMapGpus.
std::vector<TrafficSummary::HeatRow> heat_rows(const TrafficSummary& traffic);

TrafficSummary summary_of(const job::Traffic& traffic, Seconds iteration);
const json::FieldTable<TrafficSummary>& traffic_summary_fields();

/// Sections of bytes by type and tier, pairs and rails.
void add_traffic(const TrafficSummary& traffic, present::Document& document);
/// The heat map where there are few GPUs, and bytes by tier.
void add_traffic_charts(const TrafficSummary& traffic, std::vector<present::Chart>& charts);

/// "tensor parallelism".
std::string_view words_of(TrafficType type);

}  // namespace planner::commands
