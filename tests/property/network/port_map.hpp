#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <queue>
#include <string_view>
#include <vector>

#include "support/fabrics.hpp"

namespace planner::wiring {

using Node = int;
using Nodes = std::vector<Node>;

inline std::size_t size(std::int64_t value) {
  return static_cast<std::size_t>(value);
}

/// `count` nodes from `first` on, as far as there are any.
inline Nodes slice(const Nodes& nodes, std::size_t first, std::size_t count) {
  Nodes part;
  for (std::size_t i = first; i < std::min(nodes.size(), first + count); ++i)
    part.push_back(nodes[i]);
  return part;
}

/// Every so many from `first` on.
inline Nodes every(const Nodes& nodes, std::size_t first, std::size_t step) {
  Nodes part;
  for (std::size_t i = first; i < nodes.size(); i += step) part.push_back(nodes[i]);
  return part;
}

/// Every switch of a count as a node with the free ports that the count gives it, and hosts. Links
/// take ports; at the end none may be left over and none may be missing.
class PortMap {
 public:
  explicit PortMap(const FabricCount& count) : count_(count) {
    for (const SwitchTier& tier : count.switches) {
      Nodes& nodes = tiers_.emplace_back();
      for (const SwitchGroup& group : tier.groups) {
        for (std::int64_t i = 0; i < group.count; ++i) {
          const Node node = add_node();
          for (const PortUse& use : group.ports) free_[at(node)][use.layer] += use.ports;
          nodes.push_back(node);
        }
      }
    }
    linked_.resize(count.layers.size());
  }

  const FabricCount& count() const { return count_; }

  /// Switches of a tier, in the order of the count; none if there is no such tier.
  Nodes tier(std::string_view name) const {
    for (std::size_t i = 0; i < tiers_.size(); ++i) {
      if (count_.switches[i].name == name) return tiers_[i];
    }
    return {};
  }

  std::size_t layer(std::string_view name) const {
    std::size_t i = 0;
    while (count_.layers.at(i).name != name) ++i;
    return i;
  }

  Node add_host() {
    hosts_.push_back(add_node());
    return hosts_.back();
  }
  const Nodes& hosts() const { return hosts_; }

  std::int64_t free_ports(Node node, std::size_t layer) const {
    const auto found = free_[at(node)].find(layer);
    return found == free_[at(node)].end() ? 0 : found->second;
  }

  /// Uses one port at every end that is a switch.
  void link(Node a, Node b, std::size_t layer) {
    take(a, layer);
    take(b, layer);
    edges_[at(a)].push_back({b, count_.layers[layer].gbps});
    edges_[at(b)].push_back({a, count_.layers[layer].gbps});
    ++linked_[layer];
    ++pairs_[{std::min(a, b), std::max(a, b)}];
  }
  std::int64_t links_between(Node a, Node b) const {
    const auto found = pairs_.find({std::min(a, b), std::max(a, b)});
    return found == pairs_.end() ? 0 : found->second;
  }

  /// One host per free host port, or one per `ports` switches that come one after the other.
  void attach_hosts(const Nodes& switches, std::size_t layer, std::size_t ports = 1) {
    for (std::size_t i = 0; i < switches.size(); i += ports) {
      while (free_ports(switches[i], layer) > 0) {
        const Node host = add_host();
        for (std::size_t p = 0; p < ports; ++p) link(host, switches.at(i + p), layer);
      }
    }
  }

  /// Every free port of the lower switches to the upper ones in turn, as far as these have ports.
  void join(const Nodes& lower, const Nodes& upper, std::size_t layer) {
    std::size_t next = 0;
    for (const Node node : lower) {
      while (free_ports(node, layer) > 0) {
        std::size_t tried = 0;
        while (free_ports(upper.at(next % upper.size()), layer) == 0 && tried < upper.size()) {
          ++next;
          ++tried;
        }
        REQUIRE(tried < upper.size());
        link(node, upper[next % upper.size()], layer);
        ++next;
      }
    }
  }

  /// No port left, no port missing, every layer's links as counted, no switch beyond its radix.
  void check_ports() const {
    for (std::size_t layer = 0; layer < linked_.size(); ++layer) {
      CAPTURE(count_.layers[layer].name);
      CHECK(linked_[layer] == count_.layers[layer].links);
    }
    for (std::size_t i = 0; i < tiers_.size(); ++i) {
      CAPTURE(count_.switches[i].name);
      CHECK(static_cast<std::int64_t>(tiers_[i].size()) == count_.switches[i].switches);
      for (const Node node : tiers_[i]) {
        for (const auto& [layer, ports] : free_[at(node)]) REQUIRE(ports == 0);
      }
    }
  }
  void check_radix(std::int64_t port_gbps) const {
    for (std::size_t i = 0; i < tiers_.size(); ++i) {
      for (const Node node : tiers_[i]) {
        std::int64_t gbps = 0;
        for (const Edge& edge : edges_[at(node)]) gbps += edge.gbps;
        REQUIRE(gbps <= count_.switches[i].radix * port_gbps);
      }
    }
  }

