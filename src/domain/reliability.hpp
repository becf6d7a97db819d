#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planner/core/ceil_div.hpp"
#include "planner/core/quantity.hpp"
#include "planner/core/real.hpp"
#include "planner/domain/estimate.hpp"
#include "planner/domain/price.hpp"
#include "planner/domain/provenance.hpp"

namespace planner {

using PerSecond = Quantity<0, 0, -1, 0, 0>;

namespace units {
inline constexpr PerSecond per_hour{1.0 / 3600};
}

/// What one failure rate counts: a rate per node is not a rate per GPU.
enum class FailureUnit {
  gpu,
  nic,             ///< network card
  link,            ///< between a network card's port and its access switch
  node,            ///< server
  network_switch,  ///< access (top-of-rack) switch
  upper_switch,    ///< aggregation or core switch of one chip
  chassis_switch,  ///< modular switch of many chips
  feed,            ///< power of a row of racks
  job,             ///< the whole job, whatever its size
};
inline constexpr std::array kFailureUnits{FailureUnit::gpu,
                                          FailureUnit::nic,
                                          FailureUnit::link,
                                          FailureUnit::node,
                                          FailureUnit::network_switch,
                                          FailureUnit::upper_switch,
                                          FailureUnit::chassis_switch,
                                          FailureUnit::feed,
                                          FailureUnit::job};

/// The hours by which failures were counted.
enum class RateBasis {
  active,         ///< those in which the job ran
  job_calendar,   ///< all of one job's calendar: the count contains what that job was down
  part_calendar,  ///< all of a fleet's calendar, whether or not a job ran on it
  wall,           ///< of older files: job_calendar for the unit job, else part_calendar
};
inline constexpr std::array kRateBases{RateBasis::active, RateBasis::job_calendar,
                                       RateBasis::part_calendar, RateBasis::wall};

/// Whether recovery times have in them what failures during the recovery added.
enum class RecoveryBasis { observed, undisturbed };
inline constexpr std::array kRecoveryBases{RecoveryBasis::observed, RecoveryBasis::undisturbed};

/// As in files and answers: "observed".
constexpr std::string_view name_of(RecoveryBasis basis) {
  return basis == RecoveryBasis::undisturbed ? "undisturbed" : "observed";
}

/// What a failure does to the job.
enum class FailureAction {
  crash,    ///< it falls back to the last checkpoint
  degrade,  ///< it runs slower until the part is repaired
  stall,    ///< it waits until the part is back and loses no work
};
inline constexpr std::array kFailureActions{FailureAction::crash, FailureAction::degrade,
                                            FailureAction::stall};

/// As in files and answers: "switch".
constexpr std::string_view name_of(FailureUnit unit) {
  constexpr std::array<std::string_view, kFailureUnits.size()> kNames{
      "gpu", "nic", "link", "node", "switch", "upper_switch", "chassis_switch", "feed", "job"};
  return kNames[static_cast<std::size_t>(unit)];
}

/// As in files and answers: "job_calendar".
constexpr std::string_view name_of(RateBasis basis) {
  constexpr std::array<std::string_view, kRateBases.size()> kNames{"active", "job_calendar",
                                                                   "part_calendar", "wall"};
  return kNames[static_cast<std::size_t>(basis)];
}

/// As in files and answers: "crash".
constexpr std::string_view name_of(FailureAction action) {
  constexpr std::array<std::string_view, kFailureActions.size()> kNames{"crash", "degrade",
                                                                        "stall"};
  return kNames[static_cast<std::size_t>(action)];
}

/// How often one kind of part fails, and what follows. Nothing: not known.
struct FailureRate {
  std::string component;  ///< "GPU HBM3 memory"
  FailureUnit unit = FailureUnit::gpu;
  PerSecond rate{};  ///< of one unit
  RateBasis basis = RateBasis::active;
  FailureAction action = FailureAction::crash;
  std::optional<Seconds> detect{};               ///< until someone knows of it
  std::optional<Seconds> diagnose{};             ///< until the faulty part is found and isolated
  std::optional<Seconds> repair{};               ///< until the part is back
  std::optional<double> degraded_speed{};        ///< of the job while one such part is out, below 1
  bool needs_spare = false;                      ///< a spare node takes the place of the faulty one
  std::optional<std::int64_t> observed_units{};  ///< of the job that a job_calendar rate is of
  bool optional = false;                         ///< counts only where somebody asks for it
  LogSpread detect_unknown{}, diagnose_unknown{};  ///< of these times; none where they are known
  PriceSource origin;

