#include "planner/reliability/balance.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace planner::inline reliability {

namespace {

/// Of n rates, every second one apart: two sums that do not wait for each other.
inline double sum_of(const double* rates, std::size_t n) {
  double even = 0, odd = 0;
  for (std::size_t k = 0; k + 1 < n; k += 2) {
    even += rates[k];
    odd += rates[k + 1];
  }
  if (n % 2 == 1) even += rates[n - 1];
  return even + odd;
}

/// Eliminates a state: the rates by way of it are added to those between the states that it leads
/// to, which are those right after it.
/// @param state  its row of a table `wide` states wide, at itself
/// @param above  states after it that it leads to, and that lead to it
/// @param enters  their rates to it over those with which it is left
inline void eliminate(double* state, std::size_t wide, std::size_t above, double* enters) {
  const double per_out = 1 / sum_of(state + 1, above);
  double* row = state + wide;
  for (std::size_t i = 0; i < above; ++i, row += wide) {
    const double share = row[0] * per_out;
    enters[i] = share;
    for (std::size_t k = 1; k <= above; ++k) row[k] += share * state[k];
  }
}

void put_level(std::span<const StepRates> states, double* at, std::size_t wide) {
  for (std::size_t k = 0; k < states.size(); ++k, at += wide + 1) {
    if (k > 0) at[-1] = states[k].fewer;
    if (k + 1 < states.size()) at[1] = states[k].more;
  }
}

/// Eliminates a level whose states lead to those in the same places of the next, in place: each
/// gives its row and its column to that, and its own place in its row has the rate to it.
/// @param states  of the next level
/// @param rates  n·n, between the states of this level, and then of the next
/// @param enters  n of each state, in the order of the states after it
inline void pass_alike(std::size_t n, std::span<const StepRates> states,
                       std::span<const StepRates> links, double* rates, double* enters) {
  for (std::size_t m = 0; m < n; ++m, enters += n) {
    double* const state = rates + m * n;
    state[m] = links[m].more;
    const double per_out = 1 / sum_of(state, n);
    const auto add_row = [&](std::size_t i, double* entered) {
      double* const row = rates + i * n;
      const double share = *entered = row[m] * per_out;
      row[m] = 0;
      for (std::size_t k = 0; k < n; ++k) row[k] += share * state[k];
    };
    for (std::size_t i = m + 1; i < n; ++i) add_row(i, enters + (i - m - 1));
    for (std::size_t i = 0; i < m; ++i) add_row(i, enters + (n - 1 - m + i));
    const double share = enters[n - 1] = links[m].fewer * per_out;
    for (std::size_t k = 0; k < n; ++k) state[k] *= share;
    if (m == 0) continue;
    state[m - 1] += states[m].fewer;
    rates[(m - 1) * n + m] += states[m - 1].more;
  }
}

}  // namespace

Balance::Balance(std::size_t states, std::span<const StepRates> first)
    : all_(states), states_(first.size()), rates_(first.size() * first.size()) {
  put_level(first, rates_.data(), states_);
  enters_.reserve(states * (states_ + 1));
}

template <std::size_t kStates>
void Balance::pass(std::span<const StepRates> states, std::span<const StepRates> links) {
  std::array<double, kStates * kStates> rates, enters;
  std::copy_n(rates_.begin(), rates.size(), rates.begin());
  pass_alike(kStates, states, links, rates.data(), enters.data());
  std::copy_n(rates.begin(), rates.size(), rates_.begin());
  enters_.insert(enters_.end(), enters.begin(), enters.end());
  levels_.push_back({kStates, true});
}

void Balance::pass_many(std::span<const StepRates> states, std::span<const StepRates> links) {
  const std::size_t begin = enters_.size();
  enters_.resize(begin + states_ * states_);
  pass_alike(states_, states, links, rates_.data(), &enters_[begin]);
  levels_.push_back({states_, true});
}

void Balance::pass_any(std::span<const StepRates> states, std::span<const StepRates> links,
                       std::span<const std::size_t> from) {
  const std::size_t next = states.size(), wide = states_ + next;
  work_.assign(wide * wide, 0);
  for (std::size_t i = 0; i < states_; ++i) {
    std::copy_n(&rates_[i * states_], states_, &work_[i * wide]);
  }
  for (std::size_t i = 0; i < next; ++i) {
    work_[from[i] * wide + states_ + i] = links[i].more;
    work_[(states_ + i) * wide + from[i]] = links[i].fewer;
  }
  if (next > 0) put_level(states, &work_[states_ * (wide + 1)], wide);
  std::size_t linked = 0;  // of the next level, to states so far
  for (std::size_t m = 0; m < states_; ++m) {
    while (linked < next && from[linked] <= m) ++linked;
    const std::size_t above = states_ - 1 - m + linked, begin = enters_.size();
    above_.push_back(above);
    enters_.resize(begin + above);
    if (above > 0) eliminate(&work_[m * (wide + 1)], wide, above, &enters_[begin]);
  }
  levels_.push_back({states_, false});
  rates_.resize(next * next);
  for (std::size_t i = 0; i < next; ++i) {
    std::copy_n(&work_[(states_ + i) * wide + states_], next, &rates_[i * next]);
  }
  states_ = next;
}

void Balance::add_level(std::span<const StepRates> states, std::span<const StepRates> links,
                        std::span<const std::size_t> from) {
  if (!from.empty()) return pass_any(states, links, from);
  switch (states_) {
    case 1:
      return pass<1>(states, links);
    case 2:
      return pass<2>(states, links);
    case 3:
      return pass<3>(states, links);
    case 4:
      return pass<4>(states, links);
    case 5:
      return pass<5>(states, links);
    case 6:
      return pass<6>(states, links);
    case 7:
      return pass<7>(states, links);
    case 8:
      return pass<8>(states, links);
    default:
      return pass_many(states, links);
  }
}

std::vector<double> Balance::shares() {
  pass_any({}, {}, {});
  std::vector<double> share(all_);
  share.back() = 1;
  constexpr double kLarge = 1e200;  // a state may outweigh the last by more than numbers hold
  const double* enters = enters_.data() + enters_.size();
  std::size_t m = all_;
  auto next_above = above_.rbegin();
  for (auto level = levels_.rbegin(); level != levels_.rend(); ++level) {
    for (std::size_t k = 0; k < level->states; ++k) {
      const std::size_t above = level->alike ? level->states : *next_above++;
      enters -= above;
      if (--m + 1 == all_) continue;
      const double* const after = &share[m + 1];
      double sum = 0;
      for (std::size_t i = 0; i < above; ++i) sum += after[i] * enters[i];
      share[m] = sum;
    }
    if (share[m] < kLarge) continue;
    for (std::size_t i = m; i < all_; ++i) share[i] /= kLarge;
  }
  return share;
}

}  // namespace planner::reliability
