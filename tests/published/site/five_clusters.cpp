// Five clusters against an independent model of the same floors, written in Python before this
// code: racks, floor and bound must agree, metres must be no worse.

#include <doctest/doctest.h>

#include <map>

#include "support/site_clusters.hpp"

namespace {

using namespace planner;
using namespace planner::testing;
using doctest::Approx;

struct Expected {
  SiteCluster cluster;
  std::map<std::string, int> racks;
  double bound_km, naive_km, regular_km, searched_km, regular_gap, searched_gap;
  std::int64_t rows;
  double area_m2, naive_longest_m;
};

std::vector<Expected> all() {
  return {{h100_16k(),
           {{"core", 16}, {"spine", 32}, {"leaf", 64}, {"compute", 512}},
           404.7,
           953.2,
           537.9,
           477.1,
           0.33,
           0.18,
           16,
           1252,
           58.5},
          {nvl72_9216(),
           {{"core", 8}, {"leaf", 16}, {"cdu", 16}, {"compute", 128}, {"spine", 16}},
           167.1,
           361.9,
           251.4,
           218.7,
           0.50,
           0.31,
           10,
           493,
           31.6},
          {hpn(),
           {{"agg", 8}, {"tor", 30}, {"compute", 480}, {"spare", 30}},
           421.6,
           1181.7,
           534.3,
           514.0,
           0.27,
           0.22,
           16,
           1252,
           54.3},
          {rail_only_32768(),
           {{"spine", 32}, {"leaf", 64}, {"compute", 2048}, {"nvlink", 256}},
           2021.7,
           3020.6,
           1851.2,
           1447.8,
           0.50,
           0.26,
           26,
           4799,
           122.7},
          {rail_optimized_32768(),
           {{"core", 32}, {"leaf", 64}, {"spine", 64}, {"compute", 2048}, {"nvlink", 256}},
           2285.8,
           4056.2,
           2225.1,
           1793.9,
           0.49,
           0.27,
           26,
           4799,
           122.7}};
}

TEST_CASE("five clusters: no worse than the model before") {
  for (const Expected& expected : all()) {
    CAPTURE(expected.cluster.name);
    const site::Build naive = built(expected.cluster, Arrangement::naive);
    std::map<std::string, int> racks;
    for (const site::Rack& rack : naive.plan.racks) ++racks[rack.kind];
    CHECK(racks == expected.racks);
    CHECK(naive.bound_m / 1e3 == Approx(expected.bound_km).epsilon(0.0005));
    CHECK(naive.laid.required_m / 1e3 == Approx(expected.naive_km).epsilon(0.001));
    CHECK(naive.laid.longest_m == Approx(expected.naive_longest_m).epsilon(0.001));
    CHECK(naive.floor.rows() == expected.rows);
    CHECK(naive.floor.area() == Approx(expected.area_m2).epsilon(0.0005));
    CHECK(naive.laid.beyond.cables == 0);
    for (const auto& [arrangement, km, gap] :
         {std::tuple{Arrangement::regular, expected.regular_km, expected.regular_gap},
          std::tuple{Arrangement::searched, expected.searched_km, expected.searched_gap}}) {
      const site::Build build = built(expected.cluster, arrangement);
      CHECK(build.laid.required_m / 1e3 <= km + 0.05);
      CHECK(build.gap() <= gap + 0.005);
      CHECK(build.all_metres() >= build.bound_m);
      CHECK(build.laid.longest_m <= 60);
    }
  }
}

}  // namespace