  /// Whether a dual-ToR host outlives it: a link of a host, or an access switch.
  [[nodiscard]] bool on_access_links() const {
    return unit == FailureUnit::link || unit == FailureUnit::network_switch;
  }
  bool operator==(const FailureRate&) const = default;
};

/// Failure rates of one cluster, with the checkpoints and restarts of the jobs it ran.
struct FailureRates {
  std::string name;
  std::string title;
  std::vector<FailureRate> components;
  /// Of the node that a rate per node is for; nothing: a node of the job, whatever its size.
  std::optional<std::int64_t> gpus_per_node{};
  std::optional<Seconds> restart{};              ///< of the job, checkpoint loaded
  std::optional<Seconds> checkpoint_interval{};  ///< of useful work
  std::optional<Seconds> checkpoint_stall{};     ///< training time that one checkpoint takes
  std::optional<Seconds> checkpoint_durable{};   ///< from its start until it can be loaded again
  /// Share of its calendar in which the job of the job_calendar rates ran; nothing: it follows from
  /// their number and the recovery times.
  std::optional<double> running_share{};
  RecoveryBasis recovery_basis = RecoveryBasis::observed;
  std::vector<std::string> notes;
  std::vector<SourceNote> sources;

  bool operator==(const FailureRates&) const = default;
};

/// Pairs of access links and switches of which one is down all the time.
struct BrokenPairs {
  std::int64_t links = 0, switches = 0;
  /// Switches that are whole pairs, but whose one switch alone carries a link of a broken pair.
  std::int64_t needed_switches = 0;

  bool operator==(const BrokenPairs&) const = default;
};

/// How many of each part a job uses; one of each whose failure it would notice.
struct ComponentCounts {
  std::int64_t gpus = 0, nics = 0, nodes = 0;
  std::int64_t links = 0;     ///< with two per network card: pairs
  std::int64_t switches = 0;  ///< with two per network card: pairs
  std::int64_t upper_switches = 0, chassis_switches = 0;
  std::int64_t feeds = 0;  ///< of rows, those whose loss takes nodes with it
  BrokenPairs broken{};    ///< among links and switches

  [[nodiscard]] double of(FailureUnit unit) const {
    const std::array<std::int64_t, kFailureUnits.size()> counts{
        gpus, nics, links, nodes, switches, upper_switches, chassis_switches, feeds, 1};
    return real(counts[static_cast<std::size_t>(unit)]);
  }
  bool operator==(const ComponentCounts&) const = default;
};

/// Whether a network card hangs on one access switch or on two, each of which can carry the job.
enum class AccessLinks { single_tor, dual_tor };
inline constexpr std::array kAccessLinks{AccessLinks::single_tor, AccessLinks::dual_tor};

/// As on the command line and in JSON: "dual".
constexpr std::string_view name_of(AccessLinks access) {
  return access == AccessLinks::dual_tor ? "dual" : "single";
}

/// What a failure during the recovery from another does.
enum class RecoveryMode {
  merge,    ///< the recovery under way cures it
  phased,   ///< so does detection and diagnosis; the restart starts over
  restart,  ///< the whole recovery starts over
};
inline constexpr std::array kRecoveryModes{RecoveryMode::merge, RecoveryMode::phased,
                                           RecoveryMode::restart};

/// As on the command line and in JSON: "merge".
constexpr std::string_view name_of(RecoveryMode mode) {
  constexpr std::array<std::string_view, kRecoveryModes.size()> kNames{"merge", "phased",
                                                                       "restart"};
  return kNames[static_cast<std::size_t>(mode)];
}

/// When the nodes of a job that waits for a spare fail.
enum class DownHazard { running, all };  ///< never; as in any hour
inline constexpr std::array kDownHazards{DownHazard::running, DownHazard::all};

/// As on the command line and in JSON: "running".
constexpr std::string_view name_of(DownHazard hazard) {
  return hazard == DownHazard::all ? "all" : "running";
}

/// What the operator does where one of two links is down.
enum class LinkLoss { slow, swap };  ///< runs on, slower; pauses and swaps the host
inline constexpr std::array kLinkLosses{LinkLoss::slow, LinkLoss::swap};

/// As on the command line and in JSON: "slow".
constexpr std::string_view name_of(LinkLoss loss) {
  return loss == LinkLoss::swap ? "swap" : "slow";
}

/// When the job saves its state. Without `durable`, a checkpoint can be loaded as soon as the job
/// goes on (synchronous).
struct CheckpointPolicy {
  std::optional<Seconds> interval{};  ///< useful work between two; nothing: the optimal one
  Seconds stall{};                    ///< training time that each takes
  Seconds durable{};                  ///< further time until it can be loaded again

  bool operator==(const CheckpointPolicy&) const = default;
};

/// Units kept ready for failed ones: nodes, or what else is swapped at once. Failed units come back
/// after `repair`, one by one, or all at the next of the `visits`.
struct SparePolicy {
  std::int64_t spares = 0;  ///< units in all
  std::int64_t pools = 1;   ///< equal parts of cluster and spares that do not help each other
  std::optional<Seconds> repair{};      ///< mean, of one unit
  std::optional<std::int64_t> crews{};  ///< at once, of all pools; none: as many as needed
  std::optional<Seconds> visits{};      ///< time between two; instead of repair
  std::int64_t unit_gpus = 1;           ///< GPUs of a unit, its spare trays' included
  std::int64_t unit_trays = 1;          ///< parts of a unit that fail one by one
  std::int64_t spare_trays = 0;         ///< of these, kept ready in each unit
  std::int64_t switch_hosts = 1;        ///< nodes that an access switch takes with it
  std::int64_t feed_hosts = 1;          ///< nodes that a feed takes with it

