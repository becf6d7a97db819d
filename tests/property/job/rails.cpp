// What leaves HB domains of random jobs, and what of it changes its place in them, flow by flow.
#include <doctest/doctest.h>

#include <optional>

#include "planner/job/traffic.hpp"
#include "support/loaded_jobs.hpp"
#include "support/near.hpp"
#include "support/walked_flows.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

struct Walked {
  double network = 0, off_rail = 0;
};

Walked walked_rails(const job::Traffic& traffic) {
  Walked walked;
  const std::int64_t domain = traffic.hb_domain;
  for (const TrafficPhase& phase : traffic.phases) {
    for (const auto& [from, to, amount] : flows_of(phase, traffic.gpus)) {
      if (from / domain == to / domain) continue;
      walked.network += amount * phase.sent.si();
      if (from % domain != to % domain) walked.off_rail += amount * phase.sent.si();
    }
  }
  return walked;
}

/// Puts two stages in each HB domain, on an odd number of domains, with several chunks each: the
/// last stage of all then sends to the first, which has another place in its domain.
void send_around(LoadedJob& job) {
  Strategy& s = job.strategy;
  const std::int64_t domain = job.workload.system.hb_domain;
  if (job.workload.model.moe || domain <= s.tp.hb) return;
  s.pp = {2, 3};
  s.dp = {domain / (2 * s.tp.hb), job.workload.gpus / domain / 3};
  s.interleave = 2;
  job.workload.run.global_batch = s.dp.total() * s.pp.total();
}

}  // namespace

TEST_CASE("what leaves HB domains, and what of it changes rail, is what single flows are") {
  int around = 0, others = 0;
  for (int trial = 0; trial < 600; ++trial) {
    std::optional<LoadedJob> job = any_job(trial % kTrees);
    if (!job || job->workload.gpus > 1000) continue;
    if (trial % 2 == 0) send_around(*job);
    CAPTURE(job->text());
    const Prediction predicted = evaluate(job->workload, job->strategy);
    const Plan plan{
        .strategy = job->strategy, .time = predicted.time, .sync_by = predicted.sync_by};
    const job::Traffic traffic =
        job::traffic_of(job->workload, plan, std::nullopt, job->workload.system.host);
    const Walked walked = walked_rails(traffic);
    CHECK(traffic.network.si() == near(walked.network, 1e-9));
    CHECK(traffic.off_rail.si() == near(walked.off_rail, 1e-9));
    const Strategy& s = job->strategy;
    const bool changes = s.interleave > 1 && s.pp.hb > 1 && s.pp.net > 1 && s.pp.net % 2 == 1;
    if (changes) CHECK(traffic.off_rail > Bytes{});
    around += changes ? 1 : 0;
    others += changes ? 0 : 1;
  }
  CHECK(around > 20);
  CHECK(others > 50);
}
