#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
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
    std::size_t part = 0;  ///< its place in CountedDesigns::parts()
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
/// batches change what they are made of.
class CountedDesigns {
 public:
  explicit CountedDesigns(const Space& space);

  /// Null: its network cannot be built, or not in the building.
  const Counted* of(const DesignId& id);
  /// Its network, wherever it stands; null: it cannot be built.
  const CountedNetwork* network_of(const DesignId& id);
  [[nodiscard]] const std::vector<DistinctPart>& parts() const { return parts_; }

 private:
  struct OfNetwork {
    std::optional<Buildable> of{};
    std::vector<std::size_t> parts;  ///< that its designs are made of, so far
    std::unordered_map<std::int64_t, std::unique_ptr<const Counted>> by_gpus;
    std::size_t wired = 0;  ///< its place in wired_
  };
  /// Networks of one count: whatever their parts are, and whatever the GPUs.
  struct WiredAlike {
    FabricDesign fabric;
    std::int64_t gpus_per_node = 0, endpoints_per_node = 0;
    std::unordered_map<std::int64_t, std::optional<CountedNetwork>> by_gpus{};

    [[nodiscard]] bool is(const WiredAlike& other) const {
      return gpus_per_node == other.gpus_per_node &&
             endpoints_per_node == other.endpoints_per_node && fabric == other.fabric;
    }
  };
  using SpeedKey = std::pair<std::int64_t, std::vector<std::pair<std::int64_t, double>>>;
  Buildable& buildable_of(const DesignId& id);
  [[nodiscard]] std::unique_ptr<const Counted> count(const DesignId& id, OfNetwork& network);
  std::size_t place_of(const PartQuantity& line, std::size_t system, OfNetwork& network);
  const NetworkSpeed* one_of(NetworkSpeed speed);

  const Space& space_;
  std::vector<std::vector<OfNetwork>> networks_;  ///< of each system
  std::vector<WiredAlike> wired_;
  std::map<SpeedKey, NetworkSpeed> speeds_;
  std::vector<DistinctPart> parts_;
};

/// What designs cost and draw, as bought() says, without their bills: quantities times prices.
class PricedDesigns {
 public:
  /// @param space  that `counted` is of, or another with the same designs and other prices,
  /// economics, or value of what is owned
  PricedDesigns(const Space& space, CountedDesigns& counted) : space_(space), counted_(counted) {}

  BoughtResult of(const DesignId& id);

 private:
  struct PricedPart {
    std::string part{};     ///< the key of what is missing
    std::string missing;    ///< what keeps it from being priced; empty: nothing
    bool included = false;  ///< in the price of another
    Estimate<Money> amount;
    Watts power{};
  };
  const PricedPart& priced(std::size_t part);
  [[nodiscard]] PricedPart price(const DistinctPart& part) const;

  const Space& space_;
  CountedDesigns& counted_;
  std::vector<std::optional<PricedPart>> parts_;
};

}  // namespace planner::design
