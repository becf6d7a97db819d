// What no micro-batch up to a size takes less than, per sample.
#include <doctest/doctest.h>

#include "planner/perf/calibrated/calibrated.hpp"
#include "support/random_workloads.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

Split split(std::int64_t degree, bool inside) {
  return inside ? Split{.hb = degree, .net = 1} : Split{.hb = 1, .net = degree};
}

Seconds per_sample(const Calibrated& model, const Workload& workload, const Strategy& at) {
  const Calibrated::MicroBatch micro = model.micro_batch(at);
  const auto layers = static_cast<double>(workload.model.layers + workload.model.mtp_layers);
  return (layers * micro.layer.total() + micro.head) / static_cast<double>(at.micro_batch);
}

}  // namespace

// Larger ones have less work that hides what they exchange. A hundredth more would be above the
// time of the largest.
TEST_CASE("per sample no micro-batch takes less than is known of all up to a larger one") {
  Random random(197);
  int largest = 0, hardly_more = 0, overlapped = 0, near_overlapped = 0;
  for (int i = 0; i < 4000; ++i) {
    CAPTURE(i);
    Workload workload = random_calibrated_workload(random);
    workload.system.network_bandwidth = random.scale(0.01, 1000) * units::GBps;
    workload.system.hb_bandwidth = random.scale(1, 1000) * units::GBps;
    workload.software.tp_overlap = random.coin();
    workload.software.expert_overlap = random.coin();
    const Calibrated model(workload);
    Strategy at{.micro_batch = random.pick({2, 4, 8})};
    at.tp = split(random.pick({1, 2, 4}), random.coin());
    at.cp = split(random.pick({1, 1, 2, 4}), random.coin());
    if (workload.model.moe) at.ep = split(random.pick({1, 2, 4}), random.coin());
    at.recompute = random.coin() ? Recompute::none : Recompute::full;
    at.sequence_parallel = random.coin();
    const Seconds least = model.least_time_per_sample(model.work(at), model.communication(at), at);
    const bool overlaps = workload.software.expert_overlap && at.ep.total() > 1;
    const Seconds time = per_sample(model, workload, at);
    largest += time < 1.001 * least ? 1 : 0;
    overlapped += overlaps ? 1 : 0;
    near_overlapped += overlaps && time < 1.001 * least ? 1 : 0;
    for (; at.micro_batch > 0; at.micro_batch /= 2) {
      const Seconds smaller = per_sample(model, workload, at);
      CHECK((1 - 1e-9) * least <= smaller);
      hardly_more += smaller > time && smaller < 1.01 * least ? 1 : 0;
    }
  }
  CHECK(largest > 3000);
  CHECK(hardly_more > 300);
  CHECK(overlapped > 300);
  CHECK(near_overlapped > 200);
}
