// What holds for every collective, whatever the machine: bounds and monotony, over random machines
// and the algorithms that auto chooses from.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "planner/perf/collectives/bandwidth_bound.hpp"
#include "planner/perf/collectives/collectives.hpp"
#include "planner/perf/collectives/group.hpp"
#include "planner/perf/collectives/time.hpp"
#include "support/near.hpp"
#include "support/random_workloads.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

using Kind = CollectiveKind;
using Algorithm = CollectiveAlgorithm;

constexpr int kTrials = 500;
constexpr InSwitchReduction kBoth{.hb = true, .network = true};

struct Case {
  CollectiveGroup group;
  Bytes size{};
  BytesPerSecond hb{}, net{};
  CollectiveLibrary library;

  [[nodiscard]] Seconds best(Kind kind, InSwitchReduction can = {}) const {
    return timed_algorithms(kind, size, group, library, hb, net, can).front().time.total();
  }
  [[nodiscard]] CollectiveLinks links() const {
    return links_of(library, library.methods.front(), hb, net, group);
  }
};

/// Two protocols of which neither is always better; a network hop takes no less than one inside.
Case random_case(Random& random) {
  Case c{.group = {.hb = static_cast<double>(1 + random.below(72)),
                   .net = static_cast<double>(1 + random.below(200))},
         .size = Bytes{random.scale(1, 1e12)},
         .hb = BytesPerSecond{random.scale(1e9, 1e12)},
         .net = BytesPerSecond{random.scale(1e9, 1e12)}};
  c.library = {.hb_efficiency = random.uniform(0.3, 1),
               .network_efficiency = random.uniform(0.3, 1),
               .hb_in_switch_efficiency = random.uniform(0.3, 1),
               .hb_in_switch = Seconds{random.scale(1e-6, 1e-4)},
               .network_in_switch = Seconds{random.scale(1e-6, 1e-4)}};
  double share = 1, hop = random.scale(1e-6, 1e-4);
  for (const char* name : {"large", "small"}) {
    const double net_hop = random.uniform(1, 5) * hop;
    const Seconds launch{random.uniform(0, 10) * hop};
    for (const Algorithm algorithm : kLibraryAlgorithms) {
      c.library.methods.push_back(
          {.algorithm = algorithm,
           .protocol = name,
           .kinds = {kCollectiveKinds.begin(), kCollectiveKinds.end()},
           .bandwidth_share = share,
           .launch = launch,
           .hb_hop = Seconds{hop},
           .net_hop = Seconds{(algorithm == Algorithm::tree ? 1.5 : 1) * net_hop}});
    }
    share *= random.uniform(0.2, 1);
    hop *= random.uniform(0.1, 1);
  }
  return c;
}

void check_no_faster(Seconds smaller, Seconds larger) {
  CHECK(smaller.si() <= larger.si() * (1 + 1e-12));
}

}  // namespace

TEST_CASE("no all-gather or reduce-scatter is faster than Appendix A's bound") {
  Random random(4201);
  for (int trial = 0; trial < kTrials; ++trial) {
    Case c = random_case(random);
    if (random.coin()) c.group = group_over(2 + random.below(300), 1 + random.below(72));
    CAPTURE(c.group.hb);
    CAPTURE(c.group.net);
    for (const NetworkReach reach : kNetworkReaches) {
      const Seconds bound = all_gather_bound(c.size, c.group, {.hb = c.hb, .net = c.net}, reach);
      for (const Kind kind : {Kind::all_gather, Kind::reduce_scatter}) {
        CHECK(c.best(kind, kBoth).si() >= bound.si() * (1 - 1e-12));
      }
    }
  }
}

