#include "planner/reliability/balance.hpp"

#include <algorithm>
#include <numeric>

namespace planner::inline reliability {

Balance::Balance(std::vector<std::size_t> last) : last_(std::move(last)) {
  for (std::size_t m = 0; m < last_.size(); ++m) band_ = std::max(band_, last_[m] - m);
  width_ = 2 * band_ + 1;
  rates_.resize(last_.size() * width_);
}

std::vector<double> Balance::shares() {
  const std::size_t states = last_.size();
  for (std::size_t m = 0; m + 1 < states; ++m) {
    const std::size_t above = last_[m] - m;
    const double* leaves = &at(m, m) + 1;
    const double out = std::accumulate(leaves, leaves + above, 0.0);
    for (std::size_t i = m + 1; i <= last_[m]; ++i) {
      double& enters = at(i, m);
      if (enters == 0) continue;
      enters /= out;
      double* row = &enters + 1;
      for (std::size_t k = 0; k < above; ++k) row[k] += enters * leaves[k];
    }
  }
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
