// Double binary trees, chains and switches stepped through or counted, GPU by GPU, and held against
// the closed forms: bandwidth terms exactly, pipelines within a chunk.
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "support/collective_machine.hpp"
#include "support/double_tree.hpp"
#include "support/near.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

using Kind = CollectiveKind;
using Algorithm = CollectiveAlgorithm;

/// Bytes that leave each GPU of x × y, over its HB link and its network card.
struct Sent {
  std::vector<double> hb, net;

  explicit Sent(const Machine& machine) : hb(static_cast<std::size_t>(machine.n()), 0), net(hb) {}
  [[nodiscard]] double busiest_hb() const { return *std::max_element(hb.begin(), hb.end()); }
  [[nodiscard]] double busiest_net() const { return *std::max_element(net.begin(), net.end()); }
};

/// What a tree all-reduce of `bytes` sends: a chain through each domain for every rail, from
/// another GPU each, that ends at the rail's GPU, and the rail's double tree between the domains.
Sent tree_all_reduce(const Machine& machine, double bytes, bool chains = true) {
  Sent sent(machine);
  const double share = bytes / static_cast<double>(machine.x);
  const auto gpu = [&](std::int64_t domain, std::int64_t rail) {
    return static_cast<std::size_t>(domain * machine.x + rail % machine.x);
  };
  for (std::int64_t rail = 0; rail < machine.x; ++rail) {
    for (std::int64_t domain = 0; chains && domain < machine.y; ++domain) {
      for (std::int64_t link = 0; link + 1 < machine.x; ++link) {
        sent.hb[gpu(domain, rail + link + 1)] += share;  // up the chain, to the rail's GPU
        sent.hb[gpu(domain, rail + link)] += share;      // and down again
      }
    }
    for (const Tree& tree : double_tree(machine.y)) {
      for (std::int64_t domain = 0; domain < machine.y; ++domain) {
        const std::int64_t up = tree[static_cast<std::size_t>(domain)];
        if (up < 0) continue;
        sent.net[gpu(domain, rail)] += share / 2;
        sent.net[gpu(up, rail)] += share / 2;
      }
    }
  }
  return sent;
}

/// All-reduce of `chunks` on each of two trees, whose edges share a GPU's bandwidth evenly: a chunk
/// takes `chunk` seconds on an edge, which carries one at a time and each way. It goes up when it
/// has come from all children, and down when it is complete.
double simulate_trees(std::int64_t n, std::int64_t chunks, double chunk) {
  double last = 0;
  for (const Tree& tree : double_tree(n)) {
    std::vector<std::size_t> by_depth(static_cast<std::size_t>(n));
    std::iota(by_depth.begin(), by_depth.end(), std::size_t{0});
    std::stable_sort(by_depth.begin(), by_depth.end(), [&](std::size_t a, std::size_t b) {
      return depth_of(tree, static_cast<std::int64_t>(a)) <
             depth_of(tree, static_cast<std::int64_t>(b));
    });
    std::vector<double> up_free(static_cast<std::size_t>(n), 0), down_free(up_free);
    for (std::int64_t i = 0; i < chunks; ++i) {
      std::vector<double> complete(static_cast<std::size_t>(n), 0);
      for (auto rank = by_depth.rbegin(); rank != by_depth.rend(); ++rank) {
        if (tree[*rank] < 0) continue;
        up_free[*rank] = std::max(up_free[*rank], complete[*rank]) + chunk;
        double& parent = complete[static_cast<std::size_t>(tree[*rank])];
        parent = std::max(parent, up_free[*rank]);
      }
      for (const std::size_t rank : by_depth) {
        if (tree[rank] < 0) continue;
        down_free[rank] =
            std::max(down_free[rank], complete[static_cast<std::size_t>(tree[rank])]) + chunk;
        complete[rank] = down_free[rank];
        last = std::max(last, complete[rank]);
      }
    }
  }
  return last;
}

/// Bytes out of and into the busiest GPU where the switch of its domain adds: every GPU sends all
/// shards, gets the sum of its own, and sends that once more to be copied to all.
double through_switch(std::int64_t x, double bytes) {
  std::vector<double> out(static_cast<std::size_t>(x), 0), in(out);
  const double shard = bytes / static_cast<double>(x);
  for (std::size_t owner = 0; owner < out.size(); ++owner) {
    for (double& each : out) each += shard;
    in[owner] += shard;
    out[owner] += shard;
    for (double& each : in) each += shard;
  }
  return std::max(*std::max_element(out.begin(), out.end()),
                  *std::max_element(in.begin(), in.end()));
}

}  // namespace

