// The routing rows of `planner validate published`: what is computed is reproduced, and what is
// only shown says which figure nobody published.
#include <doctest/doctest.h>

#include "planner/published/published.hpp"
#include "support/shipped.hpp"

using namespace planner;
using namespace planner::published;

TEST_CASE("published routing (Meta RoCE, C4 and HPN papers): all that is computed is reproduced") {
  int computed = 0;
  for (const Check& row : routing(testing::shipped())) {
    CAPTURE(row.source);
    CAPTURE(row.quantity);
    CAPTURE(row.ours);
    if (row.checked()) {
      ++computed;
      CHECK(row.reproduced());
    } else {
      CHECK_FALSE(row.note.empty());
    }
  }
  CHECK(computed > 15);
}
