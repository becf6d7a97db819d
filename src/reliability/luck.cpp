#include "planner/reliability/luck.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "planner/core/normal.hpp"

namespace planner::inline reliability {

namespace {

constexpr double kFew = 8;             // more are gamma distributed to a hundredth of their spread
constexpr double kAlike = 2;           // losses whose means are within this factor are of one kind
constexpr double kLeastShare = 0.02;   // of the variance that losses must have to be counted out
constexpr std::size_t kMostKinds = 2;  // that are counted out
constexpr double kLeastWeight = 1e-6;  // of a case that counts

double square_of(const RunLosses& losses) {
  return losses.each.si() * losses.each.si() + losses.deviation.si() * losses.deviation.si();
}

double variance_of(const RunLosses& losses) {
  return losses.expected * square_of(losses);
}

/// Takes those that are about as large as the one that spreads the run most out of the list, as
/// one kind.
RunLosses take_largest(std::vector<RunLosses>& kinds) {
  const RunLosses top = *std::max_element(
      kinds.begin(), kinds.end(),
      [](const RunLosses& a, const RunLosses& b) { return variance_of(a) < variance_of(b); });
  double expected = 0, sum = 0, squares = 0;
  std::erase_if(kinds, [&](const RunLosses& one) {
    if (one.each > kAlike * top.each || kAlike * one.each < top.each) return false;
    expected += one.expected;
    sum += one.expected * one.each.si();
    squares += variance_of(one);
    return true;
  });
  const double mean = sum / expected;
  return {expected, Seconds{mean},
          Seconds{std::sqrt(std::max(0.0, squares / expected - mean * mean))}};
}

/// Losses that are few and spread the run.
std::vector<RunLosses> rare_ones(std::vector<RunLosses> kinds, double variance) {
  std::erase_if(kinds, [](const RunLosses& one) { return !(variance_of(one) > 0); });
  std::vector<RunLosses> rare;
  while (!kinds.empty() && rare.size() < kMostKinds) {
    const RunLosses next = take_largest(kinds);
    if (variance_of(next) < kLeastShare * variance) break;
    if (next.expected <= kFew) rare.push_back(next);
  }
  return rare;
}

/// A number of losses of one kind, or one of several that are told apart no further.
struct Met {
  double weight, mean, variance;  ///< of what they add
};

/// 0, 1, 2 to 3, 4 to 6, 7 to 10 …: Poisson's law.
std::vector<Met> met(const RunLosses& losses) {
  const double each = losses.each.si();
  const double own = losses.deviation.si() * losses.deviation.si();
  std::vector<Met> found;
  double share = std::exp(-losses.expected), left = 1;
  for (int first = 0, last = 0; left > kLeastWeight; first = last + 1, last += 1 + (last + 1) / 2) {
    double weight = 0, number = 0, square = 0;
    for (int n = first; n <= last; ++n) {
      weight += share;
      number += share * n;
      square += share * n * n;
      share *= losses.expected / (n + 1);
    }
    left -= weight;
    if (weight < kLeastWeight) continue;
    const double mean = number / weight;
    found.push_back(
        {weight, mean * each, mean * own + (square / weight - mean * mean) * each * each});
  }
  return found;
}

double share_within(const LuckCase& one, double time) {
  const double mean = one.mean.si(), deviation = one.deviation.si();
  if (mean <= 0 || deviation <= 0) return time >= mean ? 1 : 0;
  if (time <= 0) return 0;
  const double root = deviation / mean;  // 1/√shape
  return normal_share_below((std::cbrt(time / mean) - 1 + root * root / 9) * 3 / root);
}

}  // namespace

std::vector<LuckCase> luck_cases(Seconds mean, Seconds deviation,
                                 const std::vector<RunLosses>& kinds) {
  const double variance = deviation.si() * deviation.si();
  const std::vector<RunLosses> rare = rare_ones(kinds, variance);
  if (rare.empty()) return {{1, mean, deviation}};
  double usual = mean.si(), usual_variance = variance;
  for (const RunLosses& losses : rare) {
    usual -= losses.expected * losses.each.si();
    usual_variance -= variance_of(losses);
  }
  std::vector<Met> cases{{1, std::max(0.0, usual), std::max(0.0, usual_variance)}};
  for (const RunLosses& losses : rare) {
    std::vector<Met> next;
    for (const Met& number : met(losses)) {
      for (const Met& with : cases) {
        next.push_back({with.weight * number.weight, with.mean + number.mean,
                        with.variance + number.variance});
      }
    }
    cases = std::move(next);
  }
  std::erase_if(cases, [](const Met& one) { return one.weight < kLeastWeight; });
  double sum = 0;
  for (const Met& one : cases) sum += one.weight;
  std::vector<LuckCase> found;
  found.reserve(cases.size());
  for (const Met& one : cases) {
    found.push_back({one.weight / sum, Seconds{one.mean}, Seconds{std::sqrt(one.variance)}});
  }
  return found;
}

double share_within(const std::vector<LuckCase>& cases, Seconds time) {
  double share = 0;
  for (const LuckCase& one : cases) share += one.weight * share_within(one, time.si());
  return share;
}

Seconds luck_at(const LuckCase& one, double z) {
  if (one.mean <= Seconds{}) return {};
  const double root = one.deviation / one.mean;  // 1/√shape
  return std::pow(std::max(0.0, 1 - root * root / 9 + z * root / 3), 3) * one.mean;
}

Seconds luck_quantile(const std::vector<LuckCase>& cases, double p) {
  constexpr double kFar = 40, kClose = 1e-10;
  double low = 0, high = 0;
  for (const LuckCase& one : cases) {
    high = std::max(high, (one.mean + kFar * one.deviation).si());
  }
  if (share_within(cases, Seconds{}) >= p) return {};
  const double widest = high;
  while (high - low > kClose * widest) {
    const double middle = (low + high) / 2;
    (share_within(cases, Seconds{middle}) < p ? low : high) = middle;
  }
  return Seconds{high};
}

}  // namespace planner::reliability
