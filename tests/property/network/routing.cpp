// Routing: what must hold whatever the numbers, and a seeded simulation of leaves, spines and
// failed links beside the formulas.
#include "planner/network/routing/routing.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "planner/network/routing/link_load.hpp"
#include "planner/network/routing/placement.hpp"
#include "planner/network/routing/sharing.hpp"
#include "support/hashed_flows.hpp"
#include "support/near.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

constexpr RoutingScheme kSchemes[] = {
    RoutingScheme::ecmp, RoutingScheme::ecmp_qp, RoutingScheme::pin,       RoutingScheme::te,
    RoutingScheme::c4p,  RoutingScheme::spray,   RoutingScheme::dual_plane};

struct Drawn {
  LinkStage stage;
  Routing routing;
};

Drawn draw(std::mt19937& random, RoutingScheme scheme) {
  const auto whole = [&](std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random);
  };
  Drawn drawn{.stage = {.flows = whole(1, 60), .links = whole(4, 40)},
              .routing = {.scheme = scheme, .qps = whole(1, 6)}};
  drawn.stage.groups = whole(1, 30);
  drawn.stage.failed = whole(0, drawn.stage.links / 2 - 1);
  drawn.stage.rho = std::uniform_real_distribution<double>(0.3, 2)(random);
  return drawn;
}

double mean(const Drawn& drawn) {
  return slowdown({drawn.stage}, drawn.routing).mean;
}

constexpr double kRounded = 1 + 1e-9;

}  // namespace

TEST_CASE("S ≥ 1; failed uplinks never help; QPs and uplinks never hurt") {
  std::mt19937 random(11);
  for (int i = 0; i < 25; ++i) {
    for (const RoutingScheme scheme : kSchemes) {
      const Drawn drawn = draw(random, scheme);
      CAPTURE(name_of(scheme));
      CAPTURE(drawn.stage.flows);
      CAPTURE(drawn.stage.links);
      CAPTURE(drawn.stage.failed);
      CAPTURE(drawn.routing.qps);
      const double s = mean(drawn);
      CHECK(s >= 1);
      CHECK(slowdown({drawn.stage}, drawn.routing).quantile >= 1);

      Drawn failing = drawn;
      ++failing.stage.failed;
      CHECK(mean(failing) * kRounded >= s);

      Drawn more_qps = drawn;
      ++more_qps.routing.qps;
      CHECK(mean(more_qps) <= s * kRounded);

      // An uplink more, of the same speed.
      Drawn wider = drawn;
      ++wider.stage.links;
      wider.stage.rho *=
          static_cast<double>(drawn.stage.links) / static_cast<double>(wider.stage.links);
      CHECK(mean(wider) <= s * kRounded);
    }
  }
}

TEST_CASE("S of all stages is that of each one's law, links that never fill among them") {
  std::mt19937 random(12);
  int never = 0;
  for (int i = 0; i < 2000; ++i) {
    auto [stage, routing] = draw(random, kSchemes[i % std::size(kSchemes)]);
    // Around where all flows on one link just fill it.
    const auto flows = static_cast<double>(stage.flows), links = static_cast<double>(stage.links);
    stage.mean_flows = random() % 2 == 0 ? flows : flows - 0.4;
    stage.rho = std::uniform_real_distribution<double>(0.1, 1.6)(random) *
                (random() % 2 == 0 ? stage.mean_flows / (flows * links) : 1);
    StageSlowdowns known(routing);
    const Slowdown all = slowdown({stage}, known);
    const LoadDistribution alone = stage_slowdown(stage, routing).at_least(1);
    CHECK(all.mean == near(alone.mean(), 1e-12));
    CHECK(all.p95 == near(alone.quantile(0.95), 1e-12));
    CHECK(binding({stage}, known).has_value() == (alone.mean() > 1 + 1e-12));
    never += stage.rho * flows * links <= stage.mean_flows ? 1 : 0;
  }
  CHECK(never > 300);
}

TEST_CASE("S of several stages is that of the largest of their laws, to the last bit") {
  std::mt19937 random(13);
  int several = 0;
  for (int i = 0; i < 2000; ++i) {
    const Routing routing = draw(random, kSchemes[i % std::size(kSchemes)]).routing;
    std::vector<LinkStage> stages;
    std::vector<LoadDistribution> laws;
    while (stages.empty() || random() % 3 > 0) {
      LinkStage stage = draw(random, routing.scheme).stage;
      stage.rho = std::uniform_real_distribution<double>(0.1, 1.6)(random);
      stage.receive_port = random() % 4 == 0;
      if (stage.receive_port || random() % 2 == 0) stage.failed = 0;
      if (!stage.receive_port && random() % 4 == 0) {
        stage.mean_flows = static_cast<double>(stage.flows) - 0.4;
      }
      laws.push_back(stage_slowdown(stage, routing));
      stages.push_back(std::move(stage));
    }
    const Slowdown all = slowdown(stages, routing);
    const LoadDistribution worst = largest(laws).at_least(1);
    CHECK(all.mean == worst.mean());
    CHECK(all.quantile == worst.quantile(routing.quantile));
    CHECK(all.p95 == worst.quantile(0.95));
    several += stages.size() > 1 ? 1 : 0;
  }
  CHECK(several > 1000);
}

