// planner-mpi: what `planner design` and `planner sweep` answer, by all processes of an MPI job.
#include <mpi.h>

#include <climits>
#include <cstdio>
#include <exception>
#include <numeric>
#include <stdexcept>

#include "planner/cli/run.hpp"

namespace {

using namespace planner;

/// Whether a text is a part of the work, or the last word of a process that has ended.
enum Kind { kWork, kEnd };

/// The processes of the job. All share texts at once, as often.
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

  [[nodiscard]] const commands::Peers& peers() const { return peers_; }
  /// Some process has ended before the others.
  [[nodiscard]] bool lost() const { return lost_; }

  /// The last word: all have come to an end.
  /// @param unsaid  what went wrong here, in words
  void end(const std::string& unsaid) {
    gather({}, kEnd);
    if (!lost_) return;
    std::fprintf(stderr, "process %zu ended before the others:\n%s", peers_.rank, unsaid.c_str());
    MPI_Barrier(MPI_COMM_WORLD);  // who still works finds that this one does not, and ends the job
  }

 private:
  std::vector<std::string> work(const std::string& own) {
    std::vector<std::string> all = gather(own, kWork);
    if (lost_) {
      throw commands::PeerLost(
          Diagnostic{.code = "peer-lost",
                     .message = "a process of the job has ended before the answer",
                     .hint = "what it said stands above; --state FILE goes on from here"});
    }
    return all;
  }

  std::vector<std::string> gather(const std::string& own, Kind kind) {
    if (own.size() > INT_MAX / 2) throw std::length_error("a text too long to share");
    const std::size_t size = peers_.size;
    const int head[2] = {kind, static_cast<int>(own.size())};
    std::vector<int> heads(2 * size), lengths(size), starts(size);
    MPI_Allgather(head, 2, MPI_INT, heads.data(), 2, MPI_INT, MPI_COMM_WORLD);
    for (std::size_t i = 0; i < size; ++i) {
      lost_ = lost_ || heads[2 * i] != kind;
      lengths[i] = heads[2 * i + 1];
    }
    std::exclusive_scan(lengths.begin(), lengths.end(), starts.begin(), 0);
    std::string text(static_cast<std::size_t>(starts.back() + lengths.back()), '\0');
    MPI_Allgatherv(own.data(), head[1], MPI_CHAR, text.data(), lengths.data(), starts.data(),
                   MPI_CHAR, MPI_COMM_WORLD);
    std::vector<std::string> all;
    for (std::size_t i = 0; i < size; ++i) {
      all.push_back(
          text.substr(static_cast<std::size_t>(starts[i]), static_cast<std::size_t>(lengths[i])));
    }
    return all;
  }

  commands::Peers peers_;
  bool lost_ = false;
};

ExitCode answered(const std::vector<std::string>& arguments, const commands::Peers& peers,
                  std::string& unsaid) {
  try {
    return run_command_line(arguments, peers.size == 1 ? nullptr : &peers, &unsaid);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: this is a bug in planner: %s\n", error.what());
    return ExitCode::bug;
  }
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;  // threads search, the first alone speaks to others
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MpiPeers job;
  std::string unsaid;
  const ExitCode code = answered({argv + 1, argv + argc}, job.peers(), unsaid);
  if (job.lost()) MPI_Abort(MPI_COMM_WORLD, static_cast<int>(code));
  job.end(unsaid);
  MPI_Finalize();
  // One process tells how it went; those that agree need not.
  return job.peers().rank == 0 ? static_cast<int>(code) : 0;
}
