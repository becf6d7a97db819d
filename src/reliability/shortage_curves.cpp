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
  const int lengths = last - first + 1;
  found.reserve(static_cast<std::size_t>(lengths));
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

/// Nodes that a point lies between, half on either side, or fewer below it where these have few
/// hours.
constexpr std::size_t kFew = 4, kMany = 6;

/// Of every second node four are enough, or else of every one, where the polynomial through three
/// is within so much of that through them, and a line within so much.
constexpr double kOffThree = 1e-3, kOffLine = 1.0 / 160;

/// Lagrange's weights of nodes 0, 1 … at a point.
std::array<double, kMany> weights_at(double x, std::size_t nodes) {
  std::array<double, kMany> weights{};
  for (std::size_t i = 0; i < nodes; ++i) {
    weights[i] = 1;
    for (std::size_t k = 0; k < nodes; ++k) {
      if (k != i) weights[i] *= (x - real(k)) / (real(i) - real(k));
    }
  }
  return weights;
}

/// How far polynomials through fewer of four values are from that through them, in parts of what is
/// allowed.
double off(double a, double b, double c, double d) {
  const double line = std::max(std::abs(a - 2 * b + c), std::abs(b - 2 * c + d)) / 8;
  return std::max(std::abs(d - 3 * c + 3 * b - a) / 16 / kOffThree, line / kOffLine);
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
  curves_.push_back({one, ProductForm(one), turn, width_of(one, turn), {}});
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
  if (node.has_few()) return node;
  const ProductForm::Sum product = curve.product.at(rate);
  node.log_rate = std::log(node.rate);
  node.log_hours = std::log(node.hours);
  node.rate_over = node.log_rate - std::log(product.rate);
  node.hours_over = node.log_hours - std::log(product.hours);
  return node;
}

/// A logarithm at nodes, and over that of the product form.
struct ShortageCurves::Way {
  double Node::*whole;
  double Node::*over_product;
  double ProductForm::Sum::*product;
};

/// The product form at a point, once it is asked for.
class ShortageCurves::ProductAt {
 public:
  ProductAt(const ProductForm& form, double times) : form_(form), times_(times) {}
  const ProductForm::Sum& sum() {
    if (!sum_) sum_ = form_.at(times_);
    return *sum_;
  }

 private:
  const ProductForm& form_;
  double times_;
  std::optional<ProductForm::Sum> sum_;
};

/// What it is at the point, by itself or over the product form, whichever bends less.
/// @param nodes  from the first on
/// @return nothing, if four nodes are not enough
std::optional<double> ShortageCurves::between(std::span<const Node* const> nodes, double x,
                                              ProductAt& product, const Way& way) {
  const auto off_of = [&](double Node::*of) {
    return off(nodes[0]->*of, nodes[1]->*of, nodes[2]->*of, nodes[3]->*of);
  };
  const double by_itself = off_of(way.whole), over = off_of(way.over_product);
  if (nodes.size() == kFew && std::min(by_itself, over) > 1) return {};
  const std::array<double, kMany> weights = weights_at(x, nodes.size());
  double found = over < by_itself ? std::log(product.sum().*way.product) : 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    found += weights[i] * nodes[i]->*(over < by_itself ? way.over_product : way.whole);
  }
  return found;
}

/// @param steps  to the point
/// @param wide  of so many steps each from one node to the next
std::optional<std::vector<Shortage>> ShortageCurves::at(Curve& curve, double times, double steps,
                                                        int wide, std::size_t number) {
  const double whole = std::floor(steps / wide);
  const auto before = static_cast<int>(whole);
  const Node& next = node(curve, (before + 1) * wide);
  if (next.has_few()) return std::vector<Shortage>{};
  const Node& last = node(curve, before * wide);
  if (last.has_few()) return {};
  int first = before - static_cast<int>(number / 2) + 1;
  while (node(curve, first * wide).has_few()) ++first;
  std::array<const Node*, kMany> nodes;
  for (std::size_t i = 0; i < number; ++i) {
    nodes[i] = &node(curve, (first + static_cast<int>(i)) * wide);
    if (nodes[i]->has_many()) return {};
  }
  const double x = steps / wide - whole, from_first = x + before - first;
  ProductAt product(curve.product, times);
  const auto through = std::span(nodes).first(number);
  const auto log_rate = between(through, from_first, product,
                                {&Node::log_rate, &Node::rate_over, &ProductForm::Sum::rate});
  const auto log_hours = between(through, from_first, product,
                                 {&Node::log_hours, &Node::hours_over, &ProductForm::Sum::hours});
  if (!log_rate || !log_hours) return {};
  std::vector<Shortage> found =
      mixed(last.shortages, (1 - x) / last.rate, next.shortages, x / next.rate);
  double mean_rate = 0, mean_hours = 0;
  for (const Shortage& one : found) {
    mean_rate += one.rate;
    mean_hours += one.rate * one.time;
  }
  const double oftener = std::exp(*log_rate) / mean_rate;
  const double longer = std::exp(*log_hours - *log_rate) / (mean_hours / mean_rate);
  for (Shortage& one : found) one = {oftener * one.rate, longer * one.time};
  return found;
}

double ShortageCurves::at_once(const SparePool& pool) {
  for (const auto& [known, hours] : at_once_) {
    if (alike(known, pool) && known.rate == pool.rate && known.groups.rate == pool.groups.rate) {
      return hours;
    }
  }
  return at_once_.emplace_back(pool, waits_at_once(pool)).second;
}

double ShortageCurves::nearly(const SparePool& pool, double slower) {
  if (pool.spares == 0 || !pool.loses_groups()) return 0;
  const Curve& curve = of(pool);
  const double times = larger_rate(pool) / slower;
  return std::log(times) < curve.turn ? 0 : slower * curve.product.at(times).hours;
}

std::vector<Shortage> ShortageCurves::at(const SparePool& pool, double slower) {
  if (pool.spares == 0) return group_shortages(pool, slower, kOfCurves);
  Curve& curve = of(pool);
  if (curve.width == 0) return group_shortages(pool, slower, kOfCurves);
  const double times = larger_rate(pool) / slower;
  const double far = (std::log(times) - curve.turn) / curve.width;
  const double steps = steps_to(std::asinh(far), curve.width);
  auto found = at(curve, times, steps, 2, kFew);
  if (!found) found = at(curve, times, steps, 1, kFew);
  if (!found) found = at(curve, times, steps, 1, kMany);
  if (!found) return group_shortages(pool, slower, kOfCurves);
  for (Shortage& one : *found) one.rate *= slower;
  return *std::move(found);
}

}  // namespace planner::reliability
