#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "planner/core/diagnostic.hpp"

namespace planner::commands {

/// Processes that are given the same call and answer it together: planner-mpi. Each goes through
/// all of it, takes a part of the work and has the whole answer in the end.
struct Peers {
  std::size_t rank = 0, size = 1;
  /// The texts of all, in the order of ranks. All call it at once, as often.
  /// @throws PeerLost
  std::function<std::vector<std::string>(const std::string& own)> share{};
  /// The next number of a count that all raise: 0 first, each number once. Any one thread at a time
  /// calls it, whatever the others do. One Together of the job takes them all.
  std::function<std::size_t()> next{};
};

/// Another process has ended before the answer.
class PeerLost : public InputError {
 public:
  using InputError::InputError;
};

}  // namespace planner::commands
