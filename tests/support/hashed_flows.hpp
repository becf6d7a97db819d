// Flows thrown on links by a seeded generator: the measurement that formulas are held against.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace planner::testing {

struct Sample {
  double mean = 0, deviation_of_mean = 0;
};

/// Mean of `trials` values of draw(generator), with its standard error.
template <class Draw>
Sample sample(int trials, std::uint32_t seed, Draw&& draw) {
  std::mt19937 generator(seed);
  double sum = 0, squares = 0;
  for (int i = 0; i < trials; ++i) {
    const double x = draw(generator);
    sum += x;
    squares += x * x;
  }
  const double mean = sum / trials;
  return {mean, std::sqrt(std::max(0.0, squares / trials - mean * mean) / trials)};
}

/// Loads of L links under flows of the given sizes.
inline std::vector<double> hashed(const std::vector<double>& sizes, std::int64_t links,
                                  std::mt19937& generator) {
  std::vector<double> load(static_cast<std::size_t>(links));
  std::uniform_int_distribution<std::size_t> link(0, load.size() - 1);
  for (const double size : sizes) load[link(generator)] += size;
  return load;
}

inline double fullest(const std::vector<double>& load) {
  return *std::max_element(load.begin(), load.end());
}

}  // namespace planner::testing
