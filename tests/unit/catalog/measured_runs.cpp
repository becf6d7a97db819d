#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "planner/catalog/catalog.hpp"
#include "planner/catalog/measured/runs.hpp"
#include "planner/json/text_file.hpp"
#include "support/documents.hpp"

using namespace planner;
using namespace planner::catalog;
using namespace planner::json;
using namespace planner::testing;

namespace {

const std::string kRow =
    R"({"id":"a","source_key":"mine","model":{"name":"Llama","layers":32,"hidden":4096,"heads":32,)"
    R"("kv_heads":8,"ffn_hidden":14336,"gated_mlp":true,"vocab":128256,"seq":8192,"moe":null},)"
    R"("gpu":"H100-SXM-80GB","gpus":16,"nvlink_gbs_per_dir":450,"nic_gbps_per_gpu":null,)"
    R"("precision":"fp8 rowwise","tp":2,"pp":1,"cp":2,"dp":4,"micro_batch":1,"global_batch":8,)"
    R"("zero_stage_or_fsdp":"FSDP2","recompute":"unknown","unheard_of":[1],)"
    R"("derived_iteration_time_s":1.5,"measured_peak_gb":70,"memory_metric":"GiB reserved peak",)"
    R"("software":{"class":"torch","attention":"flash2","shard_gpus":4,"expert_tp":null}})";

const std::vector<Accelerator>& parts() {
  static const std::vector<Accelerator> known = [] {
    const Catalog catalog({PLANNER_SOURCE_DIR});
    std::vector<Accelerator> all;
    for (const std::string& name : catalog.names(kinds::accelerator)) {
      all.push_back(catalog.load_accelerator(name));
    }
    return all;
  }();
  return known;
}

MeasuredRow row_of(const std::string& text) {
  return parse_measured_runs(text, "runs.jsonl", parts()).at(0);
}

std::string skipped(const std::string& what, const std::string& with) {
  return row_of(replaced(kRow, what, with)).skipped;
}

std::string called(std::string_view gpu, std::optional<double> memory_GB = {}) {
  const Accelerator* const part = accelerator_called(gpu, memory_GB, parts());
  return part == nullptr ? "" : part->name;
}

}  // namespace

TEST_CASE("a row becomes a workload and a strategy") {
  const MeasuredRow row = row_of(kRow);
  REQUIRE(row.run);
  CHECK(row.id == "a");
  CHECK(row.source_key == "mine");
  const Workload& on = row.run->workload;
  CHECK(on.system.accelerator.name == "h100-sxm");
  CHECK(on.system.hb_domain == 8);
  CHECK(on.system.network_bandwidth == 50 * units::GBps);  // 400 Gb/s, usual on Hopper
  CHECK(on.model.head_dim == 128);
  CHECK(!on.model.tied_embeddings);
  CHECK(on.run.precision == Precision::fp8);
  CHECK(on.software.scaling == Scaling::row);
  CHECK(on.software.stack == SoftwareClass::torch);
  CHECK(row.run->strategy.zero == 3);
  CHECK(row.run->strategy.shard_ranks == 4);
  CHECK(row.run->strategy.dp.total() == 4);
  CHECK(row.run->recompute_unstated);
  CHECK(row.run->iteration_time == Seconds{1.5});
  CHECK(row.run->memory == MeasuredMemory{70 * units::GB, MemoryMetric::reserved});
}

TEST_CASE("a TPU's row has the torus of its slice, by software that compiles a step") {
  std::string text = replaced(kRow, "H100-SXM-80GB", "TPU-v5p");
  text = replaced(text, "fp8 rowwise", "bf16");
  text = replaced(text, "\"gpus\":16,",
                  R"("gpus":16,"nvlink_domain_gpus":16,"torus":{"shape":[2,2,4],"ring_from":4},)");
  text = replaced(text, R"("class":"torch")", R"("class":"xla")");
  const MeasuredRow row = row_of(text);
  REQUIRE(row.run);
  CHECK(row.run->workload.system.accelerator.name == "tpu-v5p");
  CHECK(row.run->workload.system.torus == DomainTorus{.shape = {2, 2, 4}, .ring_from = 4});
  CHECK(row.run->workload.software.stack == SoftwareClass::jax);
  CHECK(row.run->workload.software.full_cuda_graphs);
  CHECK(row.run->workload.software.tp_overlap);
  // A row that states none has a slice of the pod that the catalog knows.
  const Catalog catalog({PLANNER_SOURCE_DIR});
  const System pod = catalog.load_system("tpu-v5p");
  const std::string without =
      replaced(text, R"("nvlink_domain_gpus":16,"torus":{"shape":[2,2,4],"ring_from":4},)", "");
  const MeasuredRow sliced = parse_measured_runs(without, "runs.jsonl", parts(), {pod}).at(0);
  REQUIRE(sliced.run);
  CHECK(sliced.run->workload.system.torus == pod.torus);
  CHECK(sliced.run->workload.system.hb_domain == pod.hb_domain);
  CHECK(sliced.run->workload.system.hb_bandwidth == 450 * units::GBps);  // stated
  CHECK(sliced.run->workload.system.network_bandwidth == pod.network_bandwidth);
  CHECK(row_of(replaced(text, "[2,2,4]", "[2,2,2]")).skipped ==
        "torus.shape: does not multiply to nvlink_domain_gpus");
  CHECK(row_of(replaced(text, "[2,2,4]", "[16]")).skipped ==
        "\"torus.shape\": must have two or three dimensions");
  // As in a system's file; and no slice is longer than its pod.
  const std::string line = replaced(text, "[2,2,4]", "[16,1,1]");
  CHECK(row_of(line).skipped ==
        "torus.shape: must have two or three dimensions of more than one chip");
  const auto on_pod = [&](const std::string& one) {
    return parse_measured_runs(one, "runs.jsonl", parts(), {pod}).at(0);
  };
  CHECK(on_pod(line).run);
  CHECK(on_pod(replaced(text, "[2,2,4]", "[4,1,4]")).run);
  const std::string longer = replaced(replaced(line, "[16,1,1]", "[32,1,1]"),
                                      R"("nvlink_domain_gpus":16)", R"("nvlink_domain_gpus":32)");
  CHECK(on_pod(longer).skipped ==
        "torus.shape: no slice of Google TPU v5p pods, which has at most "
        "16 × 16 × 24 chips");
}

