// What tensor parallelism adds to a model's shape: padding of the vocabulary, copies of key and
// value heads.
#include <doctest/doctest.h>

#include "planner/perf/calibrated/rates.hpp"
#include "support/gpt.hpp"
#include "support/near.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

/// Grouped queries: 8 key and value heads, and Llama 2's vocabulary.
Workload grouped(SoftwareClass stack) {
  Workload workload{.model = gpt_175b(),
                    .system = a100_cluster(),
                    .run = {.global_batch = 64, .sequence = 2048},
                    .gpus = 128};
  workload.model.kv_heads = 8;
  workload.model.vocab = 32000;
  workload.software.stack = stack;
  return workload;
}

CalibratedShape shape(SoftwareClass stack) {
  const Workload workload = grouped(stack);
  return {workload.model, workload};
}

}  // namespace

TEST_CASE("Megatron-LM pads the vocabulary to a multiple of 128 t") {
  const CalibratedShape model = shape(SoftwareClass::te);
  CHECK(model.whole.V == 32000);
  CHECK(model.split_over(1).V == 32000);  // 250 · 128
  CHECK(model.split_over(8).V == 32768);
  CHECK(model.split_over(16).V == 32768);
  CHECK(model.split_over(64).V == 32768);
}

TEST_CASE("torchtitan pads nothing but the last rank's share") {
  CHECK(shape(SoftwareClass::torch).split_over(8).V == 32000);
  CHECK(shape(SoftwareClass::torch).split_over(3).V == 32001);
}

TEST_CASE("each rank has a key and a value head at least") {
  const CalibratedShape model = shape(SoftwareClass::te);
  const double d = model.d_qk, a = model.a, h = model.h;
  for (const double t : {1.0, 4.0, 8.0}) {
    CAPTURE(t);
    CHECK(model.split_over(t).W_attn == model.whole.W_attn);
    CHECK(model.split_over(t).w_kv == 2 * 8 * d);
  }
  const CalibratedShape::Enlarged split = model.split_over(32);
  CHECK(split.kv_heads == 32);
  CHECK(split.w_kv == 2 * 32 * d);
  CHECK(split.w_qkv == (a + 2 * 32) * d);
  CHECK(split.n_qkv == split.w_qkv);
  CHECK(split.W_attn == near(h * (a + 2 * 32) * d + a * d * h));
}
