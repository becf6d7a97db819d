#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planner/core/quantity.hpp"
#include "planner/domain/fabric.hpp"
#include "planner/domain/provenance.hpp"

namespace planner {

/// A switch as its vendor specifies it. A modular chassis is one switch.
struct SwitchModel {
  std::string name;
  std::string title;
  std::int64_t ports = 0;  ///< at port_gbps
  std::int64_t port_gbps = 0;
  std::vector<std::int64_t> breakout_gbps;  ///< slower speeds into which every port splits
  std::optional<std::int64_t> chips{};      ///< switch chips inside; a chassis has many
  std::optional<std::int64_t> rack_units{};
  std::optional<Watts> power{};       ///< typical, without optical modules
  std::optional<Watts> peak_power{};  ///< with everything in it
  std::vector<SourceNote> sources;

  /// Ports when all run at this speed; 0: it cannot.
  [[nodiscard]] std::int64_t ports_at(std::int64_t gbps) const;
  bool operator==(const SwitchModel&) const = default;
};

/// What joins two ports: a transceiver (one needed at each end) or a whole cable.
enum class OpticKind { transceiver, copper, active_optical, fibre };
inline constexpr std::array kOpticKinds{OpticKind::transceiver, OpticKind::copper,
                                        OpticKind::active_optical, OpticKind::fibre};

/// As in files: "active_optical".
std::string_view name_of(OpticKind kind);

struct Optic {
  std::string name;
  std::string title;
  OpticKind kind = OpticKind::transceiver;
  /// Of one transceiver: 2 for twin-port OSFP; of a cable, the links that it carries: 2 for a
  /// splitter.
  std::int64_t ports = 1;
  std::optional<std::int64_t> port_gbps{};  ///< of each port; nothing: any (fibre)
  std::optional<double> reach_m{};
  std::optional<Watts> power{};  ///< of one piece with its ends
  std::vector<SourceNote> sources;

  bool operator==(const Optic&) const = default;
};

/// A network card.
struct Nic {
  std::string name;
  std::string title;
  std::int64_t ports = 1;
  std::int64_t port_gbps = 0;
  std::optional<std::int64_t> pcie_generation{};
  std::optional<Watts> power{};  ///< without its optical modules
  std::vector<SourceNote> sources;

  bool operator==(const Nic&) const = default;
};

}  // namespace planner
