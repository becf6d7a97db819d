#include "planner/site/flows.hpp"

#include <algorithm>

namespace planner::site {
namespace {

/// Sorts pairs of racks and adds up those alike.
Rows rows_of(std::size_t racks, std::vector<std::uint64_t>& pairs) {
  std::sort(pairs.begin(), pairs.end());
  Rows rows(racks);
  for (std::size_t i = 0; i < pairs.size();) {
    std::size_t end = i;
    while (end < pairs.size() && pairs[end] == pairs[i]) ++end;
    rows[pairs[i] >> 32].emplace_back(static_cast<std::int32_t>(pairs[i] & 0xffffffffU),
                                      static_cast<double>(end - i));
    i = end;
  }
  return rows;
}

std::uint64_t pair_of(std::int32_t from, std::int32_t to) {
  return std::uint64_t{static_cast<std::uint32_t>(from)} << 32 | static_cast<std::uint32_t>(to);
}

}  // namespace

Rows flows_of(const RackPlan& plan, const WiredLayer& layer) {
  std::vector<std::uint64_t> pairs;
  for (const Link& link : layer.links) {
    const std::int32_t low = plan.rack_of[layer.from][link.from];
    const std::int32_t high = plan.rack_of[layer.to][link.to];
    pairs.push_back(pair_of(high, low));
    if (layer.from == layer.to) pairs.push_back(pair_of(low, high));
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
