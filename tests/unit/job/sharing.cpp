// Storage on the network of a job.
#include "planner/job/sharing.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "planner/core/diagnostic.hpp"
#include "planner/perf/model/storage.hpp"
#include "support/gpt.hpp"
#include "support/near.hpp"

using namespace planner;
using namespace planner::job;
using namespace planner::testing;

namespace {

using Texts = std::vector<std::string>;

constexpr BytesPerSecond kNetwork = 25 * units::GBps;

Workload of_sharers() {
  return {.model = gpt_22b(),
          .system = a100_cluster(),
          .run = {.global_batch = 64, .sequence = 2048},
          .gpus = 64};
}

}  // namespace

TEST_CASE("storage that nobody asks for takes nothing, and needs no network") {
  Texts warnings, assumed;
  CHECK_FALSE(share_storage({}, std::nullopt, warnings));
  CHECK_FALSE(plan_storage({}, {.checkpoint = Seconds{600}}, of_sharers(), assumed, warnings));
  CHECK(assumed.empty());
  CHECK(warnings.empty());
}

TEST_CASE("storage settings that cannot be counted with are refused") {
  Texts warnings;
  const SharingSettings reads{.reads = 1 * units::GBps};
  CHECK_THROWS_WITH_AS(share_storage(reads, std::nullopt, warnings),
                       "the storage options need a bandwidth", UsageError);
  CHECK_THROWS_WITH_AS(share_storage({.writes = 1 * units::GB}, kNetwork, warnings),
                       "--storage-writes and --storage-interval go together", UsageError);
  CHECK_THROWS_AS(share_storage({.interval = Seconds{600}}, kNetwork, warnings), UsageError);
}

TEST_CASE("a checkpoint every 10 min of 25 GB on half of 25 GB/s, worked by hand") {
  Texts warnings;
  const auto impact =
      share_storage({.writes = 25 * units::GB, .interval = Seconds{600}}, kNetwork, warnings);
  CHECK(impact->write_time.si() == near(2));
  CHECK(impact->writing_share == near(2.0 / 600));
  CHECK(impact->traffic.in(units::GBps) == near(25.0 / 600));
  CHECK(warnings.empty());
}

TEST_CASE("what storage cannot do is said") {
  const auto said = [](const SharingSettings& asked) {
    Texts warnings;
    share_storage(asked, kNetwork, warnings);
    return warnings;
  };
  CHECK(said({.writes = 25 * units::GB, .interval = Seconds{1}}) ==
        Texts{"a checkpoint takes longer to write than the time between two"});
  CHECK(said({.reads = 25 * units::GBps}) ==
        Texts{"50 % of the training data that is asked for arrives while training sends: what "
              "waiting for it costs is not counted"});
  const Texts never =
      said({.writes = 1 * units::GB, .interval = Seconds{600}, .reads = 12.5 * units::GBps});
  CHECK(never ==
        Texts{"reading training data takes all that storage gets: no checkpoint is ever written"});
}

TEST_CASE("beside a plan checkpoints are those of its workload and its recovery") {
  Texts warnings, assumed;
  const Workload workload = of_sharers();
  const auto impact =
      plan_storage({.flows = 1}, {.checkpoint = Seconds{600}}, workload, assumed, warnings);
  CHECK(assumed == Texts{"storage-interval", "storage-writes"});
  const Bytes part =
      kCheckpointBytesPerParameter * total_parameters(workload.model, 2048) / 64 * units::byte;
  CHECK(impact->traffic.si() == near((part / Seconds{600}).si()));
  CHECK(warnings.empty());

  assumed.clear();
  plan_storage({.interval = Seconds{300}}, {}, workload, assumed, warnings);
  CHECK(assumed == Texts{"storage-writes"});
  // Without any interval there are no checkpoints to write.
  assumed.clear();
  CHECK(plan_storage({.reads = 1 * units::GBps}, {}, workload, assumed, warnings)->writing_share ==
        0);
  CHECK(assumed.empty());
}

TEST_CASE("checkpoints that are described twice, and differently, are remarked on") {
  Texts assumed, warnings;
  const SharingSettings written{.writes = 25 * units::GB, .interval = Seconds{300}};
  const auto said = [&](const ReliabilitySettings& recovery) {
    warnings.clear();
    plan_storage(written, recovery, of_sharers(), assumed, warnings);
    return warnings;
  };
  CHECK(said({.checkpoint = Seconds{300}, .durable = Seconds{2}}).empty());
  CHECK(said({.checkpoint = Seconds{600}}) ==
        Texts{"--checkpoint 600 and --storage-interval 300: failures and storage are counted with "
              "different checkpoints"});
  CHECK(said({.durable = Seconds{1}}) ==
        Texts{"--durable 1: the storage takes 2 s to write a checkpoint"});
}
