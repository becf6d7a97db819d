#pragma once

#include <cstddef>
#include <vector>

namespace planner::inline reliability {

/// The balance of a chain of states. They are eliminated from the first, without a subtraction, so
/// that rare ones keep their digits (Grassmann, Taksar, Heyman 1985).
class Balance {
 public:
  /// @param last  of each state: the last one that it, or one before it, leads to; it never falls
  explicit Balance(std::vector<std::size_t> last);

  void add(std::size_t from, std::size_t to, double rate) { at(from, to) += rate; }

  /// Shares of the states, up to a factor.
  std::vector<double> shares();

 private:
  double& at(std::size_t from, std::size_t to) {
    return rates_[from * width_ + (to + band_ - from)];
  }
  void eliminate();
  template <std::size_t kPairs>
  void eliminate(std::size_t m, std::size_t pairs);

  std::vector<std::size_t> last_;
  std::size_t band_ = 0, width_ = 0;
  std::vector<double> rates_, leaves_;
};

}  // namespace planner::reliability
