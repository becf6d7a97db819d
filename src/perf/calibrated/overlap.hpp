#pragma once

#include <algorithm>
#include <cmath>

#include "planner/core/quantity.hpp"
#include "planner/perf/derivation/text.hpp"

namespace planner::inline perf {

/// What remains visible of communication of which a share cannot overlap, and the rest hides behind
/// `cover` of other work, as far as that lasts.
template <class Time, class Share>
Time exposed(const Time& communication, const Share& share, const Time& cover) {
  return share * grouped(communication) + positive((1 - share) * grouped(communication) - cover);
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

/// The formula of longer_of_overlapping(): (a^n + b^n)^(1/n), which order 4 writes with the longer
/// one taken out.
template <int order>
Text longer_of_overlapping(const Text& a, const Text& b) {
  if (order == 2) return power(power(a, 2) + power(b, 2), 0.5);
  const Text longer = greater(a, b), shorter = lesser(a, b);
  return longer * power(1 + power(shorter / longer, order), Text{1} / Text{order});
}

}  // namespace planner::perf
