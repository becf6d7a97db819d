#pragma once

#include <cstdint>

#include "planner/domain/strategy.hpp"

// What a pipeline's stages send each other, for numbers and for Text.
namespace planner::inline perf {

/// GPUs of an HB domain from one stage to the next: data-parallel ranks lie behind all of them.
constexpr std::int64_t apart_of_stages(const Strategy& strategy) {
  return strategy.tp.hb;
}

inline constexpr auto kSendInside = [](auto sample, auto hb) { return sample / hb; };
inline constexpr auto kSendAcross = [](auto sample, auto crossing, auto hb, auto net) {
  return crossing * (sample / net) + (1 - crossing) * (sample / hb);
};
/// Of v sends of a pass v - 1 go around the pipeline with the others.
inline constexpr auto kAround = [](auto along, auto more, auto v) {
  return along + (v - 1) / v * more;
};

}  // namespace planner::perf
