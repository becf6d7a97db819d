// Bus bandwidths of the C4, HPN and Meta papers, as `planner validate published` shows them.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "planner/perf/collectives/time.hpp"
#include "planner/published/published.hpp"
#include "planner/published/sources.hpp"
#include "support/near.hpp"

using namespace planner;
using namespace planner::published;
using namespace planner::testing;

namespace {

Checks rows() {
  return collectives(catalog::Catalog({PLANNER_SOURCE_DIR}));
}

}  // namespace

TEST_CASE("what follows from the stated hardware is reproduced, all else says why it is not") {
  const auto all = rows();
  for (const Check& row : all) {
    CAPTURE(row.id);
    if (row.checked()) {
      CHECK(row.reproduced());
    } else {
      CHECK(std::isnan(row.ours));
      CHECK_FALSE(row.reproduced());
      CHECK_FALSE(row.note.empty());
    }
  }
  const auto of_kind = [&](Kind kind) {
    return std::count_if(all.begin(), all.end(),
                         [&](const Check& row) { return row.kind == kind; });
  };
  CHECK(of_kind(Kind::computed) == 3);
  CHECK(of_kind(Kind::arithmetic) == 2);
  CHECK(of_kind(Kind::input) == 5);
}

TEST_CASE("C4: its ceiling of 362 Gb/s is no limit of the hardware it states") {
  // H800: NVLink 400 GB/s both ways; 8 cards of 400 Gb/s per node (C4 paper, Table II; HPN paper).
  const System h800 = catalog::Catalog({PLANNER_SOURCE_DIR}).load_system("hpn-h800");
  const double node = static_cast<double>(h800.hb_domain) * h800.network_bandwidth.in(units::Gbps);
  for (const double limit :
       {h800.hb_bandwidth.in(units::Gbps), h800.network_bandwidth.in(units::Gbps), node}) {
    CHECK(std::abs(limit / kC4Ceiling - 1) > 0.1);
  }
}

TEST_CASE("C4: why 16 GPUs show more than the network has: a tree on two nodes, 2(n-1)/n") {
  const CollectiveGroup group{.hb = 8, .net = 2};
  const CollectiveLinks links{.hb = 1e6 * units::GBps, .net = units::GBps};
  const auto time = collective_time(CollectiveKind::all_reduce, CollectiveAlgorithm::tree,
                                    units::GB, group, links);
  const BytesPerSecond bus =
      bus_bandwidth(CollectiveKind::all_reduce, units::GB, 16, time->total());
  CHECK(bus.in(8 * units::GBps) == near(1.875));
}
