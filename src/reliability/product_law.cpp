#include "planner/reliability/product_law.hpp"

#include <algorithm>
#include <cmath>

namespace planner::inline reliability {

namespace {

constexpr double kCells = 512;  // of time and price together
constexpr double kLeastCell = 1e-9;

/// Masses of cells of a logarithm, the first of which begins at `start`.
struct Masses {
  double start = 0;
  std::vector<double> of_cell;
};

/// What is exact lies in the middle of one cell.
template <class Law>
Masses masses_of(const Law& law, double low, double high, double cell) {
  if (high - low < cell) return {(low + high - cell) / 2, {1}};
  const auto cells = static_cast<std::size_t>(std::ceil((high - low) / cell));
  Masses masses{low, std::vector<double>(cells)};
  double before = 0;
  for (std::size_t i = 0; i < cells; ++i) {
    const double within = law.share_within(std::exp(low + static_cast<double>(i + 1) * cell));
    masses.of_cell[i] = within - before;
    before = within;
  }
  return masses;
}

}  // namespace

ProductLaw::ProductLaw(const OutcomeLaw& time, const SumLaw& price) {
  const auto [low, high] = time.reach();
  const double cheap = std::log(price.low()), dear = std::log(price.high());
  cell_ = std::max(kLeastCell, (high - low + dear - cheap) / kCells);
  const Masses times = masses_of(time, low, high, cell_);
  const Masses prices = masses_of(price, cheap, dear, cell_);
  std::vector<double> folded(times.of_cell.size() + prices.of_cell.size() - 1);
  for (std::size_t i = 0; i < times.of_cell.size(); ++i) {
    for (std::size_t k = 0; k < prices.of_cell.size(); ++k) {
      folded[i + k] += times.of_cell[i] * prices.of_cell[k];
    }
  }
  // Two cells add up to a triangle, half of which lies below its middle.
  start_ = times.start + prices.start;
  below_ = {0};
  double sum = 0;
  for (const double mass : folded) {
    below_.push_back(sum + mass / 2);
    sum += mass;
  }
  below_.push_back(sum);
  for (double& share : below_) share /= sum;
}

double ProductLaw::quantile(double p) const {
  const auto above = std::lower_bound(below_.begin(), below_.end(), p);
  const auto i = static_cast<std::size_t>(above - below_.begin());
  const double before = below_[i - 1];
  return std::exp(start_ +
                  cell_ * (static_cast<double>(i - 1) + (p - before) / (below_[i] - before)));
}

}  // namespace planner::reliability