TEST_CASE("tree all-reduce: the busiest GPU's bytes and the depth, exactly, any grid") {
  Random random(4401);
  for (std::int64_t x = 1; x <= 9; ++x) {
    for (std::int64_t y = 2; y <= 40; ++y) {
      CAPTURE(x);
      CAPTURE(y);
      Machine machine = random_machine(random);
      machine.x = x;
      machine.y = y;
      const CollectiveTime time = machine.time(Kind::all_reduce, Algorithm::tree);
      const Sent sent = tree_all_reduce(machine, machine.size.si());
      CHECK(time.hb_transfer.si() == near(sent.busiest_hb() / machine.links.hb.si(), 1e-9));
      CHECK(time.net_transfer.si() == near(sent.busiest_net() / machine.links.net.si(), 1e-9));
      const double edges = 2 * static_cast<double>(deepest(y));
      CHECK(time.net_latency.si() == near(edges * machine.links.net_hop.si(), 1e-9));
      const double links = 2 * static_cast<double>(x - 1);  // of the chain, up and down
      CHECK(time.hb_latency.si() == near(links * machine.links.hb_hop.si(), 1e-9));
    }
  }
}

TEST_CASE("double binary tree: pipelined, within one chunk, up to 40 domains") {
  Random random(4106);
  for (std::int64_t y = 2; y <= 40; ++y) {
    CAPTURE(y);
    Machine machine = random_machine(random);
    machine.x = 1;
    machine.y = y;
    const std::int64_t chunks = 1 + random.below(60);
    const double bytes = machine.size.si() / static_cast<double>(chunks);
    const double chunk = tree_all_reduce(machine, bytes).busiest_net() / machine.links.net.si();
    machine.links.net_hop = Seconds{chunk};  // a GPU forwards a chunk when it has all of it
    const double closed = machine.time(Kind::all_reduce, Algorithm::tree).total().si();
    CHECK(closed - simulate_trees(y, chunks, chunk) == near(chunk, 1e-6));
  }
}

TEST_CASE("broadcast through chains and trees on any grid: the root's bytes, exactly") {
  Random random(4402);
  for (std::int64_t x = 1; x <= 6; ++x) {
    for (std::int64_t y = x == 1 ? 2 : 1; y <= 12; ++y) {
      Machine machine = random_machine(random);
      machine.x = x;
      machine.y = y;
      // Every GPU but the root must get all bytes; per rail, D/x enters each other domain.
      const double hb = x > 1 ? machine.size.si() / machine.links.hb.si() : 0;
      const double net =
          y > 1 ? machine.size.si() / static_cast<double>(x) / machine.links.net.si() : 0;
      for (const Algorithm algorithm : {Algorithm::ring, Algorithm::tree}) {
        const CollectiveTime time = machine.time(Kind::broadcast, algorithm);
        CHECK(time.transfer().si() == near(std::max(hb, net), 1e-9));
      }
      const CollectiveTime chain = machine.time(Kind::broadcast, Algorithm::ring);
      double latency = 0;  // GPU by GPU, domain by domain
      for (std::int64_t gpu = 1; gpu < machine.n(); ++gpu) {
        latency += (gpu % x == 0 ? machine.links.net_hop : machine.links.hb_hop).si();
      }
      CHECK(chain.latency().si() == near(latency, 1e-9));
    }
  }
}

TEST_CASE("in-switch all-reduce: each kind of link by its switches or by the GPUs") {
  Random random(4403);
  for (std::int64_t x = 2; x <= 16; ++x) {
    for (std::int64_t y = 1; y <= 9; ++y) {
      CAPTURE(x);
      CAPTURE(y);
      Machine machine = random_machine(random);
      machine.x = x;
      machine.y = y;
      const double bytes = machine.size.si(), rail = bytes / static_cast<double>(x);
      const CollectiveLinks& links = machine.links;
      const double by_switch = through_switch(x, bytes) / links.hb_in_switch.si();
      const double by_tree = tree_all_reduce(machine, bytes, false).busiest_net() / links.net.si();
      const CollectiveTime hb = machine.time(Kind::all_reduce, Algorithm::in_switch, {.hb = true});
      CHECK(hb.hb_transfer.si() == near(by_switch, 1e-9));
      CHECK(hb.net_transfer.si() == near(by_tree, 1e-9));
      CHECK(hb.hb_latency == links.hb_in_switch_latency);
      const double edges = 2 * static_cast<double>(deepest(y));
      CHECK(hb.net_latency.si() == near(edges * links.net_hop.si(), 1e-9));
      if (y == 1) continue;
      const CollectiveTime both =
          machine.time(Kind::all_reduce, Algorithm::in_switch, {.hb = true, .network = true});
      CHECK(both.net_transfer.si() == near(rail / links.net.si(), 1e-9));
      CHECK(both.net_latency == links.net_in_switch_latency);
      CHECK(both.total().si() ==
            near(both.latency().si() + std::max(by_switch, rail / links.net.si()), 1e-9));
    }
  }
}
