#include "planner/reliability/quantiles.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "planner/core/normal.hpp"

namespace planner::inline reliability {

namespace {

constexpr double kStep = 0.8, kReach = 3.2;  // of rates and recovery times
constexpr double kLeastWeight = 1e-6;        // of a node that counts

double normal_share(double z) {
  constexpr double kFar = 9;  // less than a double tells from 0 lies beyond
  if (z > kFar) return 1;
  if (z < -kFar) return 0;
  return normal_share_below(z);
}

struct Point {
  double z, weight;
};

/// The trapezium rule on the normal density, weights summing to 1, drawn together so that with a
/// variance of step²/12 in each cell the whole has 1.
std::vector<Point> grid(double step, double reach, bool needed) {
  if (!needed) return {{0, 1}};
  const int k = static_cast<int>(std::lround(reach / step));
  const double narrower = std::sqrt(1 - step * step / 12);
  std::vector<Point> points;
  double sum = 0;
  for (int i = -k; i <= k; ++i) {
    const double z = i * step;
    points.push_back({narrower * z, std::exp(-z * z / 2)});
    sum += points.back().weight;
  }
  for (Point& point : points) point.weight /= sum;
  return points;
}

/// A node's law with what its cell adds: slopes to the spread, curvatures to the mean.
LogLaw of_cell(const std::function<LogLaw(double, double)>& law, double rates_spread,
               double recovery_spread, double rates, double recovery) {
  constexpr double kNear = 0.05, kCell = kStep * kStep / 12;
  const auto at = [&](double z_rates, double z_recovery) {
    return law(std::exp(rates_spread * z_rates), std::exp(recovery_spread * z_recovery));
  };
  const LogLaw here = at(rates, recovery);
  LogLaw cell = here;
  const auto add = [&](double up, double down) {
    const double slope = (up - down) / (2 * kNear);
    cell.variance += kCell * slope * slope;
    cell.mean += kCell / 2 * (up + down - 2 * here.mean) / (kNear * kNear);
  };
  if (rates_spread > 0) add(at(rates + kNear, recovery).mean, at(rates - kNear, recovery).mean);
  if (recovery_spread > 0) {
    add(at(rates, recovery + kNear).mean, at(rates, recovery - kNear).mean);
  }
  return cell;
}

/// The node of a law, its spread joined with the model's; the mean of the logarithm stays what it
/// is.
OutcomeLaw::Node with_model(const LogLaw& law, double weight, const LogSpread& model) {
  const double below = std::sqrt(law.variance + model.below * model.below);
  const double above = std::sqrt(law.variance + model.above * model.above);
  const double shift =
      ((model.above - model.below) - (above - below)) / std::sqrt(2 * std::numbers::pi);
  return {.median = law.mean + shift, .weight = weight, .spread = {below, above}};
}

}  // namespace

LogSpread log_spread(const Estimate<double>& figure, double share) {
  const double z = normal_reach(share);
  return {std::log(figure.expected / figure.low) / z, std::log(figure.high / figure.expected) / z};
}

LogLaw log_law(double mean, double deviation) {
  const double relative = deviation / mean;
  const double variance = std::log1p(relative * relative);
  return {std::log(mean) - variance / 2, variance};
}

double OutcomeLaw::share_below(double ln_value) const {
  double sum = 0;
  for (const Node& node : nodes_) {
    const double off = ln_value - node.median;
    const double spread = off < 0 ? node.spread.below : node.spread.above;
    sum += node.weight * (spread > 0 ? normal_share(off / spread) : off < 0 ? 0 : 1);
  }
  return sum;
}

double OutcomeLaw::density(double ln_value) const {
  double sum = 0;
  for (const Node& node : nodes_) {
    const double off = ln_value - node.median;
    const double spread = off < 0 ? node.spread.below : node.spread.above;
    if (spread <= 0) continue;
    const double z = off / spread;
    sum += node.weight / spread * std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
  }
  return sum;
}

double OutcomeLaw::share_within(double value) const {
  return share_below(std::log(value));
}

OutcomeLaw::Reach OutcomeLaw::reach() const {
  constexpr double kFar = 6;
  Reach reach{HUGE_VAL, -HUGE_VAL};
  for (const Node& node : nodes_) {
    reach.low = std::min(reach.low, node.median - kFar * node.spread.below);
    reach.high = std::max(reach.high, node.median + kFar * node.spread.above);
  }
  return reach;
}

double OutcomeLaw::quantile(double p) const {
  constexpr double kClose = 1e-9;
  auto [low, high] = reach();
  double at = (low + high) / 2;
  while (high - low > kClose) {
    const double over = share_below(at) - p;
    (over < 0 ? low : high) = at;
    const double slope = density(at);
    const double newton = slope > 0 ? at - over / slope : low;
    if (std::abs(newton - at) < kClose) return std::exp(newton);
    at = newton > low && newton < high ? newton : (low + high) / 2;
  }
  return std::exp(at);
}

std::vector<LawNode> law_nodes(const std::function<LogLaw(double, double)>& law, double rates,
                               double recovery) {
  const std::vector<Point> recoveries = grid(kStep, kReach, recovery > 0);
  std::vector<LawNode> nodes;
  double sum = 0;
  for (const Point& rate : grid(kStep, kReach, rates > 0)) {
    for (const Point& at : recoveries) {
      const double weight = rate.weight * at.weight;
      if (weight < kLeastWeight) continue;
      nodes.push_back({of_cell(law, rates, recovery, rate.z, at.z), weight});
      sum += weight;
    }
  }
  for (LawNode& node : nodes) node.weight /= sum;
  return nodes;
}

OutcomeLaw outcome_law(const std::vector<LawNode>& nodes, const LogSpread& model) {
  std::vector<OutcomeLaw::Node> outcomes;
  outcomes.reserve(nodes.size());
  for (const LawNode& node : nodes) {
    outcomes.push_back(with_model(node.law, node.weight, model));
  }
  return OutcomeLaw(std::move(outcomes));
}

OutcomeLaw outcome_law(const std::function<LogLaw(double, double)>& law,
                       const Uncertainty& unknown) {
  return outcome_law(law_nodes(law, unknown.rates, unknown.recovery), unknown.model);
}

}  // namespace planner::reliability
