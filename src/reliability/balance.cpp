#include "planner/reliability/balance.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace planner::inline reliability {

Balance::Balance(std::vector<std::size_t> last) : last_(std::move(last)) {
  for (std::size_t m = 0; m < last_.size(); ++m) band_ = std::max(band_, last_[m] - m);
  width_ = 2 * band_ + 1;
  rates_.resize(last_.size() * width_);
}

/// @tparam kAbove  states that are left and that it leads to, or leads to it; 0: as many as `above`
template <std::size_t kAbove>
void Balance::eliminate(std::size_t m, std::size_t above) {
  if constexpr (kAbove > 0) above = kAbove;
  // Loops of a known length are faster, and a copy that no row can be is.
  std::array<double, kAbove> copy;
  const double* leaves = &at(m, m) + 1;
  if constexpr (kAbove > 0) {
    std::copy_n(leaves, kAbove, copy.begin());
    leaves = copy.data();
  }
  const double out = std::accumulate(leaves, leaves + above, 0.0);
  double* enters = &at(m + 1, m);
  for (std::size_t i = 0; i < above; ++i, enters += width_ - 1) {
    if (*enters == 0) continue;
    const double share = *enters /= out;
    for (std::size_t k = 0; k < above; ++k) enters[k + 1] += share * leaves[k];
  }
}

void Balance::eliminate() {
  for (std::size_t m = 0; m + 1 < last_.size(); ++m) {
    const std::size_t above = last_[m] - m;
    switch (above) {
      case 1: eliminate<1>(m, above); break;
      case 2: eliminate<2>(m, above); break;
      case 3: eliminate<3>(m, above); break;
      case 4: eliminate<4>(m, above); break;
      case 5: eliminate<5>(m, above); break;
      case 6: eliminate<6>(m, above); break;
      case 7: eliminate<7>(m, above); break;
      case 8: eliminate<8>(m, above); break;
      default: eliminate<0>(m, above);
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
