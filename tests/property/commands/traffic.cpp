// Tables, shares and the heat map of a plan say the same of who sends to whom, on all shipped
// systems, and no link carries more in an iteration than it can.
#include "planner/job/traffic.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "planner/catalog/catalog.hpp"
#include "planner/core/real.hpp"
#include "planner/job/strategy.hpp"
#include "planner/job/workload.hpp"
#include "planner/perf/timing_model.hpp"
#include "support/any.hpp"
#include "support/shipped.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

/// On GPUs with memory for any plan.
Workload roomy_workload(const std::string& system, const std::string& model, std::int64_t gpus,
                        GradientSync sync) {
  static const TimingModel kCalibrated = shipped().load_calibration("default");
  System machine = shipped().load_system(system);
  machine.accelerator.memory = 1e6 * units::GB;
  const Precision precision =
      machine.accelerator.datasheet.bf16 ? Precision::bf16 : Precision::fp16;
  const std::optional<GradientSync> asked = machine.host ? std::optional{sync} : std::nullopt;
  std::vector<std::string> warnings;
  return job::workload_of({.model = shipped().load_model(model).spec,
                           .system = std::move(machine),
                           .gpus = gpus,
                           .run = {.global_batch = 512, .sequence = 2048, .precision = precision},
                           .timing = kCalibrated,
                           .software = {.gradient_sync = asked}},
                          warnings);
}

/// Some of the plans of a few degrees, in all placements.
std::vector<Strategy> some_strategies(Workload& workload) {
  job::StrategyChoice choice{.zero = {any(0, 3)}};
  choice.pins.tp = {std::int64_t{1} << any(0, 3)};
  choice.pins.pp = {std::int64_t{1} << any(0, 3)};
  if (any(0, 1) == 0) choice.pins.interleave = {any(1, 2)};
  const SearchSpace space = job::search_space(choice, workload);
  const SearchResult found = job::search_all(workload, space, {.top = 400, .count = false});
  std::vector<Strategy> some;
  for (int i = 0; i < 6 && !found.best.empty(); ++i) {
    const auto last = static_cast<std::int64_t>(found.best.size()) - 1;
    some.push_back(found.best[static_cast<std::size_t>(any(0, last))].strategy);
  }
  return some;
}

struct Seen {
  int plans = 0, stages_in_domains = 0, replicas_split = 0, experts = 0, by_cpus = 0;
};

void check_counts(const job::Traffic& traffic) {
  const std::int64_t gpus = traffic.gpus;
  const std::vector<double> map = network::heat_map(traffic.phases, gpus);
  std::int64_t sending = 0;
  double bytes = 0;
  for (std::int64_t from = 0; from < gpus; ++from) {
    for (std::int64_t to = 0; to < gpus; ++to) {
      const double cell = map[static_cast<std::size_t>(from * gpus + to)];
      sending += cell > 0 ? 1 : 0;
      bytes += cell;
      if (from == to) CHECK(cell == 0);
    }
  }
  CHECK(traffic.pairs.sending == real(sending));
  CHECK(bytes == doctest::Approx(total(traffic.sent).si()).epsilon(1e-9));
  std::map<TrafficType, double> pairs, sent;
  for (const network::PairRow& row : traffic.rows) {
    pairs[row.type] += row.pairs;
    sent[row.type] += row.pairs * row.per_pair.si();
    CHECK(row.pairs == std::floor(row.pairs));
  }
  for (const TrafficType type : kTrafficTypes) {
    CHECK(pairs[type] == traffic.pairs.by_type[static_cast<std::size_t>(type)]);
    CHECK(pairs[type] <= traffic.pairs.possible);
    CHECK(sent[type] == doctest::Approx(of(traffic.sent, type).si()).epsilon(1e-9));
  }
}

