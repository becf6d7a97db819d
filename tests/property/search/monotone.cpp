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

TEST_CASE("calibrated: neither the ranking's value nor the fastest gets worse with more") {
  constexpr Improvement kMore[] = {
      {"HB bandwidth", [](System& s, double f) { s.hb_bandwidth = f * s.hb_bandwidth; }},
      {"network", [](System& s, double f) { s.network_bandwidth = f * s.network_bandwidth; }},
      {"memory",
       [](System& s, double f) {
         set_memory(s.accelerator, f * s.accelerator.driver_memory.value_or(s.accelerator.memory));
       }},
  };
  Random random(53);
  int better[std::size(kMore)] = {}, risky = 0;
  for (int i = 0; i < 150; ++i) {
    CAPTURE(i);
    const Workload workload = random_calibrated_workload(random);
    const SearchSpace space = all_calibrated_axes(workload);
    const SearchOptions options{.top = 1, .threads = 1};
    const SearchResult before = rank_strategies(workload, space, options);
    if (before.best.empty()) continue;
    const Seconds value = before.best.front().value(fit_rule(workload));
    CHECK(before.fastest->time <= before.best.front().time);
    risky += before.fastest->time < before.best.front().time ? 1 : 0;
    for (std::size_t k = 0; k < std::size(kMore); ++k) {
      CAPTURE(kMore[k].name);
      Workload improved = workload;
      kMore[k].apply(improved.system, random.scale(1.01, 10));
      const SearchResult after = rank_strategies(improved, space, options);
      REQUIRE(!after.best.empty());
      const Seconds now = after.best.front().value(fit_rule(improved));
      CHECK(now <= value);
      CHECK(after.fastest->time <= before.fastest->time);
      better[k] += now < value ? 1 : 0;
    }
  }
  for (const int count : better) CHECK(count > 5);
  CHECK(risky > 0);
}

TEST_CASE("a strategy that must fit more surely is never faster") {
  Random random(54);
  int slower = 0;
  for (int i = 0; i < 100; ++i) {
    CAPTURE(i);
    const Workload workload = random_calibrated_workload(random);
    const SearchSpace space = all_calibrated_axes(workload);
    Seconds before{};
    for (const double least : {0.0, 0.5, 0.9, 0.99}) {
      const SearchResult found =
          rank_strategies(workload, space, {.top = 3, .threads = 1, .least_p_fits = least});
      if (!found.fastest) break;
      for (const Ranked& each : found.best) {
        CHECK(fit_probability(each.memory, memory_limit(workload)) >= least * (1 - 1e-9));
      }
      CHECK(found.fastest->time >= before);
      slower += before > Seconds{} && found.fastest->time > before ? 1 : 0;
      before = found.fastest->time;
    }
  }
  CHECK(slower > 3);
}
