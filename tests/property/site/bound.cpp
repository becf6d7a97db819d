// The bound against every arrangement of small random networks on small random floors: it is never
// above the best of them.

#include "planner/site/bound.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace {

using namespace planner;

using Distance = std::vector<std::vector<double>>;
using Random = std::mt19937_64;

double uniform(Random& random, double least, double most) {
  return std::uniform_real_distribution<double>(least, most)(random);
}
int whole(Random& random, int least, int most) {
  return std::uniform_int_distribution<int>(least, most)(random);
}

/// Places in rows, with a toll to leave a row: a shortest-path metric.
Distance floor_of(Random& random, std::size_t places) {
  const auto cols = static_cast<std::size_t>(whole(random, 2, 4));
  const double dx = uniform(random, 0.5, 1), dy = uniform(random, 1, 3),
               toll = uniform(random, 0, 1);
  Distance distance(places, std::vector<double>(places, 0));
  for (std::size_t a = 0; a < places; ++a) {
    for (std::size_t b = 0; b < places; ++b) {
      const double x = std::abs(static_cast<double>(a % cols) - static_cast<double>(b % cols));
      const double y = std::abs(static_cast<double>(a / cols) - static_cast<double>(b / cols));
      distance[a][b] = dx * x + dy * y + (a / cols != b / cols ? toll : 0);
    }
  }
  return distance;
}

void join(site::Rows& rows, std::int32_t high, std::int32_t low, double cables) {
  for (auto& [rack, flow] : rows[high]) {
    if (rack == low) {
      flow += cables;
      return;
    }
  }
  rows[high].emplace_back(low, cables);
}

/// A network of a random kind over `racks` racks.
site::BoundInput network_of(Random& random, int kind, std::size_t racks) {
  site::BoundInput net;
  site::Rows host(racks), upper(racks), top(racks);
  const int w = whole(random, 1, 5);
  switch (kind) {
    case 0:  // 3 racks, 2 leaves, a spine, as many up as down
      for (int c = 0; c < 3; ++c) join(host, 3 + c / 2, c, w);
      join(upper, 5, 3, 2 * w);
      join(upper, 5, 4, w);
      net.chain = {host, upper};
      break;
    case 1:  // oversubscribed, 2 spines
      for (int c = 0; c < 3; ++c) join(host, 3 + c % 2, c, w + 1);
      for (int leaf = 3; leaf < 5; ++leaf) {
        for (int s = 5; s < 7; ++s) join(upper, s, leaf, whole(random, 0, (w + 1) / 2) / 1.0 + 0.5);
      }
      net.chain = {host, upper};
      break;
    case 2:  // three tiers
      for (int c = 0; c < 2; ++c) join(host, 2 + c, c, 2);
      for (int leaf = 2; leaf < 4; ++leaf) join(upper, 4, leaf, 2);
      join(top, 5, 4, 4);
      net.chain = {host, upper, top};
      break;
    case 3: {  // 2 HB domains of 2 racks with a switch rack each; rack i on leaf i; a spine
      const double h = 2, hb = 2 * h * whole(random, 1, 3);
      for (int c = 0; c < 4; ++c) join(host, 4, c, h);
      site::Rows domain(racks);
      for (int c = 0; c < 4; ++c) join(domain, 5 + c / 2, c, hb);
      net.chain = {host};
      net.domain = domain;
      net.share = 2 * h / hb;
      break;
    }
    default: {  // switches alike, each cable in both directions
      site::Rows alike(racks);
      for (int a = 0; a < 5; ++a) {
        for (int b = a + 1; b < 5; ++b) {
          if (whole(random, 0, 2) == 0) continue;
          join(alike, a, b, w);
          join(alike, b, a, w);
        }
      }
      net.beside = {alike};
      net.alike = {true};
      break;
    }
  }
  return net;
}

double metres(const site::BoundInput& net, const Distance& distance,
              const std::vector<std::size_t>& at) {
  const auto of = [&](const site::Rows& rows) {
    double sum = 0;
    for (std::size_t high = 0; high < rows.size(); ++high) {
      for (const auto& [low, cables] : rows[high]) sum += cables * distance[at[high]][at[low]];
    }
    return sum;
  };
  double sum = of(net.domain);
  for (const site::Rows& rows : net.chain) sum += of(rows);
  for (std::size_t i = 0; i < net.beside.size(); ++i) {
    sum += of(net.beside[i]) / (net.alike[i] ? 2 : 1);
  }
  return sum;
}

TEST_CASE("property: the bound is never above the best of all arrangements on 200 small floors") {
  constexpr std::size_t kPlaces = 7, kRacks = 7;
  double tightness = 0;
  int compared = 0;
  for (int trial = 0; trial < 200; ++trial) {
    Random random(static_cast<std::uint64_t>(trial));
    const Distance distance = floor_of(random, kPlaces);
    const site::BoundInput net = network_of(random, trial % 5, kRacks);
    const double bound = site::least_metres(net, distance);
    std::vector<std::size_t> at(kPlaces);
    std::iota(at.begin(), at.end(), 0);
    double least = 1e300;
    do {
      least = std::min(least, metres(net, distance, at));
    } while (std::next_permutation(at.begin(), at.end()));
    CAPTURE(trial);
    REQUIRE(bound <= least + 1e-9);
    if (least > 0) {
      tightness += bound / least;
      ++compared;
    }
  }
  // It says something: more than half of the least, on average.
  CHECK(tightness / compared > 0.5);
}

}  // namespace
