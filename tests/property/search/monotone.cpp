// A better machine never makes the best plan worse.
#include <doctest/doctest.h>

#include "planner/search/search.hpp"
#include "support/random_workloads.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

/// Best time in seconds; infinite where nothing fits.
double best_time(const Workload& workload, const SearchSpace& space) {
  const SearchResult found = rank_strategies(workload, space, {.top = 1, .threads = 1});
  return found.best.empty() ? std::numeric_limits<double>::infinity()
                            : found.best.front().time.si();
}

struct Improvement {
  const char* name;
  void (*apply)(System&, double factor);
};

constexpr Improvement kImprovements[] = {
    {"HB bandwidth", [](System& s, double f) { s.hb_bandwidth = f * s.hb_bandwidth; }},
    {"network", [](System& s, double f) { s.network_bandwidth = f * s.network_bandwidth; }},
    {"memory", [](System& s, double f) { s.accelerator.memory = f * s.accelerator.memory; }},
    {"peak",
     [](System& s, double f) { s.accelerator.datasheet.bf16 = f * *s.accelerator.datasheet.bf16; }},
    {"HB latency", [](System& s, double f) { s.hb_latency = s.hb_latency / f; }},
    {"network latency", [](System& s, double f) { s.network_latency = s.network_latency / f; }},
};

}  // namespace

TEST_CASE("more bandwidth, memory or peak and less latency never make the best time worse") {
  Random random(51);
  int better[std::size(kImprovements)] = {};
  for (int i = 0; i < 400; ++i) {
    const Workload workload = random_workload(random);
    const SearchSpace space = random.coin() ? SearchSpace{} : all_closed_form_axes();
    const double before = best_time(workload, space);
    for (std::size_t k = 0; k < std::size(kImprovements); ++k) {
      CAPTURE(kImprovements[k].name);
      Workload improved = workload;
      kImprovements[k].apply(improved.system, random.scale(1.01, 100));
      const double after = best_time(improved, space);
      CHECK(after <= before);
      better[k] += after < before ? 1 : 0;
    }
  }
  // And each of them does help somewhere, or this test would prove nothing.
  for (const int count : better) CHECK(count > 5);
}

TEST_CASE("a larger choice never makes the best time worse") {
  Random random(52);
  for (int i = 0; i < 200; ++i) {
    const Workload workload = random_workload(random);
    SearchSpace pinned;
    pinned.pins.interleave = {1};
    pinned.pins.micro_batch = {1};
    CHECK(best_time(workload, {}) <= best_time(workload, pinned));
    CHECK(best_time(workload, all_closed_form_axes()) <= best_time(workload, {}));
  }
}
