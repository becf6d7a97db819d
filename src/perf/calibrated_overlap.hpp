#pragma once

#include <algorithm>
#include <cmath>

#include "planner/core/quantity.hpp"

namespace planner {

/// What remains visible of communication of which a share cannot overlap, and the rest hides behind
/// `cover` of other work, as far as that lasts.
inline Seconds exposed(Seconds communication, double share, Seconds cover) {
  return share * communication + std::max(Seconds{}, (1 - share) * communication - cover);
}

/// Time of two activities that overlap: the longer one, with a soft corner of order n where they
/// are alike. Never shorter than either.
inline Seconds longer_of_overlapping(Seconds a, Seconds b, double n) {
  const double longer = std::max(a.si(), b.si()), shorter = std::min(a.si(), b.si());
  if (longer <= 0) return {};
  return Seconds{longer * std::pow(1 + std::pow(shorter / longer, n), 1 / n)};
}

}  // namespace planner
