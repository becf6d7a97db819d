// Processes that answer one question together, without MPI.
#pragma once

#include <atomic>
#include <barrier>
#include <cstddef>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "planner/design/times.hpp"

namespace planner::testing {

/// Processes as threads: each has its own of everything, and they share what Team says.
class Processes {
 public:
  explicit Processes(std::size_t size) : said_(size), meeting_(static_cast<std::ptrdiff_t>(size)) {}

  /// From now on the first has one thread, the second two, and so on.
  void put_on_other_machines() { other_machines_ = true; }

  /// From now on work is dealt out in turns, whoever is ready for more: the same in every run.
  void take_turns() { turns_ = true; }

  /// @param question  given the Times of a process
  template <class Answer>
  std::vector<Answer> ask(const design::Space& space,
                          const std::function<Answer(design::Times&)>& question) {
    std::vector<Answer> answers(said_.size());
    dealt_ = 0;
    std::vector<std::thread> all;
    for (std::size_t rank = 0; rank < said_.size(); ++rank) {
      all.emplace_back([&, rank] {
        const design::Team team{
            .rank = rank,
            .size = said_.size(),
            .say = [&, rank](const design::Said& own) { return say(rank, own); },
            .deal = dealing(rank)};
        const int threads = other_machines_ ? static_cast<int>(rank) + 1 : 1;
        design::Times times(space, threads, nullptr, &team);
        answers[rank] = question(times);
      });
    }
    for (std::thread& one : all) one.join();
    return answers;
  }
  [[nodiscard]] std::size_t shared() const { return shared_; }

 private:
  std::function<std::size_t(std::size_t)> dealing(std::size_t rank) {
    if (!turns_) return design::Dealing([this] { return dealt_++; }, said_.size());
    return [rank, next = rank, size = said_.size()](std::size_t parts) mutable {
      const std::size_t part = std::exchange(next, next + size);
      if (part < parts) return part;
      next = rank;
      return parts;
    };
  }

  std::vector<design::Said> say(std::size_t rank, const design::Said& own) {
    said_[rank] = own;
    meeting_.arrive_and_wait();
    std::vector<design::Said> all = said_;
    if (rank == 0) {
      for (const design::Said& one : all) shared_ += one.searches.size();
    }
    meeting_.arrive_and_wait();
    return all;
  }

  std::vector<design::Said> said_;
  std::barrier<> meeting_;
  std::size_t shared_ = 0;
  std::atomic<std::size_t> dealt_{0};
  bool other_machines_ = false, turns_ = false;
};

}  // namespace planner::testing
