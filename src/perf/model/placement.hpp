#pragma once

#include <cstdint>

#include "planner/domain/strategy.hpp"

namespace planner::inline perf {

/// The strategy with the degrees of `placement`, split over HB domains alike.
constexpr Strategy placed_as(const Strategy& placement, Strategy strategy) {
  strategy.tp = placement.tp;
  strategy.pp = placement.pp;
  strategy.dp = placement.dp;
  strategy.cp = placement.cp;
  strategy.ep = placement.ep;
  strategy.expert_tp = placement.expert_tp;
  return strategy;
}

/// The strategy with its degrees laid out over HB domains as frameworks do by default: ranks are
/// numbered with tensor parallelism innermost, then context, data and pipeline parallelism, and
/// fill the domains in that order; expert parallelism starts anew with the experts' own tensor
/// parallelism innermost. Of each degree the largest divisor that still fits goes inside a domain.
/// @param strategy   only the products of its splits are looked at
/// @param hb_domain  usable GPUs per HB domain
Strategy placed_contiguously(Strategy strategy, std::int64_t hb_domain);

}  // namespace planner::perf
