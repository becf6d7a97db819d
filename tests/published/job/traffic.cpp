// What plans send: the rail-only paper (arXiv 2307.12169), section 3, and cuts between zones.
#include "planner/job/traffic.hpp"

#include <doctest/doctest.h>

#include "support/gpt.hpp"
#include "support/near.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

struct Planned {
  Workload workload;
  Strategy strategy;
};

Planned plan_of(const TransformerSpec& model, std::int64_t batch, std::int64_t gpus,
                const Strategy& strategy, std::int64_t hb_domain = 8) {
  Workload workload{.model = model,
                    .system = a100_cluster(),
                    .run = {.global_batch = batch, .sequence = 2048},
                    .gpus = gpus};
  workload.system.hb_domain = hb_domain;
  return {workload, strategy};
}

TransformerSpec gpt(std::int64_t layers, std::int64_t hidden) {
  TransformerSpec model = gpt_1t();
  model.layers = layers;
  model.hidden = hidden;
  model.ffn_hidden = 4 * hidden;
  model.heads = model.kv_heads = 128;
  model.head_dim = hidden / 128;
  return model;
}

double percent(double share) {
  return 100 * share;
}

}  // namespace

TEST_CASE("Fig. 4: GPT-1T on 3,072 GPUs by hand, a ring in one direction") {
  const auto [workload, strategy] =
      plan_of(gpt_1t(), 3072, 3072, {.tp = {8, 1}, .pp = {1, 64}, .dp = {1, 6}});
  const auto phases = job::traffic_phases(workload, strategy);
  const BytesByType sent = sent_by_type(phases, 3072);
  const auto gb = [&](TrafficType type) { return of(sent, type).in(units::GB) / 3072; };
  CHECK(gb(TrafficType::tensor) == near(751.62, 1e-4));
  CHECK(gb(TrafficType::pipeline) == near(13.212, 1e-4));
  CHECK(gb(TrafficType::data) == near(6.5536, 1e-4));
  CHECK(gb(TrafficType::vocabulary) < 0.003 * gb(TrafficType::data));
  for (const TrafficPhase& phase : phases) {
    if (phase.type == TrafficType::pipeline) CHECK(phase.sent.in(units::GB) == near(6.7109, 1e-4));
  }
  // Fig. 3b: under 0.04 % of the pairs carry tensor parallelism, over 99 % nothing.
  const Pairs pairs = sending_pairs(phases, 3072);
  const auto share = [&](TrafficType type) {
    return percent(pairs.by_type[static_cast<std::size_t>(type)] / pairs.possible);
  };
  CHECK(share(TrafficType::tensor) == near(0.032563, 1e-4));
  CHECK(share(TrafficType::pipeline) == near(0.064108, 1e-4));
  CHECK(share(TrafficType::data) == near(0.032563, 1e-4));
  CHECK(percent(1 - pairs.sending / pairs.possible) == near(99.8708, 1e-4));
}

TEST_CASE("Fig. 3a: tensor parallelism is over 75 % of the bytes of all four models") {
  struct Case {
    std::int64_t layers, hidden, batch, t, p, d;
    double tensor, data, pipeline, pairs, silent;
  };
  // Narayanan et al. 2021, Table 1. Pairs with tensor parallelism are 1/(N - 1) of all: for the two
  // smaller models over the printed 0.04 %.
  for (const Case& one : {Case{80, 12288, 2304, 8, 8, 24, 97.201, 2.495, 0.304, 0.0651, 99.7557},
                          Case{96, 16384, 2160, 8, 16, 15, 97.295, 2.162, 0.543, 0.0521, 99.7981},
                          Case{105, 20480, 2520, 8, 35, 9, 97.545, 1.327, 1.128, 0.0397, 99.8435},
                          Case{128, 25600, 3072, 8, 64, 6, 97.438, 0.85, 1.713, 0.0326, 99.8708}}) {
    CAPTURE(one.hidden);
    const std::int64_t gpus = one.t * one.p * one.d;
    const auto [workload, strategy] =
        plan_of(gpt(one.layers, one.hidden), one.batch, gpus,
                {.tp = {one.t, 1}, .pp = {1, one.p}, .dp = {1, one.d}});
    const auto phases = job::traffic_phases(workload, strategy);
    BytesByType sent = sent_by_type(phases, gpus);
    of(sent, TrafficType::vocabulary) = Bytes{};  // which the paper leaves out
    const auto share = [&](TrafficType type) { return percent(of(sent, type) / total(sent)); };
    CHECK(share(TrafficType::tensor) == near(one.tensor, 1e-4));
    CHECK(share(TrafficType::data) == near(one.data, 6e-4));          // three digits are printed
    CHECK(share(TrafficType::pipeline) == near(one.pipeline, 2e-3));  // likewise
    const Pairs pairs = sending_pairs(phases, gpus);
    CHECK(percent(pairs.by_type[0] / pairs.possible) == near(one.pairs, 2e-3));
    CHECK(percent(1 - pairs.sending / pairs.possible) == near(one.silent, 1e-4));
  }
}

