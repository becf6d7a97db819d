// Several processes that answer one call, here threads that share texts: each has the answer of one
// that is alone.
#include "planner/commands/peers.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <barrier>
#include <nlohmann/json.hpp>
#include <thread>

#include "planner/commands/reply.hpp"

using namespace planner;
using namespace planner::commands;

namespace {

class Threads {
 public:
  explicit Threads(std::size_t size) : texts_(size), barrier_(static_cast<std::ptrdiff_t>(size)) {}

  /// The replies of all to one call.
  /// @param stopped  the rank whose user ends it; none: nobody does
  std::vector<Reply> replies(const Call& call, std::optional<std::size_t> stopped = {}) {
    std::vector<Reply> all(texts_.size());
    std::vector<std::thread> threads;
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
      threads.emplace_back([&, rank] {
        const Peers peers{.rank = rank,
                          .size = texts_.size(),
                          .share = [&](const std::string& own) { return share(rank, own); },
                          .next = [this] { return count_++; }};
        const std::atomic<bool> stop{rank == stopped};
        all[rank] = reply_to(call, {.stop = &stop, .peers = &peers});
      });
    }
    for (std::thread& thread : threads) thread.join();
    return all;
  }

 private:
  std::vector<std::string> share(std::size_t rank, const std::string& own) {
    texts_[rank] = own;
    barrier_.arrive_and_wait();
    std::vector<std::string> all = texts_;
    barrier_.arrive_and_wait();
    return all;
  }

  std::vector<std::string> texts_;
  std::barrier<> barrier_;
  std::atomic<std::size_t> count_{0};
};

const std::vector<Call>& shared_calls() {
  static const std::vector<Call> kCalls{
      {.command = "design",
       .options = {{"model", "llama2-7b"},
                   {"tokens", "2T"},
                   {"systems", "dgx-h100,gb200-nvl72"},
                   {"max-gpus", "1000"},
                   {"front", "tco,days"},
                   {"within-days", "90"},
                   {"threads", "1"},
                   {"data-dir", PLANNER_SOURCE_DIR}}},
      {.command = "sweep",
       .arguments = {"optimize"},
       .options = {{"vary", "gpus=64,96,100,128,256"},  // no strategy uses 100
                   {"model", "gpt22b"},
                   {"threads", "2"},
                   {"data-dir", PLANNER_SOURCE_DIR}}}};
  return kCalls;
}

}  // namespace

TEST_CASE("each of several processes has the answer of one alone") {
  for (const Call& call : shared_calls()) {
    CAPTURE(call.command);
    const Reply alone = reply_to(call);
    const std::string expected = reply_json(alone).dump();
    for (const std::size_t size : {2, 3}) {
      for (const Reply& reply : Threads(size).replies(call)) {
        CHECK(reply.exit_code == alone.exit_code);
        CHECK(reply_json(reply).dump() == expected);
      }
    }
  }
}

TEST_CASE("where one is ended all end, with the same answer") {
  for (const Call& call : shared_calls()) {
    CAPTURE(call.command);
    const std::vector<Reply> replies = Threads(3).replies(call, 1);
    for (const Reply& reply : replies) {
      CHECK(reply.exit_code == ExitCode::interrupted);
      CHECK(reply_json(reply) == reply_json(replies.front()));
    }
  }
}

TEST_CASE("commands whose work cannot be shared are refused") {
  const Reply reply = Threads(2).replies({.command = "cost", .arguments = {"h100-16k"}}).front();
  CHECK(reply.exit_code == ExitCode::usage);
  CHECK(reply.errors.front().hint == "planner-mpi runs design and sweep; planner runs all");
}

TEST_CASE("one that is lost ends the answer") {
  const Peers peers{
      .rank = 0, .size = 2, .share = [](const std::string&) -> std::vector<std::string> {
        throw PeerLost(Diagnostic{.code = "peer-lost", .message = "it has ended"});
      }};
  for (const Call& call : shared_calls()) {
    const Reply reply = reply_to(call, {.peers = &peers});
    CHECK(reply.exit_code == ExitCode::bad_input);
    CHECK(reply.errors.front().code == "peer-lost");
  }
}
