// Appendix A of the rail-only paper (arXiv 2307.12169): the least time of an all-gather over an
// x × y grid, Eqs. 8 and 9, against every partition of the grid; Appendix D: the all-to-all.
#include "planner/perf/collectives/bandwidth_bound.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

#include "support/near.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

// C_F : C_S, from a network faster than the HB domain to the paper's GH200 with both directions.
constexpr double kRatios[] = {0.25, 0.5, 1, 1.5, 2, 9, 18};
constexpr double kNetwork = 50e9;

Links links_with(double ratio) {
  return {.hb = BytesPerSecond{ratio * kNetwork}, .net = BytesPerSecond{kNetwork}};
}

/// A set of GPUs of the grid, as Eqs. 8 and 9 look at it: its size, the HB domains it holds whole
/// (R) and the rails it holds whole (C).
struct Subset {
  int size = 0, domains = 0, rails = 0;
};

Subset subset_of(std::uint32_t members, int x, int y) {
  Subset subset{.size = std::popcount(members)};
  for (int domain = 0; domain < y; ++domain) {
    const std::uint32_t row = ((1u << x) - 1) << (domain * x);
    subset.domains += (members & row) == row ? 1 : 0;
  }
  for (int rail = 0; rail < x; ++rail) {
    std::uint32_t column = 0;
    for (int domain = 0; domain < y; ++domain) column |= 1u << (domain * x + rail);
    subset.rails += (members & column) == column ? 1 : 0;
  }
  return subset;
}

/// Eq. 8 or 9 as printed: the maximum over all partitions (A, not A) of the larger side over the
/// narrower side's bandwidth.
double worst_partition(int x, int y, const Links& links, NetworkReach reach) {
  const double c_f = links.hb.si(), c_s = links.net.si();
  const auto bandwidth = [&](const Subset& a) {
    const double rails = reach == NetworkReach::rail_only ? a.rails : 0;
    return (c_f + c_s) * a.size - x * a.domains * c_f - y * rails * c_s;
  };
  const std::uint32_t everyone = static_cast<std::uint32_t>((1ull << (x * y)) - 1);
  double worst = 0;
  for (std::uint32_t members = 1; members < everyone; ++members) {
    const Subset a = subset_of(members, x, y), rest = subset_of(everyone & ~members, x, y);
    worst = std::max(worst, std::max(a.size, rest.size) / std::min(bandwidth(a), bandwidth(rest)));
  }
  return worst;
}

constexpr Bytes kShard = units::byte;

/// Bandwidth into a set of n GPUs that holds R whole domains and, given that, as many whole rails C
/// as it can: the denominators of Eqs. 8 and 9.
double ingress(std::int64_t n, std::int64_t whole_domains, std::int64_t x, std::int64_t y,
               const Links& links, NetworkReach reach) {
  const std::int64_t by_rail =
      reach == NetworkReach::rail_only ? (n - x * whole_domains) / (y - whole_domains) : 0;
  return links.hb.si() * static_cast<double>(n - x * whole_domains) +
         links.net.si() * static_cast<double>(n - y * by_rail);
}

/// Appendix A's Eqs. 8 and 9 by the cut of the grid that is hardest to feed (Zhao & Krishnamurthy
/// 2023, Eq. 1): seconds per byte that each GPU contributes. O(x·y·y).
double bound_by_cuts(std::int64_t x, std::int64_t y, const Links& links, NetworkReach reach) {
  double slowest = 0;
  for (std::int64_t n = 1; n < x * y; ++n) {
    double narrowest = std::numeric_limits<double>::infinity();
    for (std::int64_t domains = 0; domains <= std::min(n / x, y - 1); ++domains) {
      narrowest = std::min(narrowest, ingress(n, domains, x, y, links, reach));
    }
    slowest = std::max(slowest, static_cast<double>(std::max(n, x * y - n)) / narrowest);
  }
  return slowest;
}

/// Seconds per byte that each GPU contributes, in closed form.
double closed(std::int64_t x, std::int64_t y, const Links& links, NetworkReach reach) {
  const CollectiveGroup group{.hb = static_cast<double>(x), .net = static_cast<double>(y)};
  return all_gather_bound(group.ranks() * kShard, group, links, reach).si();
}

}  // namespace