/// Bytes out of the ports of GPUs inside their HB domains, and out of the units of a tier, cell by
/// cell, against what the tiers say.
void check_tiers(const job::Traffic& traffic) {
  const std::int64_t gpus = traffic.gpus;
  std::vector<TrafficPhase> beyond;
  for (const TrafficPhase& phase : traffic.phases) {
    if (phase.groups.period() > traffic.hb_domain) beyond.push_back(phase);
  }
  const std::vector<double> map = network::heat_map(beyond, gpus);
  for (std::size_t i = 1; i < traffic.tiers.size(); ++i) {
    const std::int64_t unit = traffic.tiers[i].links.unit_gpus;
    if (traffic.by_cpus && traffic.tiers[i].links.name == "PCIe") continue;  // copies to the CPUs
    std::vector<double> out(static_cast<std::size_t>((gpus + unit - 1) / unit));
    for (std::int64_t from = 0; from < gpus; ++from) {
      for (std::int64_t to = 0; to < gpus; ++to) {
        if (from / unit == to / unit) continue;
        out[static_cast<std::size_t>(from / unit)] +=
            map[static_cast<std::size_t>(from * gpus + to)];
      }
    }
    CHECK(total(traffic.tiers[i].busiest).si() ==
          doctest::Approx(*std::max_element(out.begin(), out.end())).epsilon(1e-9));
  }
}

}  // namespace

TEST_CASE("table, shares and heat map agree on who sends to whom, and links keep up") {
  constexpr std::array kModels{"llama2-7b", "gpt22b", "deepseek-moe-16b", "mixtral-8x7b"};
  Seen seen;
  for (const std::string& system : shipped().names(catalog::kinds::system)) {
    for (int i = 0; i < 6; ++i) {
      const std::string model = kModels[static_cast<std::size_t>(any(0, 3))];
      const std::int64_t gpus = std::int64_t{1} << any(1, 8);
      const GradientSync sync = any(0, 1) == 0 ? GradientSync::nccl : GradientSync::automatic;
      Workload workload = roomy_workload(system, model, gpus, sync);
      for (const Strategy& strategy : some_strategies(workload)) {
        const Prediction found = evaluate(workload, strategy);
        const Plan plan{.strategy = strategy, .time = found.time, .sync_by = found.sync_by};
        const job::Traffic traffic =
            job::traffic_of(workload, plan, std::nullopt, workload.system.host);
        CAPTURE(system);
        CAPTURE(model);
        CAPTURE(gpus);
        CAPTURE(strategy.tp.hb);
        CAPTURE(strategy.tp.net);
        CAPTURE(strategy.pp.hb);
        CAPTURE(strategy.pp.net);
        CAPTURE(strategy.dp.hb);
        CAPTURE(strategy.dp.net);
        CAPTURE(strategy.cp.total());
        CAPTURE(strategy.ep.hb);
        CAPTURE(strategy.ep.net);
        CAPTURE(strategy.expert_tp);
        CAPTURE(strategy.zero);
        CAPTURE(traffic.by_cpus);
        check_counts(traffic);
        check_tiers(traffic);
        for (const job::TierTraffic& tier : traffic.tiers) {
          CAPTURE(tier.links.name);
          CHECK(tier.utilisation <= 1);
        }
        for (const job::HostTraffic& host : traffic.host) {
          CAPTURE(host.name);
          CHECK(host.utilisation <= 1);
        }
        ++seen.plans;
        seen.stages_in_domains += strategy.pp.hb > 1 && strategy.pp.net > 1 ? 1 : 0;
        seen.replicas_split += strategy.tp.net > 1 && strategy.dp.hb > 1 ? 1 : 0;
        seen.experts += strategy.ep.total() > 1 ? 1 : 0;
        seen.by_cpus += traffic.by_cpus ? 1 : 0;
      }
    }
  }
  CHECK(seen.plans > 400);
  CHECK(seen.stages_in_domains > 10);
  CHECK(seen.replicas_split > 10);
  CHECK(seen.experts > 20);
  CHECK(seen.by_cpus > 5);
}

namespace {

job::Traffic traffic_of_plan(const Workload& workload, const Strategy& strategy) {
  const Prediction found = evaluate(workload, strategy);
  const Plan plan{.strategy = strategy, .time = found.time, .sync_by = found.sync_by};
  return job::traffic_of(workload, plan, std::nullopt, workload.system.host);
}

/// Pairs at each distance that send for a reason.
std::map<std::int64_t, double> pairs_at(const job::Traffic& traffic, TrafficType type) {
  std::map<std::int64_t, double> pairs;
  for (const network::PairRow& row : traffic.rows) {
    if (row.type == type) pairs[row.distance] += row.pairs;
  }
  return pairs;
}

using Distances = std::map<std::int64_t, double>;

void check_hosts(const job::Traffic& traffic) {
  for (const job::HostTraffic& host : traffic.host) {
    CAPTURE(host.name);
    CHECK(host.utilisation <= 1);
  }
}

}  // namespace

