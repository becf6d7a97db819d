#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planner/core/quantity.hpp"
#include "planner/core/real.hpp"
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
  job,             ///< the whole job, whatever its size
};
inline constexpr std::array kFailureUnits{FailureUnit::gpu,
                                          FailureUnit::nic,
                                          FailureUnit::link,
                                          FailureUnit::node,
                                          FailureUnit::network_switch,
                                          FailureUnit::job};

/// The hours by which failures were counted.
enum class RateBasis {
  active,  ///< those in which the job ran
  wall,    ///< all of the calendar's, recovery included
};
inline constexpr std::array kRateBases{RateBasis::active, RateBasis::wall};

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
  constexpr std::array<std::string_view, kFailureUnits.size()> kNames{"gpu",  "nic",    "link",
                                                                      "node", "switch", "job"};
  return kNames[static_cast<std::size_t>(unit)];
}

/// As in files and answers: "wall".
constexpr std::string_view name_of(RateBasis basis) {
  return basis == RateBasis::wall ? "wall" : "active";
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
  std::optional<Seconds> detect{};         ///< until someone knows of it
  std::optional<Seconds> diagnose{};       ///< until the faulty part is found and isolated
  std::optional<Seconds> repair{};         ///< until the part is back
  std::optional<double> degraded_speed{};  ///< of the job while one such part is out, below 1
  bool needs_spare = false;                ///< a spare node takes the place of the faulty one
  PriceSource origin;

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
  std::vector<std::string> notes;
  std::vector<SourceNote> sources;

  bool operator==(const FailureRates&) const = default;
};

/// How many of each part a job uses; one of each whose failure it would notice.
struct ComponentCounts {
  std::int64_t gpus = 0, nics = 0, nodes = 0;
  std::int64_t links = 0;     ///< with two per network card: pairs
  std::int64_t switches = 0;  ///< with two per network card: pairs

  [[nodiscard]] double of(FailureUnit unit) const {
    const std::array<std::int64_t, kFailureUnits.size()> counts{gpus,  nics,     links,
                                                                nodes, switches, 1};
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

/// When the job saves its state. Without `durable`, a checkpoint can be loaded as soon as the job
/// goes on (synchronous).
struct CheckpointPolicy {
  std::optional<Seconds> interval{};  ///< useful work between two; nothing: the optimal one
  Seconds stall{};                    ///< training time that each takes
  Seconds durable{};                  ///< further time until it can be loaded again

  bool operator==(const CheckpointPolicy&) const = default;
};

/// Nodes kept ready for failed ones. Failed nodes come back after `repair`, one by one, or all at
/// the next of the `visits`.
struct SparePolicy {
  std::int64_t spares = 0;  ///< nodes in all
  std::int64_t pools = 1;   ///< equal parts of cluster and spares that do not help each other
  std::optional<Seconds> repair{};      ///< mean, of one node
  std::optional<std::int64_t> crews{};  ///< repairs at once; nothing: as many as needed
  std::optional<Seconds> visits{};      ///< time between two; instead of repair

  bool operator==(const SparePolicy&) const = default;
};

/// What someone has said about how a job meets failures; the rest follows from its rates.
struct ReliabilitySettings {
  std::optional<std::int64_t> gpus_per_node{}, nics{}, switches{};
  std::optional<AccessLinks> access{};
  std::optional<double> degraded_speed{};    ///< one of two links or switches down
  std::optional<Seconds> checkpoint{};       ///< useful work between two
  std::optional<bool> optimal_checkpoint{};  ///< whatever interval the rates' jobs used
  std::optional<Seconds> stall{}, durable{}, detect{}, diagnose{}, restart{};
  std::optional<bool> recovery_can_fail{};
  std::optional<std::int64_t> spares{}, spare_pools{}, crews{};
  std::optional<Seconds> repair{}, visits{};

  bool operator==(const ReliabilitySettings&) const = default;
};

/// What `over` says, and what `base` says of the rest.
ReliabilitySettings overlaid(const ReliabilitySettings& base, const ReliabilitySettings& over);

/// A job's exposure to failures and its answer to them.
struct JobReliability {
  FailureRates rates;  ///< times that are not known count as 0
  ComponentCounts counts;
  AccessLinks access = AccessLinks::single_tor;
  CheckpointPolicy checkpoint;
  Seconds restart{};
  /// The recovery itself can be hit by a failure and starts over. Else it runs free of failures.
  bool recovery_can_fail = false;
  std::optional<SparePolicy> spares{};  ///< nothing: a spare is always at hand

  bool operator==(const JobReliability&) const = default;
};

}  // namespace planner
