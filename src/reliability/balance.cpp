#include "planner/reliability/balance.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <utility>

#include "planner/core/vector_clones.hpp"

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

/// Places for the rates from so many states to one: whole vectors of four, or eight.
constexpr std::size_t wide_of(std::size_t states) {
  if (states <= 2) return states;
  return states <= kLanes / 2 ? kLanes / 2 : (states + kLanes - 1) / kLanes * kLanes;
}

template <std::size_t kWide>
using Vector [[gnu::vector_size(kWide * sizeof(double))]] = double;
template <std::size_t kWide>
using Bits [[gnu::vector_size(kWide * sizeof(double))]] = std::int64_t;

/// Rates from a state of a level to those of the level, but for one, and to the next.
template <std::size_t kStates, std::size_t m, std::size_t but>
[[gnu::always_inline]] inline double rate_out(const StepRates& link, const double* rates) {
  double even = link.more, odd = 0;
  for (std::size_t k = 0; k < kStates; ++k) {
    if (k != m && k != but) (k % 2 == 0 ? even : odd) += rates[k * wide_of(kStates) + m];
  }
  return even + odd;
}

/// Eliminates one state of a level, and puts the one in its place of the next level there.
/// @param links  of the level, of both
/// @param out  rate with which it is left
/// @param next  rates between the states of the next level, by columns: those to each state
/// @param rates  likewise, between the states that are there
/// @param enters  those to it over those with which it is left: from those that follow it and,
/// before them, from those of the next level
/// @return  rate with which the one that follows it is left, found before those between them are,
/// as they wait for a division
template <std::size_t kStates, std::size_t m>
[[gnu::always_inline]] inline double pass_one(const StepRates* links, double out,
                                              const double* next, double* __restrict__ rates,
                                              double* __restrict__ enters) {
  constexpr std::size_t kWide = wide_of(kStates);
  const StepRates& link = links[m];
  const double per_out = 1 / out;
  double follows = 0;
  if constexpr (m + 1 < kStates) {
    follows = rate_out<kStates, m + 1, m>(links[m + 1], rates) +
              rates[m * kWide + m + 1] * rate_out<kStates, m, m + 1>(link, rates) * per_out;
  }
  Bits<kWide> others = ~Bits<kWide>{};  // than the state itself
  others[m] = 0;
  Vector<kWide> entered;
  std::memcpy(&entered, rates + m * kWide, sizeof(entered));
  const Vector<kWide> all_fewer = link.fewer - Vector<kWide>{};
  entered = Vector<kWide>((Bits<kWide>(entered) & others) | (Bits<kWide>(all_fewer) & ~others));
  const Vector<kWide> share = entered * per_out;
  std::memcpy(enters, &share, sizeof(share));
  for (std::size_t k = 0; k < kStates; ++k) {
    double* const column = rates + k * kWide;
    // What is known before the rate out is multiplied first, as that is waited for.
    Vector<kWide> by_way = entered * (k == m ? link.more : column[m]) * per_out;
    if (k != m) {
      Vector<kWide> before;
      std::memcpy(&before, column, sizeof(before));
      by_way += Vector<kWide>(Bits<kWide>(before) & others);
    }
    if (m + 1 == kStates) {  // all are there
      Vector<kWide> between;
      std::memcpy(&between, next + k * kWide, sizeof(between));
      by_way += between;
    }
    std::memcpy(column, &by_way, sizeof(by_way));
  }
  return follows;
}

/// Eliminates a level whose states lead to those in the same places of the next, in place.
template <std::size_t... m>
[[gnu::always_inline]] inline void pass_all(const StepRates* links, const double* next,
                                            double* rates, double* enters,
                                            std::index_sequence<m...> /*states*/) {
  constexpr std::size_t kStates = sizeof...(m);
  double out = rate_out<kStates, 0, kStates>(links[0], rates);
  ((out = pass_one<kStates, m>(links, out, next, rates, enters + m * wide_of(kStates))), ...);
}

