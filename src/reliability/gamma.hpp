#pragma once

namespace planner::inline reliability {

/// The x below which a share p of a gamma distribution of this shape and scale 1 lies, 0 < p < 1.
/// DLMF 8.2.4 and 8.12; the shape must be positive.
double gamma_quantile(double shape, double p);

}  // namespace planner::reliability
