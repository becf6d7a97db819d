#include "planner/site/flows.hpp"

#include <algorithm>
#include <utility>

namespace planner::site {
namespace {

struct Pair {
  std::int32_t from, to;

  bool operator==(const Pair&) const = default;
};

/// Sorts by one end, those alike as they stood.
void sort_by(std::int32_t Pair::*end, std::size_t racks, std::vector<Pair>& pairs,
             std::vector<Pair>& spare) {
  std::vector<std::size_t> first(racks + 1, 0);
  for (const Pair& pair : pairs) ++first[pair.*end + 1];
  for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
  spare.resize(pairs.size());
  for (const Pair& pair : pairs) spare[first[pair.*end]++] = pair;
  std::swap(pairs, spare);
}

/// Sorts pairs of racks and adds up those alike.
Rows rows_of(std::size_t racks, std::vector<Pair>& pairs) {
  std::vector<Pair> spare;
  sort_by(&Pair::to, racks, pairs, spare);
  sort_by(&Pair::from, racks, pairs, spare);
  Rows rows(racks);
  for (std::size_t i = 0; i < pairs.size();) {
    std::size_t end = i;
    while (end < pairs.size() && pairs[end] == pairs[i]) ++end;
    rows[pairs[i].from].emplace_back(pairs[i].to, static_cast<double>(end - i));
    i = end;
  }
  return rows;
}

}  // namespace

Rows flows_of(const RackPlan& plan, const WiredLayer& layer) {
  std::vector<Pair> pairs;
  pairs.reserve(layer.links.size() * (layer.from == layer.to ? 2 : 1));
  for (const Link& link : layer.links) {
    const std::int32_t low = plan.rack_of[layer.from][link.from];
    const std::int32_t high = plan.rack_of[layer.to][link.to];
    pairs.push_back({high, low});
    if (layer.from == layer.to) pairs.push_back({low, high});
  }
  return rows_of(plan.racks.size(), pairs);
}

Rows all_flows(const RackPlan& plan) {
  // Layer by layer, so that a million cables need no room twice over.
  Rows sum(plan.racks.size());
  for (const WiredLayer& layer : plan.wiring.layers) {
    if (!has_cables(layer)) continue;
    const Rows rows = flows_of(plan, layer);
    for (std::size_t high = 0; high < rows.size(); ++high) {
      for (const auto& [low, cables] : rows[high]) {
        if (static_cast<std::int32_t>(high) == low) continue;
        sum[high].emplace_back(low, cables);
        if (layer.from != layer.to) sum[low].emplace_back(static_cast<std::int32_t>(high), cables);
      }
    }
  }
  for (Row& row : sum) {
    std::sort(row.begin(), row.end());
    std::size_t kept = 0;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (kept > 0 && row[kept - 1].first == row[i].first) {
        row[kept - 1].second += row[i].second;
      } else {
        row[kept++] = row[i];
      }
    }
    row.resize(kept);
  }
  return sum;
}

}  // namespace planner::site
