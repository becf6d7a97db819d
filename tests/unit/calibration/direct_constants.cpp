#include "planner/calibration/direct_constants.hpp"

#include <doctest/doctest.h>

#include "planner/perf/calibrated/rates.hpp"
#include "support/gpt.hpp"
#include "support/near.hpp"

using namespace planner;
using planner::testing::near;

namespace {

CollectiveBenchmark bus(double GBps, std::int64_t hosts) {
  return {.rows = {{Bytes{1024}, 1 * units::GBps},
                   {Bytes{128e6}, GBps * units::GBps},
                   {Bytes{256e6}, GBps * units::GBps}},
          .ranks = 8 * hosts,
          .hosts = hosts};
}

}  // namespace

TEST_CASE("bus bandwidth of large messages over the link") {
  const System system = testing::a100_cluster();
  const DirectConstant one = from_collectives(bus(231, 1), system);
  CHECK(one.problem.empty());
  CHECK(one.constant == Constant::nvlink_efficiency);
  CHECK(one.value == near(231.0 / 300));
  const DirectConstant two = from_collectives(bus(160, 2), system);
  CHECK(two.constant == Constant::nic_efficiency);
  CHECK(two.value == near(160.0 / (8 * 25)));
  CHECK(from_collectives(bus(20, 1), system).problem.find("--system") != std::string::npos);
  CollectiveBenchmark other = bus(231, 1);
  other.test = "alltoall_perf";
  CHECK(!from_collectives(other, system).problem.empty());
  other = bus(231, 1);
  other.rows.resize(1);
  CHECK(!from_collectives(other, system).problem.empty());
}

TEST_CASE("a log is held against the GPUs of its system") {
  System system = testing::a100_cluster();
  const auto problem = [&](const char* part, double memory_GB, const char* device) {
    system.accelerator.name = part;
    system.accelerator.memory = memory_GB * units::GB;
    CollectiveBenchmark log = bus(231, 1);
    log.devices = {device};
    return from_collectives(log, system).problem;
  };
  CHECK(problem("h100-sxm", 80, "NVIDIA H100 80GB HBM3").empty());
  CHECK(problem("a100-80gb-sxm", 80, "NVIDIA A100-SXM4-80GB").empty());
  CHECK(problem("a100-40gb-pcie", 40, "NVIDIA A100-PCIE-40GB").empty());
  CHECK(problem("h100-pcie", 80, "NVIDIA H100 PCIe").empty());
  CHECK(problem("h200-sxm", 141, "NVIDIA H200").empty());
  CHECK(problem("gh200", 96, "NVIDIA GH200 480GB").empty());
  CHECK(problem("mi300x", 192, "AMD Instinct MI300X").empty());
  CHECK(problem("a100-40gb-sxm", 40, "NVIDIA A100-SXM4-80GB") ==
        "ranks ran on NVIDIA A100-SXM4-80GB, and --system " + system.name + " has a100-40gb-sxm");
  CHECK(!problem("tpu-v5p", 95, "NVIDIA H100 80GB HBM3").empty());
  CHECK(!problem("h100-pcie", 80, "NVIDIA H100 80GB HBM3").empty());
  CHECK(!problem("gb200", 192, "NVIDIA B200").empty());
}

TEST_CASE("an all-reduce faster than a ring can be was reduced by switches") {
  System system = testing::a100_cluster();
  system.hb_switches_reduce = true;
  CollectiveBenchmark log = bus(320, 1);
  log.test = "all_reduce_perf";
  CHECK(from_collectives(log, system).problem.find("NCCL_ALGO=RING") != std::string::npos);
  log.test = "all_gather_perf";
  CHECK(from_collectives(log, system).problem.find("NCCL_ALGO=RING") == std::string::npos);
  system.hb_switches_reduce = false;
  log.test = "all_reduce_perf";
  CHECK(from_collectives(log, system).problem.find("--system") != std::string::npos);
  CHECK(from_collectives(bus(231, 1), system).problem.empty());
}

