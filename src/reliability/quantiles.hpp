#pragma once

#include <functional>
#include <vector>

#include "planner/domain/estimate.hpp"

// Days of a run when everything is uncertain together: the failures of the run itself, their rates,
// how long recoveries take, the model of the iteration. A fixed grid over the factors, no random
// numbers. Dollars: product_law.hpp.
namespace planner::inline reliability {

/// Standard deviations of a logarithm below and above its median: a split log-normal.
struct LogSpread {
  double below = 0, above = 0;

  bool operator==(const LogSpread&) const = default;
};

/// Of a figure whose low and high ends hold `share` of all cases: ln(expected/low)/z and
/// ln(high/expected)/z with z = Φ⁻¹((1 + share)/2), 1.2816 for 80 %. All three must be positive.
LogSpread log_spread(const Estimate<double>& figure, double share = 0.8);

/// ln of an outcome for one pair of factors of rates and recovery times: normal, for its mean.
struct LogLaw {
  double mean = 0, variance = 0;
};

/// The log-normal of this mean and standard deviation.
LogLaw log_law(double mean, double deviation);

/// What is not known, as standard deviations of logarithms. One draw of each for a whole run.
struct Uncertainty {
  double rates = 0;     ///< log-normal
  double recovery = 0;  ///< log-normal
  LogSpread model{};    ///< of the iteration time
};

/// A mixture of split normals of ln(outcome).
class OutcomeLaw {
 public:
  struct Node {
    double median = 0, weight = 0;  ///< of ln(outcome)
    LogSpread spread{};
  };
  explicit OutcomeLaw(std::vector<Node> nodes) : nodes_(std::move(nodes)) {}

  /// P(outcome <= value).
  [[nodiscard]] double share_within(double value) const;
  /// The value that a share p of all cases stay within, 0 < p < 1. Within 1 % from p = 0.05 to
  /// 0.95 of simulations.
  [[nodiscard]] double quantile(double p) const;
  /// ln of the values that all but 1e-9 of the cases of each node lie between.
  struct Reach {
    double low = 0, high = 0;
  };
  [[nodiscard]] Reach reach() const;

 private:
  [[nodiscard]] double share_below(double ln_value) const;
  [[nodiscard]] double density(double ln_value) const;

  std::vector<Node> nodes_;  ///< weights sum to 1
};

/// One pair of rates and recovery times, and what a run then comes to, or one that meets some
/// number of rare losses: ln(outcome) is split normal.
struct LawNode {
  double median = 0;
  LogSpread spread{};
  double weight = 1;  ///< all sum to 1
};

/// The outcome that is log-normal.
LawNode law_node(const LogLaw& law);

/// What a pair of factors of rates and recovery times comes to.
using LawAt = std::function<LogLaw(double rates, double recovery)>;
/// The same by how many rare losses a run meets; one that is log-normal where none are rare.
using CasesAt = std::function<std::vector<LawNode>(double rates, double recovery)>;

/// Nodes by the trapezium rule in z_rates and z_recovery, step 0.8 up to 3.2. What a cell adds
/// stands in its node: the slope of ln(mean) in the spread, its curvature in the mean; the nodes
/// are drawn together so that the variance stays 1. Rare losses grow faster than the rates do:
/// where there are cases, the rates of a cell are two points, z ± step/√12.
/// @param law  of the outcome by the factors of rates and recovery times
/// @param rates, recovery  standard deviations of the logarithms of these factors
std::vector<LawNode> law_nodes(const LawAt& law, double rates, double recovery);
std::vector<LawNode> law_nodes(const LawAt& law, const CasesAt& cases, double rates,
                               double recovery);

/// The nodes with the model's spread.
OutcomeLaw outcome_law(const std::vector<LawNode>& nodes, const LogSpread& model);

/// Both at once.
OutcomeLaw outcome_law(const LawAt& law, const Uncertainty& unknown);

}  // namespace planner::reliability
