// Eqs. 11-18 of the rail-only paper, one broken at a time.
#include "planner/perf/model/constraints.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <memory>
#include <vector>

#include "planner/perf/model/degree_rules.hpp"
#include "support/gpt.hpp"
#include "support/models.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

using Violations = std::vector<Violation>;

/// GPT-1T with batch 512 on 512 GPUs in domains of eight.
constexpr Strategy kLegal{
    .tp = {8, 1}, .pp = {1, 16}, .dp = {1, 4}, .interleave = 2, .micro_batch = 4};

Violations broken_by(void (*change)(Workload&, Strategy&)) {
  Workload changed = gpt_1t_on_a100s();
  Strategy strategy = kLegal;
  change(changed, strategy);
  return violations(changed, strategy);
}

}  // namespace

TEST_CASE("a legal strategy breaks nothing") {
  CHECK(violations(gpt_1t_on_a100s(), kLegal).empty());
}

TEST_CASE("Eq. 11: p·t·d = N") {
  CHECK(broken_by([](Workload& w, Strategy&) { w.gpus = 1024; }) ==
        Violations{{.constraint = Constraint::gpu_count, .need = 1024, .have = 512}});
}

TEST_CASE("Eq. 12: d_h·t_h·p_h = K") {
  CHECK(broken_by([](Workload&, Strategy& s) {
          s.tp = {4, 2};
        }) == Violations{{.constraint = Constraint::hb_domain, .need = 8, .have = 4}});
  // Of domains of 72 only 64 GPUs each divide 512.
  CHECK(broken_by([](Workload& w, Strategy&) { w.system.hb_domain = 72; }) ==
        Violations{{.constraint = Constraint::hb_domain, .need = 64, .have = 8}});
}

TEST_CASE("Eq. 13: m·b = B/d") {
  CHECK(broken_by([](Workload&, Strategy& s) { s.micro_batch = 3; }) ==
        Violations{{.constraint = Constraint::microbatches, .need = 3, .have = 128}});
}

TEST_CASE("Eq. 17: degrees are positive integers") {
  CHECK(broken_by([](Workload&, Strategy& s) { s.interleave = 0; }) ==
        Violations{{.constraint = Constraint::degrees, .need = 1, .have = 0}});
  CHECK(broken_by([](Workload&, Strategy& s) {
          s.dp = {-1, -4};
        }) == Violations{{.constraint = Constraint::degrees, .need = 1, .have = -4}});
}

TEST_CASE("Eq. 18: p·v divides l") {
  CHECK(broken_by([](Workload&, Strategy& s) { s.interleave = 3; }) ==
        Violations{{.constraint = Constraint::layers, .need = 48, .have = 128}});
}

TEST_CASE("Eq. 18: t divides s and h") {
  CHECK(broken_by([](Workload& w, Strategy&) { w.run.sequence = 2044; }) ==
        Violations{{.constraint = Constraint::sequence, .need = 8, .have = 2044}});
  CHECK(broken_by([](Workload& w, Strategy&) { w.model.hidden = 25604; }) ==
        Violations{{.constraint = Constraint::hidden, .need = 8, .have = 25604}});
}

TEST_CASE("Eq. 18: d divides B, which is never lowered silently (traps.md 20)") {
  CHECK(broken_by([](Workload& w, Strategy&) { w.run.global_batch = 510; }) ==
        Violations{{.constraint = Constraint::batch, .need = 4, .have = 510}});
}

TEST_CASE("every broken rule is reported, in the order of the equations") {
  const Strategy strategy{.tp = {3, 1}, .pp = {1, 7}, .dp = {1, 5}};
  const Violations found = violations(gpt_1t_on_a100s(), strategy);
  REQUIRE(found.size() == 6);
  CHECK(found[0] == Violation{.constraint = Constraint::gpu_count, .need = 512, .have = 105});
  CHECK(found[1] == Violation{.constraint = Constraint::hb_domain, .need = 8, .have = 3});
  CHECK(found[2] == Violation{.constraint = Constraint::layers, .need = 7, .have = 128});
  CHECK(found[3] == Violation{.constraint = Constraint::sequence, .need = 3, .have = 2048});
  CHECK(found[4] == Violation{.constraint = Constraint::hidden, .need = 3, .have = 25600});
  CHECK(found[5] == Violation{.constraint = Constraint::batch, .need = 5, .have = 512});
}

