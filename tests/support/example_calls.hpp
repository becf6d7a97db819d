#pragma once

#include <string>
#include <vector>

#include "planner/commands/command.hpp"

// Calls whose answers hold every kind of figure that their command knows; one for each command at
// least. What is said of all commands is tested with these.
namespace planner::testing {

inline const std::vector<commands::Call>& example_calls() {
  static const std::string kOwn = PLANNER_SOURCE_DIR "/tests/golden/own/";
  static const std::vector<commands::Call> kCalls{
      {"optimize",
       {},
       {{"model", "gpt22b"},
        {"gpus", "64"},
        {"global-batch", "256"},
        {"top", "3"},
        {"tokens", "1e12"},
        {"gpu-hour-price", "2"},
        {"rates", "llama-3"},
        {"stall", "30"},
        {"repair", "24"},
        {"pareto", ""}}},
      {"optimize", {}, {{"model", "gpt1t"}, {"gpus", "1024"}, {"timing", "closed-form"}}},
      {"estimate",
       {},
       {{"model", "gpt22b"}, {"gpus", "8"}, {"tp", "8"}, {"global-batch", "64"}, {"explain", ""}}},
      {"estimate", {}, {{"model", "gpt22b"}, {"gpus", "8"}, {"tp", "8"}, {"emit", "torchtitan"}}},
      {"network", {}, {{"topology", "fat-tree"}, {"gpus", "1024"}}},
      {"network",
       {},
       {{"topology", "rail-only"},
        {"gpus", "32768"},
        {"radix", "64"},
        {"hb-domain", "256"},
        {"prices", "rail-only-paper"}}},
      {"network",
       {},
       {{"topology", "fat-tree"}, {"gpus", "10000"}, {"prices", "fire-flyer-relative"}}},
      {"network",
       {},
       {{"topology", "rail-optimized"}, {"gpus", "4096"}, {"prices", "street-2026"}}},
      {"network", {}, {{"topology", "dragonfly"}, {"gpus", "4096"}}},
      {"optimize",
       {},
       {{"model", "gpt1t"}, {"gpus", "4096"}, {"routing", "ecmp"}, {"storage-reads", "2"}}},
      {"routing", {"hpn"}, {{"scheme", "ecmp-qp"}, {"qps", "8"}, {"storage-reads", "2"}}},
      {"routing", {}, {{"flows", "100"}, {"links", "16"}}},
      {"reliability",
       {},
       {{"rates", "meta-rsc-1"},
        {"gpus", "16384"},
        {"stall", "5"},
        {"days", "30"},
        {"gpu-hour-price", "2"},
        {"spares", "8"},
        {"repair", "24"}}},
      {"validate", {"published"}},
      {"validate", {"measured"}},
      {"validate", {"measured"}, {{"peak-memory", ""}}},
      {"calibrate", {}, {{"data", kOwn + "runs.jsonl"}}},
      {"calibrate", {}, {{"nccl-tests", kOwn + "all_reduce.txt"}, {"system", "dgx-h100"}}},
      {"list", {"models"}},
      {"list", {"clusters"}},
      {"show", {"dgx-h100"}},
      {"show", {"prices", "street-2026"}},
  };
  return kCalls;
}

inline const catalog::Catalog& shipped() {
  static const catalog::Catalog kCatalog({PLANNER_SOURCE_DIR});
  return kCatalog;
}

}  // namespace planner::testing