TEST_CASE("replicas of an NVLink pair that TP does not fill send over NVLink") {
  const Workload workload = roomy_workload("fire-flyer-2", "gpt175b", 8, GradientSync::nccl);
  const job::Traffic traffic = traffic_of_plan(workload, {.tp = {1, 4}, .dp = {2, 1}, .zero = 1});
  CHECK(pairs_at(traffic, TrafficType::data) == Distances{{1, 8}});
  CHECK(of(traffic.tiers[0].bytes, TrafficType::data) == of(traffic.sent, TrafficType::data));
  CHECK(of(traffic.tiers[1].busiest, TrafficType::data) == Bytes{});
  check_hosts(traffic);
}

TEST_CASE("a ring of replicas goes through a pair and then to the next that TP leaves to it") {
  for (const int zero : {0, 1}) {
    const Workload rings = roomy_workload("fire-flyer-2", "llama2-7b", 64, GradientSync::nccl);
    const job::Traffic traffic =
        traffic_of_plan(rings, {.tp = {1, 2}, .dp = {2, 16}, .zero = zero});
    // Of 16 pairs of each of 2 groups: inside each, to the next, and from the last to the first.
    CHECK(pairs_at(traffic, TrafficType::data) == Distances{{1, 32}, {4, 30}, {60, 2}});
    check_hosts(traffic);
    const Workload sums = roomy_workload("fire-flyer-2", "llama2-7b", 64, GradientSync::hfreduce);
    const job::Traffic by_cpus = traffic_of_plan(sums, {.tp = {1, 2}, .dp = {2, 16}, .zero = zero});
    CHECK(pairs_at(by_cpus, TrafficType::data) == Distances{{1, 64}, {8, 56}, {56, 8}});
    check_hosts(by_cpus);
  }
}

TEST_CASE("experts whose replicas lie apart load the host bridge no more than it can") {
  const Workload workload =
      roomy_workload("fire-flyer-2", "deepseek-moe-16b", 8, GradientSync::hfreduce);
  check_hosts(traffic_of_plan(workload, {.tp = {1, 4}, .dp = {2, 1}, .ep = {2, 1}}));
  check_hosts(traffic_of_plan(workload, {.tp = {2, 2}, .dp = {1, 2}, .ep = {2, 1}}));
  check_hosts(traffic_of_plan(workload, {.tp = {2, 2}, .dp = {1, 2}, .ep = {1, 2}}));
}

TEST_CASE("of stages in HB domains one of each domain sends to the next") {
  Workload workload = roomy_workload("gb200-nvl72", "gpt175b", 128, GradientSync::automatic);
  const job::Traffic traffic = traffic_of_plan(
      workload, {.tp = {8, 1}, .pp = {4, 2}, .dp = {2, 1}, .interleave = 2, .zero = 2});
  // Stage 4 of 8 to stage 5 on one place, 8 to 1 on another: 16 ranks each, both ways.
  CHECK(pairs_at(traffic, TrafficType::pipeline) == Distances{{16, 192}, {64, 64}});
  CHECK(traffic.pairs.by_type[static_cast<std::size_t>(TrafficType::pipeline)] == 256);
  check_counts(traffic);
}

TEST_CASE("rings of dense parameters and of experts to the same peer are one pair") {
  const Workload four = roomy_workload("fire-flyer-2", "deepseek-v3", 4, GradientSync::nccl);
  const job::Traffic traffic = traffic_of_plan(four, {.dp = {2, 2}, .zero = 2});
  CHECK(pairs_at(traffic, TrafficType::data) == Distances{{1, 4}, {2, 4}});
  const Workload two = roomy_workload("fire-flyer-2", "deepseek-v3", 2, GradientSync::nccl);
  const job::Traffic pair = traffic_of_plan(two, {.dp = {2, 1}, .zero = 3});
  CHECK(pairs_at(pair, TrafficType::data) == Distances{{1, 2}});
}
