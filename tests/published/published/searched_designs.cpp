// The clusters that papers printed to be cheaper are what the exact search of designs finds.
#include <doctest/doctest.h>

#include "planner/published/published.hpp"

using namespace planner;
using namespace planner::published;

TEST_CASE("rail-only and Fire-Flyer are found where they are among what can be bought") {
  const Checks rows = searched_designs(catalog::Catalog({PLANNER_SOURCE_DIR}));
  CHECK(rows.size() == 14);
  for (const Check& row : rows) {
    CAPTURE(row.quantity);
    CHECK(row.checked());
    CHECK(row.reproduced());
  }
}
