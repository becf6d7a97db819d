#include "planner/reliability/panjer.hpp"

#include <algorithm>
#include <cmath>

namespace planner::inline reliability {

namespace {

/// E[(z - E)²]/2, or E[z - E], where positive, E exponential, at z = from + i·step for i = 0, 1, …
class Summed {
 public:
  Summed(double from, double step, double exponential)
      : z_(from),
        step_(step),
        t_(exponential),
        ratio_(exponential > 0 ? std::exp(-step / exponential) : 0) {}
  double next(bool twice) {
    const double z = z_;
    z_ += step_;
    if (z <= 0) return 0;
    if (t_ <= 0) return twice ? z * z / 2 : z;
    left_ = left_ < 0 ? std::exp(-z / t_) : left_ < kNothing ? 0 : left_ * ratio_;
    const double u = z / t_;
    // The differences below keep few digits of what is small against their terms.
    if (u < kSmall) {
      if (!twice) return z * u / 2 * (1 - u / 3 * (1 - u / 4 * (1 - u / 5 * (1 - u / 6))));
      return z * z * u / 6 * (1 - u / 4 * (1 - u / 5 * (1 - u / 6 * (1 - u / 7 * (1 - u / 8)))));
    }
    const double once = z - t_ * (1 - left_);
    return twice ? z * z / 2 - t_ * once : once;
  }

 private:
  static constexpr double kSmall = 0.05, kNothing = 1e-30;
  double z_, step_, t_, ratio_, left_ = -1;
};

}  // namespace

void add_shortfalls(const RunLosses& losses, double cell, std::size_t first,
                    std::vector<double>& of_all) {
  constexpr double kLeastEven = 0.05;  // of a cell
  const double from = static_cast<double>(first) * cell, even = losses.even.si(),
               least = losses.least.si(), t = losses.exponential.si();
  if (even < kLeastEven * cell) {
    Summed of_loss(from - least - even / 2, cell, t);
    for (std::size_t i = first; i < of_all.size(); ++i) {
      of_all[i] += losses.expected * of_loss.next(false);
    }
    return;
  }
  Summed of_least(from - least, cell, t), of_most(from - least - even, cell, t);
  const double each = losses.expected / even;
  for (std::size_t i = first; i < of_all.size(); ++i) {
    const double above = of_least.next(true);
    of_all[i] += each * (above - of_most.next(true));
  }
}

std::vector<double> added_by(double expected, const std::vector<double>& shortfalls, double cell) {
  const std::size_t cells = shortfalls.size() - 1;
  std::vector<double> sizes(cells + 1), sums(cells), added(cells);
  constexpr double kNothing = 1e-12;
  std::size_t least = cells, most = 0;
  for (std::size_t y = 1; y < cells; ++y) {
    const double number = (shortfalls[y + 1] - 2 * shortfalls[y] + shortfalls[y - 1]) / cell;
    if (!(number > kNothing * expected)) continue;
    least = std::min(least, y);
    most = y;
    sizes[y] = static_cast<double>(y) * number;
  }
  // Two cells at once, whose losses are added to all beyond them in one pass.
  added[0] = std::exp(shortfalls[1] / cell - expected);
  for (std::size_t x = 0; x < cells; x += 2) {
    if (x > 0) added[x] = sums[x] / static_cast<double>(x);
    const double here = std::max(0.0, added[x]);
    double next = 0;
    if (x + 1 < cells) {
      sums[x + 1] += here * sizes[1];
      added[x + 1] = sums[x + 1] / static_cast<double>(x + 1);
      next = std::max(0.0, added[x + 1]);
    }
    if (here <= 0 && next <= 0) continue;
    double* const beyond = sums.data() + x;
    const double* const of_size = sizes.data();
    const std::size_t end = std::min(most + 2, cells - x);
    for (std::size_t y = std::max<std::size_t>(2, least); y < end; ++y) {
      beyond[y] += here * of_size[y] + next * of_size[y - 1];
    }
  }
  return added;
}

}  // namespace planner::reliability
