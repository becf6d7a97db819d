#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace planner {

/// A fibre cable of a link: an MPO of twelve fibres, eight of them lit (assumed of every module).
inline constexpr std::int64_t kFibresOfLink = 12;
/// Trunks that there are.
inline constexpr std::array<std::int64_t, 3> kTrunkFibres{144, 24, 12};

/// Cables of one medium and sold length on links of one speed.
struct LaidCables {
  std::size_t medium = 0;  ///< in the list of those offered
  std::int64_t gbps = 0;
  double sold_m = 0;
  std::int64_t pieces = 0;
  std::int64_t fibres = 0;  ///< of a trunk; 0: no trunk

  bool operator==(const LaidCables&) const = default;
};

/// Transceivers at the ends of such cables, at network cards or in switches.
struct LaidModules {
  std::size_t medium = 0;
  std::int64_t gbps = 0;  ///< of a port
  bool at_switch = false;
  std::int64_t modules = 0;
  std::int64_t ends = 0;  ///< of links, in these modules

  bool operator==(const LaidModules&) const = default;
};

/// What the links of one network are made of, once every cable has its length.
struct LaidLinks {
  std::vector<LaidCables> cables;
  std::vector<LaidModules> modules;

  bool operator==(const LaidLinks&) const = default;
};

}  // namespace planner
