#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "planner/design/bought.hpp"
#include "planner/design/bounds.hpp"

// What designs are made of, counted once, and what that comes to at prices that change.
namespace planner::design {

/// A design but for its money and power.
struct Counted {
  struct Line {
    std::size_t part = 0;  ///< its place in CountedDesigns::parts() of its system
    std::int64_t quantity = 0;
  };
  std::vector<Line> lines;  ///< as in its bill
  Bought cluster;
  std::optional<std::int64_t> racks{};
};

/// A design's network before anybody prices it or lays it out.
struct CountedNetwork {
  CountedParts parts;
  const NetworkSpeed* speed = nullptr;  ///< the same of all networks that are equally fast
};

/// One of a kind of parts.
struct DistinctPart {
  PartQuantity one;
  bool kept = false;       ///< a node that is owned: its price is what it would sell for
  std::size_t system = 0;  ///< of such a node
};

/// The designs of a space, each counted when it is first asked for: neither prices nor limits nor
/// batches change what they are made of. May be asked from several threads, each of systems of its
/// own.
class CountedDesigns {
 public:
  explicit CountedDesigns(const Space& space);

  /// Null: its network cannot be built, or not in the building.
  const Counted* of(const DesignId& id);
  /// Its network, wherever it stands; null: it cannot be built.
  const CountedNetwork* network_of(const DesignId& id);
  [[nodiscard]] const std::vector<DistinctPart>& parts(std::size_t system) const {
    return parts_[system];
  }

 private:
  /// Networks of one count and speed: whatever their parts are, and whatever the GPUs.
  struct WiredAlike {
    WiredAlike(FabricDesign of, const Node& node, BytesPerSecond of_gpu)
        : fabric(std::move(of)),
          gpus_per_node(node.accelerators),
          endpoints_per_node(node.nics),
          cards(of_gpu) {}

    FabricDesign fabric;
    std::int64_t gpus_per_node, endpoints_per_node;
    BytesPerSecond cards;  ///< of a GPU
    std::mutex mutex{};
    std::unordered_map<std::int64_t, std::optional<CountedNetwork>> by_gpus{};
    const NetworkSpeed* speed = nullptr;  ///< of the last one: mostly that of the next, too
  };
  struct OfNetwork {
    std::optional<Buildable> of{};
    std::vector<std::size_t> parts;  ///< that its designs are made of, so far
    std::unordered_map<std::int64_t, std::unique_ptr<const Counted>> by_gpus;
    WiredAlike* wired = nullptr;
  };
  WiredAlike& wired_as(const FabricDesign& fabric, const SystemOption& at);
  using SpeedKey = std::tuple<std::int64_t, std::optional<BytesPerSecond>,
                              std::vector<std::pair<std::int64_t, double>>>;
  Buildable& buildable_of(const DesignId& id);
  [[nodiscard]] std::unique_ptr<const Counted> count(const DesignId& id, OfNetwork& network);
  std::size_t place_of(const PartQuantity& line, std::size_t system, OfNetwork& network);
  /// One object for all that are equal.
  const NetworkSpeed* one_of(NetworkSpeed speed);

  const Space& space_;
  std::vector<std::vector<OfNetwork>> networks_;  ///< of each system
  std::deque<WiredAlike> wired_;
  std::mutex speeds_mutex_, standing_mutex_;
  std::map<SpeedKey, NetworkSpeed> speeds_;
  std::vector<std::vector<DistinctPart>> parts_;  ///< of each system
};

/// What designs cost and draw, as bought() says, without their bills: quantities times prices.
class PricedDesigns {
 public:
  /// @param space  that `counted` is of, or another with the same designs and other prices,
  /// economics, or value of what is owned
  PricedDesigns(const Space& space, CountedDesigns& counted)
      : space_(space), counted_(counted), parts_(space.systems.size()) {}

  BoughtResult of(const DesignId& id);

 private:
  struct PricedPart {
    std::string part{};     ///< the key of what is missing
    std::string missing;    ///< what keeps it from being priced; empty: nothing
    bool included = false;  ///< in the price of another
    Estimate<Money> amount;
    Watts power{};
  };
  const PricedPart& priced(std::size_t system, std::size_t part);
  [[nodiscard]] PricedPart price(const DistinctPart& part) const;

  const Space& space_;
  CountedDesigns& counted_;
  std::vector<std::vector<std::optional<PricedPart>>> parts_;  ///< of each system
};

}  // namespace planner::design
