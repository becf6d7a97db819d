// Which ranks send and where to, against every rank.
#include "planner/domain/senders.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include "planner/core/real.hpp"
#include "planner/domain/cut.hpp"
#include "support/any.hpp"
#include "support/walked_flows.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

/// Random axes as they lie: ranks of a domain, domains of a group, both in a larger whole.
struct Nest {
  NestedRanks ranks;
  std::int64_t domain = 1, gpus = 1;
};
Nest any_nest() {
  Nest nest;
  const GroupFlows inside{FlowKind::ring, any(1, 2), any(2, 3)};
  nest.domain = inside.period() * any(1, 2);
  const GroupFlows across{FlowKind::ring, nest.domain * any(1, 3), any(2, 5)};
  nest.ranks = {inside, across};
  nest.gpus = across.period() * any(1, 3);
  return nest;
}

std::map<std::int64_t, std::vector<std::int64_t>> targets(const std::vector<Sending>& sends,
                                                          std::int64_t gpus) {
  std::map<std::int64_t, std::vector<std::int64_t>> to;
  for (std::int64_t rank = 0; rank < gpus; ++rank) {
    for (const Sending& one : sends) {
      if (one.holds(rank)) to[rank].push_back(rank + one.offset);
    }
  }
  return to;
}

}  // namespace

TEST_CASE("a ring of ranks in several domains goes through each of them once") {
  int nested = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const auto [ranks, domain, gpus] = any_nest();
    if (ranks.in_line()) continue;
    ++nested;
    NestedRing ring = nested_ring(ranks);
    for (const Sending& one : ring.inside) CHECK(std::abs(one.offset) == ranks.inside.stride);
    std::vector<Sending> all = ring.inside;
    all.insert(all.end(), ring.across.begin(), ring.across.end());
    const auto to = targets(all, gpus);
    REQUIRE(static_cast<std::int64_t>(to.size()) == gpus);
    for (std::int64_t start = 0; start < gpus; ++start) {
      std::set<std::int64_t> members;
      std::int64_t at = start;
      do {
        REQUIRE(to.at(at).size() == 1);
        members.insert(at);
        at = to.at(at).front();
      } while (at != start && members.size() <= static_cast<std::size_t>(ranks.ranks()));
      CHECK(static_cast<std::int64_t>(members.size()) == ranks.ranks());
      for (const std::int64_t member : members) {
        CHECK(member % ranks.inside.stride == start % ranks.inside.stride);
        CHECK(member % ranks.across.stride / ranks.inside.period() ==
              start % ranks.across.stride / ranks.inside.period());
        CHECK(member / ranks.across.period() == start / ranks.across.period());
      }
    }
    for (const std::int64_t unit :
         {any(1, 2 * ranks.across.stride), domain, 2 * domain, ranks.inside.stride}) {
      std::map<std::int64_t, double> out;
      for (const auto& [from, others] : targets(all, std::lcm(ranks.across.period(), unit))) {
        if (from / unit != others.front() / unit) out[from / unit] += 1;
      }
      double busiest = 0;
      for (const auto& [at, flows] : out) busiest = std::max(busiest, flows);
      CAPTURE(unit);
      CAPTURE(ranks.inside.stride);
      CAPTURE(ranks.inside.ranks);
      CAPTURE(ranks.across.stride);
      CAPTURE(ranks.across.ranks);
      CHECK(busiest_ring_out(ranks, unit) == busiest);
    }
  }
  CHECK(nested > 150);
}

TEST_CASE("stages that lie to and fro in domains send to the next and the one before, no other") {
  for (int trial = 0; trial < 300; ++trial) {
    const auto [ranks, domain, gpus] = any_nest();
    GroupFlows inside = ranks.inside, across = ranks.across;
    inside.stride = domain / inside.ranks > 0 ? domain / inside.ranks : 1;
    if (inside.stride * inside.ranks != domain) continue;
    const std::int64_t stages = inside.ranks * across.ranks;
    const auto stage_of = [&](std::int64_t rank) {
      const std::int64_t at = rank % across.period() / across.stride;
      const std::int64_t place = rank % domain / inside.stride;
      return at * inside.ranks + (at % 2 == 0 ? place : inside.ranks - 1 - place);
    };
    std::vector<Sending> all = sendings({FlowKind::line, inside.stride, inside.ranks});
    for (const Sending& one : joints(inside, across)) all.push_back(one);
    const auto to = targets(all, gpus);
    const auto around = targets(joint_of_ends(inside, across), gpus);
    const Sending first{.who = first_stage(inside, across)},
        last{.who = last_stage(inside, across)};
    for (std::int64_t rank = 0; rank < gpus; ++rank) {
      const std::int64_t stage = stage_of(rank);
      std::set<std::int64_t> reached;
      if (to.contains(rank)) {
        for (const std::int64_t other : to.at(rank)) reached.insert(stage_of(other) - stage);
        CHECK(to.at(rank).size() == reached.size());
      }
      CHECK(reached.contains(1) == (stage + 1 < stages));
      CHECK(reached.contains(-1) == (stage > 0));
      for (const std::int64_t step : reached) CHECK(std::abs(step) == 1);
      CHECK(first.holds(rank) == (stage == 0));
      CHECK(last.holds(rank) == (stage == stages - 1));
      CHECK(around.contains(rank) == (stage == 0 || stage == stages - 1));
      if (around.contains(rank)) {
        CHECK(stage_of(around.at(rank).front()) == (stage == 0 ? stages - 1 : 0));
      }
    }
  }
}

TEST_CASE("ranks by the places that hold for them, against all ranks") {
  for (int trial = 0; trial < 1000; ++trial) {
    std::vector<std::int64_t> periods{any(2, 6)};
    while (periods.size() < 4) periods.push_back(periods.back() * any(1, 3));
    const std::int64_t gpus = periods.back() * any(1, 3);
    std::vector<std::vector<RankPlace>> lists(static_cast<std::size_t>(any(1, 4)));
    for (std::vector<RankPlace>& who : lists) {
      for (const std::int64_t period : periods) {
        if (any(0, 1) == 0) continue;
        const std::int64_t low = any(0, period - 1);
        add_place(who, {period, low, any(low + 1, period)});
      }
      // In an odd number of domains every other one.
      if (any(0, 2) == 0) {
        const std::int64_t domain = periods.front(), domains = 2 * any(1, 3) + 1;
        who = {{domains * domain, 0, any(1, domains * domain)},
               {2 * domain, domain * any(0, 1), 2 * domain},
               {domain, 0, any(1, domain)}};
      }
    }
    std::map<std::uint64_t, std::int64_t> expected, found;
    for (std::int64_t rank = 0; rank < gpus; ++rank) {
      std::uint64_t some = 0;
      for (std::size_t i = 0; i < lists.size(); ++i) {
        if (Sending{.who = lists[i]}.holds(rank)) some |= std::uint64_t{1} << i;
      }
      if (some != 0) expected[some] += 1;
    }
    for (const SomeRanks& one : ranks_by_places(lists, gpus)) {
      if (one.ranks > 0) found[one.lists] += one.ranks;
    }
    CHECK(found == expected);
  }
}
