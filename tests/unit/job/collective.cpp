// Collectives on a machine: what the time, the explanation and the published figures have in
// common.
#include "planner/job/collective.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "support/fire_flyer.hpp"
#include "support/near.hpp"

using namespace planner;
using planner::testing::fire_flyer_node;
using planner::testing::near;

namespace {

/// Rings and trees without latency, over links that reach their bandwidth.
CollectiveLibrary ideal() {
  CollectiveLibrary library{.name = "ideal"};
  for (const auto algorithm : {CollectiveAlgorithm::ring, CollectiveAlgorithm::tree}) {
    library.methods.push_back(
        {.algorithm = algorithm, .protocol = "Simple", .kinds = {CollectiveKind::all_reduce}});
  }
  return library;
}

/// 128 GPUs of which eight share a NIC, in HB domains of two.
job::CollectiveJob all_reduce() {
  return {.kind = CollectiveKind::all_reduce,
          .system = {.node = "fire-flyer-2",
                     .host = fire_flyer_node(),
                     .hb_domain = 2,
                     .hb_bandwidth = 300 * units::GBps,
                     .network_bandwidth = 3.125 * units::GBps},
          .gpus = 128,
          .library = ideal()};
}

constexpr Bytes kGradients = 6.5 * units::GB;

}  // namespace

TEST_CASE("where GPUs share a NIC, a ring is bound by the way to it: Fire-Flyer AI-HPC, IV-D") {
  // 2(n-1)/n·D over 9 GiB/s: a ring leaves a node once, however many GPUs it has there.
  const job::TimedSize timed = job::timed(all_reduce(), kGradients);
  const double ring_s = 2 * 127.0 / 128 * 6.5 / 9.663676416;
  REQUIRE(timed.algorithms.size() == 2);
  for (const TimedAlgorithm& one : timed.algorithms) {
    if (one.method.algorithm == CollectiveAlgorithm::ring) {
      CHECK(one.time.total().si() == near(ring_s));
    }
  }
}

TEST_CASE("what is explained is what is timed, with a transport's limit and without") {
  job::CollectiveJob job = all_reduce();
  for (const bool limited : {false, true}) {
    if (limited) {
      job.transport = job::Transport{
          .channels = 4, .channel_buffer = Bytes{1 << 16}, .round_trip = Seconds{1e-3}};
    }
    const job::TimedSize timed = job::timed(job, kGradients);
    const auto explained = job::explained(job, timed);
    REQUIRE(explained.size() == timed.algorithms.size());
    for (std::size_t i = 0; i < explained.size(); ++i) {
      CHECK(explained[i].terms.back().value == near(timed.algorithms[i].time.total().si()));
    }
  }
}

TEST_CASE("whole messages of a channel's buffer are in flight, and their own way out takes time") {
  const BytesPerSecond card = 50 * units::GBps;
  job::Transport transport{
      .channels = 2, .channel_buffer = Bytes{1e6}, .round_trip = 22 * units::us};
  const double plain = transport.limit(card).si();
  CHECK(plain == near(2 * 1e6 / 22e-6));
  const auto with = [&](double message) {
    transport.message = Bytes{message};
    return transport.limit(card).si();
  };
  // Tiny messages leave the window as it is; one of the whole buffer stops and waits.
  CHECK(with(1) == near(plain, 1e-5));
  CHECK(with(1e6) == near(2 * 1e6 / (22e-6 + 2 * 1e6 / 50e9)));
  // Of 600 kB only one fits into the buffer.
  CHECK(with(6e5) == near(2 * 6e5 / (22e-6 + 2 * 6e5 / 50e9)));
  for (const double message : {1e3, 1e4, 1e5, 2e5, 5e5, 1e6}) CHECK(with(message) <= plain);
}

TEST_CASE("posting costs a channel time: the best message is just large enough") {
  const BytesPerSecond card = 50 * units::GBps;
  job::Transport transport{.channels = 2,
                           .channel_buffer = Bytes{1 << 20},
                           .round_trip = 22 * units::us,
                           .clear_to_send = 4 * units::us,
                           .per_message = 2 * units::us};
  const auto with = [&](double message) {
    transport.message = Bytes{message};
    return transport.limit(card).si();
  };
  // 2 channels post 16 KiB every 2 µs each; 64 messages in flight would do more.
  CHECK(with(1 << 14) == near(2 * (1 << 14) / 2e-6));
  // 4 messages of 256 KiB: 2·1 MiB in 26 + 2 µs and what they take on the way out.
  CHECK(with(1 << 18) == near(2 * (1 << 20) / (28e-6 + 2 * (1 << 18) / 50e9)));
  const double small = with(1 << 13), middle = with(1 << 16), whole = with(1 << 20);
  CHECK(middle > small);
  CHECK(middle > whole);
}

