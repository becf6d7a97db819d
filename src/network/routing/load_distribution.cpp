#include "planner/network/routing/load_distribution.hpp"

#include <algorithm>
#include <cmath>

#include "planner/core/real.hpp"

namespace planner::inline network {

double LoadDistribution::mean() const {
  double sum = 0;
  double before = 0;
  for (const Step& step : steps_) {
    sum += step.value * (step.cdf - before);
    before = step.cdf;
  }
  return sum;
}

double LoadDistribution::quantile(double p) const {
  const auto reached =
      std::find_if(steps_.begin(), steps_.end(), [&](const Step& step) { return step.cdf >= p; });
  return reached == steps_.end() ? steps_.back().value : reached->value;
}

LoadDistribution LoadDistribution::transformed(double factor, double offset) const {
  std::vector<Step> steps = steps_;
  for (Step& step : steps) step.value = factor * step.value + offset;
  return LoadDistribution(std::move(steps));
}

LoadDistribution LoadDistribution::at_least(double least) const {
  std::vector<Step> steps;
  for (const Step& step : steps_) {
    const double value = std::max(least, step.value);
    if (!steps.empty() && steps.back().value == value) {
      steps.back().cdf = step.cdf;
    } else {
      steps.push_back({value, step.cdf});
    }
  }
  return LoadDistribution(std::move(steps));
}

LoadDistribution LoadDistribution::largest_of(std::int64_t n) const {
  std::vector<Step> steps = steps_;
  for (Step& step : steps) step.cdf = std::pow(step.cdf, real(n));
  return LoadDistribution(std::move(steps));
}

namespace {

/// Whether no two values are equal, of which the last would stand for all.
bool all_differ(const std::vector<LoadDistribution::Step>& steps) {
  const auto equal = [](const auto& a, const auto& b) { return !(a.value < b.value); };
  return std::adjacent_find(steps.begin(), steps.end(), equal) == steps.end();
}

}  // namespace

LoadDistribution mixed(const LoadDistribution& first, const LoadDistribution& second,
                       double probability) {
  std::vector<LoadDistribution::Step> steps;
  auto a = first.steps().begin(), b = second.steps().begin();
  const auto a_end = first.steps().end(), b_end = second.steps().end();
  double below_a = 0, below_b = 0;
  while (a != a_end || b != b_end) {
    const bool take_a = b == b_end || (a != a_end && a->value <= b->value);
    const double value = take_a ? a->value : b->value;
    if (take_a) below_a = (a++)->cdf;
    if (b != b_end && b->value == value) below_b = (b++)->cdf;
    const bool last = a == a_end && b == b_end;
    steps.push_back({value, last ? 1 : (1 - probability) * below_a + probability * below_b});
  }
  return LoadDistribution(std::move(steps));
}

LoadDistribution largest(std::span<const LoadDistribution> parts) {
  if (parts.size() == 1 && all_differ(parts.front().steps())) return parts.front();
  std::vector<double> values;
  for (const LoadDistribution& part : parts) {
    for (const LoadDistribution::Step& step : part.steps()) values.push_back(step.value);
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  if (values.empty()) return LoadDistribution::always(0);
  std::vector<LoadDistribution::Step> product;
  for (const double value : values) product.push_back({value, 1});
  for (const LoadDistribution& part : parts) {
    std::size_t passed = 0;
    double cdf = 0;
    for (LoadDistribution::Step& step : product) {
      while (passed < part.steps().size() && part.steps()[passed].value <= step.value) {
        cdf = part.steps()[passed++].cdf;
      }
      step.cdf *= cdf;
    }
  }
  return LoadDistribution(std::move(product));
}

namespace {

constexpr double kNoShare = 1e-30;

/// Walks down the values of a part. Most of what many draws' largest are below is nothing, and
/// never looked at.
class Descent {
 public:
  explicit Descent(const LargestOf& part)
      : first_(part.law->steps().data()),
        at_(first_ + part.law->steps().size()),
        factor_(part.factor),
        times_(real(part.times)),
        nothing_(part.times == 1 ? 0 : std::pow(kNoShare, 1 / times_)) {
    step();
  }

  [[nodiscard]] double value() const { return value_; }
  /// P(X ≤ value).
  [[nodiscard]] double cdf() const { return cdf_; }
  /// To the largest value below one, beneath which nothing may be.
  void below(double value) {
    while (value_ >= value && cdf_ > 0) step();
  }

 private:
  void step() {
    cdf_ = 0;
    if (at_ == first_) return;
    --at_;
    value_ = factor_ * at_->value;
    if (at_->cdf >= nothing_) cdf_ = times_ == 1 ? at_->cdf : std::pow(at_->cdf, times_);
  }

  const LoadDistribution::Step *first_, *at_;
  double factor_, times_, nothing_, value_ = 0, cdf_ = 0;
};

}  // namespace

LoadDistribution largest_from_one(std::span<const LargestOf> parts) {
  std::vector<Descent> descents(parts.begin(), parts.end());
  std::vector<LoadDistribution::Step> steps;
  for (double value = 0; value != 1;) {
    value = 1;
    double cdf = 1;
    for (const Descent& part : descents) {
      value = std::max(value, part.value());
      cdf *= part.cdf();
    }
    if (cdf < kNoShare) break;
    steps.push_back({value, cdf});
    for (Descent& part : descents) part.below(value);
  }
  std::reverse(steps.begin(), steps.end());
  return LoadDistribution(std::move(steps));
}

}  // namespace planner::network
