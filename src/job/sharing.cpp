#include "planner/job/sharing.hpp"

#include <fmt/format.h>

#include <cmath>

#include "planner/core/real.hpp"
#include "planner/core/usage.hpp"
#include "planner/perf/model/storage.hpp"

namespace planner::job {

namespace {

/// The same with the checkpoints of a workload: each GPU's part of weights and optimizer states,
/// saved as often as `checkpoint` says, where nobody gave them.
SharingSettings with_checkpoints(SharingSettings asked, const Workload& workload,
                                 const std::optional<Seconds>& checkpoint,
                                 std::vector<std::string>& assumed) {
  if (asked == SharingSettings{}) return asked;
  if (!asked.interval && checkpoint) {
    asked.interval = checkpoint;
    assumed.emplace_back("storage-interval");
  }
  if (asked.interval && !asked.writes) {
    const double parameters = total_parameters(workload.model, workload.run.sequence);
    asked.writes = kCheckpointBytesPerParameter * parameters / real(workload.gpus) * units::byte;
    assumed.emplace_back("storage-writes");
  }
  return asked;
}

/// The same checkpoints, described twice.
void warn_of_two_checkpoints(const SharingSettings& asked, const ReliabilitySettings& recovery,
                             const SharingImpact& impact, std::vector<std::string>& warnings) {
  const auto& saved = recovery.checkpoint;
  const auto& written = asked.interval;
  if (saved && written && *saved != *written) {
    warnings.push_back(fmt::format(
        "--checkpoint {:g} and --storage-interval {:g}: failures and storage are counted with "
        "different checkpoints",
        saved->si(), written->si()));
  }
  const auto& durable = recovery.durable;
  if (impact.writing_share > 0 && durable && *durable < 0.99 * impact.write_time) {
    const bool ever = std::isfinite(impact.write_time.si());
    warnings.push_back(fmt::format(
        "--durable {:g}: the storage {}", durable->si(),
        ever ? fmt::format("takes {:.3g} s to write a checkpoint", impact.write_time.si())
             : "never has a whole checkpoint"));
  }
}

}  // namespace

std::optional<SharingImpact> share_storage(const SharingSettings& asked,
                                           const std::optional<BytesPerSecond>& network,
                                           std::vector<std::string>& warnings) {
  if (asked == SharingSettings{}) return std::nullopt;
  if (!network) usage_error("the storage options need a bandwidth", "--network-bandwidth GB/s");
  if (asked.writes.has_value() != asked.interval.has_value()) {
    usage_error("--storage-writes and --storage-interval go together");
  }
  const SharingImpact impact = sharing_impact(asked, *network);
  if (!std::isfinite(impact.write_time.si())) {
    warnings.emplace_back(
        "reading training data takes all that storage gets: no checkpoint is ever written");
  } else if (impact.writing_share >= 1) {
    warnings.emplace_back("a checkpoint takes longer to write than the time between two");
  }
  if (impact.reads_share < 1) {
    warnings.push_back(
        fmt::format("{:.3g} % of the training data that is asked for arrives while "
                    "training sends: what waiting for it costs is not counted",
                    100 * impact.reads_share));
  }
  return impact;
}

std::optional<SharingImpact> plan_storage(const SharingSettings& asked,
                                          const ReliabilitySettings& recovery,
                                          const Workload& workload,
                                          std::vector<std::string>& assumed,
                                          std::vector<std::string>& warnings) {
  const auto impact = share_storage(with_checkpoints(asked, workload, recovery.checkpoint, assumed),
                                    workload.system.network_bandwidth, warnings);
  if (impact) warn_of_two_checkpoints(asked, recovery, *impact, warnings);
  return impact;
}

}  // namespace planner::job
