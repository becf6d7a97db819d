#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "planner/domain/flows.hpp"
#include "planner/domain/system.hpp"

// Collectives inside a torus. Each of its d dimensions has a d-th of a chip's bandwidth. A
// collective over several dimensions cuts its data into as many parts, each of which takes the
// dimensions in another order, so that all of their links work at once (Chan et al. 2007,
// doi 10.1002/cpe.1206, §7.2, bucket algorithms on meshes): bandwidths of the dimensions add. Along
// a ring data goes both ways; the ends of a line have one neighbour, through which all must pass,
// so that a line has half of a ring's bandwidth. Rings of every n-th chip share the links with the
// n - 1 others beside them. Where all chips of a dimension are joined to one another, g of n have
// g - 1 of its n - 1 links among them.
//
// An all-to-all cannot cut its way: a message passes every link between its chips, and the fullest
// link sets the time. By dimension-ordered shortest ways traffic of all to all loads the links of a
// dimension alike but for the ends of a line (Dally and Towles, Principles and Practices of
// Interconnection Networks, 2004, §3.3.1 and §5.2: channel load under uniform traffic).
namespace planner::inline perf {

/// Whether the chips along a dimension are all joined to one another, as those of a node without
/// a switch: one dimension is a full mesh, more are a hypercube or HyperX (Ahn et al. 2009,
/// doi 10.1145/1654059.1654101).
constexpr bool all_joined(const DomainTorus& torus) {
  return torus.ring_from == 0;
}

/// The part of a torus that a job of so many chips has: of the shapes that multiply to them and fit
/// inside, the most even one whose dimensions all close; where there is none, the most even one.
/// Of three dimensions larger slices than a cube are of whole ones. Nothing where no shape does.
std::optional<DomainTorus> slice_of(const DomainTorus& whole, std::int64_t chips);

/// Of the part of an HB domain that is used; nothing without a torus. Chips that make no slice lie
/// in a line. Where all are joined it is the whole: links to GPUs that are not used are idle.
std::optional<DomainTorus> used_torus(const System& system, std::int64_t chips);

/// Shares of a chip's bandwidth inside a torus that groups of ranks get in the layout that is best
/// for them. Ranks that are only a part of a dimension are a line: in a larger slice a group may
/// get less than in one of its own.
class TorusShares {
 public:
  explicit TorusShares(const DomainTorus& torus);

  /// Of a ring, and of what cuts its data as rings do. 1 for one rank, which sends nothing.
  /// @param apart  chips from one rank to the next
  [[nodiscard]] double of(std::int64_t ranks, std::int64_t apart) const;

  /// Of an all-to-all: with that share of a chip's bandwidth what a rank sends to others takes as
  /// long as the fullest link does.
  [[nodiscard]] double of_all_to_all(std::int64_t ranks, std::int64_t apart) const;

 private:
  /// What the best layouts give.
  struct Layout {
    double share = 0;    ///< of a chip's bandwidth, to a ring
    double fullest = 0;  ///< link under an all-to-all: what a rank has over a chip's bandwidth
    bool exists = false;
  };
  /// Layouts with one dimension more: so many ranks along it, so many chips from one to the next.
  void add_dimension(std::int64_t along, std::int64_t skipped, const Layout& of_it,
                     std::vector<Layout>& longer) const;
  /// Null where ranks lie in no layout on their own.
  [[nodiscard]] const Layout* layout(std::int64_t ranks, std::int64_t apart) const;
  /// Of a divisor of the chips; their number for another.
  [[nodiscard]] std::size_t place(std::int64_t divisor) const;

  std::vector<std::int64_t> divisors_;  ///< of the chips
  std::vector<Layout> layouts_;         ///< by ranks, then by what lies between them
  double of_neighbours_;                ///< of two chips side by side
  bool full_mesh_;                      ///< whether each chip has a link to every other
};

/// What groups of GPUs get of the links of an HB domain.
class DomainLinks {
 public:
  /// @param gpus  of the domain that are used
  DomainLinks(const System& system, std::int64_t gpus);

  /// Share of a GPU's bandwidth inside the domain: 1 where GPUs reach each other alike.
  /// Stages of a line reach one neighbour at a time.
  /// @param flows  of GPUs; at most as many ranks as are used
  [[nodiscard]] double share(const GroupFlows& flows) const;
  [[nodiscard]] bool alike() const { return !shares_; }

 private:
  std::optional<TorusShares> shares_;
};

}  // namespace planner::perf