/// The same of any number.
[[gnu::always_inline]] inline void pass_many(std::size_t n, const StepRates* links,
                                             const double* next, double* __restrict__ rates,
                                             double* __restrict__ enters) {
  const std::size_t wide = wide_of(n);
  for (std::size_t m = 0; m < n; ++m, enters += wide) {
    double* const to = rates + m * wide;
    double out = links[m].more;
    for (std::size_t k = 0; k < n; ++k) {
      if (k != m) out += rates[k * wide + m];
    }
    const double per_out = 1 / out;
    for (std::size_t i = 0; i < wide; ++i) enters[i] = to[i] * per_out;
    enters[m] = links[m].fewer * per_out;
    for (std::size_t k = 0; k < n; ++k) {
      double* const column = rates + k * wide;
      const double rate = column[m];
      column[m] = 0;
      if (k == m) continue;
      for (std::size_t i = 0; i < wide; ++i) column[i] += enters[i] * rate;
    }
    for (std::size_t i = 0; i < wide; ++i) to[i] = enters[i] * links[m].more;
  }
  for (std::size_t i = 0; i < n * wide; ++i) rates[i] += next[i];
}

PLANNER_VECTOR_CLONES
void pass_alike(std::size_t n, const StepRates* links, const double* next, double* rates,
                double* enters) {
  switch (n) {
    case 1:
      return pass_all(links, next, rates, enters, std::make_index_sequence<1>());
    case 2:
      return pass_all(links, next, rates, enters, std::make_index_sequence<2>());
    case 3:
      return pass_all(links, next, rates, enters, std::make_index_sequence<3>());
    case 4:
      return pass_all(links, next, rates, enters, std::make_index_sequence<4>());
    case 5:
      return pass_all(links, next, rates, enters, std::make_index_sequence<5>());
    case 6:
      return pass_all(links, next, rates, enters, std::make_index_sequence<6>());
    case 7:
      return pass_all(links, next, rates, enters, std::make_index_sequence<7>());
    case 8:
      return pass_all(links, next, rates, enters, std::make_index_sequence<8>());
    default:
      return pass_many(n, links, next, rates, enters);
  }
}

/// Share of a state of such a level, of those that follow it and, in the places before them, those
/// of the next level; it takes its place. The one that was found last is added last.
template <std::size_t kStates, std::size_t m>
[[gnu::always_inline]] inline void share_one(const double* enters, double* at) {
  double sum = 0;
  for (std::size_t k = 0; k < kStates; ++k) {
    const std::size_t i = (m + 2 + k) % kStates;
    sum += at[i] * enters[m * wide_of(kStates) + i];
  }
  at[m] = sum;
}

/// Of a level's states, right before those of the next.
template <std::size_t... m>
inline void share_all(const double* enters, double* share, std::index_sequence<m...> /*states*/) {
  constexpr std::size_t kStates = sizeof...(m);
  std::array<double, kStates> at{share[kStates + m]...};
  (share_one<kStates, kStates - 1 - m>(enters, at.data()), ...);
  std::ranges::copy(at, share);
}

void share_many(std::size_t n, const double* enters, double* share) {
  std::vector<double> at(share + n, share + 2 * n);
  for (std::size_t m = n; m-- > 0;) {
    at[m] = std::inner_product(at.begin(), at.end(), enters + m * wide_of(n), 0.0);
  }
  std::ranges::copy(at, share);
}

void share_alike(std::size_t n, const double* enters, double* share) {
  switch (n) {
    case 1:
      return share_all(enters, share, std::make_index_sequence<1>());
    case 2:
      return share_all(enters, share, std::make_index_sequence<2>());
    case 3:
      return share_all(enters, share, std::make_index_sequence<3>());
    case 4:
      return share_all(enters, share, std::make_index_sequence<4>());
    case 5:
      return share_all(enters, share, std::make_index_sequence<5>());
    case 6:
      return share_all(enters, share, std::make_index_sequence<6>());
    case 7:
      return share_all(enters, share, std::make_index_sequence<7>());
    case 8:
      return share_all(enters, share, std::make_index_sequence<8>());
    default:
      return share_many(n, enters, share);
  }
}

