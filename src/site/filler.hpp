#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "planner/site/racks.hpp"

namespace planner::site {

/// First and last unit of what hangs on a switch; an empty one has none.
struct Span {
  std::int64_t first = -1, last = -1;

  void add(Span other);
  auto operator<=>(const Span&) const = default;
};

/// "U007"
std::string numbered(const char* letter, std::int64_t number);

/// More racks than this are not placed one by one.
inline constexpr std::int64_t kMostRacks = 100'000;
/// Racks of the nodes and of what stands at the edge: those of switches come to them.
double racks_without_switches(const Hardware& hardware, const Site& site);

/// Fills racks: nodes unit by unit, HB domains in one piece, then the switches of each tier beside
/// what hangs on them.
class Filler {
 public:
  Filler(const Hardware& hardware, const Site& site, Wiring wiring);
  RackPlan fill();

 private:
  [[nodiscard]] bool is_switch(std::size_t kind) const;
  [[nodiscard]] bool in_node_racks() const;
  /// Sets that are no units of their own are put together until their switches fill a rack.
  void join_sets();
  [[nodiscard]] std::int64_t unit_of(std::size_t kind, std::int64_t device) const;
  /// Switches of a kind that fit one rack.
  [[nodiscard]] std::int64_t per_rack(std::size_t kind) const;
  std::int32_t add_rack(std::string name, std::string kind, std::int64_t rank, double kg);
  void put(std::size_t kind, std::int64_t device, std::int32_t rack, double unit);
  /// Cards of a kind in nodes: node n holds the cards from n·per_node on.
  void fill_kind(std::size_t kind, std::int64_t per_node, const char* rack_kind);
  [[nodiscard]] double lowest_unit() const;
  [[nodiscard]] double port_height(std::int64_t node, std::int64_t port) const;
  void add_node(std::int64_t node, std::int32_t rack, std::int64_t unit, bool spare);
  void fill_nodes();
  /// Spare nodes that no port of the network waits for: in racks at the edge.
  void fill_cold_spares();
  /// Ports of the networks beside the GPUs', on nodes and on what stands at the edge.
  void put_side_ports();
  [[nodiscard]] bool has_domain_racks() const;
  std::vector<std::int32_t>& domain_racks(std::int64_t unit, std::int64_t domain);
  /// Puts the switch racks of every domain in its middle, and their cables into a layer.
  void add_domain_layer();
  void add_domain_switches();
  void add_sidecars();
  /// The units below each switch, layer by layer from the hosts up.
  /// @param beside  of the networks beside the GPUs', or of this one
  void find_spans(bool beside);
  [[nodiscard]] std::int64_t plane(std::size_t kind, std::int64_t device) const;
  /// Switches of one tier that stand together, plane by plane, in racks filled alike.
  void fill_switches(bool beside);
  void rack_switches(std::size_t kind, const std::vector<std::int64_t>& devices);
  /// Switches that backplanes join: which frame each is in.
  void find_frames();
  [[nodiscard]] bool in_frame(std::size_t kind) const { return !frame_of_[kind].empty(); }
  /// A rack for each frame.
  void rack_frames();
  void add_switch(std::size_t kind, std::int64_t device, std::int32_t rack, double unit);
  /// On top of the racks of their unit in turn.
  void put_on_top(std::size_t kind, Span span, const std::vector<std::int64_t>& devices);
  /// What else has power, and cards that are in no node: in racks at the edge.
  void fill_others();
  void fill_load(const OtherLoad& load);
  [[nodiscard]] const NetworkHardware& network_of(std::size_t kind) const;
  [[nodiscard]] const std::string& name_of_tier(std::size_t kind) const;
  /// Every switch rack in the smallest group that holds all that hangs on it: a unit, a pod of
  /// units, or the whole. Pods that straddle units go beside the unit in their middle.
  void build_tree();

  const Hardware& hardware_;
  const Site& site_;
  PortPower power_;
  RackPlan plan_;
  std::int64_t joined_ = 1, units_ = 1, per_node_ = 1, last_domain_ = -1;
  std::vector<Group> groups_;                                  ///< by unit
  std::vector<std::pair<std::int64_t, std::size_t>> domains_;  ///< unit, child
  std::vector<std::pair<std::vector<std::int32_t>, std::vector<std::int32_t>>> domain_parts_;
  std::vector<std::vector<Span>> spans_;
  std::vector<std::vector<std::int64_t>> frame_of_;  ///< by kind and device; empty: in none
  std::int64_t frames_ = 0;
  /// A rack of switches with what hangs on it.
  struct Hub {
    Span span;
    std::int32_t rack = 0;
    bool beside = false;  ///< of another network than the GPUs'
  };
  std::vector<Hub> hubs_;
  /// A node or a piece of another load: where it stands.
  struct Standing {
    std::int32_t rack = 0;
    std::int64_t unit = -1;  ///< none: at the edge
    double height = 0;       ///< of its ports
  };
  std::vector<Standing> nodes_;                         ///< spare ones last
  std::map<std::string, std::vector<Standing>> loads_;  ///< pieces by name of the load
  std::map<std::size_t, std::int64_t> switch_racks_;
  std::map<std::int32_t, std::int64_t> tops_;
  std::vector<std::int32_t> others_;
};

}  // namespace planner::site
