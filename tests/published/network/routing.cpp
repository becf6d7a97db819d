// Routing beyond the rows of `planner validate published` (published/routing.cpp). Published
// figures that need a parameter nobody published are bands at a declared number of QPs, not more.
#include "planner/network/routing/routing.hpp"

#include <doctest/doctest.h>

#include <numeric>

#include "planner/network/routing/closed_form.hpp"
#include "planner/network/routing/occupancy.hpp"
#include "support/near.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

constexpr double kMeta = 16.0 / 18;  // Meta RoCE paper § 6.2: 18 uplinks for 16 cards, 1:1.125

double mean_slowdown(const LinkStage& stage, const Routing& routing) {
  return slowdown({stage}, routing).mean;
}

}  // namespace

TEST_CASE("MMR of 1,000 flows on 16 links (Meta RoCE paper, § 4.1.1), 90 of 100") {
  CHECK(max_mean_ratio(1000, 16).quantile(0.05) == near(1.14, 0.01));
  CHECK(max_mean_ratio(1000, 16).quantile(0.95) == near(1.34, 0.01));
}

TEST_CASE("polarization (HPN paper): 1 of g = gcd(L1, L2) links is reached, 256 flows") {
  struct Row {
    std::int64_t first, second;
    double measured;
  };
  for (const Row& row :
       {Row{8, 8, 10.06}, Row{8, 4, 5.03}, Row{8, 6, 3.28}, Row{16, 12, 8.33}, Row{8, 7, 2.22}}) {
    const LinkStage stage{.flows = 256,
                          .links = row.first * row.second,
                          .polarization = std::gcd(row.first, row.second)};
    CHECK(stage_max_mean_ratio(stage, {}).mean() == near(row.measured, 0.01));
  }
}

TEST_CASE("QPs for a max-mean ratio: one leaf 4 and 15, 16 groups 11 and 37") {
  CHECK(qps_needed(16, 16, 1, 2) == 4);
  CHECK(qps_needed(16, 16, 1, 1.5) == 15);
  CHECK(qps_needed(16, 16, 16, 2) == 11);
  CHECK(qps_needed(16, 16, 16, 1.5) == 37);
}

TEST_CASE("half racks: pinning at 1:1 halves, at 1:2 does not (Meta RoCE paper, § 4.1, § 6.2)") {
  const Routing pin{.scheme = RoutingScheme::pin, .slices = 0.5};
  CHECK(mean_slowdown({.flows = 16, .links = 16}, pin) == near(2));
  CHECK(mean_slowdown({.flows = 16, .links = 32, .rho = 0.5}, pin) == near(1));
}

TEST_CASE("1:2 against 1:1 with ECMP: 1.97 → 1.35 at q = 4 (sheet, from Meta § 6.2)") {
  const Routing q4{.scheme = RoutingScheme::ecmp_qp, .qps = 4};
  CHECK(mean_slowdown({.flows = 16, .links = 16}, q4) == near(1.97, 0.01));
  CHECK(mean_slowdown({.flows = 16, .links = 32, .rho = 0.5}, q4) == near(1.35, 0.01));
}

TEST_CASE("C4 paper: with 16 micro-batches a 16th of the exposed share is left, and no gain") {
  const double f = exposed_share(1.1595, 1.703);
  const double accumulated = f / (f + 16 * (1 - f));
  CHECK(100 * (end_to_end_gain(accumulated, 1.703) - 1) < 2);
}

TEST_CASE("C4, HPN and Meta RoCE papers: bands at a declared q, ±15 % of the gain") {
  // HPN § 6: dual-plane +50.1 to +63.7 %: 16 QPs per pair on two ports of 16 and 64 cards.
  const auto receive_port = [](std::int64_t cards) {
    return mean_slowdown({.flows = 1, .links = 2, .groups = cards, .receive_port = true},
                         {.scheme = RoutingScheme::ecmp_qp, .qps = 16});
  };
  CHECK(100 * (receive_port(16) - 1) == near(50.1, 0.15));
  CHECK(100 * (receive_port(64) - 1) == near(63.7, 0.15));
  // Path selection +34.7 %: 32 port flows on 60 uplinks of twice a port's speed.
  CHECK(100 * (mean_slowdown({.flows = 32, .links = 60, .rho = 32.0 / 120}, {}) - 1) ==
        near(34.7, 0.15));
  // Multi-AllReduce +158.2 %: 448 GPUs, 1 QP per port: up, down by dual ToR, receive port.
  const std::vector<LinkStage> stages{
      {.name = "up", .flows = 32, .links = 8, .groups = 28},
      {.name = "down", .flows = 64, .links = 16, .groups = 14},
      {.name = "receive port", .flows = 2, .links = 2, .groups = 448, .receive_port = true}};
  CHECK(100 * (slowdown(stages, {.scheme = RoutingScheme::ecmp_qp}).mean - 1) == near(158.2, 0.15));

  // C4 § IV: 8 jobs of 2 servers on 4 ToR pairs, 1:1, +70.3 % by planned paths, at 3 QPs per port.
  // A job's pairs are a quarter of the flows of 4 ToRs, up and down; 32 of its ports receive.
  const Routing q3{.scheme = RoutingScheme::ecmp_qp, .qps = 3};
  const std::vector<LoadDistribution> job{
      tagged_slowdown({.flows = 32, .links = 8}, q3, 32),
      tagged_slowdown({.flows = 64, .links = 16}, q3, 32),
      stage_slowdown({.flows = 2, .links = 2, .groups = 16, .receive_port = true}, q3)};
  double busbw = 0;
  double before = 0;
  const LoadDistribution worst = largest(job);
  for (const LoadDistribution::Step& step : worst.steps()) {
    busbw += (step.cdf - before) * std::min(362.0, 400 / std::max(1.0, step.value));
    before = step.cdf;
  }
  CHECK(100 * (357.2 / busbw - 1) == near(70.3, 0.15));
}