TEST_CASE("Fig. 5: 98 % of data parallelism stays in HB domains of 256") {
  const auto [workload, strategy] =
      plan_of(gpt_1t(), 4096, 4096, {.tp = {8, 1}, .pp = {1, 8}, .dp = {32, 2}}, 256);
  const auto phases = job::traffic_phases(workload, strategy);
  const std::int64_t domain = 256;
  const LevelTraffic level = traffic_by_level(phases, 4096, {&domain, 1}).front();
  const Bytes inside = of(level.inside, TrafficType::data);
  const Bytes beyond = of(level.leaving, TrafficType::data);
  CHECK(percent(inside / (inside + beyond)) == near(98.4127, 1e-5));
  CHECK((inside + beyond).in(units::GB) / 4096 == near(61.9315, 1e-5));
  CHECK(beyond.in(units::GB) / 4096 == near(0.98304, 1e-5));
  std::vector<std::int64_t> distances;
  for (const PairRow& row : pair_rows(phases, 4096)) distances.push_back(row.distance);
  std::sort(distances.begin(), distances.end());
  distances.erase(std::unique(distances.begin(), distances.end()), distances.end());
  CHECK(distances == std::vector<std::int64_t>{1, 7, 8, 248, 256, 512});
}

TEST_CASE("Meta's minimum cut: pipeline stages apart, not replicas") {
  const auto planned = plan_of(gpt_1t(), 3072, 6144, {.tp = {8, 1}, .pp = {1, 64}, .dp = {1, 12}});
  const auto& workload = planned.workload;
  const auto& strategy = planned.strategy;
  const auto out = [&](Outermost order, const std::vector<std::int64_t>& zones) {
    const auto phases = job::traffic_phases(workload, strategy, order);
    std::vector<BytesByType> each;
    std::int64_t first = 0;
    for (const std::int64_t zone : zones) {
      each.push_back(bytes_out(phases, first, first + zone));
      first += zone;
    }
    return each;
  };
  const auto gb = [](const BytesByType& bytes, TrafficType type) {
    return of(bytes, type).in(units::GB);
  };
  Bytes by_stage{}, by_replica{}, tables{};
  for (const BytesByType& zone : out(Outermost::pipeline, {3072, 3072})) {
    CHECK(gb(zone, TrafficType::pipeline) == near(322.1, 2e-3));
    CHECK(of(zone, TrafficType::data) == Bytes{});
    CHECK(of(zone, TrafficType::tensor) == Bytes{});
    by_stage += total(zone);
  }
  for (const BytesByType& zone : out(Outermost::data, {3072, 3072})) {
    by_replica += total(zone) - of(zone, TrafficType::vocabulary);
    tables += of(zone, TrafficType::vocabulary);
  }
  CHECK(by_stage.in(units::GB) == near(644.2, 1e-3));
  CHECK(by_replica.in(units::GB) == near(7382.0, 1e-3));
  // The published count is of the layers' gradients; those of the vocabulary's two tables, on 2 of
  // 64 stages, are sent too, so that `traffic` tells 7,401 GB: out of each zone by 8 · 64 rings, in
  // 2 bytes reduced and 2 gathered.
  const double of_tables = 2 * 512 * 2.0 / 64 * (2 + 2) * 11.0 / 12 * 51200.0 * 25600.0 / 8;
  CHECK(tables.in(units::byte) == near(of_tables, 1e-9));
  CHECK((by_replica + tables).in(units::GB) == near(7401.0, 1e-4));
  const auto eight = out(Outermost::pipeline, std::vector<std::int64_t>(8, 768));
  for (std::size_t i = 0; i < eight.size(); ++i) {
    const bool end = i == 0 || i == 7;
    CHECK(gb(eight[i], TrafficType::pipeline) == near(end ? 322.1 : 644.2, 2e-3));
    CHECK(of(eight[i], TrafficType::data) == Bytes{});
  }
}
