#include "planner/reliability/shortage_curves.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "planner/core/real.hpp"

namespace planner::inline reliability {

namespace {

double larger_rate(const SparePool& pool) {
  return std::max(pool.rate.si(), pool.groups.rate.si());
}

bool alike(PerSecond a, PerSecond b) {
  constexpr double kRounding = 1e-12;
  return std::abs(a.si() - b.si()) <= kRounding;
}

}  // namespace

ShortageCurves::Curve& ShortageCurves::of(const SparePool& pool) {
  SparePool one = pool;
  one.rate = pool.rate / larger_rate(pool);
  one.groups.rate = pool.groups.rate / larger_rate(pool);
  for (Curve& curve : curves_) {
    const SparePool& of = curve.pool;
    if (of.active == one.active && of.spares == one.spares && of.repair == one.repair &&
        of.crews == one.crews && of.groups.groups == one.groups.groups &&
        of.groups.units == one.groups.units && of.groups.repair == one.groups.repair &&
        alike(of.rate, one.rate) && alike(of.groups.rate, one.groups.rate)) {
      return curve;
    }
  }
  // The logarithm's fourth derivative is of the order of the spares; where crews are as few as
  // repairs need it turns within a share of them.
  constexpr double kFourth = 0.04, kLeast = 0.05, kMost = 0.2, kTurn = 1.5, kLeastTurn = 0.01;
  const double spares = real(std::max<std::int64_t>(1, pool.spares));
  double step = std::clamp(std::pow(kFourth / spares, 0.25), kLeast, kMost);
  if (pool.crews < spares) step = std::min(step, std::max(kLeastTurn, kTurn / spares));
  curves_.push_back({one, step, {}});
  return curves_.back();
}

const ShortageCurves::ByLength& ShortageCurves::node(Curve& curve, int i) {
  const auto [found, fresh] = curve.nodes.try_emplace(i);
  if (!fresh) return found->second;
  SparePool pool = curve.pool;
  const double rate = std::exp(i * curve.step);
  pool.rate = rate * pool.rate;
  pool.groups.rate = rate * pool.groups.rate;
  constexpr double kPerDoubling = 8;
  for (const Shortage& one : group_shortages(pool, 1)) {
    Shortage& of = found->second[static_cast<int>(std::floor(std::log2(one.time) * kPerDoubling))];
    of.time += one.rate / (of.rate + one.rate) * (one.time - of.time);
    of.rate += one.rate;
  }
  return found->second;
}

std::vector<Shortage> ShortageCurves::at(const SparePool& pool, double slower) {
  Curve& curve = of(pool);
  const double steps = std::log(larger_rate(pool) / slower) / curve.step, whole = std::floor(steps);
  const double x = steps - whole;
  const auto first = static_cast<int>(whole);
  const std::array<const ByLength*, 4> nodes{&node(curve, first - 1), &node(curve, first),
                                             &node(curve, first + 1), &node(curve, first + 2)};
  // Lagrange's polynomial through -1, 0, 1, 2.
  const std::array<double, 4> weights{-x * (x - 1) * (x - 2) / 6, (x + 1) * (x - 1) * (x - 2) / 2,
                                      -(x + 1) * x * (x - 2) / 2, (x + 1) * x * (x - 1) / 6};
  std::vector<Shortage> found;
  for (const auto& [length, here] : *nodes[1]) {
    const auto next = nodes[2]->find(length);
    if (next == nodes[2]->end()) continue;
    const auto before = nodes[0]->find(length), after = nodes[3]->find(length);
    const double low = std::log(here.rate), high = std::log(next->second.rate);
    double logarithm = low + x * (high - low);
    if (before != nodes[0]->end() && after != nodes[3]->end()) {
      logarithm = weights[0] * std::log(before->second.rate) + weights[1] * low +
                  weights[2] * high + weights[3] * std::log(after->second.rate);
    }
    found.push_back(
        {slower * std::exp(logarithm), here.time + x * (next->second.time - here.time)});
  }
  return found;
}

}  // namespace planner::reliability