TEST_CASE("monotonic in bytes and bandwidth, every kind, the best algorithm of each size") {
  Random random(4202);
  for (int trial = 0; trial < kTrials; ++trial) {
    const Case c = random_case(random);
    for (const Kind kind : kCollectiveKinds) {
      for (const InSwitchReduction can : {InSwitchReduction{}, kBoth}) {
        CAPTURE(name_of(kind));
        Case more = c;
        more.size = random.uniform(1, 3) * c.size;
        check_no_faster(c.best(kind, can), more.best(kind, can));
        more = c;
        more.hb = random.uniform(0.3, 1) * c.hb;
        check_no_faster(c.best(kind, can), more.best(kind, can));
        more = c;
        more.net = random.uniform(0.3, 1) * c.net;
        check_no_faster(c.best(kind, can), more.best(kind, can));
      }
    }
  }
}

TEST_CASE("monotonic in domains, and in the GPUs of a single domain, for every algorithm") {
  // Not in the GPUs of each of several domains: every GPU brings a network card along. Nor an
  // all-to-all of a given buffer: with a second domain a part of it leaves the HB links for the
  // network. Nor an in-switch all-reduce inside a domain, whose bytes per GPU are (x+1)/x.
  Random random(4203);
  for (int trial = 0; trial < kTrials; ++trial) {
    const Case c = random_case(random);
    const CollectiveLinks links = c.links();
    for (const Kind kind : kCollectiveKinds) {
      if (kind == Kind::all_to_all || kind == Kind::point_to_point) continue;
      for (const Algorithm algorithm : kLibraryAlgorithms) {
        CAPTURE(name_of(kind));
        CAPTURE(name_of(algorithm));
        const auto time = [&](const CollectiveGroup& group) {
          return collective_time(kind, algorithm, c.size, group, links, kBoth);
        };
        const auto compare = [&](const CollectiveGroup& fewer, const CollectiveGroup& more) {
          const auto small = time(fewer), large = time(more);
          if (small && large) check_no_faster(small->total(), large->total());
        };
        compare(c.group, {.hb = c.group.hb, .net = c.group.net + 1});
        if (kind == Kind::all_reduce && algorithm == Algorithm::in_switch) continue;
        compare({.hb = c.group.hb, .net = 1}, {.hb = c.group.hb + 1, .net = 1});
      }
    }
  }
}

TEST_CASE("one GPU takes no time") {
  Random random(4204);
  const Case c = random_case(random);
  const CollectiveLinks links = c.links();
  for (const Kind kind : kCollectiveKinds) {
    for (const Algorithm algorithm : algorithms_of(kind)) {
      const auto time = collective_time(kind, algorithm, c.size, {}, links, kBoth);
      REQUIRE(time);
      CHECK(time->total().si() == 0);
    }
  }
}

TEST_CASE("an all-reduce takes no less than the reduce-scatter that is in it") {
  Random random(4205);
  for (int trial = 0; trial < kTrials; ++trial) {
    const Case c = random_case(random);
    const CollectiveLinks links = c.links();
    for (const Algorithm algorithm : algorithms_of(Kind::reduce_scatter)) {
      const auto scatter =
          collective_time(Kind::reduce_scatter, algorithm, c.size, c.group, links, kBoth);
      const auto all = collective_time(Kind::all_reduce, algorithm, c.size, c.group, links, kBoth);
      if (scatter && all) check_no_faster(scatter->total(), all->total());
    }
    for (const InSwitchReduction can : kInSwitchReductions) {
      check_no_faster(c.best(Kind::reduce_scatter, can), c.best(Kind::all_reduce, can));
    }
  }
}

TEST_CASE("a time is its terms, all of them finite and none negative") {
  Random random(4206);
  for (int trial = 0; trial < kTrials; ++trial) {
    Case c = random_case(random);
    if (random.coin()) c.group.net = random.scale(1, 1e12);
    for (const Kind kind : kCollectiveKinds) {
      for (const TimedAlgorithm& one :
           timed_algorithms(kind, c.size, c.group, c.library, c.hb, c.net, kBoth)) {
        const CollectiveTime& t = one.time;
        for (const Seconds term :
             {t.launch, t.hb_latency, t.net_latency, t.hb_transfer, t.net_transfer}) {
          CHECK(std::isfinite(term.si()));
          CHECK(term.si() >= 0);
        }
        const double transfer = t.overlapped ? std::max(t.hb_transfer.si(), t.net_transfer.si())
                                             : t.hb_transfer.si() + t.net_transfer.si();
        CHECK(t.total().si() ==
              near(t.launch.si() + t.hb_latency.si() + t.net_latency.si() + transfer));
      }
    }
  }
}

