#include "planner/reliability/sum_law.hpp"

#include <algorithm>
#include <cmath>

#include "planner/core/normal.hpp"

namespace planner::inline reliability {

namespace {

constexpr std::size_t kCells = 1024;
constexpr double kReach = 4, kStep = 0.25;  // in standard deviations of a logarithm

double factor_at(const LogSpread& spread, double z) {
  return std::exp((z < 0 ? spread.below : spread.above) * z);
}

double swing(const UncertainPart& part) {
  return part.weight * (factor_at(part.spread, 1) - factor_at(part.spread, -1));
}

/// P(weight·X <= value).
double share_of_part_within(const UncertainPart& part, double value) {
  if (value <= 0) return 0;
  const double off = std::log(value / part.weight);
  const double spread = off < 0 ? part.spread.below : part.spread.above;
  if (spread <= 0) return off < 0 ? 0 : 1;
  return normal_share_below(off / spread);
}

/// Masses of the cells moved by weight·X, each shared out between the two cells that it falls
/// between.
std::vector<double> moved(const std::vector<double>& masses, const UncertainPart& part, double from,
                          double cell) {
  std::vector<double> result(masses.size());
  double sum = 0;
  for (double z = -kReach; z <= kReach; z += kStep) sum += std::exp(-z * z / 2);
  for (double z = -kReach; z <= kReach; z += kStep) {
    const double weight = std::exp(-z * z / 2) / sum;
    const double cells = (part.weight * factor_at(part.spread, z) - from) / cell;
    const auto whole = static_cast<std::size_t>(cells);
    const double rest = cells - static_cast<double>(whole);
    if (whole + 1 >= masses.size()) continue;
    const double here = weight * (1 - rest), above = weight * rest;
    const double* const from_cell = masses.data();
    double* const to_cell = result.data() + whole;
    to_cell[0] += here * from_cell[0];
    for (std::size_t i = 1; i < masses.size() - whole; ++i) {
      to_cell[i] += here * from_cell[i] + above * from_cell[i - 1];
    }
  }
  return result;
}

}  // namespace

SumLaw::SumLaw(double constant, std::vector<UncertainPart> parts) {
  std::erase_if(parts, [](const UncertainPart& part) { return !(swing(part) > 0); });
  std::sort(parts.begin(), parts.end(),
            [](const UncertainPart& a, const UncertainPart& b) { return swing(a) > swing(b); });
  low_ = high_ = constant;
  for (const UncertainPart& part : parts) {
    low_ += part.weight * factor_at(part.spread, -kReach);
    high_ += part.weight * factor_at(part.spread, kReach);
  }
  cell_ = (high_ - low_) / kCells;
  if (parts.empty()) return;
  const UncertainPart& widest = parts.front();
  const double start = widest.weight * factor_at(widest.spread, -kReach);
  // Cells of the sum so far, the others at their least; two more take what rounding moves out.
  std::vector<double> masses(kCells + 2);
  for (std::size_t i = 0; i < kCells; ++i) {
    const double at = start + static_cast<double>(i) * cell_;
    masses[i] = share_of_part_within(widest, at + cell_) - share_of_part_within(widest, at);
  }
  for (std::size_t k = 1; k < parts.size(); ++k) {
    masses = moved(masses, parts[k], parts[k].weight * factor_at(parts[k].spread, -kReach), cell_);
  }
  below_.push_back(0);
  for (const double mass : masses) below_.push_back(below_.back() + mass);
  for (double& share : below_) share /= below_.back();
}

double SumLaw::quantile(double p) const {
  if (below_.empty()) return low_;
  const auto above = std::lower_bound(below_.begin(), below_.end(), p);
  const auto i = static_cast<std::size_t>(above - below_.begin());
  const double before = below_[i - 1];
  return low_ + cell_ * (static_cast<double>(i - 1) + (p - before) / (below_[i] - before));
}

double SumLaw::share_within(double value) const {
  if (below_.empty()) return value < low_ ? 0 : 1;
  const double cells = (value - low_) / cell_;
  if (cells <= 0) return 0;
  const auto whole = static_cast<std::size_t>(cells);
  if (whole + 1 >= below_.size()) return 1;
  return below_[whole] + (cells - static_cast<double>(whole)) * (below_[whole + 1] - below_[whole]);
}

}  // namespace planner::reliability