TEST_CASE("a product by itself moves the constant as far as it is from the recorded one") {
  const Calibration constants = prior_calibration();
  Accelerator part = testing::a100_cluster().accelerator;
  part.generation = Generation::hopper;
  part.memory_bandwidth = 3350 * units::GBps;
  part.power = 350 * units::W;  // half of the reference: the power factor is taken off too
  Workload workload;
  workload.system.accelerator = part;
  workload.timing = constants;
  const CalibratedRates rates(workload);
  const double side = 2048;
  const double kappa =
      constants[Constant::gemm_shape] * rates.operand_bytes * (rates.gemm / rates.hbm).si() / 2;
  const FlopsPerSecond seen = (1 / (1 + kappa * 3 / side)) * rates.gemm;
  const auto found = from_gemms({{.m = 2048, .n = 2048, .k = 2048, .rate = seen},
                                 {.m = 16, .n = 2048, .k = 2048, .rate = 0.1 * seen}},
                                part, constants);
  REQUIRE(found.size() == 1);
  CHECK(found[0].constant == Constant::gemm_efficiency_bf16_hopper);
  const double constant = constants[Constant::gemm_efficiency_bf16_hopper];
  CHECK(found[0].value == near(constant * constant / 0.768, 1e-9));
  CHECK(
      !from_gemms({{.m = 16, .n = 16, .k = 16, .rate = seen}}, part, constants)[0].problem.empty());
}

TEST_CASE("kernels of another GPU, or faster than it can be, or of another family move nothing") {
  const Calibration constants = prior_calibration();
  Accelerator part = testing::a100_cluster().accelerator;
  part.name = "h100-sxm";
  part.title = "NVIDIA H100";
  part.memory = 80 * units::GB;
  part.memory_bandwidth = 3350 * units::GBps;
  part.generation = Generation::hopper;
  part.datasheet.bf16 = part.silicon.bf16 = 989 * units::TFLOPs;
  GemmBenchmark product{.m = 8192,
                        .n = 8192,
                        .k = 8192,
                        .rate = 740 * units::TFLOPs,
                        .device = "NVIDIA H100 80GB HBM3"};
  const auto problem = [&] { return from_gemms({product}, part, constants).front().problem; };
  CHECK(problem().empty());
  product.rate = 990 * units::TFLOPs;
  CHECK(problem().find("more than the peak") != std::string::npos);
  product.rate = 740 * units::TFLOPs;
  product.device = "AMD Instinct MI300X";
  CHECK(problem() == "it was measured on AMD Instinct MI300X, and --accelerator is h100-sxm");
  part.name = "mi300x";
  part.generation = Generation::cdna3;
  CHECK(problem().find("no constant of its own") != std::string::npos);
  product.device.clear();
  part.generation = Generation::ampere;
  CHECK(problem().find("of training steps") != std::string::npos);
}

TEST_CASE("attention by itself moves the constant of its kernel likewise") {
  const Calibration constants = prior_calibration();
  Accelerator part = testing::a100_cluster().accelerator;
  part.generation = Generation::hopper;
  part.power = 350 * units::W;
  Workload workload;
  workload.system.accelerator = part;
  workload.software.attention = AttentionKernel::flash2;
  workload.timing = constants;
  const FlopsPerSecond seen = CalibratedRates(workload).attention;
  const AttentionBenchmark one{.batch = 2,
                               .sequence = 8192,
                               .heads = 32,
                               .head_dim = 128,
                               .kernel = AttentionKernel::flash2,
                               .rate = seen};
  AttentionBenchmark other = one;
  other.sequence = 128;
  other.rate = 0.1 * seen;
  const auto found = from_attention({one, other}, part, constants);
  REQUIRE(found.size() == 1);
  CHECK(found[0].constant == Constant::attention_efficiency_flash2_hopper);
  const double constant = constants[Constant::attention_efficiency_flash2_hopper];
  CHECK(found[0].value == near(constant * constant / 0.3395));
  CHECK(!from_attention({other}, part, constants).front().problem.empty());
}
