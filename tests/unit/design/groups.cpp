#include "planner/design/groups.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace {

using namespace planner;

using Gpus = std::vector<std::int64_t>;

}  // namespace

// Parts of 64, 32 and 16 GPUs take 64 of the 72 of a domain; of smaller ones it is filled.
TEST_CASE("a larger cluster may use as many GPUs in larger parts of its domains") {
  CHECK(design::gpus_that_hold(72, 1024, 100'000) == Gpus{1080, 1152});
  CHECK(design::gpus_that_hold(72, 1024, 1151) == Gpus{1080});
  CHECK(design::gpus_that_hold(72, 1024, 1079).empty());
  CHECK(design::gpus_that_hold(8, 12, 100) == Gpus{16});
}
