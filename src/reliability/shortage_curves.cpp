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

/// Rates and times that are means of others differ by rounding.
bool alike(double a, double b) {
  constexpr double kRounding = 1e-12;
  return std::abs(a - b) <= kRounding * std::max(std::abs(a), std::abs(b));
}

/// Rates aside.
bool alike(const SparePool& a, const SparePool& b) {
  const GroupLosses &one = a.groups, &other = b.groups;
  return a.active == b.active && a.spares == b.spares && a.crews == b.crews &&
         alike(a.repair.si(), b.repair.si()) && one.groups == other.groups &&
         one.units == other.units && alike(one.repair.si(), other.repair.si());
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
/// units wait for crews, by which they are gone four spares the sooner. 0 where many units are out,
/// or wait, and a group has more than these vary by: hours rise in steep stairs there, one for each
/// group fewer for which there is room.
double width_of(const SparePool& pool, double turn) {
  const Out out = out_of(pool, std::exp(turn));
  const double size = real(pool.groups.units), spares = real(pool.spares);
  const bool wait = pool.crews < spares;
  constexpr double kMany = 64;
  const bool steep = (out.units > kMany && size > std::sqrt(out.units)) ||
                     (wait && spares > kMany && size > spares / 4);
  if (steep && size <= spares) return 0;
  const double width = std::sqrt(out.units + size * out.by_groups) / (out.units + out.by_groups);
  return wait ? std::min(width, 4 / spares) : width;
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

/// Steps of nodes from the turn to where the rate's logarithm is width·sinh(u) more: so many to a
/// width at the turn, and fewer as it is further away. Below it there are no fewer than so many to
/// one of the logarithm, as hours rise in stairs there where groups are large, one for each group
/// fewer for which there is room.
constexpr double kOfWidth = 4, kBelow = 4;

double steps_to(double u, double width) {
  return kOfWidth * u - kBelow / 2 * width * std::exp(-u);
}

/// How much more the rate's logarithm is there. By Newton's method, which approaches u from below.
double far_of(double steps, double width) {
  constexpr double kClose = 1e-13;
  double u = steps / kOfWidth, step = 1;
  while (step > kClose * (1 + std::abs(u))) {
    step = (steps - steps_to(u, width)) / (kOfWidth + kBelow / 2 * width * std::exp(-u));
    u += step;
  }
  return width * std::sinh(u);
}

/// Coarser than where the hours of one pool are asked for: of a thousand random pools with few
/// crews those that wait 10^-2 of their hours or more are within 0.03 % of all states, 10^-4 0.1 %,
/// 10^-6 0.4 %, 10^-9 2 %.
constexpr Fineness kOfCurves{.from_waiting = 8, .no_waits = 1e-7};

/// Nodes that a point lies between, three on either side, or fewer below it where these have few
/// hours; and Lagrange's weights of them.
constexpr int kNodes = 6, kNodesBefore = kNodes / 2 - 1;
using NodeWeights = std::array<double, kNodes>;

/// @param x  steps from the first of them to the point
NodeWeights weights_at(double x) {
  NodeWeights weights;
  for (int i = 0; i < kNodes; ++i) {
    double& weight = weights[static_cast<std::size_t>(i)] = 1;
    for (int k = 0; k < kNodes; ++k) {
      if (k != i) weight *= (x - k) / (i - k);
    }
  }
  return weights;
}

}  // namespace

ShortageCurves::Curve& ShortageCurves::of(const SparePool& pool) {
  SparePool one = pool;
  one.rate = pool.rate / larger_rate(pool);
  one.groups.rate = pool.groups.rate / larger_rate(pool);
  for (Curve& curve : curves_) {
    const SparePool& of = curve.pool;
    if (alike(of, one) && alike(of.rate.si(), one.rate.si()) &&
        alike(of.groups.rate.si(), one.groups.rate.si())) {
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
  const double rate = std::exp(curve.turn + far_of(i, curve.width));
  pool.rate = rate * pool.rate;
  pool.groups.rate = rate * pool.groups.rate;
  constexpr int kPerDoubling = 8;
  node.shortages = ShortagesByLength(group_shortages(pool, 1, kOfCurves), kPerDoubling);
  for (const Shortage& one : node.shortages.of_length) {
    node.rate += one.rate;
    node.hours += one.rate * one.time;
  }
  node.log_rate = std::log(node.rate);
  node.log_hours = std::log(node.hours);
  return node;
}

std::vector<Shortage> ShortageCurves::at(const SparePool& pool, double slower) {
  if (pool.spares == 0) return group_shortages(pool, slower, kOfCurves);
  Curve& curve = of(pool);
  if (curve.width == 0) return group_shortages(pool, slower, kOfCurves);
  const double rate = std::log(larger_rate(pool) / slower);
  const double steps = steps_to(std::asinh((rate - curve.turn) / curve.width), curve.width);
  const double whole = std::floor(steps);
  const double x = steps - whole;
  const auto before = static_cast<int>(whole);
  const Node &last = node(curve, before), &next = node(curve, before + 1);
  if (next.has_few()) return {};
  if (last.has_few()) return group_shortages(pool, slower, kOfCurves);
  int first = before - kNodesBefore;
  while (node(curve, first).has_few()) ++first;
  const NodeWeights weights = weights_at(x + before - first);
  double log_rate = 0, log_hours = 0;
  for (int i = kNodes - 1; i >= 0; --i) {
    const Node& of = node(curve, first + i);
    if (of.has_many()) return group_shortages(pool, slower, kOfCurves);
    log_rate += weights[static_cast<std::size_t>(i)] * of.log_rate;
    log_hours += weights[static_cast<std::size_t>(i)] * of.log_hours;
  }
  std::vector<Shortage> found =
      mixed(last.shortages, (1 - x) / last.rate, next.shortages, x / next.rate);
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
