#pragma once

#include <string>
#include <vector>

// Sources and figures that several files of published rows use.
namespace planner::published {

inline constexpr const char* kMeta = "Meta RoCE paper (SIGCOMM'24)";
inline constexpr const char* kC4 = "C4 paper (arXiv 2406.04594)";
inline constexpr const char* kHpn = "HPN paper (SIGCOMM'24)";
inline constexpr const char* kFireFlyer = "Fire-Flyer paper (arXiv 2408.14158)";
inline constexpr const char* kDeepSeekNetworks =
    "Insights into DeepSeek-V3 (arXiv 2505.09343), Table 3";

/// A place in a source: "HPN paper (SIGCOMM'24), Table 1".
inline std::string place_in(const char* source, const char* place) {
  return std::string{source} + ", " + place;
}

/// Lists one after the other.
template <class T>
std::vector<T> joined(const std::vector<std::vector<T>>& lists) {
  std::vector<T> all;
  for (const std::vector<T>& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

inline constexpr double kC4Ceiling = 362;  ///< Gb/s, of one job alone (C4 paper, section IV)
inline constexpr double kC4WorstPlanned = 353.86;  ///< Gb/s, of 8 jobs (C4 paper, Fig. 10a)
inline constexpr double kC4BestPlanned = 360.57;

}  // namespace planner::published
