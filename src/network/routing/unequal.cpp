#include "planner/network/routing/unequal.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "planner/core/real.hpp"
#include "planner/network/routing/closed_form.hpp"

namespace planner::inline network {

namespace {

/// All partitions of few flows into links: a flow joins each of k links in use with probability 1/L
/// and an empty one with (L - k)/L.
class Partitions {
 public:
  Partitions(std::vector<double> flows, std::int64_t links)
      : flows_(std::move(flows)), links_(real(links)) {
    place(0, 0, 1);
  }

  /// Probabilities of the largest load, in order of the load.
  [[nodiscard]] std::vector<std::pair<double, double>> largest_loads() && {
    std::sort(found_.begin(), found_.end());
    return std::move(found_);
  }

 private:
  void place(std::size_t at, double largest, double probability) {
    if (at == flows_.size()) {
      found_.emplace_back(largest, probability);
      return;
    }
    for (std::size_t i = 0; i < loads_.size(); ++i) {
      loads_[i] += flows_[at];
      place(at + 1, std::max(largest, loads_[i]), probability / links_);
      loads_[i] -= flows_[at];
    }
    const double empty = links_ - static_cast<double>(loads_.size());
    if (empty <= 0) return;
    loads_.push_back(flows_[at]);
    place(at + 1, std::max(largest, flows_[at]), probability * empty / links_);
    loads_.pop_back();
  }

  std::vector<double> flows_;
  double links_;
  std::vector<double> loads_{};
  std::vector<std::pair<double, double>> found_{};
};

LoadDistribution enumerated(std::vector<double> flows, std::int64_t links) {
  const double mean = std::accumulate(flows.begin(), flows.end(), 0.0) / real(links);
  std::vector<LoadDistribution::Step> steps;
  double cdf = 0;
  for (const auto& [load, probability] : Partitions(std::move(flows), links).largest_loads()) {
    cdf += probability;
    // The same sums in another order differ by rounding.
    if (!steps.empty() && load / mean <= steps.back().value * (1 + 1e-12)) {
      steps.back().cdf = cdf;
    } else {
      steps.push_back({load / mean, cdf});
    }
  }
  steps.back().cdf = 1;
  return LoadDistribution(std::move(steps));
}

LoadDistribution at_most(const LoadDistribution& load, double most) {
  std::vector<LoadDistribution::Step> steps;
  for (const LoadDistribution::Step& step : load.steps()) {
    if (step.value < most) steps.push_back(step);
  }
  if (steps.size() < load.steps().size()) steps.push_back({most, 1});
  return LoadDistribution(std::move(steps));
}

}  // namespace

double effective_flows(std::span<const double> sizes) {
  const double sum = std::accumulate(sizes.begin(), sizes.end(), 0.0);
  return sum * sum / std::inner_product(sizes.begin(), sizes.end(), sizes.begin(), 0.0);
}

LoadDistribution unequal_max_mean_ratio(std::span<const double> sizes, std::int64_t pairs,
                                        std::int64_t flows, std::int64_t links) {
  if (flows <= kMostEnumeratedFlows) {
    std::vector<double> each;
    for (std::int64_t i = 0; i < flows; ++i) {
      const auto pair = static_cast<std::size_t>(i * pairs / flows);
      each.push_back(sizes[pair % sizes.size()]);
    }
    std::sort(each.begin(), each.end(), std::greater<>());
    return enumerated(std::move(each), links);
  }
  const double times = real(flows) / static_cast<double>(sizes.size());
  const double sum = std::accumulate(sizes.begin(), sizes.end(), 0.0) * times;
  const double alone = *std::max_element(sizes.begin(), sizes.end()) * real(links) / sum;
  return at_most(closed_form_maximum(unequal_flows(sizes, times, real(links)), links), real(links))
      .at_least(std::min(std::max(1.0, alone), real(links)));
}

}  // namespace planner::network
