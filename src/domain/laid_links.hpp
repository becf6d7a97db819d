#pragma once

#include <cstdint>
#include <vector>

namespace planner {

/// Cables of one medium and sold length on links of one speed.
struct LaidCables {
  std::size_t medium = 0;  ///< in the list of those offered
  std::int64_t gbps = 0;
  double sold_m = 0;
  std::int64_t pieces = 0;

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
