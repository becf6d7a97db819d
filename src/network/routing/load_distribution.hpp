#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace planner::inline network {

/// How likely a random load or slowdown is, on finitely many values.
class LoadDistribution {
 public:
  struct Step {
    double value = 0;
    double cdf = 0;  ///< P(X ≤ value)
  };

  /// No randomness.
  static LoadDistribution always(double value) { return LoadDistribution({{value, 1}}); }
  /// @param steps  values ascending, cdf ascending and 1 at the last
  explicit LoadDistribution(std::vector<Step> steps) : steps_(std::move(steps)) {}

  [[nodiscard]] const std::vector<Step>& steps() const { return steps_; }
  [[nodiscard]] double mean() const;
  /// The smallest value v with P(X ≤ v) ≥ p.
  [[nodiscard]] double quantile(double p) const;

  /// factor·X + offset, for a factor ≥ 0.
  [[nodiscard]] LoadDistribution transformed(double factor, double offset = 0) const;
  /// max(least, X).
  [[nodiscard]] LoadDistribution at_least(double least) const;
  /// The largest of n independent ones: P(X ≤ v)^n.
  [[nodiscard]] LoadDistribution largest_of(std::int64_t n) const;

 private:
  std::vector<Step> steps_;
};

/// Of `second` with the probability that is given, else of `first`.
LoadDistribution mixed(const LoadDistribution& first, const LoadDistribution& second,
                       double probability);

/// The largest of independent ones: the product of their P(X ≤ v). Nothing given: always 0.
LoadDistribution largest(std::span<const LoadDistribution> parts);

/// The largest of so many independent ones of a law, as multiple of a factor. Refers to the law.
struct LargestOf {
  const LoadDistribution* law = nullptr;
  double factor = 1;
  std::int64_t times = 1;
};
/// max(1, the largest of independent ones): that of largest(), but for values that nothing is below
/// (P(X ≤ v) < 10⁻³⁰), which are left out.
LoadDistribution largest_from_one(std::span<const LargestOf> parts);

}  // namespace planner::network