TEST_CASE("a row that makes no run says why") {
  CHECK(skipped("\"tp\":2,", "") == "missing key \"tp\"");
  CHECK(skipped("\"tp\":2", "\"tp\":null") == "missing key \"tp\"");
  CHECK(skipped("\"layers\":32,", "") == "missing key \"layers\" in \"model\"");
  CHECK(skipped("\"tp\":2", "\"tp\":\"two\"") == "\"tp\": expected an integer, got a string");
  CHECK(skipped("\"dp\":4", "\"dp\":5") == "gpus: not tp·pp·cp·dp");
  CHECK(skipped("\"global_batch\":8", "\"global_batch\":9") ==
        "global_batch: not divisible by dp·micro_batch");
  CHECK(skipped("H100-SXM-80GB", "TPUv4") == "gpu: no accelerator is called \"TPUv4\"");
  CHECK(skipped("H100-SXM-80GB", "A100") == "precision: the GPU has no rate for \"fp8 rowwise\"");
  CHECK(skipped("\"class\":\"torch\"", "\"usable\":false") == "marked unusable");
  CHECK(skipped("fp8 rowwise", "int8") == "precision: \"int8\" is none of fp4, fp8, fp16 and bf16");
  CHECK(skipped("\"kv_heads\":8", "\"sliding_window\":\"some\"") ==
        "model.sliding_window: no number of tokens");
}

TEST_CASE("a line that is no object is an error with its number") {
  const auto found =
      problems_of([] { parse_measured_runs(kRow + "\n\n{\"id\": \n", "runs.jsonl", parts()); });
  REQUIRE(found.size() == 1);
  CHECK(found[0].file == "runs.jsonl");
  CHECK(found[0].line == 3);
  CHECK(problems_of([] { parse_measured_runs("[1]", "runs.jsonl", parts()); }).at(0).code ==
        "wrong-type");
  CHECK(problems_of([] { parse_measured_runs("\n \n", "runs.jsonl", parts()); }).at(0).message ==
        "no measured run");
}

TEST_CASE("names of GPUs as sources write them") {
  CHECK(called("A100-SXM-80GB") == "a100-80gb-sxm");
  CHECK(called("A100-SXM") == "a100-80gb-sxm");
  CHECK(called("A100-SXM", 40) == "a100-40gb-sxm");
  CHECK(called("A100-PCIe-40GB") == "a100-40gb-pcie");
  CHECK(called("H100-SXM-96GB-500W") == "h100-sxm-96gb-500w");
  CHECK(called("V100-SXM-32GB") == "v100-sxm");
  CHECK(called("NVIDIA B200") == "b200");
  CHECK(called("MI350X").empty());
  CHECK(called("").empty());
}

TEST_CASE("all shipped rows are runs, or marked, but for two in int8") {
  const Catalog catalog({PLANNER_SOURCE_DIR});
  for (const auto& [file, usable] : {std::pair{"runs", 1859}, std::pair{"memory", 74}}) {
    int runs = 0, beside = 0, in_int8 = 0;
    for (const MeasuredRow& row : catalog.load_shipped_measured(file)) {
      if (row.run) {
        ++(row.run->in_fit ? runs : beside);
      } else if (row.skipped == "precision: \"int8\" is none of fp4, fp8, fp16 and bf16") {
        ++in_int8;
      } else {
        CHECK(row.skipped == "marked unusable");
      }
    }
    CHECK(runs == usable);
    const bool times = std::string{file} == "runs";
    CHECK(beside == (times ? 40 : 0));
    CHECK(in_int8 == (times ? 2 : 0));
  }
}

TEST_CASE("NOTICE names the source of every measured row") {
  const std::string root = PLANNER_SOURCE_DIR;
  const std::string notice = read_text_file(root + "/NOTICE");
  std::set<std::string> keys;
  for (const char* file : {"runs", "memory"}) {
    std::istringstream rows(read_text_file(root + "/catalog/measured/" + file + ".jsonl"));
    for (std::string row; std::getline(rows, row);) {
      keys.insert(nlohmann::json::parse(row)["source_key"].get<std::string>());
    }
  }
  CHECK(keys.size() > 30);
  for (const std::string& key : keys) {
    CAPTURE(key);
    // In a list in brackets: [bloom-prequel, bloom-176b-run].
    bool named = false;
    for (const char* before : {"[", " "}) {
      for (const char* after : {"]", ","})
        named |= notice.find(before + key + after) != notice.npos;
    }
    CHECK(named);
  }
}