TEST_CASE("the sums of a fitted model: a domain, a rail, Eq. 1 and a latency per doubling") {
  Random random(4207);
  for (int trial = 0; trial < kTrials; ++trial) {
    const double n = static_cast<double>(2 + random.below(4096));
    const Links links{.hb = BytesPerSecond{random.scale(1e9, 1e12)},
                      .net = BytesPerSecond{random.scale(1e9, 1e12)}};
    const Bytes size{random.scale(1, 1e12)};
    const auto gather = [&](double per_domain, Seconds latency) {
      const CollectiveGroup group = group_of(n, per_domain);
      return logarithmic_all_gather(size, group, links, doubling_latency(group, latency)).si();
    };
    const auto reduce = [&](double domain, Seconds latency) {
      return tensor_parallel_all_reduce(size, group_of(n, domain), links, latency).si();
    };
    // Within one domain or along one rail: a ring's bytes over the link.
    CHECK(gather(n, {}) == near((n - 1) / n * (size / links.hb).si()));
    CHECK(gather(1, {}) == near((n - 1) / n * (size / links.net).si()));
    CHECK(reduce(n, {}) == near(2 * gather(n, {})));
    // In between, what the closed form charges.
    const auto x = 1 + random.below(64), y = 1 + random.below(64);
    const CollectiveGroup group{.hb = static_cast<double>(x), .net = static_cast<double>(y)};
    CHECK(logarithmic_all_gather(size, group, links, {}) == all_gather_transfer(size, x, y, links));
    // Domains larger than the group, or smaller than a rank, change nothing.
    CHECK(gather(2 * n, {}) == gather(n, {}));
    CHECK(gather(0.5, {}) == gather(1, {}));
    CHECK(reduce(2 * n, {}) == reduce(n, {}));
    // Over domains no less than what leaves one, over all of its cards.
    const double domain = 1 + static_cast<double>(random.below(8));
    CHECK(reduce(domain, {}) == near(2 * gather(domain, {})));
    const Seconds alpha{random.scale(1e-7, 1e-4)};
    CHECK(gather(n, alpha) == near(gather(n, {}) + std::log2(n) * alpha.si()));
    CHECK(reduce(n, alpha) == near(reduce(n, {}) + std::log2(n) * alpha.si()));
  }
}

TEST_CASE("a fitted all-gather is the library's recursive one where ranks are powers of two") {
  Random random(4208);
  for (int trial = 0; trial < kTrials; ++trial) {
    const CollectiveGroup group{.hb = std::exp2(random.below(8)),
                                .net = std::exp2(random.below(12))};
    const Seconds alpha{random.scale(1e-7, 1e-4)};
    const CollectiveLinks links{.hb = BytesPerSecond{random.scale(1e9, 1e12)},
                                .net = BytesPerSecond{random.scale(1e9, 1e12)},
                                .hb_hop = alpha,
                                .net_hop = alpha};
    const Bytes size{random.scale(1, 1e12)};
    const auto recursive =
        collective_time(Kind::all_gather, Algorithm::recursive, size, group, links);
    CHECK(logarithmic_all_gather(size, group, {.hb = links.hb, .net = links.net},
                                 doubling_latency(group, alpha))
              .si() == near(recursive->total().si()));
    const CollectiveGroup domain{.hb = std::exp2(random.below(8)), .net = 1};
    const auto reduce =
        collective_time(Kind::all_reduce, Algorithm::recursive, size, domain, links);
    CHECK(tensor_parallel_all_reduce(size, domain, {.hb = links.hb, .net = links.net}, 2 * alpha)
              .si() == near(reduce->total().si()));
  }
}

