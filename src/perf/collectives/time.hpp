#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "planner/core/quantity.hpp"
#include "planner/domain/collective_library.hpp"
#include "planner/perf/collectives/pipelined_reduce.hpp"

namespace planner::inline perf {

/// The GPUs of a collective: hb of each HB domain times net domains. May be averages: 11 GPUs in
/// two domains are 5.5 of each.
struct CollectiveGroup {
  double hb = 1;   ///< x
  double net = 1;  ///< y
  /// H: links between the farthest chips of a domain that is a torus; nothing: it is none.
  std::optional<double> hops{};

  [[nodiscard]] double ranks() const { return hb * net; }
  /// The group as its fullest and its emptiest domain see it, domains filled as evenly as can be:
  /// hb whole, and net so that ranks() stays what it is. A domain's cards are as many as its GPUs.
  [[nodiscard]] CollectiveGroup fullest() const;
  [[nodiscard]] CollectiveGroup emptiest() const;
};

/// The fewest domains that hold the GPUs.
CollectiveGroup group_over(std::int64_t gpus, std::int64_t hb_domain);

/// What the messages of one method get out of the links of a GPU. Every hop pays its latency; those
/// of a System, one per phase, are the rail-only paper's and not used here.
struct CollectiveLinks {
  BytesPerSecond hb{};            ///< C_F: inside the HB domain, per direction
  BytesPerSecond net{};           ///< C_S: between domains, per direction
  BytesPerSecond hb_in_switch{};  ///< C_FS: inside the HB domain, its switches reducing
  Seconds launch{};               ///< once per collective; not where switches reduce
  Seconds hb_hop{}, net_hop{};    ///< a_F, a_S
  Seconds hb_in_switch_latency{}, net_in_switch_latency{};  ///< a_FS, a_SS: launch included
};

/// Which switches can reduce; by default none is assumed to.
struct InSwitchReduction {
  bool hb = false;       ///< NVLink SHARP
  bool network = false;  ///< SHARP

  bool operator==(const InSwitchReduction&) const = default;
};

/// Whether the group has links whose switches reduce.
bool reaches_switch(const CollectiveGroup& group, InSwitchReduction can);

inline constexpr std::array kInSwitchReductions{InSwitchReduction{}, InSwitchReduction{.hb = true},
                                                InSwitchReduction{.network = true},
                                                InSwitchReduction{.hb = true, .network = true}};

/// As on the command line and in JSON: "none", "hb", "network", "both".
constexpr std::string_view name_of(InSwitchReduction can) {
  if (can.hb) return can.network ? "both" : "hb";
  return can.network ? "network" : "none";
}

/// The time of one collective, in terms.
struct CollectiveTime {
  Seconds launch{};
  Seconds hb_latency{}, net_latency{};              ///< of the hops that no transfer hides
  Seconds hb_transfer{}, net_transfer{};            ///< bytes over bandwidth
  Seconds pipeline_latency{}, pipeline_transfer{};  ///< HFReduce's: through the hosts, in chunks
  bool overlapped = false;  ///< both kinds of link work at once: only the longer transfer counts

  [[nodiscard]] Seconds latency() const {
    return launch + hb_latency + net_latency + pipeline_latency;
  }
  [[nodiscard]] Seconds transfer() const;
  [[nodiscard]] Seconds total() const { return latency() + transfer(); }
};

/// Time of a collective of `size` bytes by one algorithm; one GPU takes none. Formulas and sources
/// are in algorithms.hpp, and as text in collective_formula(). Where domains are not equally full,
/// a ring's time is within one hop of the ring's.
/// @param size  as nccl-tests count: all_gather the bytes each GPU holds at the end,
///              reduce_scatter those it holds at the start, all_to_all those it sends, its own
///              share included; otherwise those of the one buffer or message
/// @param in_switch  of the in_switch algorithm alone
/// @return nothing where the algorithm does not do such a collective, no switch of the group can
///         reduce, or it is HFReduce, whose time depends on the nodes (timed_hfreduce())
std::optional<CollectiveTime> collective_time(CollectiveKind kind, CollectiveAlgorithm algorithm,
                                              Bytes size, const CollectiveGroup& group,
                                              const CollectiveLinks& links,
                                              InSwitchReduction in_switch = {});

/// The algorithms of the GPUs that do such a collective, in_switch last.
std::span<const CollectiveAlgorithm> algorithms_of(CollectiveKind kind);

/// size / time.
BytesPerSecond algorithm_bandwidth(Bytes size, Seconds time);
/// What one link would have to carry in a flat system without in-network reduction. Source:
/// nccl-tests, doc/PERFORMANCE.md: algorithm bandwidth times 2(n-1)/n (all_reduce), (n-1)/n
/// (all_gather, reduce_scatter, all_to_all) or 1.
BytesPerSecond bus_bandwidth(CollectiveKind kind, Bytes size, double ranks, Seconds time);

/// A group's links as one method of a library drives them.
CollectiveLinks links_of(const CollectiveLibrary& library, const CollectiveMethod& method,
                         BytesPerSecond hb, BytesPerSecond net, const CollectiveGroup& group);

/// An algorithm at its fastest protocol.
struct TimedAlgorithm {
  CollectiveMethod method;
  bool of_library = true;  ///< false: the library does no such collective by this algorithm
  CollectiveTime time;
  std::optional<PipelinedReduce> pipeline = {};  ///< HFReduce's
};

/// An algorithm that the library may not have: its ring's protocols stand in for those it lacks.
/// Nothing where collective_time() has nothing.
std::optional<TimedAlgorithm> timed_algorithm(CollectiveKind kind, CollectiveAlgorithm algorithm,
                                              Bytes size, const CollectiveGroup& group,
                                              const CollectiveLibrary& library, BytesPerSecond hb,
                                              BytesPerSecond net, InSwitchReduction in_switch = {});

/// Every algorithm that the library has for such a collective at its best protocol, fastest first;
/// equal times in the order of algorithms_of() and of the library's methods. In-switch reduction is
/// among them where `in_switch` says that some switch can reduce.
std::vector<TimedAlgorithm> timed_algorithms(CollectiveKind kind, Bytes size,
                                             const CollectiveGroup& group,
                                             const CollectiveLibrary& library, BytesPerSecond hb,
                                             BytesPerSecond net, InSwitchReduction in_switch = {});

/// The formula of collective_time() for a group, terms of links that it does not have left out, and
/// where it is from. Symbols: D bytes, x, y, n = x*y, and those of CollectiveLinks.
struct CollectiveFormula {
  /// A symbol of its own, and what it stands for.
  struct Definition {
    std::string symbol, value;
  };
  CollectiveAlgorithm algorithm{};
  std::vector<Definition> definitions;  ///< in the order in which they need each other
  std::string latency, transfer, source;
};
CollectiveFormula collective_formula(CollectiveKind kind, CollectiveAlgorithm algorithm,
                                     const CollectiveGroup& group, InSwitchReduction in_switch);

}  // namespace planner::perf
