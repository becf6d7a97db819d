#include "planner/site/below.hpp"

#include <algorithm>

#include "planner/site/flows.hpp"

namespace planner::site {
namespace {

template <class T>
void sort_and_unite(std::vector<T>& all) {
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
}

}  // namespace

CardsBelow::CardsBelow(const Wiring& wiring, std::size_t cards)
    : leaf_kinds_(wiring.kinds.size(), false), sets_of_(wiring.kinds.size()) {
  const auto devices = [&](std::size_t kind) {
    return static_cast<std::size_t>(wiring.kinds[kind].count);
  };
  for (const WiredLayer& layer : wiring.layers) {
    if (layer.from == cards && layer.name != kDomainLayer && wiring.kinds[layer.to].network == 0) {
      add_leaves(layer, devices(layer.to));
    }
  }
  // From the leaves up: a tier's switches are known when those below them are.
  std::vector<const WiredLayer*> left;
  for (const WiredLayer& layer : wiring.layers) {
    const DeviceKind &low = wiring.kinds[layer.from], &high = wiring.kinds[layer.to];
    const bool up = low.is_switch && high.is_switch && low.network == 0 && high.network == 0 &&
                    low.tier < high.tier;
    if (up) left.push_back(&layer);
  }
  std::sort(left.begin(), left.end(), [&](const WiredLayer* a, const WiredLayer* b) {
    return wiring.kinds[a->to].tier < wiring.kinds[b->to].tier;
  });
  for (const WiredLayer* layer : left) add_tier(*layer, devices(layer->to));
}

void CardsBelow::add_leaves(const WiredLayer& layer, std::size_t switches) {
  leaf_kinds_[layer.to] = true;
  std::vector<std::int32_t>& sets = sets_of_[layer.to];
  if (sets.empty()) {
    for (std::size_t i = 0; i < switches; ++i) {
      sets.push_back(static_cast<std::int32_t>(leaves_.size()));
      leaves_.push_back({static_cast<std::uint32_t>(cards_.size())});
      cards_.emplace_back();
    }
  }
  for (const Link& link : layer.links) {
    cards_[leaves_[static_cast<std::size_t>(sets[link.to])].front()].push_back(link.from);
  }
}

void CardsBelow::add_tier(const WiredLayer& layer, std::size_t switches) {
  if (sets_of_[layer.from].empty()) return;
  std::vector<std::vector<std::int32_t>> below(switches);
  for (const Link& link : layer.links) {
    below[link.to].push_back(sets_of_[layer.from][link.from]);
  }
  sets_of_[layer.to].resize(switches, kNone);
  for (std::size_t i = 0; i < switches; ++i) {
    if (below[i].empty()) continue;
    // What hangs on it of another layer too.
    if (sets_of_[layer.to][i] != kNone) below[i].push_back(sets_of_[layer.to][i]);
    sort_and_unite(below[i]);
    const auto [entry, is_new] =
        known_.try_emplace(below[i], static_cast<std::int32_t>(leaves_.size()));
    if (is_new) leaves_.push_back(leaves(below[i]));
    sets_of_[layer.to][i] = entry->second;
  }
}

std::vector<std::uint32_t> CardsBelow::leaves(const std::vector<std::int32_t>& sets) const {
  std::vector<std::uint32_t> all;
  for (const std::int32_t set : sets) {
    const std::vector<std::uint32_t>& more = leaves_[static_cast<std::size_t>(set)];
    all.insert(all.end(), more.begin(), more.end());
  }
  sort_and_unite(all);
  return all;
}

const std::vector<std::uint32_t>& CardsBelow::cards(const std::vector<std::int32_t>& sets) {
  const auto [entry, is_new] = united_.try_emplace(sets);
  if (is_new) {
    for (const std::uint32_t leaf : leaves(sets)) {
      entry->second.insert(entry->second.end(), cards_[leaf].begin(), cards_[leaf].end());
    }
    sort_and_unite(entry->second);
  }
  return entry->second;
}

}  // namespace planner::site
