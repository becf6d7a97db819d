#pragma once

namespace planner {

/// Share of a gamma distribution of this shape and scale 1 that lies below x: the regularised lower
/// incomplete gamma function P(shape, x). DLMF 8.2.4, 8.11.4 and 8.9.2.
double gamma_cdf(double shape, double x);

/// The x below which a share p of it lies, 0 < p < 1.
double gamma_quantile(double shape, double p);

/// The x below which a share p of the standard normal distribution lies.
double normal_quantile(double p);

}  // namespace planner