TEST_CASE("degrees whose product overflows are too many GPUs, not a wrapped number") {
  constexpr std::int64_t kHuge = std::int64_t{1} << 40;
  const Violations found = violations(gpt_1t_on_a100s(), {.tp = {kHuge, 1}, .dp = {1, kHuge}});
  REQUIRE(!found.empty());
  CHECK(found[0] == Violation{.constraint = Constraint::gpu_count,
                              .need = 512,
                              .have = std::numeric_limits<std::int64_t>::max()});
}

// Llama 3 405B (arXiv 2407.21783, §3.3.2): 126 layers on 16 stages in chunks of one, the first of
// which holds the embedding and the last the loss layer in place of a layer.
TEST_CASE("where the ends share, embedding and loss layer may be chunks of their own") {
  Workload llama = gpt_1t_on_a100s();
  llama.timing = prior_calibration();
  llama.model.layers = 126;
  CHECK(DegreeRules(llama).interleaves(16) == std::vector<std::int64_t>{1, 2, 4, 8});
  llama.model.layers = 125;  // the last stage has 5 of 8
  CHECK(DegreeRules(llama).interleaves(16) == std::vector<std::int64_t>{1, 2, 4});
}

TEST_CASE("ranks share a key-value head or have whole ones") {
  Workload grouped = gpt_1t_on_a100s();
  grouped.timing = prior_calibration();
  grouped.model = gpt(56, 6144, 48);
  grouped.model.kv_heads = 8;
  CHECK(DegreeRules(grouped).tp() == std::vector<std::int64_t>{1, 2, 4, 8, 16, 24, 48});
}

TEST_CASE("a mixture of experts takes tensor parallelism with sequence parallelism only") {
  Workload mixture = gpt_1t_on_a100s();
  mixture.timing = prior_calibration();
  mixture.model = mixtral_8x7b();
  Strategy strategy{.tp = {8, 1}, .pp = {1, 16}, .dp = {1, 4}, .micro_batch = 4};
  CHECK(violations(mixture, strategy).empty());
  strategy.sequence_parallel = false;
  CHECK(violations(mixture, strategy) ==
        Violations{{.constraint = Constraint::expert_sequence, .need = 8, .have = 1}});
  strategy.tp = {1, 1};
  strategy.dp = {8, 4};
  CHECK(violations(mixture, strategy).empty());
}

TEST_CASE("ZeRO 3 shards over a divisor of d·cp that leaves experts as many replicas") {
  CHECK(DegreeRules::shard_ranks(64, 64) == std::vector<std::int64_t>{32, 16, 8, 4, 2});
  CHECK(DegreeRules::shard_ranks(64, 4) == std::vector<std::int64_t>{32, 16});  // 2 and 4 replicas
  CHECK(DegreeRules::shard_ranks(64, 1).empty());
  CHECK(DegreeRules::shard_ranks(1, 8).empty());

  Workload mixture = gpt_1t_on_a100s();
  mixture.timing = prior_calibration();
  mixture.model = mixtral_8x7b();
  Strategy strategy{.tp = {1, 1}, .pp = {1, 16}, .dp = {8, 4}, .ep = {8, 1}, .zero = 3};
  for (const std::int64_t ranks : {16, 8}) {  // of 32: 4 ranks have the same experts
    strategy.shard_ranks = ranks;
    CHECK(violations(mixture, strategy).empty());
  }
  for (const std::int64_t ranks : {4, 3, 32, 64}) {
    strategy.shard_ranks = ranks;
    CHECK(violations(mixture, strategy) ==
          Violations{{.constraint = Constraint::shards, .need = ranks, .have = 32}});
  }
  strategy.shard_ranks = 8;
  strategy.zero = 2;
  CHECK(violations(mixture, strategy).size() == 1);
}
