// Bounds of the search of designs are bounds: no time is below its floor, no cluster below its
// parts, no network faster than one of full bandwidth. And they are not idle: where nothing but
// what they count is there, they are met.
#include "planner/design/bounds.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "planner/core/real.hpp"
#include "planner/design/counted.hpp"
#include "planner/design/floor.hpp"
#include "planner/design/levels.hpp"
#include "planner/design/run_floors.hpp"
#include "planner/design/times.hpp"
#include "planner/search/search.hpp"
#include "support/design_spaces.hpp"
#include "support/near.hpp"

using namespace planner;
using namespace planner::design;
using namespace planner::testing;

namespace {

constexpr Seconds kNever{1e30};

/// A model whose operations wait for nothing but matrix products, attention, memory and the loss.
Calibration nothing_but_work() {
  Calibration constants = prior_calibration();
  for (const Constant idle :
       {Constant::gemm_shape, Constant::gradient_accumulation, Constant::launch_gap,
        Constant::host_time_te, Constant::host_time_tp, Constant::moe_host_time, Constant::moe_gap,
        Constant::moe_gap_per_expert, Constant::straggling}) {
    constants.values[static_cast<std::size_t>(idle)] = 0;
  }
  return constants;
}

}  // namespace

TEST_CASE("no strategy is faster than the work that must be done") {
  Random random(41);
  int timed = 0;
  double closest = 0;
  for (int round = 0; round < 600; ++round) {
    CAPTURE(round);
    Workload job = random_calibrated_workload(random);
    job.run.precision = random.below(3) == 0 ? Precision::fp16 : Precision::bf16;
    job.system.accelerator.datasheet.fp16 = job.system.accelerator.datasheet.bf16;
    if (random.coin()) job.software.attention = AttentionKernel::unfused;
    const SearchResult found =
        rank_strategies(job, all_calibrated_axes(job), {.top = 1, .threads = 1, .count = false});
    if (found.best.empty()) continue;
    ++timed;
    const double share = TimeFloor(job).of(job.gpus) / found.best.front().time;
    CHECK(share <= 1);
    closest = std::max(closest, share);
  }
  MESSAGE(timed, " timed, the closest at ", closest);
  CHECK(timed > 150);
}

TEST_CASE("where there is nothing but that work, it is the time") {
  for (const bool experts : {false, true}) {
    CAPTURE(experts);
    Workload job{.model = {.layers = 2,
                           .hidden = 2048,
                           .heads = 16,
                           .kv_heads = 16,
                           .head_dim = 128,
                           .ffn_hidden = 8192,
                           .gated_mlp = true,
                           .vocab = 12800}};
    if (experts) {
      job.model.moe = MoeSpec{.experts = 4, .top_k = 2, .expert_ffn_hidden = 1024};
    }
    job.timing = nothing_but_work();
    job.run = {.global_batch = 4096, .sequence = 4096};
    job.gpus = 1;
    job.system.hb_domain = 1;
    job.system.hb_bandwidth = job.system.network_bandwidth = 100 * units::GBps;
    Accelerator& part = job.system.accelerator;
    part.datasheet.bf16 = 400 * units::TFLOPs;
    part.memory_bandwidth = 3000 * units::GBps;
    part.memory = 200 * units::GB;
    job.software = software_of(SoftwareClass::te);
    const SearchResult found =
        rank_strategies(job, all_calibrated_axes(job), {.top = 1, .threads = 1, .count = false});
    REQUIRE(!found.best.empty());
    const double share = TimeFloor(job).of(1) / found.best.front().time;
    CHECK(share <= 1);
    CHECK(share > 0.995);
  }
}

