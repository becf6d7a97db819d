// Every algorithm of the collective library stepped through, message by message, and its time held
// against the closed form: bandwidth terms exactly, pipelines within a chunk.
#include <doctest/doctest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <vector>

#include "support/collective_machine.hpp"
#include "support/near.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

using Kind = CollectiveKind;
using Algorithm = CollectiveAlgorithm;

constexpr int kMachines = 300;

/// A link of a ring: what it carries at once, and how long a byte takes to arrive.
struct Hop {
  double seconds_per_byte;
  double latency;
};

/// The links of one of the x rings through all GPUs, domain by domain: of a domain's x rings each
/// has 1/x of the links inside it and the network card of one GPU.
std::vector<Hop> hops_of(const Machine& machine) {
  std::vector<Hop> hops;
  for (std::int64_t gpu = 0; gpu < machine.n(); ++gpu) {
    const bool leaves = machine.y > 1 && (gpu + 1) % machine.x == 0;
    hops.push_back(
        leaves ? Hop{.seconds_per_byte = 1 / machine.links.net.si(),
                     .latency = machine.links.net_hop.si()}
               : Hop{.seconds_per_byte = static_cast<double>(machine.x) / machine.links.hb.si(),
                     .latency = machine.links.hb_hop.si()});
  }
  return hops;
}

/// Shards of `shard` bytes, one of each GPU, travel `steps` links of a ring. A link sends one shard
/// at a time, in the order in which it got them. Returns when the last one arrives.
double simulate_ring(const std::vector<Hop>& hops, double shard, std::int64_t steps) {
  const std::size_t n = hops.size();
  struct Shard {
    double arrival;
    std::int64_t steps;
  };
  std::vector<std::deque<Shard>> waiting(n);
  std::vector<double> free(n, 0);
  for (auto& queue : waiting) queue.push_back({0, 0});
  double last = 0;
  while (true) {
    // The link whose next shard can leave first.
    std::size_t next = n;
    double start = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (waiting[i].empty()) continue;
      const double ready = std::max(free[i], waiting[i].front().arrival);
      if (next == n || ready < start) {
        next = i;
        start = ready;
      }
    }
    if (next == n) return last;
    Shard moved = waiting[next].front();
    waiting[next].pop_front();
    free[next] = start + shard * hops[next].seconds_per_byte;
    moved = {free[next] + hops[next].latency, moved.steps + 1};
    last = std::max(last, moved.arrival);
    if (moved.steps < steps) waiting[(next + 1) % n].push_back(moved);
  }
}

std::vector<Hop> without_latency(std::vector<Hop> hops) {
  for (Hop& hop : hops) hop.latency = 0;
  return hops;
}

/// Bruck's all-gather of n blocks: step by step, every rank passes on what the receiver lacks.
/// Returns steps and blocks sent by a rank.
std::pair<std::int64_t, std::int64_t> simulate_bruck(std::int64_t n) {
  std::vector<std::set<std::int64_t>> held(static_cast<std::size_t>(n));
  for (std::int64_t rank = 0; rank < n; ++rank) held[static_cast<std::size_t>(rank)].insert(rank);
  std::int64_t steps = 0, sent = 0;
  for (std::int64_t distance = 1; distance < n; distance *= 2, ++steps) {
    const std::int64_t blocks = std::min(distance, n - distance);
    sent += blocks;
    const auto before = held;
    for (std::int64_t rank = 0; rank < n; ++rank) {
      const std::int64_t from = (rank + distance) % n;
      for (std::int64_t i = 0; i < blocks; ++i) {
        const std::int64_t block = (from + i) % n;
        REQUIRE(before[static_cast<std::size_t>(from)].contains(block));
        held[static_cast<std::size_t>(rank)].insert(block);
      }
    }
  }
  for (const auto& blocks : held) CHECK(std::ssize(blocks) == n);
  return {steps, sent};
}

/// Bytes that leave a GPU, by kind of link.
struct Ports {
  std::map<std::pair<std::int64_t, std::int64_t>, double> hb, net;  // by (domain, rail)

