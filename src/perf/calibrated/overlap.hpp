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

/// Time of two activities that overlap: the longer one, with a soft corner of order 2 or 4 where
/// they are alike. Never shorter than either.
template <int order>
Seconds longer_of_overlapping(Seconds a, Seconds b) {
  static_assert(order == 2 || order == 4);
  const double longer = std::max(a.si(), b.si());
  if (longer <= 0) return {};
  const double ratio = std::min(a.si(), b.si()) / longer, square = ratio * ratio;
  const double corner =
      order == 2 ? std::sqrt(1 + square) : std::sqrt(std::sqrt(1 + square * square));
  return Seconds{longer * corner};
}

}  // namespace planner
