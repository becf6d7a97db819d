#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "planner/domain/flows.hpp"

// Which ranks of a plan send, and where to: ranks whose places in nested periods lie in ranges.
namespace planner {

/// Ranks whose place in a period lies in [low, high).
struct RankPlace {
  std::int64_t period = 1, low = 0, high = 1;

  [[nodiscard]] constexpr bool holds(std::int64_t place) const {
    return low <= place && place < high;
  }
  auto operator<=>(const RankPlace&) const = default;
};

/// Ranks that send to the rank `offset` GPUs after them.
struct Sending {
  std::int64_t offset = 0;
  /// All of these hold, the widest first; of a rank's place in the period before each. None: all
  /// ranks.
  std::vector<RankPlace> who{};

  [[nodiscard]] bool holds(std::int64_t rank) const;
  bool operator==(const Sending&) const = default;
};

/// Adds a place where its period belongs: after those of the wider ones.
void add_place(std::vector<RankPlace>& who, const RankPlace& place);

/// Whether ranks' places in a unit of consecutive GPUs can be added to such places and mean that:
/// it divides the wider periods, and the next narrower one divides it.
/// @param gpus  of the job, which has one period as wide
bool unit_fits(std::span<const RankPlace> who, std::int64_t unit, std::int64_t gpus);

/// Ranks below x for which all hold.
std::int64_t ranks_below(std::span<const RankPlace> who, std::int64_t x);

/// Ranks of GPUs [first, last) that send to others.
std::int64_t ranks_leaving(const Sending& sending, std::int64_t first, std::int64_t last);

/// Who sends in groups to whom, each offset once.
std::vector<Sending> sendings(const GroupFlows& groups);

/// Ranks below `gpus` by which of the lists of places hold: of bit i that of lists[i]. Ranks for
/// which none does are left out.
struct SomeRanks {
  std::uint64_t lists = 0;
  std::int64_t ranks = 0;
};
/// @param lists  at most 64
std::vector<SomeRanks> ranks_by_places(std::span<const std::vector<RankPlace>> lists,
                                       std::int64_t gpus);

/// Ranks of a collective that lie in several HB domains: those of a domain, and so many domains.
/// Strides of both count GPUs.
struct NestedRanks {
  GroupFlows inside{}, across{};

  [[nodiscard]] constexpr std::int64_t ranks() const { return inside.ranks * across.ranks; }
  /// Whether all follow one another with the stride of one level.
  [[nodiscard]] constexpr bool in_line() const {
    return inside.ranks == 1 || across.ranks == 1 || inside.period() == across.stride;
  }
  /// The ring of all of them, in line.
  [[nodiscard]] constexpr GroupFlows line() const {
    return {FlowKind::ring, inside.ranks > 1 ? inside.stride : across.stride, ranks()};
  }
};

/// One ring through all ranks of each group, those of a domain one after the other, of every other
/// domain in turn from the last to the first, so that what goes to the next domain goes to a rank
/// of the same place there: what is sent in domains, and across.
/// @param ranks  not in line
struct NestedRing {
  std::vector<Sending> inside, across;
};
NestedRing nested_ring(const NestedRanks& ranks);

/// Flows of that ring, or of the ring in line, out of the busiest of the units of so many GPUs.
double busiest_ring_out(const NestedRanks& ranks, std::int64_t unit);

/// What joins the last ranks of a domain to those of the next along a pipeline whose stages lie in
/// domains one after the other, in every other domain from the last to the first.
/// @param inside  stages of a domain
/// @param across  domains; its stride counts GPUs
std::vector<Sending> joints(const GroupFlows& inside, const GroupFlows& across);
/// The same between the last stage of all and the first.
std::vector<Sending> joint_of_ends(const GroupFlows& inside, const GroupFlows& across);
/// Ranks of the first stage of such a pipeline, and of the last.
std::vector<RankPlace> first_stage(const GroupFlows& inside, const GroupFlows& across);
std::vector<RankPlace> last_stage(const GroupFlows& inside, const GroupFlows& across);

}  // namespace planner
