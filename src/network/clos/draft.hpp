#pragma once

#include <boost/container/small_vector.hpp>
#include <boost/container/static_vector.hpp>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>

#include "planner/domain/fabric.hpp"
#include "planner/network/clos/whole.hpp"

namespace planner::inline network {

// Designs are counted by the hundred thousand: what is mostly short needs no memory of its own.

/// Kinds of ports that a switch has, at most.
inline constexpr std::size_t kMostKinds = 4;

/// `ports` of one kind on each of `count` switches wired alike.
struct DraftGroup {
  Whole count;
  boost::container::static_vector<std::pair<std::size_t, Whole>, kMostKinds>
      ports;  ///< layer, ports
};

using DraftGroups = boost::container::small_vector<DraftGroup, 4>;

/// Ports of one kind to be dealt out.
struct Kind {
  std::size_t layer = 0;
  Whole total;
};

/// Deals the ports of each kind out to `bins` switches, one after the other like cards, so that no
/// two switches differ by more than one port. Groups of no switches do not appear.
DraftGroups deal(Whole bins, std::initializer_list<Kind> kinds);

/// A network under construction: what a topology says about it. finish() derives the rest.
class Draft {
 public:
  explicit Draft(const FabricDesign& design);

  /// A kind of link; its number follows from the ports. @return index of the layer
  std::size_t layer(LinkLayer layer);
  std::size_t host_layer(std::string name, std::int64_t gbps);
  /// With the design's port speed.
  std::size_t switch_layer(std::string name, CableKind cable);

  /// Links that end at no switch: endpoint to endpoint.
  void direct_links(std::size_t layer, Whole links);

  /// A tier of switches, `radix` ports each at the design's port speed. @return index of the tier
  std::size_t tier(std::string name, Whole radix);
  void add(std::size_t tier, const DraftGroups& groups);
  /// Bandwidth of the fullest switch below against above.
  void oversubscription(std::size_t tier, Whole down, Whole up);

  void failure(std::string part, Whole cut_off, Whole slowed, Whole lost, Whole shared);
  void endpoints(Whole endpoints, Whole most);
  void bisection(Whole gbps);
  FabricCount& count() { return count_; }

  /// Totals, modules, cables, racks and power; checks every switch against its radix, the limits,
  /// and that nothing overflowed.
  [[nodiscard]] CountResult finish();

 private:
  struct DraftTier {
    std::string name;
    Whole radix;
    DraftGroups groups;
    std::optional<Ratio> oversubscription;
  };

  [[nodiscard]] std::optional<FabricProblem> over_radix() const;
  [[nodiscard]] std::optional<FabricProblem> over_limits() const;
  void count_links();
  void count_switches();
  void count_optics();
  void count_racks_and_power();
  [[nodiscard]] Whole ports_on(std::size_t layer) const;
  /// Ports of one switch of the group that take a transceiver.
  [[nodiscard]] Whole optical_ports(const DraftGroup& group) const;
  std::int64_t kept(Whole value);

  const FabricDesign& design_;
  FabricCount count_;
  boost::container::small_vector<DraftTier, 4> tiers_;
  boost::container::small_vector<Whole, 4> direct_links_;  ///< per layer
  bool overflowed_ = false;
};

}  // namespace planner::network