/// The rates between the states of a level, by columns.
void put_between(std::span<const StepRates> states, std::vector<double>& rates) {
  const std::size_t wide = wide_of(states.size());
  rates.resize(states.size() * wide);
  for (std::size_t k = 1; k < states.size(); ++k) {
    rates[(k - 1) * wide + k] = states[k].fewer;
    rates[k * wide + k - 1] = states[k - 1].more;
  }
}

/// Room for numbers that the last balance of this thread took, and the next one takes: given back
/// and asked for anew, it would come with empty pages each time.
std::vector<double>& kept() {
  thread_local std::vector<double> room;
  return room;
}
constexpr std::size_t kMostKept = 1 << 17;

}  // namespace

Balance::Balance(std::size_t states, std::span<const StepRates> first)
    : all_(states), states_(first.size()), enters_(std::move(kept())) {
  constexpr std::size_t kUsualLevels = 128;
  levels_.reserve(std::min(all_, kUsualLevels));
  above_.reserve(std::min(all_, kUsualLevels));
  put_between(first, rates_);
}

Balance::~Balance() {
  if (enters_.size() <= kMostKept) kept() = std::move(enters_);
}

double* Balance::put_level(bool alike, std::size_t enters) {
  levels_.push_back({states_, alike, entered_});
  entered_ += enters;
  if (entered_ > enters_.size()) enters_.resize(2 * entered_);
  return &enters_[entered_ - enters];
}

void Balance::pass_any(std::span<const StepRates> states, std::span<const StepRates> links,
                       std::span<const std::size_t> from) {
  const std::size_t next = states.size(), wide = states_ + next;
  work_.assign(wide * wide, 0);
  for (std::size_t k = 0; k < states_; ++k) {
    const double* const to = &rates_[k * wide_of(states_)];
    for (std::size_t i = 0; i < states_; ++i) work_[i * wide + k] = to[i];
  }
  for (std::size_t i = 0; i < next; ++i) {
    work_[from[i] * wide + states_ + i] = links[i].more;
    work_[(states_ + i) * wide + from[i]] = links[i].fewer;
  }
  std::size_t linked = 0;  // of the next level, to states so far
  double* enters = put_level(false, states_ * wide);
  for (std::size_t m = 0; m < states_; ++m) {
    while (linked < next && from[linked] <= m) ++linked;
    const std::size_t above = states_ - 1 - m + linked;
    above_.push_back(above);
    if (above > 0) eliminate(&work_[m * (wide + 1)], wide, above, enters + m * wide);
  }
  states_ = next;
  between_.clear();
  put_between(states, between_);
  rates_ = between_;
  for (std::size_t k = 0; k < next; ++k) {
    double* const to = &rates_[k * wide_of(next)];
    const std::size_t first = wide - next;
    for (std::size_t i = 0; i < next; ++i) to[i] += work_[(first + i) * wide + first + k];
  }
}

void Balance::add_level(std::span<const StepRates> states, std::span<const StepRates> links,
                        std::span<const std::size_t> from) {
  if (!from.empty()) return pass_any(states, links, from);
  double* const enters = put_level(true, states_ * wide_of(states_));
  put_between(states, between_);
  pass_alike(states_, links.data(), between_.data(), rates_.data(), enters);
}

std::vector<double> Balance::shares() {
  pass_any({}, {}, {});
  std::vector<double> share(all_);
  share.back() = 1;
  constexpr double kLarge = 1e200;      // a state may outweigh the last by more than numbers hold
  std::size_t first = all_, after = 0;  // of a level; states of the next
  auto next_above = above_.rbegin();
  for (auto level = levels_.rbegin(); level != levels_.rend(); ++level) {
    const std::size_t n = level->states;
    if (level->alike) {
      first -= n;
      share_alike(n, &enters_[level->enters], &share[first]);
    } else {
      const std::size_t wide = n + after;
      for (std::size_t k = n; k-- > 0;) {
        const std::size_t above = *next_above++;
        if (--first + 1 == all_) continue;
        const double* const enters = &enters_[level->enters + k * wide];
        share[first] = std::inner_product(enters, enters + above, &share[first + 1], 0.0);
      }
    }
    after = n;
    if (share[first] < kLarge) continue;
    for (std::size_t i = first; i < all_; ++i) share[i] /= kLarge;
  }
  return share;
}

}  // namespace planner::reliability
