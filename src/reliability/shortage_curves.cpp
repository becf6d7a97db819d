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

/// Units out on average, were spares always at hand.
struct Out {
  double units = 0, by_groups = 0;
};

Out out_of(const SparePool& pool, double rate) {
  const double groups = rate * (pool.groups.rate * pool.groups.repair);
  return {real(pool.active) * rate * (pool.rate * pool.repair),
          real(pool.groups.groups * pool.groups.units) * groups / (1 + groups)};
}

/// Logarithm of the rate at which as many are out as there are spares, or as crews can repair.
double turn_of(const SparePool& pool) {
  constexpr double kFar = 100;
  constexpr int kHalvings = 60;
  double low = -kFar, high = kFar;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (low + high) / 2;
    const Out out = out_of(pool, std::exp(middle));
    const bool more = out.units > pool.crews || out.units + out.by_groups > real(pool.spares);
    (more ? high : low) = middle;
  }
  return high;
}

/// Change of the rate's logarithm by which as many more are out as the number out varies; where
/// units wait for crews, by which they are gone a spare the sooner. 0 where the units that are out
/// vary by hardly more than a group has: hours rise in stairs there, one for each group fewer for
/// which there is room.
double width_of(const SparePool& pool, double turn) {
  const Out out = out_of(pool, std::exp(turn));
  const double size = real(pool.groups.units), spares = real(pool.spares);
  constexpr double kStairs = 0.5;
  if (size > kStairs * std::sqrt(out.units)) return 0;
  const double width = std::sqrt(out.units + size * out.by_groups) / (out.units + out.by_groups);
  return pool.crews < spares ? std::min(width, 1 / spares) : width;
}

/// So much of the rates of two, those of the same length as one.
std::vector<Shortage> mixed(const ShortagesByLength& one, double of_one,
                            const ShortagesByLength& other, double of_other) {
  std::vector<Shortage> found;
  const int first = std::min(one.first, other.first), last = std::max(one.last(), other.last());
  found.reserve(static_cast<std::size_t>(last - first + 1));
  for (int length = first; length <= last; ++length) {
    const Shortage a = one.at(length), b = other.at(length);
    const double rate_a = of_one * a.rate, rate = rate_a + of_other * b.rate;
    if (rate <= 0) continue;
    found.push_back({rate, (rate_a * a.time + (rate - rate_a) * b.time) / rate});
  }
  return found;
}

/// In a width, at the turn; further away they are as many fewer as it is far.
constexpr double kNodes = 8;

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
  const double turn = turn_of(one);
  curves_.push_back({one, turn, width_of(one, turn), {}});
  return curves_.back();
}

const ShortageCurves::Node& ShortageCurves::node(Curve& curve, int i) {
  const auto [found, fresh] = curve.nodes.try_emplace(i);
  Node& node = found->second;
  if (!fresh) return node;
  SparePool pool = curve.pool;
  const double rate = std::exp(curve.turn + curve.width * std::sinh(i / kNodes));
  pool.rate = rate * pool.rate;
  pool.groups.rate = rate * pool.groups.rate;
  constexpr int kPerDoubling = 8;
  node.shortages = ShortagesByLength(group_shortages(pool, 1), kPerDoubling);
  for (const Shortage& one : node.shortages.of_length) {
    node.rate += one.rate;
    node.hours += one.rate * one.time;
  }
  node.log_rate = std::log(node.rate);
  node.log_hours = std::log(node.hours);
  return node;
}

std::vector<Shortage> ShortageCurves::at(const SparePool& pool, double slower) {
  Curve& curve = of(pool);
  if (curve.width == 0) return group_shortages(pool, slower);
  const double rate = std::log(larger_rate(pool) / slower);
  const double steps = kNodes * std::asinh((rate - curve.turn) / curve.width);
  const double whole = std::floor(steps);
  const double x = steps - whole;
  const auto first = static_cast<int>(whole);
  const std::array<const Node*, 4> nodes{&node(curve, first - 1), &node(curve, first),
                                         &node(curve, first + 1), &node(curve, first + 2)};
  // Of less than that group_shortages() leaves out a part.
  constexpr double kFewHours = 1e-8;
  if (std::ranges::any_of(nodes, [](const Node* one) { return one->hours < kFewHours; })) {
    return group_shortages(pool, slower);
  }
  // Lagrange's polynomial through -1, 0, 1, 2.
  const std::array<double, 4> weights{-x * (x - 1) * (x - 2) / 6, (x + 1) * (x - 1) * (x - 2) / 2,
                                      -(x + 1) * x * (x - 2) / 2, (x + 1) * x * (x - 1) / 6};
  double log_rate = 0, log_hours = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    log_rate += weights[i] * nodes[i]->log_rate;
    log_hours += weights[i] * nodes[i]->log_hours;
  }
  std::vector<Shortage> found =
      mixed(nodes[1]->shortages, (1 - x) / nodes[1]->rate, nodes[2]->shortages, x / nodes[2]->rate);
  double mean_rate = 0, mean_hours = 0;
  for (const Shortage& one : found) {
    mean_rate += one.rate;
    mean_hours += one.rate * one.time;
  }
  const double oftener = slower * std::exp(log_rate) / mean_rate;
  const double longer = std::exp(log_hours - log_rate) / (mean_hours / mean_rate);
  for (Shortage& one : found) one = {oftener * one.rate, longer * one.time};
  return found;
}

}  // namespace planner::reliability
