#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "planner/domain/fabric.hpp"

// Every cable of a counted network: which port of which device it joins to which. The count says
// how many there are, the wiring where they go; both agree, switch by switch.
namespace planner::site {

/// One cable. Devices and ports are numbered from 0 within their kind and device.
struct Link {
  std::uint32_t from = 0, from_port = 0;
  std::uint32_t to = 0, to_port = 0;

  bool operator==(const Link&) const = default;
};

/// Devices alike: network cards ("gpu"), cards in reserve, storage, or the switches of a tier.
struct DeviceKind {
  std::string name;
  std::int64_t count = 0;
  bool is_switch = false;
  /// The set that each belongs to; empty: none. A set is the switches of the first tier that the
  /// same HB domains hang on, with those domains: a scalable unit, a segment, a rack.
  std::vector<std::int32_t> set{};
  std::vector<std::int32_t> plane{};  ///< of each switch; empty: all on one
  std::size_t network = 0;            ///< 0: of the GPUs; then those beside it
  std::size_t tier = 0;               ///< of switches, in the count of their network
};

/// The cables of one layer of the count, in the order of the schedule.
struct WiredLayer {
  std::string name;
  std::int64_t gbps = 0;
  CableKind cable = CableKind::fibre;
  bool host = false;
  std::int64_t optical_ends = 2;  ///< of a fibre, that take a transceiver
  std::size_t from = 0, to = 0;   ///< kinds
  std::vector<Link> links{};
  std::size_t network = 0;  ///< as of its ends
};

struct Wiring {
  std::vector<DeviceKind> kinds;
  std::vector<WiredLayer> layers;
  std::int64_t sets = 1;
  std::vector<std::string> notes;  ///< where cables cannot be spread evenly

  [[nodiscard]] std::int64_t cables() const;
};

/// More cables than this are not laid out one by one.
inline constexpr std::int64_t kMostCables = 20'000'000;

/// The cables of a design that was counted.
/// @throws std::length_error  beyond kMostCables
Wiring wire(const FabricDesign& design, const FabricCount& count);

/// The same of another network, after those that are there: its kinds and layers have its name
/// before theirs ("frontend-leaf", "frontend_host"), its endpoints are its "frontend-port".
void add_network(Wiring& wiring, const std::string& name, Wiring other);

}  // namespace planner::site