  /// Units that a job of so many GPUs stands on.
  [[nodiscard]] constexpr std::int64_t units(std::int64_t gpus) const {
    return ceil_div(gpus, unit_gpus - spare_trays * (unit_gpus / unit_trays));
  }
  /// GPUs that stand by.
  [[nodiscard]] constexpr std::int64_t gpus_beside(std::int64_t gpus) const {
    return spares * unit_gpus + units(gpus) * spare_trays * (unit_gpus / unit_trays);
  }
  bool operator==(const SparePolicy&) const = default;
};

/// Optical switches that put a spare in the place of a failed part.
struct OpticalSwap {
  Seconds reconfigure{};
  std::optional<std::int64_t> ports{};
  std::optional<Usd> port_price{};

  bool operator==(const OpticalSwap&) const = default;
};

/// What someone has said about how a job meets failures; the rest follows from its rates.
struct ReliabilitySettings {
  std::optional<std::int64_t> gpus_per_node{}, nics{}, switches{};
  std::optional<AccessLinks> access{};
  std::optional<BrokenPairs> broken{};       ///< by what is down of the network, if less than all
  std::optional<double> degraded_speed{};    ///< one of two links or switches down
  std::optional<Seconds> checkpoint{};       ///< useful work between two
  std::optional<bool> optimal_checkpoint{};  ///< whatever interval the rates' jobs used
  std::optional<Seconds> stall{}, durable{}, detect{}, diagnose{}, restart{};
  std::optional<Bytes> checkpoint_size{};           ///< of one GPU
  std::optional<BytesPerSecond> checkpoint_rate{};  ///< that storage takes from one GPU
  std::optional<BytesPerSecond> load_rate{};        ///< that storage gives one GPU
  std::optional<bool> synchronous{};                ///< the job waits until a checkpoint is durable
  std::optional<RecoveryMode> recovery{};
  std::optional<DownHazard> hazard{};
  std::optional<LinkLoss> link_loss{};  ///< nothing: whichever loses less
  std::optional<double> running_share{};
  std::optional<double> rate_factor{};  ///< by which another cluster's rates may be off, 80 %
  std::optional<bool> optional_lines{};
  std::optional<double> flaps{};  ///< of one link in a day
  std::optional<std::int64_t> upper_switches{}, chassis_switches{}, switch_hosts{};
  std::optional<std::int64_t> feeds{}, feed_hosts{};
  std::optional<std::int64_t> spares{}, spare_pools{}, crews{};
  std::optional<std::int64_t> swap_unit{}, tray{}, spare_trays{};  ///< GPUs, GPUs, trays
  std::optional<std::int64_t> shrink{};  ///< data-parallel groups of a job that goes on with fewer
  std::optional<Seconds> repair{}, visits{};
  std::optional<Seconds> reconfigure{};  ///< of optical switches
  std::optional<std::int64_t> optical_ports{};
  std::optional<Usd> optical_port_price{};
  std::optional<Watts> optical_port_power{};

  bool operator==(const ReliabilitySettings&) const = default;
};

/// What `over` says, and what `base` says of the rest.
ReliabilitySettings overlaid(const ReliabilitySettings& base, const ReliabilitySettings& over);

/// By how much times of a source exceed what they are taken as.
struct LongerTimes {
  double detect = 1, diagnose = 1, restart = 1;

  bool operator==(const LongerTimes&) const = default;
};

/// A job's exposure to failures and its answer to them.
struct JobReliability {
  FailureRates rates;
  ComponentCounts counts;
  AccessLinks access = AccessLinks::single_tor;
  CheckpointPolicy checkpoint;
  Seconds restart{};
  Seconds load{};               ///< of the restart, the checkpoint
  LogSpread restart_unknown{};  ///< of the rest of the restart; none where it is known
  RecoveryMode recovery = RecoveryMode::merge;
  /// Observed times have repeats in them, by a mode that no source tells: they are read as if it
  /// were `recovery`. By mode: what a gentler one reads in them beside that.
  std::array<LongerTimes, kRecoveryModes.size()> read_as{};
  DownHazard hazard = DownHazard::running;
  LinkLoss link_loss = LinkLoss::slow;
  double running_share = 1;             ///< of the job that the job_calendar rates are of
  std::optional<SparePolicy> spares{};  ///< nothing: a spare is always at hand
  std::optional<OpticalSwap> optical{};
  /// Data-parallel groups of a job that goes on without those that lost a host until it is back.
  std::optional<std::int64_t> shrink{};

  bool operator==(const JobReliability&) const = default;
};

}  // namespace planner
