#include "planner/reliability/recovery.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace planner::inline reliability {

namespace {

constexpr double kSmall = 1e-5;  // below: series, where the closed form loses its digits

/// Of Y, exponential at rate k, and x = k·b, in units of b: P(Y < b), E[min(Y, b)], E[min(Y, b)²]
/// and E[Y; Y < b].
struct Interrupted {
  double share, mean, square, before;
};

Interrupted interrupted(double x) {
  if (x < kSmall) return {x * (1 - x / 2), 1 - x / 2, 1 - 2 * x / 3, x / 2 - x * x / 3};
  const double share = -std::expm1(-x);
  const double before = (share - x * std::exp(-x)) / x;
  // Where x is small the difference above keeps few digits, and the square is nearly b².
  const double square = x > 1e-3 ? 2 * before / x : 1 - 2 * x / 3 + x * x / 4;
  return {share, share / x, square, before};
}

}  // namespace

CrashClass crash_class(PerSecond rate, Seconds noticed, Seconds restarted, RecoveryMode mode) {
  switch (mode) {
    case RecoveryMode::merge:
      return {rate, noticed + restarted, Seconds{}};
    case RecoveryMode::phased:
      return {rate, noticed, restarted};
    case RecoveryMode::restart:
      return {rate, Seconds{}, noticed + restarted};
  }
  return {};
}

Downtime downtime(std::span<const CrashClass> crashes, double hazard) {
  double all = 0;
  for (const CrashClass& crash : crashes) all += crash.rate.si();
  if (all <= 0) return {};
  const double k = hazard * all;
  double first = 0, second = 0, cross = 0, done = 0;
  for (const CrashClass& crash : crashes) {
    const double p = crash.rate.si() / all, a = crash.cured.si(), b = crash.redone.si();
    const Interrupted cut = interrupted(k * b);
    first += p * (a + b * cut.mean);
    second += p * (a * a + 2 * a * b * cut.mean + b * b * cut.square);
    cross += p * (a * cut.share + b * cut.before);
    done += p * std::exp(-k * b);  // not 1 - share, which loses its digits
  }
  if (done <= 0) return {Seconds{HUGE_VAL}, Seconds{HUGE_VAL}};
  const double mean = first / done;
  const double square = (second + 2 * cross * mean) / done;
  return {Seconds{mean}, Seconds{std::sqrt(std::max(0.0, square - mean * mean))}};
}

std::vector<Interruptions> interruptions(std::span<const CrashClass> crashes, Seconds down) {
  PerSecond all{};
  for (const CrashClass& crash : crashes) all += crash.rate;
  std::vector<Interruptions> found;
  Seconds added = down, longer{};  // of a crash, on average: what interruptions add, and found ones
  for (const CrashClass& crash : crashes) {
    const Interrupted cut = interrupted(all * crash.redone);
    const Seconds until = cut.share > 0 ? cut.before / cut.share * crash.redone : Seconds{};
    found.push_back({cut.share, std::max(Seconds{}, until + down - crash.redone)});
    const double share = crash.rate / all;
    added += -share * crash.uninterrupted();
    longer += share * cut.share * found.back().longer;
  }
  const double left = longer > Seconds{} ? std::max(0.0, added / longer) : 0;
  for (Interruptions& one : found) one.longer = left * one.longer;
  return found;
}

Seconds until_failure(PerSecond rate, Seconds t) {
  return interrupted(rate * t).mean * t;
}

double undisturbed_share(std::span<const CrashClass> observed, RecoveryMode mode) {
  const double target = downtime(observed, 0).mean.si();
  if (mode == RecoveryMode::merge || target <= 0) return 1;
  std::vector<CrashClass> scaled(observed.begin(), observed.end());
  const auto mean_at = [&](double share) {
    for (std::size_t i = 0; i < scaled.size(); ++i) {
      scaled[i] = crash_class(observed[i].rate, share * observed[i].cured,
                              share * observed[i].redone, mode);
    }
    return downtime(scaled).mean.si();
  };
  double low = 0, high = 1;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (mean_at(middle) < target ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace planner::reliability