  static double busiest(const auto& ports) {
    double most = 0;
    for (const auto& [gpu, bytes] : ports) most = std::max(most, bytes);
    return most;
  }
};

}  // namespace

TEST_CASE("ring: over one kind of link or two, exactly") {
  Random random(4101);
  for (int trial = 0; trial < kMachines; ++trial) {
    const Machine machine = random_machine(random);
    CAPTURE(machine.x);
    CAPTURE(machine.y);
    const std::vector<Hop> hops = hops_of(machine);
    const double x = static_cast<double>(machine.x), n = static_cast<double>(machine.n());
    const double shard = machine.size.si() / x / n;  // of one of the x rings
    const std::int64_t steps = machine.n() - 1;
    for (const auto& [kind, rounds] :
         {std::pair{Kind::all_gather, 1}, {Kind::reduce_scatter, 1}, {Kind::all_reduce, 2}}) {
      CAPTURE(rounds);
      const CollectiveTime time = machine.time(kind, Algorithm::ring);
      const double simulated = simulate_ring(hops, shard, rounds * steps);
      const double bytes_only = simulate_ring(without_latency(hops), shard, rounds * steps);
      CHECK(bytes_only == near(time.transfer().si(), 1e-9));
      CHECK(simulated == near(time.total().si(), 1e-9));
    }
  }
}

TEST_CASE("ring: domains that are not equally full, bytes exactly and hops within one") {
  Random random(4107);
  for (int trial = 0; trial < kMachines; ++trial) {
    Machine machine = random_machine(random);
    const std::int64_t gpus = 3 + random.below(30), hb_domain = 2 + random.below(7);
    const CollectiveGroup group = group_over(gpus, hb_domain);
    if (group.net == 1 || group.hb < 2) continue;
    const auto domains = static_cast<std::int64_t>(group.net);
    const double rails = group.emptiest().hb;
    std::vector<Hop> hops;
    for (std::int64_t domain = 0; domain < domains; ++domain) {
      const std::int64_t here = gpus / domains + (domain < gpus % domains ? 1 : 0);
      for (std::int64_t gpu = 1; gpu < here; ++gpu) {
        hops.push_back({rails / machine.links.hb.si(), machine.links.hb_hop.si()});
      }
      hops.push_back({1 / machine.links.net.si(), machine.links.net_hop.si()});
    }
    const double shard = machine.size.si() / rails / static_cast<double>(gpus);
    const double hop = std::max(machine.links.hb_hop, machine.links.net_hop).si();
    for (const auto& [kind, rounds] : {std::pair{Kind::all_gather, 1}, {Kind::all_reduce, 2}}) {
      const auto time = collective_time(kind, Algorithm::ring, machine.size, group, machine.links);
      const std::int64_t steps = rounds * (gpus - 1);
      CHECK(simulate_ring(without_latency(hops), shard, steps) ==
            near(time->transfer().si(), 1e-9));
      CHECK(std::abs(simulate_ring(hops, shard, steps) - time->total().si()) <= hop);
    }
  }
}

TEST_CASE("hierarchical, Eq. 1: a ring along each rail, then one in each domain, exactly") {
  Random random(4102);
  for (int trial = 0; trial < kMachines; ++trial) {
    const Machine machine = random_machine(random);
    const double x = static_cast<double>(machine.x), n = static_cast<double>(machine.n());
    const CollectiveLinks& links = machine.links;
    const std::vector<Hop> rail(static_cast<std::size_t>(machine.y),
                                {1 / links.net.si(), links.net_hop.si()});
    const std::vector<Hop> domain(static_cast<std::size_t>(machine.x),
                                  {1 / links.hb.si(), links.hb_hop.si()});
    const double simulated =
        simulate_ring(rail, machine.size.si() / n, machine.y - 1) * (machine.y > 1 ? 1 : 0) +
        simulate_ring(domain, machine.size.si() / x, machine.x - 1) * (machine.x > 1 ? 1 : 0);
    CHECK(simulated ==
          near(machine.time(Kind::all_gather, Algorithm::hierarchical).total().si(), 1e-9));
    CHECK(2 * simulated ==
          near(machine.time(Kind::all_reduce, Algorithm::hierarchical).total().si(), 1e-9));
  }
}

