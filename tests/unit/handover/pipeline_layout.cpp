// Layouts of uneven interleaved pipelines say what the calibrated model counts.
#include "planner/handover/pipeline_layout.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "planner/core/ceil_div.hpp"
#include "planner/core/real.hpp"
#include "planner/perf/calibrated/calibrated.hpp"
#include "planner/perf/model/degree_rules.hpp"
#include "support/near.hpp"
#include "support/random_workloads.hpp"

using namespace planner;
using namespace planner::handover;
using namespace planner::testing;

namespace {

std::int64_t number(const std::string& text, std::size_t& at) {
  std::int64_t value = 0;
  while (at < text.size() && text[at] >= '0' && text[at] <= '9')
    value = 10 * value + text[at++] - '0';
  return value;
}

/// Without repetitions and commas, as Megatron Core's documentation describes them.
std::string expanded(const std::string& layout) {
  std::string all;
  for (std::size_t at = 0; at < layout.size();) {
    std::string unit{layout[at]};
    if (layout[at] == '(') {
      const std::size_t end = layout.find(')', at);
      unit = expanded(layout.substr(at + 1, end - at - 1));
      at = end;
    }
    ++at;
    std::int64_t times = 1;
    if (at < layout.size() && layout[at] == '*') times = number(layout, ++at);
    for (; unit != "," && times > 0; --times) all += unit;
  }
  return all;
}

std::vector<std::string> stages_of(const std::string& layout) {
  std::vector<std::string> stages{""};
  for (const char layer : expanded(layout)) {
    if (layer == '|') {
      stages.emplace_back();
    } else {
      stages.back() += layer;
    }
  }
  return stages;
}

std::int64_t count(const std::string& stage, char layer) {
  return std::count(stage.begin(), stage.end(), layer);
}

Strategy interleaved(std::int64_t p, std::int64_t v) {
  return {.pp = {.hb = 1, .net = p}, .interleave = v};
}

}  // namespace

TEST_CASE("layouts as written down") {
  // DeepSeek-V3: 61 layers and one MTP layer.
  const TransformerSpec deepseek{.layers = 61, .mtp_layers = 1};
  CHECK(pipeline_layout(interleaved(8, 4), deepseek) == "Ett|(tt|)*14,t|(tt|)*7,t|(tt|)*7,tmL");
  CHECK(pipeline_layout(interleaved(16, 2), deepseek) == "Ett|(tt|)*14,t|(tt|)*15,mL");
  CHECK(pipeline_layout(interleaved(2, 1), {.layers = 13}) == "Et*7|t*6L");
  CHECK(pipeline_layout(interleaved(8, 4), {.layers = 58}) ==
        "Ett|(tt|)*6,t|(tt|)*7,t|(tt|)*7,|(tt|)*7,L");
  CHECK(expanded("E|(t|)*3,m|m||L") == "E|t|t|t|m|m||L");
}

TEST_CASE("a layout is needed where no count of layers describes the chunks") {
  CHECK(needs_layout(interleaved(8, 4), {.layers = 61}));
  CHECK_FALSE(needs_layout(interleaved(8, 4), {.layers = 64}));
  CHECK_FALSE(needs_layout(interleaved(8, 4), {.layers = 62}));  // embedding and loss layer share
  CHECK_FALSE(needs_layout(interleaved(8, 1), {.layers = 61}));
  CHECK_FALSE(needs_layout(interleaved(1, 4), {.layers = 61}));
}

TEST_CASE(
    "every layout has p·v stages, all layers, and on each rank what the memory model counts") {
  Random random(73);
  int layouts = 0;
  // Those of Llama 3 405B, DeepSeek-V3, Qwen3 235B, GPT-3, Llama 3 70B, Mixtral and others.
  for (const std::int64_t layers : {126, 61, 94, 96, 80, 56, 58, 37, 31, 13}) {
    Workload workload = random_calibrated_workload(random);
    workload.model.layers = layers;
    workload.model.mtp_layers = random.below(3);
    workload.model.moe.reset();
    workload.gpus = 64;
    const Calibrated model(workload);
    const DegreeRules rules(workload);
    for (const std::int64_t p : rules.pp()) {
      for (const std::int64_t v : rules.interleaves(p)) {
        Strategy strategy = interleaved(p, v);
        if (!needs_layout(strategy, workload.model)) continue;
        ++layouts;
        strategy.recompute = Recompute::full;  // activations are those of layers' inputs
        CAPTURE(layers);
        CAPTURE(p);
        CAPTURE(v);
        const std::string layout = pipeline_layout(strategy, workload.model);
        const std::vector<std::string> stages = stages_of(layout);
        REQUIRE(static_cast<std::int64_t>(stages.size()) == p * v);
        CHECK(stages.front().front() == 'E');
        CHECK(stages.back().back() == 'L');
        const std::string all = expanded(layout);
        CHECK(count(all, 't') == layers);
        CHECK(count(all, 'm') == workload.model.mtp_layers);
        CHECK(count(all, 'E') == 1);
        CHECK(count(all, 'L') == 1);
        const std::int64_t most = ceil_div(layers, p);
        const Bytes full = model.stage_memory(strategy, 0).activations_per_sample;
        for (std::int64_t rank = 0; rank < p; ++rank) {
          std::int64_t on_rank = 0;
          for (std::int64_t chunk = 0; chunk < v; ++chunk) {
            const std::string& stage = stages[static_cast<std::size_t>(chunk * p + rank)];
            CHECK(count(stage, 't') <= most / v);
            on_rank += count(stage, 't') + count(stage, 'm');
          }
          const Bytes kept = model.stage_memory(strategy, rank).activations_per_sample;
          CHECK(real(most) * (kept / full) == near(real(on_rank)));
        }
      }
    }
  }
  CHECK(layouts > 30);
}
