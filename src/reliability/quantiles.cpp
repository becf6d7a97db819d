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

/// A law by z_rates and z_recovery.
template <class At>
class AtNodes {
 public:
  AtNodes(const At& law, double rates, double recovery)
      : law_(law), rates_(rates), recovery_(recovery) {}
  auto operator()(double rates, double recovery) const {
    return law_(std::exp(rates_ * rates), std::exp(recovery_ * recovery));
  }
  [[nodiscard]] bool rates_vary() const { return rates_ > 0; }
  [[nodiscard]] bool recovery_varies() const { return recovery_ > 0; }

 private:
  const At& law_;
  double rates_, recovery_;
};

constexpr double kNear = 0.05, kCell = kStep * kStep / 12;

/// What a cell adds to the law in its middle by how the logarithm's mean goes up and down from
/// there: slopes to the spread, curvatures to the mean.
void add_slope(const LogLaw& here, const LogLaw& up, const LogLaw& down, LogLaw& cell) {
  const double slope = (up.mean - down.mean) / (2 * kNear);
  cell.variance += kCell * slope * slope;
  cell.mean += kCell / 2 * (up.mean + down.mean - 2 * here.mean) / (kNear * kNear);
}

void add_recovery(const AtNodes<LawAt>& law, const LogLaw& here, Point rates, Point recovery,
                  LogLaw& cell) {
  if (!law.recovery_varies()) return;
  add_slope(here, law(rates.z, recovery.z + kNear), law(rates.z, recovery.z - kNear), cell);
}

LogLaw of_cell(const AtNodes<LawAt>& law, const LogLaw& here, Point rates, Point recovery) {
  LogLaw cell = here;
  if (law.rates_vary()) {
    add_slope(here, law(rates.z + kNear, recovery.z), law(rates.z - kNear, recovery.z), cell);
  }
  add_recovery(law, here, rates, recovery, cell);
  return cell;
}

/// The nodes of a cell by the rare losses that runs meet in it.
std::vector<LawNode> of_cases(const AtNodes<LawAt>& law, const AtNodes<CasesAt>& cases, Point rates,
                              Point recovery) {
  const LogLaw here = law(rates.z, recovery.z);
  LogLaw cell = here;
  add_recovery(law, here, rates, recovery, cell);
  const double spread = std::sqrt(cell.variance - here.variance);
  const double off = law.rates_vary() ? std::sqrt(kCell) : 0;
  std::vector<LawNode> nodes;
  for (const double z : {rates.z - off, rates.z + off}) {
    for (LawNode node : cases(z, recovery.z)) {
      node.median += cell.mean - here.mean;
      node.spread = {std::hypot(node.spread.below, spread), std::hypot(node.spread.above, spread)};
      node.weight /= 2;
      nodes.push_back(node);
    }
  }
  return nodes;
}

/// A node's spread joined with the model's; the mean of the logarithm stays what it is.
OutcomeLaw::Node with_model(const LawNode& node, const LogSpread& model) {
  const double below = std::hypot(node.spread.below, model.below);
  const double above = std::hypot(node.spread.above, model.above);
  const double skew = (node.spread.above - node.spread.below) + (model.above - model.below);
  const double shift = (skew - (above - below)) / std::sqrt(2 * std::numbers::pi);
  return {.median = node.median + shift, .weight = node.weight, .spread = {below, above}};
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

LawNode law_node(const LogLaw& law) {
  const double spread = std::sqrt(law.variance);
  return {law.mean, {spread, spread}};
}

std::vector<LawNode> law_nodes(const LawAt& law, double rates, double recovery) {
  const auto cases = [&](double by_rates, double by_recovery) {
    return std::vector{law_node(law(by_rates, by_recovery))};
  };
  return law_nodes(law, cases, rates, recovery);
}

std::vector<LawNode> law_nodes(const LawAt& law, const CasesAt& cases, double rates,
                               double recovery) {
  const AtNodes<LawAt> law_at(law, rates, recovery);
  const AtNodes<CasesAt> cases_at(cases, rates, recovery);
  const std::vector<Point> recoveries = grid(kStep, kReach, recovery > 0);
  std::vector<LawNode> nodes;
  double sum = 0;
  for (const Point& rate : grid(kStep, kReach, rates > 0)) {
    for (const Point& at : recoveries) {
      const double weight = rate.weight * at.weight;
      if (weight < kLeastWeight) continue;
      sum += weight;
      std::vector<LawNode> met = cases_at(rate.z, at.z);
      if (met.size() > 1) {
        met = of_cases(law_at, cases_at, rate, at);
      } else {
        const LogLaw here{met.front().median, met.front().spread.below * met.front().spread.below};
        met = {law_node(of_cell(law_at, here, rate, at))};
      }
      for (LawNode& node : met) {
        node.weight *= weight;
        nodes.push_back(node);
      }
    }
  }
  for (LawNode& node : nodes) node.weight /= sum;
  return nodes;
}

OutcomeLaw outcome_law(const std::vector<LawNode>& nodes, const LogSpread& model) {
  std::vector<OutcomeLaw::Node> outcomes;
  outcomes.reserve(nodes.size());
  for (const LawNode& node : nodes) {
    outcomes.push_back(with_model(node, model));
  }
  return OutcomeLaw(std::move(outcomes));
}

OutcomeLaw outcome_law(const LawAt& law, const Uncertainty& unknown) {
  return outcome_law(law_nodes(law, unknown.rates, unknown.recovery), unknown.model);
}

}  // namespace planner::reliability
