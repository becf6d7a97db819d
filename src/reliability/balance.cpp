#include "planner/reliability/balance.hpp"

#include <algorithm>
#include <array>

namespace planner::inline reliability {

Balance::Balance(std::vector<std::size_t> last) : last_(std::move(last)) {
  for (std::size_t m = 0; m < last_.size(); ++m) band_ = std::max(band_, last_[m] - m);
  // A pair may reach one beyond the band. With one more, a state's place in the next row is an even
  // number, width_ - 1, after that in this one: pairs stay pairs.
  width_ = 2 * band_ + 3;
  rates_.resize(last_.size() * width_);
  leaves_.resize(width_);
}

/// Of states beyond `m`, in pairs whose first is even: a pair that was written is read as the same
/// pair in the next step, or a processor waits for it.
/// @tparam kPairs  how many pairs, known to the compiler; 0: `pairs` says
/// @param m  the state that goes: the rates by way of it are added to those between states beyond
/// it
/// @param pairs  from the first state beyond `m`, or `m`, to the last that it leads to
template <std::size_t kPairs>
void Balance::eliminate(std::size_t m, std::size_t pairs) {
  const std::size_t first = (m + 1) / 2 * 2, above = last_[m] - m;
  std::array<double, 2 * kPairs> of_known;  // apart from all rows, so that it need not be read anew
  double* leaves = leaves_.data();
  if constexpr (kPairs > 0) {
    pairs = kPairs;
    leaves = of_known.data();
  }
  std::copy_n(&at(m, first), 2 * pairs, leaves);
  if (first == m) leaves[0] = 0;
  if (first + 2 * pairs > last_[m] + 1) leaves[2 * pairs - 1] = 0;
  double out = 0, of_odd = 0;
  for (std::size_t k = 0; k < pairs; ++k) {
    out += leaves[2 * k];
    of_odd += leaves[2 * k + 1];
  }
  const double per_out = 1 / (out + of_odd);
  double* enters = &at(m + 1, m);
  for (std::size_t i = 0; i < above; ++i, enters += width_ - 1) {
    if (*enters == 0) continue;
    const double share = *enters * per_out;
    double* const row = enters + (first - m);
    for (std::size_t k = 0; k < 2 * pairs; ++k) row[k] += share * leaves[k];
    *enters = share;
  }
}

void Balance::eliminate() {
  for (std::size_t m = 0; m + 1 < last_.size(); ++m) {
    const std::size_t pairs = last_[m] / 2 + 1 - (m + 1) / 2;
    switch (pairs) {
      case 1:
        eliminate<1>(m, pairs);
        break;
      case 2:
        eliminate<2>(m, pairs);
        break;
      case 3:
        eliminate<3>(m, pairs);
        break;
      case 4:
        eliminate<4>(m, pairs);
        break;
      case 5:
        eliminate<5>(m, pairs);
        break;
      default:
        eliminate<0>(m, pairs);
    }
  }
}

std::vector<double> Balance::shares() {
  const std::size_t states = last_.size();
  eliminate();
  std::vector<double> share(states);
  share.back() = 1;
  constexpr double kLarge = 1e200;  // a state may outweigh the last by more than numbers hold
  for (std::size_t m = states - 1; m-- > 0;) {
    for (std::size_t i = m + 1; i <= last_[m]; ++i) share[m] += share[i] * at(i, m);
    if (share[m] < kLarge) continue;
    for (std::size_t i = m; i < states; ++i) share[i] /= kLarge;
  }
  return share;
}

}  // namespace planner::reliability