TEST_CASE("no cluster costs or draws less than its parts") {
  Random random(42);
  int priced = 0, laid = 0;
  double closest = 0, closest_counted = 0, closest_laid = 0;
  for (int round = 0; round < 60; ++round) {
    CAPTURE(round);
    const Space space = random_space(random);
    std::vector<Space> of_runs(4, space);
    for (std::size_t runs = 1; runs <= of_runs.size(); ++runs)
      of_runs[runs - 1].tokens.resize(runs);
    CountedDesigns designs(space);
    for (std::uint32_t s = 0; s < space.systems.size(); ++s) {
      const SystemOption& option = space.systems[s];
      const PartsFloor floor(space, s);
      for (const std::int64_t gpus : gpu_counts(option, space.gpus)) {
        for (std::uint32_t n = 0; n < option.networks.size(); ++n) {
          const DesignId id{.system = s, .gpus = gpus, .network = n};
          const BoughtResult result = bought(space, id);
          const auto* const cluster = std::get_if<Bought>(&result);
          if (cluster == nullptr) continue;
          ++priced;
          const Seconds time = iterations(space, 0) * random.scale(0.01, 100) * units::second;
          // Of several runs in that time each costs whole cents.
          std::vector<RunTimes> runs(1 + static_cast<std::size_t>(gpus + n) % 4);
          for (RunTimes& run : runs) run = {time / real(runs.size()), time / real(runs.size())};
          const Judge judge(of_runs[runs.size() - 1], 0.8);
          const Judged judged = judge.judge(*cluster, std::move(runs));
          const Figures own = judge.least(floor.of(gpus, n), id, time);
          const Figures any = judge.least(floor.of(gpus), id, time);
          for (const Measure measure : kMeasures) {
            CAPTURE(name_of(measure));
            CHECK(own[at(measure)] <= judged.expected[at(measure)]);
            CHECK(any[at(measure)] <= own[at(measure)]);
            CHECK(judged.expected[at(measure)] <= judged.confident[at(measure)]);
          }
          const double tco = judged.expected[at(Measure::tco)];
          closest = std::max(closest, own[at(Measure::tco)] / tco);
          // Counted, but neither priced nor laid out.
          laid += space.stand ? 1 : 0;
          const Figures counted =
              judge.least(floor.of(gpus, n, designs.network_of(id)->parts), id, time);
          for (const Measure measure : kMeasures) {
            CAPTURE(name_of(measure));
            CHECK(counted[at(measure)] <= judged.expected[at(measure)]);
          }
          CHECK(counted[at(Measure::tco)] >= (1 - 1e-6) * own[at(Measure::tco)]);
          double& closest_of_these = space.stand ? closest_laid : closest_counted;
          closest_of_these = std::max(closest_of_these, counted[at(Measure::tco)] / tco);
        }
      }
    }
  }
  MESSAGE(priced, " priced, the closest at ", closest, ", counted at ", closest_counted, "; ", laid,
          " laid out, the closest at ", closest_laid);
  CHECK(priced > 5000);
  CHECK(closest > 0.995);
  CHECK(closest_counted > 0.9999);
  CHECK(laid > 500);
  CHECK(closest_laid > 0.995);
}

TEST_CASE("no network is faster than one of full bandwidth, and equal levels take equal times") {
  Random random(43);
  int compared = 0, equal = 0;
  for (int round = 0; round < 60; ++round) {
    CAPTURE(round);
    const Space space = random_space(random);
    Times times(space, 1);
    const SystemOption& option = space.systems.front();
    const std::int64_t domain = option.system().hb_domain;
    for (const std::int64_t used :
         legal_gpu_counts(job_of(space, 0, 0, 64), option.runs.front().strategies, 64)) {
      const std::vector<NetworkTier> tiers{
          {.gpus = random.pick({1, 3, 8, 18, 36}), .bandwidth_share = random.uniform(0.3, 1)},
          {.gpus = random.pick({40, 54, 72}), .bandwidth_share = random.uniform(0.1, 0.3)}};
      const UsedGpus gpus{.used = used, .bought = 64 * domain};
      const auto full = times.best(gpus, {}, kNever),
                 best = times.best(gpus, {.tiers = tiers}, kNever);
      REQUIRE(full.has_value() == best.has_value());
      if (!best) continue;
      Workload job = job_of(space, 0, 0, used);
      job.network_tiers = tiers;
      job = job::on_used(job, {.bought = gpus.bought, .hb_domain = domain}, best->use);
      const SearchResult found = rank_strategies(job, option.runs.front().strategies,
                                                 {.top = 1, .threads = 1, .count = false});
      ++compared;
      equal += best->time == full->time ? 1 : 0;
      CHECK(best->time == found.best.front().time);
      CHECK(best->strategy == found.best.front().strategy);
      // The fastest on a full network, whatever it risks, is no slower than the best on any.
      Seconds fastest = kNever;
      for (const job::GpuUse& use :
           job::uses_of_domains({.bought = gpus.bought, .hb_domain = domain}, used)) {
        Workload part = job_of(space, 0, 0, used);
        part.system.hb_domain = use.as_one;
        const SearchResult ideal = rank_strategies(part, option.runs.front().strategies,
                                                   {.top = 1, .threads = 1, .count = false});
        if (ideal.fastest) fastest = std::min(fastest, ideal.fastest->time);
      }
      CHECK(fastest <= best->time);
      CHECK(TimeFloor(job).of(used) <= fastest);
      const auto any_within = [&](Seconds limit) {
        return Times(space, 1).any_on_full_network(gpus, limit,
                                                   [](Seconds, std::int64_t) { return true; });
      };
      CHECK(any_within(fastest));
      CHECK_FALSE(any_within((1 - 1e-12) * fastest));
      // What knows a limit finds what is within it, and nothing beyond.
      const auto at_limit = [&](double factor) {
        Times limited(space, 1);
        const auto within = limited.best(gpus, {.tiers = tiers}, factor * best->time);
        return within ? within->time : Seconds{};
      };
      CHECK(at_limit(1) == best->time);
      CHECK(at_limit(1.05) == best->time);
      CHECK(at_limit(1 - 1e-12) == Seconds{});
      CHECK(at_limit(0.9) == Seconds{});
    }
  }
  MESSAGE(compared, " compared, ", equal, " of them equal");
  CHECK(compared > 300);
  CHECK(equal > 50);
}

