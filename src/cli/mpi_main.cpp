// planner-mpi: what `planner design` and `planner sweep` answer, by all processes of an MPI job.
#include <mpi.h>

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
/// do: so it is asked now and then, but at first, when the others are mostly there.
void wait_for(MPI_Request& request) {
  constexpr int kAtOnce = 200;
  constexpr std::chrono::microseconds kPause{20};
  for (int asked = 0, done = 0;; ++asked) {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done != 0) return;
    if (asked >= kAtOnce) std::this_thread::sleep_for(kPause);
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
              .share = [this](const std::string& own) { return work(own); }};
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

  Gathered gather(Kind kind, const std::string& own) {
    const std::size_t size = peers_.size;
    const std::int64_t head[2] = {static_cast<std::int64_t>(kind),
                                  static_cast<std::int64_t>(own.size())};
    std::vector<std::int64_t> heads(2 * size);
    MPI_Request asked{};
    MPI_Iallgather(head, 2, MPI_INT64_T, heads.data(), 2, MPI_INT64_T, MPI_COMM_WORLD, &asked);
    wait_for(asked);
    Gathered all;
    std::int64_t total = 0;
    for (std::size_t i = 0; i < size; ++i) {
      all.kinds.push_back(static_cast<Kind>(heads[2 * i]));
      lost_ = lost_ || all.kinds.back() != kind;
      total += heads[2 * i + 1];
    }
    if (total > INT_MAX) {  // MPI counts bytes so; all find it at once
      throw InputError(Diagnostic{.code = "too-large",
                                  .message = "the answers of all rows are larger than 2 GiB",
                                  .hint = "sweep fewer values at once"});
    }
    std::vector<int> lengths, starts;
    int start = 0;
    for (std::size_t i = 0; i < size; ++i) {
      starts.push_back(start);
      lengths.push_back(static_cast<int>(heads[2 * i + 1]));
      start += lengths.back();
    }
    std::string text(static_cast<std::size_t>(total), '\0');
    MPI_Allgatherv(own.data(), static_cast<int>(own.size()), MPI_CHAR, text.data(), lengths.data(),
                   starts.data(), MPI_CHAR, MPI_COMM_WORLD);
    for (std::size_t i = 0; i < size; ++i) {
      all.texts.push_back(
          text.substr(static_cast<std::size_t>(starts[i]), static_cast<std::size_t>(lengths[i])));
    }
    return all;
  }

  commands::Peers peers_;
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
  int provided = 0;  // threads search, the first alone speaks to others
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
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
