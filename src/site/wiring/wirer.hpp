#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "planner/site/wiring/wiring.hpp"

namespace planner::site {

/// A wiring under construction: gives every cable the next free port at both ends.
class Wirer {
 public:
  explicit Wirer(const FabricCount& count);

  /// Adds devices that are no switches. @return their kind
  std::size_t devices(std::string name, std::int64_t count);
  /// The kind of the switches of a tier.
  [[nodiscard]] std::size_t tier(std::string_view name) const;
  /// Opens a layer of the count. @return its index
  std::size_t layer(std::string_view name, std::size_t from, std::size_t to);
  void link(std::size_t layer, std::int64_t from, std::int64_t to);
  /// The next cables of all devices of a kind begin at the same port, where the fullest has room.
  void align(std::size_t kind);

  void set_of(std::size_t kind, const std::function<std::int64_t(std::int64_t)>& set);
  void plane_of(std::size_t kind, const std::function<std::int64_t(std::int64_t)>& plane);
  void sets(std::int64_t number) { wiring_.sets = number; }
  void note(std::string text) { wiring_.notes.push_back(std::move(text)); }

  Wiring finish() { return std::move(wiring_); }

 private:
  const FabricCount& count_;
  Wiring wiring_;
  std::vector<std::vector<std::uint32_t>> next_port_;  ///< by kind and device
};

/// Most ports of one switch of a tier on a layer; 0: neither is there.
std::int64_t fullest(const FabricCount& count, std::string_view tier, std::string_view layer);

/// Things 0 … n-1 dealt out to `bins` in consecutive runs, the first ones a thing longer.
struct Runs {
  std::int64_t things = 0, bins = 1;

  [[nodiscard]] std::int64_t bin_of(std::int64_t thing) const;
  [[nodiscard]] std::int64_t size(std::int64_t bin) const {
    return things / bins + (bin < things % bins ? 1 : 0);
  }
};

// One function per topology, beside its count in network/topologies.
void wire_parts(Wirer& wirer, const FabricDesign& design, const FabricCount& count, const FatTree&);
void wire_parts(Wirer& wirer, const FabricDesign& design, const FabricCount& count,
                const RailOptimized&);
void wire_parts(Wirer& wirer, const FabricDesign& design, const FabricCount& count,
                const SuperPod&);
void wire_parts(Wirer& wirer, const FabricDesign& design, const FabricCount& count,
                const RailOnly&);
void wire_parts(Wirer& wirer, const FabricDesign& design, const FabricCount& count,
                const MultiPlane&);
void wire_parts(Wirer& wirer, const FabricDesign& design, const FabricCount& count, const Hpn&);
void wire_parts(Wirer& wirer, const FabricDesign& design, const FabricCount& count, const DcnPlus&);
void wire_parts(Wirer& wirer, const FabricDesign& design, const FabricCount& count,
                const MetaAiZone&);
void wire_parts(Wirer& wirer, const FabricDesign& design, const FabricCount& count,
                const TwoZoneFatTree&);
void wire_parts(Wirer& wirer, const FabricDesign& design, const FabricCount& count,
                const Dragonfly&);
void wire_parts(Wirer& wirer, const FabricDesign& design, const FabricCount& count, const SlimFly&);
void wire_parts(Wirer& wirer, const FabricDesign& design, const FabricCount& count, const Torus&);

}  // namespace planner::site