TEST_CASE(
    "rail-only paper, Appendix A: the cuts formula is the worst of all partitions, every grid up "
    "to 4 x 4") {
  for (int x = 1; x <= 4; ++x) {
    for (int y = 2; y <= 4; ++y) {
      for (const double ratio : kRatios) {
        for (const NetworkReach reach : kNetworkReaches) {
          CAPTURE(x);
          CAPTURE(y);
          CAPTURE(ratio);
          const Links links = links_with(ratio);
          const double truth = worst_partition(x, y, links, reach);
          CHECK(bound_by_cuts(x, y, links, reach) == near(truth));
          CHECK(closed(x, y, links, reach) == near(truth));
        }
      }
    }
  }
}

TEST_CASE(
    "rail-only paper, Appendix A: the closed forms of Eqs. 8 and 9 against the cuts, up to 256 x "
    "128") {
  for (const std::int64_t x : {1, 2, 3, 5, 8, 16, 72, 256}) {
    for (const std::int64_t y : {2, 3, 7, 16, 64, 128}) {
      for (const double ratio : kRatios) {
        for (const NetworkReach reach : kNetworkReaches) {
          CAPTURE(x);
          CAPTURE(y);
          CAPTURE(ratio);
          const Links links = links_with(ratio);
          CHECK(closed(x, y, links, reach) == near(bound_by_cuts(x, y, links, reach)));
        }
      }
    }
  }
}

TEST_CASE("rail-only paper, Appendix A: the paper's (y-1)/C_S, and where it holds") {
  // It needs C_F/C_S ≥ y(x-1)/(y-1): 8 for 8 x 8, so 18 : 1 will do.
  CHECK(closed(8, 8, links_with(18), NetworkReach::rail_only) * kNetwork == near(7));
  // 256 x 128 needs 257 : 1. At 18 : 1 the single GPU that must receive all other shards is the
  // harder cut: (xy-1)/(C_F+C_S) = 32767/19.
  CHECK(closed(256, 128, links_with(18), NetworkReach::rail_only) * kNetwork == near(32767.0 / 19));
  // So it is for 8 x 4 at 1 : 1: 31/2 is more than y-1 = 3.
  CHECK(closed(8, 4, links_with(1), NetworkReach::any_to_any) * kNetwork == near(15.5));
}

TEST_CASE(
    "rail-only paper, Appendix A: the two networks tie whenever the HB domain is not the slower "
    "one") {
  for (const double ratio : kRatios) {
    if (ratio < 1) continue;
    for (const std::int64_t x : {2, 8, 72, 256}) {
      for (const std::int64_t y : {2, 16, 128}) {
        const Links links = links_with(ratio);
        CHECK(closed(x, y, links, NetworkReach::rail_only) ==
              closed(x, y, links, NetworkReach::any_to_any));
      }
    }
  }
}

TEST_CASE("rail-only paper, Appendix A in one domain: the network joins nobody, only C_F counts") {
  for (const NetworkReach reach : kNetworkReaches) {
    CHECK(closed(8, 1, links_with(18), reach) * kNetwork == near(7.0 / 18));
    CHECK(closed(1, 1, links_with(18), reach) == 0);
  }
}

TEST_CASE("rail-only paper, Appendix D: all-to-all on a rail-only network, 256 x 128") {
  const auto slowdown = [](const Links& links) {
    const Bytes shard = 1 * units::MB;
    return rail_only_all_to_all(shard, 256, 128, links) /
               full_bisection_all_to_all(shard, 256, 128, links) -
           1;
  };
  // y(x-1)·C_S / (x(y-1)·C_F): the paper doubles C_F, 18 : 1; per direction it is 9 : 1.
  CHECK(100 * slowdown(links_with(18)) == near(5.6, 0.005));
  CHECK(slowdown(links_with(18)) == near(128 * 255 / (256 * 127 * 18.0)));
  CHECK(100 * slowdown(links_with(9)) == near(11.2, 0.005));
  CHECK(slowdown(links_with(9)) == near(128 * 255 / (256 * 127 * 9.0)));
}