TEST_CASE("routed networks that are wired alike share their searches, others have their own") {
  Random random(46);
  int compared = 0, apart = 0, shared = 0;
  for (int round = 0; round < 120; ++round) {
    CAPTURE(round);
    Space space = random_space(random);
    space.routing = RoutingSettings{.scheme = RoutingScheme::ecmp};
    std::vector<NetworkOption>& networks = space.systems.front().networks;
    networks.push_back(networks.front());
    const std::vector<std::int64_t> counts = gpu_counts(space.systems.front(), space.gpus);
    if (counts.empty()) continue;
    const std::int64_t bought = random.pick(counts);
    Workload job = job_of(space, 0, 0, bought);
    const std::vector<std::int64_t> legal =
        legal_gpu_counts(job, run_on(space, 0, 0).strategies, bought);
    if (legal.empty() || !can_be_built(space, {.system = 0, .gpus = bought, .network = 0}))
      continue;
    const UsedGpus gpus{.used = random.pick(legal), .bought = bought};
    Times all(space, 1);
    const auto first = all.best(gpus, {.routed = 0}, kNever);
    for (std::uint32_t network = 1; network < networks.size(); ++network) {
      CAPTURE(network);
      if (!can_be_built(space, {.system = 0, .gpus = bought, .network = network})) continue;
      const std::size_t searches = all.made().size();
      const auto one = all.best(gpus, {.routed = network}, kNever);
      const bool alike = networks[network].choice.fabric == networks.front().choice.fabric;
      if (alike) CHECK(all.made().size() == searches);
      const auto alone = Times(space, 1).best(gpus, {.routed = network}, kNever);
      REQUIRE(one.has_value() == alone.has_value());
      if (!one) continue;
      CHECK(one->time == alone->time);
      CHECK(one->strategy == alone->strategy);
      ++compared;
      shared += alike ? 1 : 0;
      apart += first && one->time != first->time ? 1 : 0;
    }
  }
  MESSAGE(compared, " compared, ", shared, " of them shared, ", apart, " apart");
  CHECK(shared > 30);
  CHECK(apart > 10);
}

