#include "planner/reliability/gamma.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "planner/core/log_gamma.hpp"

namespace planner {

namespace {

/// Beyond this shape the distribution is normal in its cube root to nine digits (Wilson and
/// Hilferty 1931), and the series below would need thousands of terms.
constexpr double kLargeShape = 1e6;

double normal_cdf(double z) {
  return std::erfc(-z / std::numbers::sqrt2) / 2;
}

double wilson_hilferty(double shape, double z) {
  const double root = 1 - 1 / (9 * shape) + z / (3 * std::sqrt(shape));
  return shape * std::pow(std::max(root, 0.0), 3);
}

/// x^shape·e^(-x)/Gamma(shape + 1).
double density_factor(double shape, double x) {
  return std::exp(shape * std::log(x) - x - log_gamma(shape + 1));
}

double lower_series(double shape, double x) {
  double term = 1, sum = 1;
  for (double n = shape + 1; term > sum * 1e-17; ++n) {
    term *= x / n;
    sum += term;
  }
  return sum * density_factor(shape, x);
}

/// The upper function by its continued fraction, evaluated from the front (Lentz).
double upper_fraction(double shape, double x) {
  constexpr double kTiny = 1e-300;
  double b = x + 1 - shape, c = 1 / kTiny, d = 1 / b, h = d;
  for (int step = 1; step < 100'000; ++step) {
    const double i = step, a = -i * (i - shape);
    b += 2;
    d = a * d + b;
    if (std::abs(d) < kTiny) d = kTiny;
    c = b + a / c;
    if (std::abs(c) < kTiny) c = kTiny;
    d = 1 / d;
    h *= d * c;
    if (std::abs(d * c - 1) < 1e-16) break;
  }
  return h * shape * density_factor(shape, x);
}

}  // namespace

double gamma_cdf(double shape, double x) {
  if (x <= 0) return 0;
  if (shape > kLargeShape) {
    const double root = std::cbrt(x / shape);
    return normal_cdf((root - 1 + 1 / (9 * shape)) * 3 * std::sqrt(shape));
  }
  return x < shape + 1 ? lower_series(shape, x) : 1 - upper_fraction(shape, x);
}

double gamma_quantile(double shape, double p) {
  const double guess = wilson_hilferty(shape, normal_quantile(p));
  if (shape > kLargeShape) return guess;
  double low = 0, high = std::max(guess, 1e-300);
  while (gamma_cdf(shape, high) < p) {
    low = high;
    high = 2 * high + shape * 1e-3;
  }
  // Newton's steps inside the bracket, halving it where one leads out of it: shapes far below 1
  // have densities that no such step survives.
  double x = guess > low && guess < high ? guess : (low + high) / 2;
  for (int i = 0; i < 2000 && high - low > 1e-14 * high; ++i) {
    const double excess = gamma_cdf(shape, x) - p;
    (excess < 0 ? low : high) = x;
    const double step = excess / (shape / x * density_factor(shape, x));
    const double next = x - step;
    if (std::abs(step) < 1e-12 * x) return next;
    x = next > low && next < high ? next : (low + high) / 2;
  }
  return x;
}

double normal_quantile(double p) {
  double low = -40, high = 40;
  while (high - low > 1e-14 * std::max(1.0, std::abs(low))) {
    const double middle = (low + high) / 2;
    if (middle <= low || middle >= high) break;
    (normal_cdf(middle) < p ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace planner
