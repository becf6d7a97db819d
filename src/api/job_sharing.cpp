#include "planner/api/job_sharing.hpp"

#include <fmt/format.h>

#include <cmath>

#include "planner/api/commands.hpp"
#include "planner/core/real.hpp"
#include "planner/perf/model/storage.hpp"

namespace planner {

std::optional<SharingImpact> job_sharing(const SharingSettings& asked,
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

}  // namespace planner
