// planner-mpi: what `planner design` and `planner sweep` answer, by all processes of an MPI job.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <thread>

#include "planner/cli/run.hpp"

namespace {

using namespace planner;

/// MPI waits by asking without a pause, which takes from a core what the other threads on it would
/// do: so it is asked now and then, but at first, when the others are mostly there. The longer they
/// let wait, the less often.
void wait_for(MPI_Request& request) {
  using Clock = std::chrono::steady_clock;
  constexpr int kAtOnce = 200;
  constexpr int kPart = 16;  // of the time that was waited
  constexpr Clock::duration kLeast = std::chrono::microseconds{20};
  constexpr Clock::duration kMost = std::chrono::milliseconds{1};
  const auto since = Clock::now();
  for (int asked = 0, done = 0;; ++asked) {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done != 0) return;
    if (asked < kAtOnce) continue;
    std::this_thread::sleep_for(std::clamp((Clock::now() - since) / kPart, kLeast, kMost));
  }
}

/// The processes of the job. All share texts at once, as often, and the last of each is the word
/// that it has come to an end: so all learn at the same time that one has ended before the others,
/// and none waits for it.
class MpiPeers {
 public:
  MpiPeers() {
    int rank = 0, size = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    peers_ = {.rank = static_cast<std::size_t>(rank),
              .size = static_cast<std::size_t>(size),
              .share = [this](const std::string& own) { return work(own); },
              .next = [this] { return raise_count(); }};
    MPI_Win_allocate(first() ? sizeof(Count) : 0, sizeof(Count), MPI_INFO_NULL, MPI_COMM_WORLD,
                     &count_, &counting_);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, counting_);
    if (first()) *count_ = 0;
    MPI_Win_sync(counting_);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  ~MpiPeers() {
    MPI_Win_unlock_all(counting_);
    MPI_Win_free(&counting_);
  }
  MpiPeers(const MpiPeers&) = delete;
  MpiPeers& operator=(const MpiPeers&) = delete;

  /// Null: this process is alone.
  [[nodiscard]] const commands::Peers* peers() const { return peers_.size > 1 ? &peers_ : nullptr; }
  [[nodiscard]] bool first() const { return peers_.rank == 0; }

  /// This process has come to its end.
  /// @param unsaid  what went wrong, where it did not say so itself
  void end(const std::string& unsaid) {
    if (!lost_) gather(Kind::end, unsaid);
  }

 private:
  /// Whether a text is a part of the work, or what a process leaves when it ends.
  enum class Kind : std::int64_t { work, end };
  struct Gathered {
    std::vector<Kind> kinds;
    std::vector<std::string> texts;
  };

  using Count = std::uint64_t;

  /// The count is the first process's. Where the network does not raise it by itself, that process
  /// does when it next speaks to MPI.
  std::size_t raise_count() {
    const Count one = 1;
    Count before = 0;
    MPI_Fetch_and_op(&one, &before, MPI_UINT64_T, 0, 0, MPI_SUM, counting_);
    MPI_Win_flush(0, counting_);
    return before;
  }

  std::vector<std::string> work(const std::string& own) {
    Gathered all = gather(Kind::work, own);
    for (std::size_t i = 0; i < all.kinds.size(); ++i) {
      if (all.kinds[i] != Kind::end) continue;
      const std::string& why = all.texts[i];
      throw commands::PeerLost(
          Diagnostic{.code = "peer-lost",
                     .message = "process " + std::to_string(i) + " has ended before the answer" +
                                (why.empty() ? "" : ": " + why),
                     .hint = "what is in a --state file is kept: the next run goes on from there"});
    }
    return std::move(all.texts);
  }

  /// What is said first: all of it, where it is short. Then most is said in one step.
  struct Head {
    Kind kind = Kind::work;
    std::int64_t size = 0;  ///< of the text
    std::array<char, 2032> text{};

    [[nodiscard]] bool all() const { return size <= static_cast<std::int64_t>(text.size()); }
  };

  Gathered gather(Kind kind, const std::string& own) {
    Head head{.kind = kind, .size = static_cast<std::int64_t>(own.size())};
    if (head.all()) std::copy(own.begin(), own.end(), head.text.begin());
    std::vector<Head> heads(peers_.size);
    MPI_Request asked{};
    MPI_Iallgather(&head, sizeof head, MPI_BYTE, heads.data(), sizeof head, MPI_BYTE,
                   MPI_COMM_WORLD, &asked);
    wait_for(asked);
    Gathered all;
    bool in_one_step = true;
    for (const Head& one : heads) {
      all.kinds.push_back(one.kind);
      lost_ = lost_ || one.kind != kind;
      in_one_step = in_one_step && one.all();
    }
    if (!in_one_step) {
      all.texts = long_texts(own, heads);
      return all;
    }
    for (const Head& one : heads) {
      all.texts.emplace_back(one.text.data(), static_cast<std::size_t>(one.size));
    }
    return all;
  }

  /// @param heads  of all
  std::vector<std::string> long_texts(const std::string& own, const std::vector<Head>& heads) {
    std::int64_t total = 0;
    for (const Head& one : heads) total += one.size;
    if (total > INT_MAX) {  // MPI counts bytes so; all find it at once
      throw InputError(Diagnostic{.code = "too-large",
                                  .message = "the answers of all rows are larger than 2 GiB",
                                  .hint = "sweep fewer values at once"});
    }
    std::vector<int> lengths, starts;
    int start = 0;
    for (const Head& one : heads) {
      starts.push_back(start);
      lengths.push_back(static_cast<int>(one.size));
      start += lengths.back();
    }
    std::string text(static_cast<std::size_t>(total), '\0');
    MPI_Request asked{};
    MPI_Iallgatherv(own.data(), static_cast<int>(own.size()), MPI_CHAR, text.data(), lengths.data(),
                    starts.data(), MPI_CHAR, MPI_COMM_WORLD, &asked);
    wait_for(asked);
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < heads.size(); ++i) {
      texts.push_back(
          text.substr(static_cast<std::size_t>(starts[i]), static_cast<std::size_t>(lengths[i])));
    }
    return texts;
  }

  commands::Peers peers_;
  Count* count_ = nullptr;
  MPI_Win counting_{};
  bool lost_ = false;  ///< some process has ended before the others
};

/// What is wrong, in one line.
std::string in_a_line(const std::vector<Diagnostic>& problems) {
  std::string line;
  for (const Diagnostic& problem : problems) {
    line += (line.empty() ? "" : "; ") + to_string(problem);
  }
  return line;
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;  // threads search; those that ask for more work do so one at a time
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  if (provided < MPI_THREAD_SERIALIZED) {
    std::fputs("error: this MPI lets no other thread than the first speak to it\n", stderr);
    MPI_Abort(MPI_COMM_WORLD, static_cast<int>(ExitCode::bug));
  }
  ExitCode code = ExitCode::bug;
  {
    MpiPeers job;
    std::string unsaid;
    try {
      const Ended ended = run_command_line({argv + 1, argv + argc}, job.peers());
      code = ended.code;
      unsaid = in_a_line(ended.unsaid);
    } catch (const std::exception& error) {
      unsaid = std::string("this is a bug in planner: ") + error.what();
      if (job.first()) std::fprintf(stderr, "error: %s\n", unsaid.c_str());
    }
    job.end(unsaid);
    if (!job.first()) code = ExitCode::done;  // the first tells how it went
  }
  MPI_Finalize();
  return static_cast<int>(code);
}