TEST_CASE("recursive: Bruck's steps and blocks for any number of ranks, exactly") {
  Random random(4103);
  for (std::int64_t x = 1; x <= 17; ++x) {
    for (std::int64_t y = x == 1 ? 2 : 1; y <= 9; ++y) {
      Machine machine = random_machine(random);
      machine.x = x;
      machine.y = y;
      const CollectiveLinks& links = machine.links;
      const auto [net_steps, net_blocks] = simulate_bruck(y);
      const auto [hb_steps, hb_blocks] = simulate_bruck(x);
      const double D = machine.size.si(), blocks = static_cast<double>(x * y);
      const double simulated =
          static_cast<double>(net_steps) * links.net_hop.si() +
          static_cast<double>(net_blocks) * D / blocks / links.net.si() +
          static_cast<double>(hb_steps) * links.hb_hop.si() +
          static_cast<double>(hb_blocks) * D / static_cast<double>(x) / links.hb.si();
      CHECK(simulated ==
            near(machine.time(Kind::reduce_scatter, Algorithm::recursive).total().si(), 1e-9));
    }
  }
}

TEST_CASE("broadcast down a chain: pipelined, within one chunk") {
  Random random(4104);
  for (int trial = 0; trial < kMachines; ++trial) {
    Machine machine = random_machine(random);
    machine.x = 1;
    machine.y = 2 + random.below(9);
    const std::int64_t chunks = 1 + random.below(40), hops = machine.n() - 1;
    const double chunk = machine.size.si() / static_cast<double>(chunks) / machine.links.net.si();
    const double latency = machine.links.net_hop.si();
    machine.links.net_hop += Seconds{chunk};  // a hop forwards a chunk when it has all of it
    std::vector<double> arrival(static_cast<std::size_t>(chunks), 0);
    for (std::int64_t hop = 0; hop < hops; ++hop) {
      double free = 0;
      for (double& at : arrival) {
        free = std::max(free, at) + chunk;
        at = free + latency;
      }
    }
    const double closed = machine.time(Kind::broadcast, Algorithm::ring).total().si();
    CHECK(closed - arrival.back() == near(chunk, 1e-6));
  }
}

TEST_CASE("all-to-all: shard by shard, direct (Eq. 20) and forwarded along the rails (Eq. 21)") {
  Random random(4105);
  for (int trial = 0; trial < kMachines; ++trial) {
    const Machine machine = random_machine(random);
    const double shard = machine.size.si() / static_cast<double>(machine.n());
    Ports direct, forwarded;
    for (std::int64_t from = 0; from < machine.n(); ++from) {
      for (std::int64_t to = 0; to < machine.n(); ++to) {
        const std::pair source{from / machine.x, from % machine.x};
        const std::pair target{to / machine.x, to % machine.x};
        if (from == to) continue;
        (source.first == target.first ? direct.hb : direct.net)[source] += shard;
        const std::pair relay{source.first, target.second};
        if (source != relay) forwarded.hb[source] += shard;
        if (relay != target) forwarded.net[relay] += shard;
      }
    }
    const double hb = machine.links.hb.si(), net = machine.links.net.si();
    const CollectiveTime at_once = machine.time(Kind::all_to_all, Algorithm::direct);
    CHECK(std::max(Ports::busiest(direct.hb) / hb, Ports::busiest(direct.net) / net) ==
          near(at_once.transfer().si(), 1e-9));
    const CollectiveTime phases = machine.time(Kind::all_to_all, Algorithm::hierarchical);
    CHECK(Ports::busiest(forwarded.hb) / hb + Ports::busiest(forwarded.net) / net ==
          near(phases.transfer().si(), 1e-9));
  }
}