TEST_CASE("the buffer that is enough, and no smaller one of whole messages") {
  const BytesPerSecond card = 50 * units::GBps;
  job::Transport transport{
      .channels = 2, .channel_buffer = Bytes{1 << 20}, .round_trip = 22 * units::us};
  CHECK(transport.enough_buffer(card)->si() == near(50e9 * 22e-6 / 2));
  transport.channel_buffer = *transport.enough_buffer(card);
  CHECK(transport.limit(card) == card);
  transport.per_message = 2 * units::us;
  for (const double message : {1e5, 1.3e5, 3e5, 2e6}) {
    transport.message = Bytes{message};
    const Bytes enough = transport.enough_buffer(card).value();
    transport.channel_buffer = enough;
    CHECK(transport.limit(card) >= card * (1 - 1e-9));
    transport.channel_buffer = enough - *transport.message;
    CHECK(transport.limit(card) < card);
  }
  transport.message = Bytes{4e4};  // 2 · 40 kB in 2 µs are 40 GB/s
  CHECK_FALSE(transport.enough_buffer(card));
}

TEST_CASE(
    "where GPUs share NICs, rings over several nodes have no more bus bandwidth than in one") {
  for (const std::int64_t nics : {1, 2, 4}) {
    for (const std::int64_t domain : {1, 2}) {
      for (const double port_GBps : {5.0, 25.0, 27.0}) {
        job::CollectiveJob job = all_reduce();
        job.system.hb_domain = domain;
        job.system.host->nics = nics;
        job.system.network_bandwidth = static_cast<double>(nics) * 25 / 8 * units::GBps;
        job.system.host->pcie->gpu_to_nic_bandwidth = port_GBps * units::GBps;
        job.asked = CollectiveAlgorithm::ring;
        const auto bus = [&](std::int64_t nodes) {
          job.gpus = 8 * nodes;
          const double all = static_cast<double>(job.gpus);
          const job::TimedSize at = job::timed(job, kGradients);
          return 2 * (all - 1) / all * kGradients / at.algorithms[at.chosen].time.total();
        };
        const BytesPerSecond one = bus(1);
        for (const std::int64_t nodes : {2, 3, 4, 16}) {
          CAPTURE(nics);
          CAPTURE(domain);
          CAPTURE(port_GBps);
          CHECK(bus(nodes) <= one * (1 + 1e-9));
        }
      }
    }
  }
}

TEST_CASE("in a torus or a full mesh a GPU has its links to the others of the group") {
  job::CollectiveJob job{.kind = CollectiveKind::all_reduce,
                         .system = {.hb_domain = 512,
                                    .hb_bandwidth = 600 * units::GBps,
                                    .network_bandwidth = 6.25 * units::GBps,
                                    .torus = DomainTorus{.shape = {8, 8, 8}, .ring_from = 4}},
                         .gpus = 2,
                         .library = ideal()};
  const auto ring_s = [&] {
    const job::TimedSize timed = job::timed(job, kGradients);
    const auto ring = std::find_if(timed.algorithms.begin(), timed.algorithms.end(),
                                   [](const TimedAlgorithm& one) {
                                     return one.method.algorithm == CollectiveAlgorithm::ring;
                                   });
    REQUIRE(ring != timed.algorithms.end());
    return ring->time.total().si();
  };
  CHECK(job.hb().in(units::GBps) == near(100));  // one of six links
  CHECK(ring_s() == near(6.5 / 100));
  job.gpus = 4;  // a square
  CHECK(ring_s() == near(2 * 0.75 * 6.5 / 200));
  job.gpus = 512;
  CHECK(job.hb().in(units::GBps) == near(600));
  CHECK(job.group().hops == 12);
  job.kind = CollectiveKind::point_to_point;
  CHECK(job.hb().in(units::GBps) == near(100));

  job.kind = CollectiveKind::all_reduce;
  job.system.hb_domain = 8;
  job.system.hb_bandwidth = 448 * units::GBps;
  job.system.torus = DomainTorus{.shape = {8}, .ring_from = 0};
  CHECK(!job.group().hops);
  for (const std::int64_t gpus : {2, 3, 4, 8}) {
    job.gpus = gpus;
    CHECK(job.hb().in(units::GBps) == near(64.0 * (static_cast<double>(gpus) - 1)));
  }
}
