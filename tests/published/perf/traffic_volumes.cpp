// Traffic volumes of the rail-only paper (arXiv 2307.12169), §3.2.
#include <doctest/doctest.h>

#include "planner/perf/closed_form/closed_form.hpp"
#include "support/gpt.hpp"
#include "support/near.hpp"

using namespace planner;
using namespace planner::testing;

TEST_CASE("rail-only paper, §3.2: what GPT-1T moves per GPU and iteration on 3072 GPUs") {
  // As in Table 2: tp 8 inside the domain, pp 64, dp 6 (Narayanan et al. 2021).
  const Strategy strategy{.tp = {8, 1}, .pp = {1, 64}, .dp = {1, 6}};
  const ClosedForm model({.model = gpt_1t(),
                          .system = a100_cluster(),
                          .run = {.global_batch = 3072, .sequence = 2048},
                          .gpus = 3072});
  const ClosedForm::Volumes volumes = model.volumes(strategy);
  const double samples = 3072 / 6.0, layers = 128 / 64.0;
  // 8·(l/p)·(B/d)·((t-1)/t)·2hs = 8·2·512·(7/8)·104,857,600
  const Bytes tensor =
      tp_collectives_per_layer(strategy.recompute) * layers * samples * (7 / 8.0) * volumes.tensor;
  CHECK(tensor.si() == 751619276800.0);
  // 2·((d-1)/d)·2·l·12·h²/(p·t) = 2·(5/6)·3,932,160,000
  CHECK((2 * (5 / 6.0) * volumes.data).in(units::GB) == near(6.5536));
  // (B/d)·2hs/t = 512·13,107,200
  CHECK((samples * volumes.pipeline).si() == 6710886400.0);
}

TEST_CASE("rail-only paper, §3.2: 98 % of GH200's all-reduce stays inside the HB domain") {
  // Data parallelism of 64 over 32 GPUs of each domain and two domains: 62 / 63.
  const BytesPerSecond alike = 1 * units::GBps;
  const Seconds between = kAlongRails(1 * units::GB, 32.0, 2.0, alike);
  const Seconds inside = kInsideDomain(1 * units::GB, 32.0, alike);
  CHECK(inside / (inside + between) == near(62.0 / 63));
}
