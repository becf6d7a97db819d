#include <doctest/doctest.h>

#include "planner/commands/sweep/axis.hpp"

using namespace planner;
using namespace planner::commands;

namespace {

std::vector<std::string> values(std::string_view text) {
  const Parsed<SweepAxis> axis = parse_sweep_axis(text);
  REQUIRE_MESSAGE(axis.value.has_value(), axis.error);
  return axis.value->values;
}

using Values = std::vector<std::string>;

}  // namespace

TEST_CASE("lists are taken as they stand, in the order given") {
  const Parsed<SweepAxis> axis = parse_sweep_axis("topology=rail-only,fat-tree");
  REQUIRE(axis.value);
  CHECK(axis.value->option == "topology");
  CHECK(axis.value->values == Values{"rail-only", "fat-tree"});
  CHECK(values("--gpus=16K") == Values{"16K"});
  CHECK(parse_sweep_axis("--gpus=8").value->option == "gpus");
  CHECK(values("oversubscription=7:1,1:1") == Values{"7:1", "1:1"});
}

TEST_CASE("ranges multiply or add, and include their end only where they meet it") {
  CHECK(values("b=256:4096:x2") == Values{"256", "512", "1024", "2048", "4096"});
  CHECK(values("b=1:10:x3") == Values{"1", "3", "9"});
  CHECK(values("b=1:8:+3") == Values{"1", "4", "7"});
  CHECK(values("b=0:2:+1") == Values{"0", "1", "2"});
  CHECK(values("b=5:5:+1") == Values{"5"});
  CHECK(values("b=1K:4K:x2") == Values{"1000", "2000", "4000"});
  CHECK(values("b=1,8:16:+8,64") == Values{"1", "8", "16", "64"});
  // Sums of tenths are not exact in binary: the text is.
  CHECK(values("b=0.1:0.5:+0.1") == Values{"0.1", "0.2", "0.3", "0.4", "0.5"});
  CHECK(values("b=12.5:100:x2") == Values{"12.5", "25", "50", "100"});
}

TEST_CASE("sizes have units of their own: a B is a byte there, a billion elsewhere") {
  CHECK(values("bytes=1KiB:4MiB:x64") == Values{"1024", "65536", "4194304"});
  CHECK(values("bytes=1MB:3MB:+1MB") == Values{"1000000", "2000000", "3000000"});
  CHECK(values("bytes=10:100:x2.5") == Values{"10", "25", "63"});  // sizes are whole
  CHECK(number_in("bytes", "1B") == 1);
  CHECK(number_in("gpus", "1B") == 1e9);
  CHECK_FALSE(number_in("bytes", "1K").has_value());
  CHECK_FALSE(number_in("topology", "rail-only").has_value());
  CHECK_FALSE(parse_sweep_axis("bytes=1024,1KiB").value.has_value());
}

TEST_CASE("what is no axis says why") {
  for (const char* text : {"",
                           "=",
                           "gpus",
                           "gpus=",
                           "=1",
                           "gpus=1,,2",
                           "gpus=1,1",
                           "gpus=8,08",
                           "gpus=16K,16000",
                           "gpus=1:4:x1",
                           "gpus=1:4:+0",
                           "gpus=0:4:x2",
                           "gpus=4:1:x2",
                           "gpus=1:4:2",
                           "gpus=1:4:x",
                           "gpus=a:4:x2",
                           "gpus=1:nan:x2",
                           "gpus=1:inf:+1",
                           "gpus=-4:4:+1",
                           "gpus=1:4:x-2",
                           "gpus=1:1000000:+1",
                           "gpus=1:2:x2:x3"}) {
    CAPTURE(text);
    const Parsed<SweepAxis> axis = parse_sweep_axis(text);
    CHECK_FALSE(axis.value.has_value());
    CHECK_FALSE(axis.error.empty());
  }
}
