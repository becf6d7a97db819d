#include "planner/catalog/measured/microbenchmarks.hpp"

#include <doctest/doctest.h>

#include "support/documents.hpp"

using namespace planner;
using namespace planner::catalog;
using namespace planner::testing;

namespace {

const std::string kNccl =
    R"(# nThread 1 nGpus 1 minBytes 67108864 maxBytes 134217728 step: 2(factor)
#
# Using devices
#  Rank  0 Group  0 Pid  811 on     node-7 device  0 [0x1b] NVIDIA H100 80GB HBM3
#  Rank  1 Group  0 Pid  812 on     node-8 device  1 [0x43] NVIDIA H100 80GB HBM3
NCCL version 2.19.3+cuda12.3
#
#                                                              out-of-place                       in-place
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
    67108864      16777216     float     sum      -1    600.1  111.83  111.83      0    601.2  111.6  111.6      0
   134217728      33554432     float     sum      -1   1100.0  122.02  122.50      0   1101.0  121.9  121.9      0
# Out of bounds values : 0 OK
# Avg bus bandwidth    : 117
)";

}  // namespace

TEST_CASE("nccl-tests as it is printed") {
  const CollectiveBenchmark found = parse_nccl_tests(kNccl, "log");
  REQUIRE(found.rows.size() == 2);
  CHECK(found.rows[1].size == Bytes{134217728});
  CHECK(found.rows[1].bus_bandwidth == 122.5 * units::GBps);
  CHECK(found.ranks == 2);
  CHECK(found.hosts == 2);
}

TEST_CASE("what is no output of nccl-tests") {
  CHECK(told([] { parse_nccl_tests("", "log"); }).at(0) == "not-nccl-tests 1:1 no line of figures");
  CHECK(told([] {
          parse_nccl_tests(replaced(kNccl, "   1100.0  122.02", "   1100.0"), "log");
        }).at(0) == "not-nccl-tests 12:1 the figures do not fit the column titles");
  CHECK(told([] { parse_nccl_tests("1 2 3\n", "log"); }).at(0) ==
        "not-nccl-tests 1:1 figures before the line of column titles");
}

TEST_CASE("a log of nccl-tests that was cut off, or whose clock ran backwards") {
  const std::string cut = kNccl.substr(0, kNccl.find("# Out of bounds"));
  CHECK(told([&] { parse_nccl_tests(cut, "log"); }).at(0) ==
        "not-nccl-tests 13:1 the log is cut off: it has no line \"# Avg bus bandwidth\"");
  CHECK(
      told([] { parse_nccl_tests(replaced(kNccl, "   1100.0  122.02", "   -3.0  122.02"), "log"); })
          .at(0)
          .ends_with("a time of -3.0 us: the clock ran backwards"));
}

TEST_CASE("a log that lacks sizes it says were measured, or whose results were wrong") {
  const std::string line = kNccl.substr(kNccl.find("    67108864"));
  const std::string lacking = replaced(kNccl, line.substr(0, line.find('\n') + 1), "");
  CHECK(told([&] { parse_nccl_tests(lacking, "log"); }).at(0) ==
        "not-nccl-tests 1:1 lines are missing: 1 sizes, of 2 that the log says were measured");
  const std::string by_bytes = replaced(kNccl, "step: 2(factor)", "step: 33554432(bytes)");
  CHECK(told([&] { parse_nccl_tests(by_bytes, "log"); }).at(0).find("of 3") != std::string::npos);
  CHECK(
      told([] { parse_nccl_tests(replaced(kNccl, "values : 0 OK", "values : 12 FAILED"), "log"); })
          .at(0)
          .find("results were wrong") != std::string::npos);
  CHECK(told([] { parse_nccl_tests(replaced(kNccl, "122.50      0", "122.50     12"), "log"); })
            .at(0)
            .ends_with("12 values were wrong"));
  CHECK(parse_nccl_tests(replaced(kNccl, "122.50      0", "122.50    N/A"), "log").rows.size() ==
        2);
}

TEST_CASE("the devices of the ranks, each kind once") {
  CHECK(parse_nccl_tests(kNccl, "log").devices ==
        std::vector<std::string>{"NVIDIA H100 80GB HBM3"});
}

TEST_CASE("a table of attention") {
  const auto found = parse_attention(
      "kernel,batch,sequence,heads,head_dim,tflops\nflash2,2,8192,32,128,340.5\n", "a");
  REQUIRE(found.size() == 1);
  CHECK(found[0] == AttentionBenchmark{.batch = 2,
                                       .sequence = 8192,
                                       .heads = 32,
                                       .head_dim = 128,
                                       .kernel = AttentionKernel::flash2,
                                       .rate = 340.5 * units::TFLOPs});
  const auto wrong = told([] {
    parse_attention("batch,sequence,heads,head_dim,kernel,tflops\n0,8,1,1,flash9,1\n", "a");
  });
  REQUIRE(wrong.size() == 2);
  CHECK(wrong[0] == "out-of-range 2:1 batch must be a positive whole number, not \"0\"");
  CHECK(wrong[1].ends_with("kernel must be one of unfused, flash1, flash2, cudnn, not \"flash9\""));
  CHECK(told([] { parse_attention("batch\n", "a"); }).size() == 5);
}

TEST_CASE("a table of matrix products") {
  const auto found =
      parse_gemms("# ours\ngpu,k,m,n,precision,tflops\nH100, 3 ,1,2,fp8,650.5\r\n", "g");
  REQUIRE(found.size() == 1);
  CHECK(found[0] == GemmBenchmark{.m = 1,
                                  .n = 2,
                                  .k = 3,
                                  .precision = Precision::fp8,
                                  .rate = 650.5 * units::TFLOPs,
                                  .device = "H100",
                                  .line = 3});
}

TEST_CASE("what is wrong with a table of matrix products") {
  CHECK(told([] { parse_gemms("m,n,k,tflops\n1,1,1,1\n", "g"); }).at(0) ==
        "missing-key 1:1 no column \"precision\"");
  const auto several = told(
      [] { parse_gemms("m,n,k,precision,tflops\n1.5,2,3,bf16,nan\n1,2,3,int8,5\n1,2,3\n", "g"); });
  REQUIRE(several.size() == 4);
  CHECK(several[0] == "out-of-range 2:1 m must be a positive whole number, not \"1.5\"");
  CHECK(several[1] == "out-of-range 2:14 tflops must be a positive number, not \"nan\"");
  CHECK(several[2] ==
        "unknown-value 3:7 precision must be one of fp16, bf16, fp8, fp4, tf32, fp32, not "
        "\"int8\"");
  CHECK(several[3] == "wrong-type 4:1 3 cells in a line, 5 in the first");
  CHECK(told([] { parse_gemms("m,n,k,precision,tflops\n", "g"); }).at(0) ==
        "missing-key 1:1 no line of figures");
}