TEST_CASE("failures make no less of a run than its floor says") {
  Random random(45);
  int compared = 0, known_mean = 0, known_late = 0, near_mean = 0, near_late = 0, near_longest = 0;
  for (int round = 0; round < 300; ++round) {
    CAPTURE(round);
    const Space space = random_space(random);
    if (!space.failures) continue;
    const double share = random.pick(std::vector{0.5, 0.8, 0.95});
    Times times(space, 1);
    RunFloors floors(space, share);
    for (int i = 0; i < 60; ++i) {
      const auto system =
          static_cast<std::uint32_t>(random.below(static_cast<std::int64_t>(space.systems.size())));
      const SystemOption& option = space.systems[system];
      const std::size_t batch = 0;
      const std::vector<std::int64_t> counts = gpu_counts(option, space.gpus);
      if (counts.empty()) continue;
      const DesignId id{.system = system,
                        .gpus = random.pick(counts),
                        .network = static_cast<std::uint32_t>(
                            random.below(static_cast<std::int64_t>(option.networks.size())))};
      const BoughtResult result = bought(space, id);
      const auto* const cluster = std::get_if<Bought>(&result);
      if (cluster == nullptr) continue;
      Workload job = job_of(space, system, batch, id.gpus);
      const std::vector<std::int64_t> legal =
          legal_gpu_counts(job, run_on(space, system, batch).strategies, id.gpus);
      if (legal.empty()) continue;
      job.gpus = random.pick(legal);
      const auto best =
          times.best({.system = system, .batch = batch, .used = job.gpus, .bought = id.gpus},
                     network_of_run(space, id, cluster->network), kNever);
      if (!best) continue;
      const Lateness late_of = lateness(job, share);
      const UsableCount count{.batch = batch, .used = job.gpus, .late = &late_of};
      const auto run = run_times(space, id, *cluster, *best, late_of, share);
      if (!run) continue;
      const Seconds ideal = iterations(space, batch) * best->time;
      const auto beyond = [&](double of_mean, double of_late) {
        return floors.beyond(system, count, ideal, of_mean * run->expected,
                             of_late * run->confident);
      };
      ++compared;
      CHECK_FALSE(beyond(1, 1));
      // What is within is not longer than the longest that may be, and what is longer is beyond.
      const Seconds longest =
          floors.longest(system, count, 3 * ideal, run->expected, run->confident);
      CHECK(longest >= ideal);
      if (longest < 3 * ideal) {
        CHECK(floors.beyond(system, count, (1 + 1e-7) * longest, run->expected, run->confident));
      }
      near_longest += longest < 1.03 * ideal ? 1 : 0;
      CHECK_FALSE(beyond(1, 1e9));
      CHECK_FALSE(beyond(1e9, 1));
      const double failing = run->expected / ideal;
      known_mean += failing > 1.02 && beyond(ideal / run->expected, 1e9) ? 1 : 0;
      near_mean += failing > 1.02 && beyond(0.97, 1e9) ? 1 : 0;
      const double late = run->confident / (late_of.factor * ideal);
      known_late += late > 1.02 && beyond(1e9, 1 / late) ? 1 : 0;
      near_late += late > 1.02 && beyond(1e9, 0.97) ? 1 : 0;
    }
  }
  MESSAGE(compared, " compared, of ", known_mean, " and ", known_late,
          " that failures make longer and later it is known, of ", near_mean, " and ", near_late,
          " within 3 %; the longest that may be is so near of ", near_longest);
  CHECK(compared > 1000);
  CHECK(near_mean > 100);
  CHECK(near_late > 100);
  CHECK(near_longest > 100);
}

TEST_CASE("a space has every number of GPUs that a strategy can use, in whole HB domains") {
  Random random(44);
  for (int round = 0; round < 40; ++round) {
    CAPTURE(round);
    Workload job = random_calibrated_workload(random);
    const SearchSpace strategies = all_calibrated_axes(job);
    job.gpus = 64;
    std::vector<std::int64_t> counts = legal_gpu_counts(job, strategies, 64);
    std::reverse(counts.begin(), counts.end());
    for (std::int64_t used = 1; used <= 64; ++used) {
      job.gpus = used;
      const Enumeration all(job, strategies);
      const auto columns = all.columns();
      const bool any = std::any_of(columns.begin(), columns.end(), [&](const Column& column) {
        return !all.inner_pairs(column).empty() && !all.placements(column).empty();
      });
      if (any) CHECK(std::binary_search(counts.begin(), counts.end(), used));
    }
  }
}

TEST_CASE("levels that a run can tell apart") {
  const std::vector<NetworkTier> tiers{{.gpus = 20, .bandwidth_share = 0.5},
                                       {.gpus = 100, .bandwidth_share = 0.25}};
  // Parts of 8: groups of 1, 2, 3, 4, 6 or 12 of them.
  const std::vector<NetworkTier> told = told_apart(tiers, 96, 8);
  REQUIRE(told.size() == 1);
  CHECK(told.front() == NetworkTier{.gpus = 16, .bandwidth_share = 0.5});
  CHECK(told_apart(tiers, 16, 8).empty());
}