TEST_CASE("two planes of odd links and flows: the slower of the two") {
  const Routing planes{.scheme = RoutingScheme::dual_plane};
  // Two of three flows share one of two links.
  CHECK(slowdown({{.flows = 3, .links = 2}}, planes).mean == near(4.0 / 3, 1e-12));
  double before = 1e9;
  for (const std::int64_t links : {4, 5, 6, 7, 8}) {
    const LinkStage stage{.flows = 2, .links = links, .rho = 2.5 / static_cast<double>(links)};
    Routing two = planes;
    two.qps = 2;
    const double s = slowdown({stage}, two).mean;
    CHECK(s <= before);
    before = s;
  }
}

TEST_CASE("as many queue pairs as it takes, or none known") {
  CHECK(qps_needed(16, 16, 1, 1.5) == 15);  // routing-reliability.md, formula 5
  CHECK_FALSE(qps_needed(10, 1'000'000'000, 1, 1.25));
}

TEST_CASE("reads that fit leave nothing waiting; reads that take all leave no checkpoint") {
  const SharingSettings fits{.reads = 0.3 * units::GBps, .limit = 0.3 * units::GBps};
  CHECK(sharing_impact(fits, 50 * units::GBps).reads_share == 1);
  const SharingSettings all{
      .writes = units::GB, .interval = Seconds{10}, .reads = 25 * units::GBps};
  CHECK_FALSE(std::isfinite(sharing_impact(all, 50 * units::GBps).write_time.si()));
}

TEST_CASE("the distribution over links holds all links and the mean load") {
  std::mt19937 random(12);
  for (int i = 0; i < 40; ++i) {
    for (const RoutingScheme scheme : kSchemes) {
      Drawn drawn = draw(random, scheme);
      CAPTURE(name_of(scheme));
      double share = 0;
      for (const LoadBin& bin : link_load(drawn.stage, drawn.routing, 1000)) {
        CHECK(bin.low <= bin.high);
        share += bin.share;
      }
      CHECK(share == doctest::Approx(1).epsilon(0.01));
    }
  }
}

TEST_CASE("leaves and spines: uplinks and downlinks are 2·leaves groups (Monte Carlo)") {
  // Every card of every leaf sends to the next leaf, through a spine that the hash picks.
  struct Row {
    std::size_t leaves, cards, spines;
  };
  for (const Row& row : {Row{8, 32, 8}, Row{4, 64, 16}, Row{16, 16, 16}}) {
    const double per_link = static_cast<double>(row.cards) / static_cast<double>(row.spines);
    const Sample measured = sample(3000, 21, [&](std::mt19937& generator) {
      std::uniform_int_distribution<std::size_t> spine(0, row.spines - 1);
      std::vector<double> up(row.leaves * row.spines), down(row.leaves * row.spines);
      for (std::size_t leaf = 0; leaf < row.leaves; ++leaf) {
        for (std::size_t card = 0; card < row.cards; ++card) {
          const std::size_t via = spine(generator);
          up[leaf * row.spines + via] += 1;
          down[(leaf + 1 + card) % row.leaves * row.spines + via] += 1;
        }
      }
      return std::max(fullest(up), fullest(down)) / per_link;
    });
    const LinkStage stage{.flows = static_cast<std::int64_t>(row.cards),
                          .links = static_cast<std::int64_t>(row.spines),
                          .groups = static_cast<std::int64_t>(2 * row.leaves)};
    CAPTURE(row.leaves);
    CHECK(slowdown({stage}, {}).mean == near(measured.mean, 0.01));
  }
}

TEST_CASE("pinned flows, the orphans of failed links hashed (Monte Carlo)") {
  for (const std::int64_t failed : {1, 2, 5}) {
    const Sample measured = sample(6000, 31, [&](std::mt19937& generator) {
      const std::vector<double> orphans(static_cast<std::size_t>(failed * 4), 1.0);
      return (4 + fullest(hashed(orphans, 16 - failed, generator))) / 4;
    });
    const LinkStage stage{.flows = 64, .links = 16, .failed = failed};
    CHECK(slowdown({stage}, {.scheme = RoutingScheme::pin}).mean == near(measured.mean, 0.01));
  }
}

TEST_CASE("two stages of one hash (Monte Carlo): the gcd rule") {
  for (const auto& [first, second] : {std::pair{8, 8}, {8, 4}, {8, 6}, {16, 12}, {8, 7}}) {
    const Sample measured = sample(3000, 41, [&](std::mt19937& generator) {
      std::uniform_int_distribution<int> hash(0, 1'000'000'007);
      std::vector<double> load(static_cast<std::size_t>(first * second));
      for (int flow = 0; flow < 256; ++flow) {
        const int h = hash(generator);
        load[static_cast<std::size_t>(h % first * second + h % second)] += 1;
      }
      return fullest(load) * first * second / 256;
    });
    const LinkStage stage{
        .flows = 256, .links = first * second, .polarization = std::gcd(first, second)};
    CAPTURE(first);
    CAPTURE(second);
    CHECK(stage_max_mean_ratio(stage, {}).mean() == near(measured.mean, 0.01));
  }
}

TEST_CASE("crossing shares and cuts") {
  const std::vector<std::int64_t> two{4, 4};
  CHECK(crossing_share(two) == near(1 - 24.0 / 56));
  CHECK(crossing_share(std::vector<std::int64_t>{8}) == 0);
  CHECK(crossing_share(std::vector<std::int64_t>{1}) == 0);
  CHECK(split(std::vector<std::int64_t>{10, 4}, 4) == std::vector<std::int64_t>{4, 4, 2, 4});
  CHECK(unbroken_group(two) == 4);
  CHECK(unbroken_group(std::vector<std::int64_t>{96, 64, 5}) == 32);
  CHECK(unbroken_group(std::vector<std::int64_t>{5}) == 5);
  CHECK(minimum_cut({3, 10, 5}, 12) == std::vector<std::int64_t>{10, 2});
  CHECK(minimum_cut({3, 10, 5}, 99) == std::vector<std::int64_t>{10, 5, 3});
  // No other way to take the hosts has fewer pairs in different zones.
  std::mt19937 random(51);
  for (int i = 0; i < 200; ++i) {
    std::vector<std::int64_t> free(3);
    for (std::int64_t& zone : free) zone = std::uniform_int_distribution<int>(0, 9)(random);
    const std::int64_t all = std::accumulate(free.begin(), free.end(), std::int64_t{0});
    if (all == 0) continue;
    const std::int64_t hosts = std::uniform_int_distribution<std::int64_t>(1, all)(random);
    const double best = crossing_share(minimum_cut(free, hosts));
    for (std::int64_t a = 0; a <= std::min(free[0], hosts); ++a) {
      for (std::int64_t b = 0; b <= std::min(free[1], hosts - a); ++b) {
        const std::int64_t c = hosts - a - b;
        if (c > free[2]) continue;
        CHECK(best <= crossing_share(std::vector<std::int64_t>{a, b, c}) + 1e-12);
      }
    }
  }
}

TEST_CASE("storage takes no more than a class leaves it, and bytes are kept") {
  constexpr BytesPerSecond kNetwork = 25 * units::GBps;
  SharingSettings storage{.writes = 100 * units::GB, .interval = 300 * units::second};
  const SharingImpact fair = sharing_impact(storage, kNetwork);
  CHECK(fair.slowdown_writing == near(2));  // one flow against one
  CHECK(fair.write_time.si() == near(8));
  CHECK(fair.slowdown_mean == near(25 / (25 - 100.0 / 300)));
  CHECK(fair.traffic.in(units::GBps) == near(100.0 / 300));
  CHECK_FALSE(fair.guaranteed);
  storage.traffic_class = 0.8;
  storage.flows = 50;
  const SharingImpact kept = sharing_impact(storage, kNetwork);
  CHECK(kept.slowdown_writing == near(1.25));
  CHECK(*kept.guaranteed == near(1.25));
  CHECK(kept.most_traffic->in(units::GBps) == near(5));
  CHECK(kept.write_time.si() == near(20));
  // The same bytes, whatever the class.
  CHECK(kept.slowdown_mean == near(fair.slowdown_mean));
  CHECK(kept.slowdown_mean <= *kept.guaranteed);
  storage.limit = 2 * units::GBps;
  CHECK(sharing_impact(storage, kNetwork).slowdown_writing == near(25.0 / 23));
  storage.interval = 1 * units::second;
  CHECK(sharing_impact(storage, kNetwork).writing_share > 1);
  CHECK(sharing_impact({.reads = 8 * units::GBps, .traffic_class = 0.8}, kNetwork).reads_share ==
        near(5.0 / 8));
  CHECK(sharing_impact({}, kNetwork).slowdown_mean == 1);
}

TEST_CASE("pinned flows fewer than links: one of a failed link is still a flow") {
  const LinkStage stage{.flows = 10, .links = 16, .rho = 0.625, .groups = 8, .failed = 1};
  // It joins another on its link: S = rho·(1 + L/F).
  CHECK(slowdown({stage}, {.scheme = RoutingScheme::pin}).mean == near(0.625 * (1 + 1.6)));
}

TEST_CASE("adaptive striping of queue pairs (Monte Carlo)") {
  // All pairs send at once; a pair's rate is the sum of what the links of its QPs give it. The
  // error is that of the mean slowdown of the slowest pair.
  struct Row {
    std::int64_t pairs, links, qps;
    double below, above;  // allowed error, relative
  };
  for (const Row& row :
       {Row{32, 8, 4, 0.02, 0.02}, Row{32, 8, 16, 0.02, 0.02}, Row{64, 16, 4, 0.02, 0.02},
        Row{128, 32, 8, 0.02, 0.02}, Row{256, 16, 2, 0.05, 0.05}, Row{32, 8, 2, 0.01, 0.04},
        Row{16, 16, 8, 0.03, 0.01}, Row{16, 16, 4, 0.08, 0}}) {
    const Sample measured = sample(2000, 61, [&](std::mt19937& generator) {
      std::uniform_int_distribution<std::size_t> link(0, static_cast<std::size_t>(row.links) - 1);
      std::vector<std::size_t> path(static_cast<std::size_t>(row.pairs * row.qps));
      std::vector<double> load(static_cast<std::size_t>(row.links));
      for (std::size_t& one : path) load[one = link(generator)] += 1;
      double slowest = 1e9;
      for (std::size_t first = 0; first < path.size(); first += static_cast<std::size_t>(row.qps)) {
        double rate = 0;
        for (std::size_t i = 0; i < static_cast<std::size_t>(row.qps); ++i) {
          rate += 1 / load[path[first + i]];
        }
        slowest = std::min(slowest, rate);
      }
      return static_cast<double>(row.links) / (static_cast<double>(row.pairs) * slowest);
    });
    const double ours = adaptive_ratio(row.pairs, row.links, static_cast<double>(row.qps)).mean();
    CAPTURE(row.pairs);
    CAPTURE(row.qps);
    CAPTURE(measured.mean);
    CHECK(ours >= measured.mean * (1 - row.below));
    CHECK(ours <= measured.mean * (1 + row.above));
  }
}

TEST_CASE("adaptive striping never costs more than fixed, and needs more than one path") {
  std::mt19937 random(62);
  for (int i = 0; i < 100; ++i) {
    Drawn drawn = draw(random, RoutingScheme::ecmp_qp);
    const double fixed = mean(drawn);
    drawn.routing.striping = Striping::adaptive;
    const double adaptive = mean(drawn);
    CHECK(adaptive <= fixed * kRounded);
    if (drawn.routing.qps == 1) CHECK(adaptive == fixed);
    Drawn more = drawn;
    ++more.routing.qps;
    CHECK(mean(more) <= adaptive * kRounded);
  }
  // Two ports of a card, 4 QPs on each of 2: all of them on one port once in 2^7.
  const LinkStage port{.flows = 2, .links = 2, .groups = 1, .receive_port = true};
  CHECK(
      slowdown({port}, {.scheme = RoutingScheme::ecmp_qp, .qps = 4, .striping = Striping::adaptive})
          .mean == near(1 + 1.0 / 128));
}

TEST_CASE(
    "a number of flows between two whole ones loads links as they do, each as often as it is") {
  const auto mean = [](RoutingScheme scheme, double flows, std::int64_t groups) {
    const LinkStage stage{.flows = std::llround(flows),
                          .links = 16,
                          .rho = 0.03 * flows,
                          .groups = groups,
                          .mean_flows = flows};
    const double found = slowdown({stage}, {.scheme = scheme}).mean;
    CHECK(stage_slowdown(stage, {.scheme = scheme}).at_least(1).mean() == near(found, 1e-12));
    return found;
  };
  for (const RoutingScheme scheme : {RoutingScheme::ecmp, RoutingScheme::te}) {
    const double few = mean(scheme, 85, 1), more = mean(scheme, 86, 1);
    CHECK(mean(scheme, 85.25, 1) == near(0.75 * few + 0.25 * more, 1e-12));
    double before = 0;
    for (int i = 0; i <= 40; ++i) {
      const double now = mean(scheme, 84 + 0.1 * i, 6);
      CHECK(now * kRounded >= before);
      before = now;
    }
  }
  // Whole flows, of which a controller puts no more than six on a link.
  CHECK(mean(RoutingScheme::te, 85.25, 4) == near(6 * 0.03 * 16, 1e-12));
  // Bytes that are dealt out evenly are of no number of flows.
  CHECK(mean(RoutingScheme::spray, 85.25, 4) == near(0.03 * 85.25, 1e-12));
  // Of a flow that is there in half of the time the load is all or nothing.
  CHECK(mean(RoutingScheme::ecmp, 0.5, 1) == 1);
}