TEST_CASE("an expert's tokens: a copy per destination, or per expert") {
  CHECK(kDistinctDestinations(1.0, 8.0, 8) == near(1));
  CHECK(kDistinctDestinations(8.0, 4.0, 1) == near(1));
  CHECK(kDistinctDestinations(8.0, 1.0, 2) == near(2));
  CHECK(kDistinctDestinations(8.0, 4.0, 2) == near(8 * (1 - 28.0 * 27 / (32 * 31))));
  const Links links{.hb = 100 * units::GBps, .net = 10 * units::GBps};
  const Links slow_domain{.hb = 1 * units::GBps, .net = 10 * units::GBps};
  const CollectiveGroup group{.hb = 8, .net = 4};
  const Bytes tokens = 1 * units::GB;
  const auto seconds = [&](const ExpertRouting& routing, const CollectiveGroup& over,
                           const Links& on) {
    return expert_all_to_all(tokens, routing, over, on).si();
  };
  // top-8 over 8 GPUs in each of 4 domains. One per expert: 1/4 of them stay in the domain, 7/8 of
  // those leave the GPU.
  CHECK(seconds({.top_k = 8, .one_copy = false}, group, links) ==
        near(8 * 1 / 4.0 * 7 / 8 / 100 + 8 * 3 / 4.0 / 10));
  // One per domain on the network, then one per GPU of all 32: that none of 8 different experts
  // among so many is one of those there.
  const auto none_of = [](double among, double there) {
    double chance = 1;
    for (int i = 0; i < 8; ++i) chance *= (among - there - i) / (among - i);
    return chance;
  };
  const ExpertRouting routing{.top_k = 8, .experts = 256};
  const double domains = 4 * (1 - none_of(256, 64)), gpus = 32 * (1 - none_of(256, 8));
  CHECK(seconds(routing, group, links) == near(domains * 0.75 / 10));
  CHECK(seconds(routing, group, slow_domain) == near(gpus * 7 / 8 / 1));
  const double limited = 2 * (1 - none_of(128, 64));
  CHECK(seconds({.top_k = 8, .experts = 256, .most_domains = 2}, group, links) ==
        near(limited * 0.75 / 10));
  CHECK(seconds(routing, {}, links) == 0);
  // Of as many experts as a token has, which is the least, it goes to all.
  CHECK(seconds({.top_k = 8}, group, links) == seconds({.top_k = 8, .experts = 8}, group, links));
  CHECK(std::isfinite(seconds({.top_k = 8}, group, links)));
  CHECK_THROWS_AS(seconds({.top_k = 8, .experts = 7}, group, links), std::invalid_argument);
}

TEST_CASE("every part of an expert gets its tokens") {
  const Links links{.hb = 100 * units::GBps, .net = 10 * units::GBps};
  const Bytes tokens = 1 * units::GB;
  // One expert in eight parts: an all-gather of what eight GPUs have.
  for (const bool one_copy : {true, false}) {
    CHECK(expert_all_to_all(tokens, {.top_k = 1, .one_copy = one_copy, .parts = 8},
                            {.hb = 8, .net = 1}, links)
              .si() == near(7.0 / 100));
  }
  // Four experts in two parts each, top-2: a copy to both parts of the two experts, all but the
  // eighth that stays; or an all-to-all of four and an all-gather of two.
  CHECK(
      expert_all_to_all(tokens, {.top_k = 2, .experts = 4, .parts = 2}, {.hb = 8, .net = 1}, links)
          .si() == near(2 * 2 * 7 / 8.0 / 100));
  CHECK(expert_all_to_all(tokens, {.top_k = 2, .one_copy = false, .parts = 2}, {.hb = 8, .net = 1},
                          links)
            .si() == near((2 * 3 / 4.0 + 2) / 100));
}
