#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "planner/domain/fabric.hpp"
#include "planner/domain/site.hpp"
#include "planner/site/wiring/wiring.hpp"

namespace planner::site {

/// Parts that stand in racks of their own, at the edge.
struct OtherLoad {
  std::string name;
  std::optional<Watts> power{};  ///< of all; nothing: not known
  std::int64_t pieces = 1;       ///< evenly in its racks
  std::int64_t units = 0;        ///< of a piece; 0: room is no matter
  bool operator==(const OtherLoad&) const = default;
};

/// What the cables of one medium draw at their ends; with speeds where those differ.
struct MediumPower {
  std::size_t medium = 0;
  std::int64_t gbps = 0;
  Watts switch_module{}, nic_module{};  ///< of one module
  Watts cable{};                        ///< of one active cable, its ends included
};

/// A counted network with the power and size of its parts, each as it is to be planned.
struct NetworkHardware {
  std::string name;  ///< empty: between the GPUs
  FabricDesign design;
  FabricCount count;
  std::vector<Watts> switch_power;         ///< by tier of the count, without modules
  std::vector<bool> switch_unknown;        ///< the same: nobody says it; none: all are known
  std::vector<std::int64_t> switch_units;  ///< the same
  Watts nic_module{}, switch_module{};     ///< of one module
  Watts copper_link{}, active_link{};      ///< of one cable with its ends
  std::vector<std::size_t> media;          ///< that its cables may be of; none: all
  std::vector<std::pair<std::int64_t, std::size_t>> not_made;  ///< speeds, media not made at them
  std::vector<MediumPower> by_medium;  ///< none: modules draw as planned, whatever the length
  // Of a network beside the GPUs': ports of each of these, in this order
  std::int64_t node_ports = 0, storage_ports = 0, management_ports = 0;
};

/// Names of the loads whose pieces have ports of networks beside the GPUs'.
inline constexpr const char* kStorageLoad = "storage";
inline constexpr const char* kManagementLoad = "management";

/// A cluster with the power and size of its parts, each as it is to be planned.
struct Hardware {
  NetworkHardware network;              ///< between the GPUs
  std::vector<NetworkHardware> beside;  ///< others, such as the front end
  Chassis chassis;
  std::int64_t gpus = 0, nodes = 0, node_gpus = 1;
  std::int64_t hb_domain = 1;
  std::int64_t node_units = 8;
  Watts node_power{};                 ///< as planned
  std::optional<Watts> node_rated{};  ///< that it could draw; nothing: no more than planned
  std::int64_t spare_nodes = 0;       ///< in all; no fewer stand than the network has ports for
  std::vector<OtherLoad> others;

  /// By the number that kinds and layers of the wiring have.
  [[nodiscard]] const NetworkHardware& of(std::size_t number) const {
    return number == 0 ? network : beside[number - 1];
  }
  [[nodiscard]] std::int64_t links() const;
};

/// One thing in a rack, by the height of its ports.
struct Content {
  double unit = 0;
  std::string device;

  bool operator==(const Content&) const = default;
};

/// What a rack is for; a switch rack has its tier's name.
inline constexpr const char* kComputeRack = "compute";
inline constexpr const char* kSpareRack = "spare";
inline constexpr const char* kDomainRack = "nvlink";
inline constexpr const char* kSidecar = "cdu";
inline constexpr const char* kOtherRack = "other";
inline constexpr const char* kFrameRack = "frame";  ///< switches that a backplane joins

struct Rack {
  std::string name, kind;
  bool is_network = false;  ///< of switches between the HB domains
  std::int64_t rank = 0;    ///< in the order of the bill
  std::int64_t units_used = 0;
  std::int64_t gpus = 0;
  std::int64_t nodes = 0;
  Watts power{}, liquid{};  ///< IT, and of its heat what goes into liquid
  Watts cooling{};          ///< of pumps: part of the PUE
  bool power_known = true;  ///< false: of what stands in it nobody says what it draws
  double kg = 0;
  std::vector<Content> contents;

  /// What its circuits carry.
  [[nodiscard]] Watts drawn() const { return power + cooling; }
};

/// Racks that belong together: hubs in the middle of what hangs off them.
struct Group {
  std::vector<std::int32_t> hubs, racks;
  std::vector<Group> children;
};

/// Which of the limits of a rack decides how many nodes it takes.
enum class RackLimit { units, power, weight, given };
std::string_view name_of(RackLimit limit);

struct Packing {
  std::int64_t nodes = 0;  ///< of a rack; 0: none fits
  RackLimit bound_by = RackLimit::units;
};
/// A node with the modules of its network ports.
Watts node_draw(const Hardware& hardware);
/// Nodes per rack: the scarcest of units, power and weight.
Packing pack(const Hardware& hardware, const Site& site);

/// What air carries away from a rack without a door of its own: four DGX H100.
inline constexpr double kAirRackKw = 42;

/// The limit of a rack's power: of the site, else 42 kW, or 140 with liquid-cooled nodes.
Watts rack_limit(const Hardware& hardware, const Site& site);

/// Cooling units beside racks that carry the heat of the same racks.
struct CoolingLoop {
  std::vector<std::int32_t> racks;
  std::int64_t units = 0, needed = 0;
};

struct RackPlan {
  Packing packing;
  Wiring wiring;  ///< with the cables inside HB domains of several racks: kDomainLayer
  std::vector<Rack> racks;
  Group root;
  std::vector<std::vector<std::int32_t>> rack_of;  ///< by kind and device of the wiring
  std::vector<std::vector<float>> unit_of;         ///< height of its ports, in units
  std::int64_t spare_nodes = 0;                    ///< hosts in reserve
  Watts spare_power{};                             ///< as planned
  Watts held{};                                    ///< that nodes could draw beyond what is planned
  std::vector<CoolingLoop> loops;                  ///< of cooling units beside racks
};

/// The cables of an HB domain that stands in several racks, to its own switch racks: no part of
/// the network.
inline constexpr const char* kDomainLayer = "hb_domain";

/// Whether an HB domain stands in several racks, joined by switch racks of its own.
bool has_domain_racks(const Hardware& hardware, const Packing& packing);
/// What all those draw.
Watts domain_switch_power(const Hardware& hardware, const Site& site);

/// Fills racks. At least one node must fit one.
RackPlan fill_racks(const Hardware& hardware, const Site& site, Wiring wiring);

/// Watts of every switch and of the modules in one node's network cards, in the order of the
/// wiring; in all as many as the count has modules.
struct PortPower {
  std::vector<std::vector<double>> of_device;  ///< by kind and device
};
PortPower port_power(const Hardware& hardware, const Wiring& wiring);

}  // namespace planner::site
