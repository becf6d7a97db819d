#include "planner/perf/model/placement.hpp"

#include <algorithm>

#include "planner/domain/run.hpp"

namespace planner::inline perf {

Strategy placed_contiguously(Strategy strategy, std::int64_t hb_domain) {
  // The largest divisor of the degree that `room` GPUs hold.
  const auto split = [](Split degree, std::int64_t room) {
    const std::int64_t ranks = degree.total();
    const std::int64_t inside = largest_divisor(ranks, std::max<std::int64_t>(room, 1));
    return Split{.hb = inside, .net = ranks / inside};
  };
  std::int64_t room = hb_domain;
  for (Split* degree : {&strategy.tp, &strategy.cp, &strategy.dp, &strategy.pp}) {
    *degree = split(*degree, room);
    room /= degree->hb;
    if (degree->net > 1) room = 1;  // the domain is full, whatever its rest
  }
  strategy.ep = split(strategy.ep, hb_domain / strategy.expert_tp);
  return strategy;
}

}  // namespace planner::perf
