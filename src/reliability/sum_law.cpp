#include "planner/reliability/sum_law.hpp"

#include <algorithm>
#include <cmath>

#include "planner/core/normal.hpp"

namespace planner::inline reliability {

namespace {

constexpr std::size_t kSumCells = 512;
constexpr double kSumReach = 4, kSumStep = 0.25;  // in standard deviations of a logarithm

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

/// What a part moves a sum by, beyond its least: shares of whole cells, each node's shared out
/// between the two cells that it falls between.
std::vector<double> moves_of(const UncertainPart& part, double cell) {
  const double from = part.weight * factor_at(part.spread, -kSumReach);
  const double to = part.weight * factor_at(part.spread, kSumReach);
  std::vector<double> moves(static_cast<std::size_t>((to - from) / cell) + 2);
  double sum = 0;
  for (double z = -kSumReach; z <= kSumReach; z += kSumStep) sum += std::exp(-z * z / 2);
  for (double z = -kSumReach; z <= kSumReach; z += kSumStep) {
    const double weight = std::exp(-z * z / 2) / sum;
    const double cells = (part.weight * factor_at(part.spread, z) - from) / cell;
    const auto whole = static_cast<std::size_t>(cells);
    const double rest = cells - static_cast<double>(whole);
    moves[whole] += weight * (1 - rest);
    moves[whole + 1] += weight * rest;
  }
  return moves;
}

/// Masses of cells, of what two things come to together. Four moves at a time: each sum is read and
/// written a fourth as often.
std::vector<double> together(const std::vector<double>& masses, std::vector<double> moves) {
  constexpr std::size_t kAtOnce = 4, kBefore = kAtOnce - 1;
  const std::size_t cells = masses.size() + moves.size() - 1;
  moves.resize((moves.size() + kBefore) / kAtOnce * kAtOnce);
  std::vector<double> padded(masses.size() + 2 * kBefore);
  std::copy(masses.begin(), masses.end(), padded.begin() + kBefore);
  std::vector<double> result(masses.size() + moves.size() + kBefore);
  for (std::size_t k = 0; k < moves.size(); k += kAtOnce) {
    const double m0 = moves[k], m1 = moves[k + 1], m2 = moves[k + 2], m3 = moves[k + 3];
    if (m0 == 0 && m1 == 0 && m2 == 0 && m3 == 0) continue;
    const double* const from = padded.data();
    double* const to = result.data() + k;
    for (std::size_t i = 0; i < masses.size() + kBefore; ++i) {
      to[i] += m0 * from[i + 3] + m1 * from[i + 2] + m2 * from[i + 1] + m3 * from[i];
    }
  }
  result.resize(cells);
  return result;
}

}  // namespace

SumLaw::SumLaw(double constant, std::vector<UncertainPart> parts) {
  std::erase_if(parts, [](const UncertainPart& part) { return !(swing(part) > 0); });
  std::sort(parts.begin(), parts.end(),
            [](const UncertainPart& a, const UncertainPart& b) { return swing(a) < swing(b); });
  low_ = high_ = constant;
  for (const UncertainPart& part : parts) {
    low_ += part.weight * factor_at(part.spread, -kSumReach);
    high_ += part.weight * factor_at(part.spread, kSumReach);
  }
  cell_ = (high_ - low_) / kSumCells;
  if (parts.empty()) return;
  // The widest as a density, with the narrowest first: what has come together is short for long.
  const UncertainPart& widest = parts.back();
  const double start = widest.weight * factor_at(widest.spread, -kSumReach);
  const double end = widest.weight * factor_at(widest.spread, kSumReach);
  std::vector<double> masses(static_cast<std::size_t>((end - start) / cell_) + 1);
  for (std::size_t i = 0; i < masses.size(); ++i) {
    const double at = start + static_cast<double>(i) * cell_;
    masses[i] = share_of_part_within(widest, at + cell_) - share_of_part_within(widest, at);
  }
  parts.pop_back();
  for (const UncertainPart& part : parts) masses = together(masses, moves_of(part, cell_));
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