  /// Links crossed from a node to every other; -1: no path.
  std::vector<int> distances(Node from) const {
    std::vector<int> distance(edges_.size(), -1);
    std::queue<Node> open;
    distance[at(from)] = 0;
    open.push(from);
    while (!open.empty()) {
      const Node node = open.front();
      open.pop();
      for (const Edge& edge : edges_[at(node)]) {
        if (distance[at(edge.to)] >= 0) continue;
        distance[at(edge.to)] = distance[at(node)] + 1;
        open.push(edge.to);
      }
    }
    return distance;
  }

  /// Switches on the longest shortest path between hosts; -1 if two of them cannot reach each
  /// other.
  int longest_path() const {
    int longest = 0;
    for (const Node host : hosts_) {
      const std::vector<int> distance = distances(host);
      for (const Node other : hosts_) {
        if (distance[at(other)] < 0) return -1;
        longest = std::max(longest, distance[at(other)] - 1);
      }
    }
    return longest;
  }

  /// Largest flow between two sets of hosts, Gb/s per direction (Dinic).
  std::int64_t flow(const Nodes& from, const Nodes& to) const;

 private:
  struct Edge {
    Node to;
    std::int64_t gbps;
  };
  static std::size_t at(Node node) { return static_cast<std::size_t>(node); }

  Node add_node() {
    edges_.emplace_back();
    free_.emplace_back();
    return static_cast<Node>(edges_.size()) - 1;
  }
  void take(Node node, std::size_t layer) {
    if (std::find(hosts_.begin(), hosts_.end(), node) != hosts_.end()) return;
    REQUIRE(free_ports(node, layer) > 0);
    --free_[at(node)][layer];
  }

  FabricCount count_;
  std::vector<Nodes> tiers_;
  Nodes hosts_;
  std::vector<std::map<std::size_t, std::int64_t>> free_;
  std::vector<std::vector<Edge>> edges_;
  std::vector<std::int64_t> linked_;
  std::map<std::pair<Node, Node>, std::int64_t> pairs_;
};

inline std::int64_t PortMap::flow(const Nodes& from, const Nodes& to) const {
  struct Arc {
    std::size_t to;
    std::int64_t room;
  };
  std::vector<Arc> arcs;
  std::vector<std::vector<std::size_t>> out(edges_.size() + 2);
  const auto add = [&](std::size_t a, std::size_t b, std::int64_t there, std::int64_t back) {
    out[a].push_back(arcs.size());
    arcs.push_back({b, there});
    out[b].push_back(arcs.size());
    arcs.push_back({a, back});
  };
  for (std::size_t a = 0; a < edges_.size(); ++a) {
    for (const Edge& edge : edges_[a]) {
      if (a < at(edge.to)) add(a, at(edge.to), edge.gbps, edge.gbps);
    }
  }
  const std::size_t source = edges_.size();
  const std::size_t sink = source + 1;
  constexpr std::int64_t kNoLimit = 1'000'000'000'000;
  for (const Node node : from) add(source, at(node), kNoLimit, 0);
  for (const Node node : to) add(at(node), sink, kNoLimit, 0);

  std::vector<int> level;
  std::vector<std::size_t> next;
  const auto push = [&](const auto& self, std::size_t node, std::int64_t most) -> std::int64_t {
    if (node == sink) return most;
    for (std::size_t& i = next[node]; i < out[node].size(); ++i) {
      const std::size_t arc = out[node][i];
      if (arcs[arc].room == 0 || level[arcs[arc].to] != level[node] + 1) continue;
      const std::int64_t sent = self(self, arcs[arc].to, std::min(most, arcs[arc].room));
      if (sent == 0) continue;
      arcs[arc].room -= sent;
      arcs[arc ^ 1U].room += sent;
      return sent;
    }
    return 0;
  };
  std::int64_t total = 0;
  while (true) {
    level.assign(out.size(), -1);
    level[source] = 0;
    std::queue<std::size_t> open;
    open.push(source);
    while (!open.empty()) {
      const std::size_t node = open.front();
      open.pop();
      for (const std::size_t arc : out[node]) {
        if (arcs[arc].room == 0 || level[arcs[arc].to] >= 0) continue;
        level[arcs[arc].to] = level[node] + 1;
        open.push(arcs[arc].to);
      }
    }
    if (level[sink] < 0) return total;
    next.assign(out.size(), 0);
    while (const std::int64_t sent = push(push, source, kNoLimit)) total += sent;
  }
}

}  // namespace planner::wiring
