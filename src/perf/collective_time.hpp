#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "planner/core/quantity.hpp"
#include "planner/domain/collective_library.hpp"

namespace planner {

enum class CollectiveKind {
  all_gather,
  reduce_scatter,
  all_reduce,
  all_to_all,
  broadcast,
  point_to_point,
};

enum class CollectiveAlgorithm {
  direct,        ///< every GPU to every other one, no forwarding
  ring,          ///< one ring through all GPUs, and as many as a domain has rails
  tree,          ///< double binary tree between the domains, a chain inside each
  hierarchical,  ///< a ring along each rail, then one in each domain, one phase after the other
  recursive,     ///< the same phases by recursive doubling: few steps
  in_switch,     ///< switches add and copy
};

/// As on the command line and in JSON: "all-gather", "in-switch".
std::string_view name_of(CollectiveKind kind);
std::string_view name_of(CollectiveAlgorithm algorithm);

/// The GPUs of a collective: hb of each HB domain times net domains. May be averages.
struct CollectiveGroup {
  double hb = 1;   ///< x
  double net = 1;  ///< y

  [[nodiscard]] double ranks() const { return hb * net; }
};

/// What messages of one protocol get out of the links of a GPU.
struct CollectiveLinks {
  BytesPerSecond hb{};            ///< inside the HB domain
  BytesPerSecond net{};           ///< between domains
  BytesPerSecond hb_in_switch{};  ///< inside the HB domain, its switches reducing
  Seconds launch{};               ///< once per collective; not where switches reduce
  Seconds hb_hop{}, net_hop{}, net_tree_hop{};
  Seconds hb_in_switch_latency{}, net_in_switch_latency{};  ///< launch included
};

/// Which switches can reduce; by default none is assumed to.
struct InSwitchReduction {
  bool hb = false;       ///< NVLink SHARP
  bool network = false;  ///< SHARP

  bool operator==(const InSwitchReduction&) const = default;
};

/// The time of one collective, in terms.
struct CollectiveTime {
  Seconds launch{};
  Seconds hb_latency{}, net_latency{};
  Seconds hb_transfer{}, net_transfer{};  ///< bytes over bandwidth
  bool overlapped = false;  ///< both kinds of link work at once: only the longer transfer counts

  [[nodiscard]] Seconds latency() const { return launch + hb_latency + net_latency; }
  [[nodiscard]] Seconds transfer() const;
  [[nodiscard]] Seconds total() const { return latency() + transfer(); }
  bool operator==(const CollectiveTime&) const = default;
};

/// Time of a collective of `size` bytes by one algorithm; one GPU takes none. Formulas and sources
/// are in the .cpp, and as text in collective_formula().
/// @param size  as nccl-tests count: all_gather the bytes each GPU holds at the end,
///              reduce_scatter those it holds at the start, all_to_all those it sends, its own
///              share included; otherwise those of the one buffer or message
/// @param in_switch  of the in_switch algorithm alone
/// @return nothing where the algorithm does not do such a collective, or no switch of the group can
///         reduce
std::optional<CollectiveTime> collective_time(CollectiveKind kind, CollectiveAlgorithm algorithm,
                                              Bytes size, const CollectiveGroup& group,
                                              const CollectiveLinks& links,
                                              InSwitchReduction in_switch = {});

/// The algorithms that do such a collective, in_switch last.
std::span<const CollectiveAlgorithm> algorithms_of(CollectiveKind kind);

/// size / time.
BytesPerSecond algorithm_bandwidth(Bytes size, Seconds time);
/// What one link would have to carry in a flat system without in-network reduction. Source:
/// nccl-tests, doc/PERFORMANCE.md: algorithm bandwidth times 2(n-1)/n (all_reduce), (n-1)/n
/// (all_gather, reduce_scatter, all_to_all) or 1.
BytesPerSecond bus_bandwidth(CollectiveKind kind, Bytes size, double ranks, Seconds time);

/// A machine's links as one protocol of a library drives them.
CollectiveLinks links_of(const CollectiveLibrary& library, const CollectiveProtocol& protocol,
                         BytesPerSecond hb, BytesPerSecond net);

/// What a library does with a collective.
struct CollectiveOption {
  CollectiveAlgorithm algorithm = CollectiveAlgorithm::ring;
  std::string protocol;
  CollectiveTime time;
};

/// Every algorithm at its best protocol, fastest first; equal times in the order of
/// algorithms_of() and of the library's protocols. In-switch reduction is among them where
/// `in_switch` says that some switch can reduce.
std::vector<CollectiveOption> collective_options(CollectiveKind kind, Bytes size,
                                                 const CollectiveGroup& group,
                                                 const CollectiveLibrary& library,
                                                 BytesPerSecond hb, BytesPerSecond net,
                                                 InSwitchReduction in_switch = {});

/// The formula of a time in the symbols of this library, and where it is from.
struct CollectiveFormula {
  std::string_view latency, transfer, source;
};
CollectiveFormula collective_formula(CollectiveKind kind, CollectiveAlgorithm algorithm);

}  // namespace planner
