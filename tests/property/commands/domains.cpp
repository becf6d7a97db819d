// A larger HB domain is never slower: a plan may use a part of it.
#include <doctest/doctest.h>

#include <array>
#include <random>

#include "planner/catalog/catalog.hpp"
#include "planner/job/strategy.hpp"
#include "planner/job/workload.hpp"
#include "planner/perf/timing_model.hpp"
#include "support/shipped.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

Workload workload_of(const char* model, const char* system, std::int64_t gpus,
                     std::int64_t hb_domain) {
  static const TimingModel kCalibrated = shipped().load_calibration("default");
  System changed = shipped().load_system(system);
  changed.hb_domain = hb_domain;
  std::vector<std::string> warnings;
  return job::workload_of({.model = shipped().load_model(model).spec,
                           .system = changed,
                           .gpus = gpus,
                           .run = {.global_batch = 192, .sequence = 2048},
                           .timing = kCalibrated},
                          warnings);
}

/// The fastest plan's time; the workload gets the domain that it uses.
Seconds best_time(Workload& workload) {
  const SearchResult found =
      job::search_domains(workload, job::search_space({}, workload), {.top = 1, .count = false});
  REQUIRE(!found.best.empty());
  const Ranked& best = found.best.front();
  CHECK(evaluate(workload, best.strategy).time.total().si() == doctest::Approx(best.time.si()));
  return best.time;
}

}  // namespace

TEST_CASE("a larger HB domain is never slower") {
  constexpr std::array kModels{"deepseek-moe-16b", "llama3.1-8b", "gpt22b", "mixtral-8x7b"};
  constexpr std::array kSystems{"hpn-h800", "gh200-256", "dgx-h100"};
  constexpr std::array<std::int64_t, 4> kGpus{32, 48, 64, 96};
  std::mt19937 random(20261123);
  for (int round = 0; round < 12; ++round) {
    const char* const model = kModels[random() % kModels.size()];
    const char* const system = kSystems[random() % kSystems.size()];
    const std::int64_t gpus = kGpus[random() % kGpus.size()];
    Seconds smaller{1e30};
    for (std::int64_t domain = 4; domain <= gpus; domain *= 2) {
      CAPTURE(model);
      CAPTURE(system);
      CAPTURE(gpus);
      CAPTURE(domain);
      Workload workload = workload_of(model, system, gpus, domain);
      const Seconds time = best_time(workload);
      CHECK(time <= (1 + 1e-9) * smaller);
      smaller = time;
    }
  }
}

TEST_CASE("of a domain of 32, half is used where that is faster, and said") {
  const Workload asked = workload_of("deepseek-moe-16b", "hpn-h800", 32, 32);
  Workload half = workload_of("deepseek-moe-16b", "hpn-h800", 32, 16), free = asked;
  CHECK(best_time(free) <= best_time(half));
  const SearchResult full = job::search_all(asked, job::search_space({}, asked), {.top = 1});
  REQUIRE(best_time(half) < full.best.front().time);
  CHECK(free.system.hb_domain == 16);
  std::vector<std::string> warnings;
  job::warn_about_domain_use(asked, free, warnings);
  CHECK(warnings == std::vector<std::string>{"16 of each HB domain's 32 GPUs are used as one "
                                             "domain: no other number is faster"});
  job::warn_about_domain_use(half, half, warnings);
  CHECK(warnings.size() == 1);
}
