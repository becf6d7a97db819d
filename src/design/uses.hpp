#pragma once

#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "planner/design/archive.hpp"
#include "planner/design/groups.hpp"
#include "planner/design/search.hpp"

namespace planner::design {

/// A cluster that is asked about, and what it has at least.
struct Candidate {
  const Groups& groups;
  const DesignId& id;
  const Piece& parts;
};

/// The least time of a run on so many GPUs of a system, whatever their network, as far as it is
/// known: it only falls with more GPUs, and stays as it is up to the next that a faster use needs.
class LeastOfClusters {
 public:
  /// Nothing: it is not known whether it is within `limit`. Infinite: it is not.
  [[nodiscard]] std::optional<Seconds> within(Seconds limit, std::int64_t gpus) const;
  /// @param from  GPUs from which on it is that
  /// @param upto  and up to which
  void is(Seconds least, std::int64_t from, std::int64_t upto) { known_[upto] = {from, least}; }
  /// Up to so many GPUs it is more than that.
  void is_beyond(Seconds limit, std::int64_t upto);

 private:
  struct Known {
    std::int64_t from = 0;
    Seconds least{};
  };
  std::map<std::int64_t, Known> known_;
  std::map<std::int64_t, Seconds> beyond_;
};

/// Clusters up to a size of which no use matters on a network, by what else they have at least and
/// by the time that a run may take: where they have no less and may take no longer, none does.
struct RuledOutUpTo {
  std::int64_t gpus = 0;
  TimeLimit limit{};
  Figures at_once{}, per_second{};
};

/// The fastest uses of clusters that are known, on the best of networks.
class FastestUses {
 public:
  struct Known {
    Seconds time{};
    double late = 1;  ///< how much longer it takes in the cases in which the limits hold
  };
  /// @param gpus  of the domains that it takes
  void add(std::int64_t gpus, const Known& use);
  /// Of a cluster of so many GPUs; null: none is known.
  [[nodiscard]] const Known* of(std::int64_t gpus) const;

 private:
  std::map<std::int64_t, Known> known_;  ///< times fall
};

/// What runs can make of one cluster after the other, asked of exact searches as far as it may
/// matter beside what is found. Of several runs each is looked at beside the least that the others
/// take.
class Uses {
 public:
  /// @param question  whose archive it is; all outlive this
  Uses(const Space& space, const Question& question, Times& times, Learnt& learnt,
       const Judge& judge, Archive& archive);

  /// Figures that it is not below where all runs take so long.
  [[nodiscard]] Figures figures(const Candidate& of, Seconds all_runs) const {
    return judge_.least(of.parts, of.id, all_runs);
  }
  /// Whether it may matter on the best of networks.
  bool any_on_full_network(const Candidate& of);
  /// The same on its own.
  /// @param own  one object for all that are equal
  bool any_on_own_network(const Candidate& of, const NetworkSpeed& own);
  /// Offers every use of a design that may matter, on its own network.
  void offer(const Candidate& of, const Bought& cluster);

 private:
  /// One run on a cluster.
  struct Use {
    BestTime best;
    RunTimes times;
    Judged alone{};  ///< what it comes to if there were no other run

    [[nodiscard]] UseOfCluster place() const { return {best.batch, best.use.gpus}; }
    /// Whether no figure is more than another's, whatever the other runs do, and one is less or it
    /// is the earlier one. Runs are paid in whole cents: not all that is faster costs less.
    [[nodiscard]] bool rules_out(const Use& other) const;
  };

  [[nodiscard]] TimeLimit longest(const Candidate& of) const {
    return archive_.longest(figures(of, Seconds{}), judge_.per_second(of.parts));
  }
  [[nodiscard]] std::size_t runs() const { return space_.tokens.size(); }
  [[nodiscard]] Seconds searched_to(Seconds limit) const;
  /// Whether no way to use so many GPUs takes an iteration no longer, on any network: asked as
  /// Times::best() does first, and known for the next clusters.
  [[nodiscard]] bool beyond_full_network(const Candidate& of, const UsableCount& count,
                                         std::size_t at, Seconds iteration, BeyondCounts& known);
  /// Whether failures make more of a run than is left, if it takes `ideal` without them.
  [[nodiscard]] bool fails_beyond(const Candidate& of, const UsableCount& count, Seconds ideal,
                                  const TimeLimit& rest) const {
    return learnt_.run_floors.beyond(of.id.system, count, ideal, rest.by_goals, rest.by_limits);
  }
  /// How long a run may take without failures, up to `limit`, so that they do not make more of it
  /// than is left; where searches are counted they are not limited by that.
  [[nodiscard]] Seconds before_failures(const Candidate& of, const UsableCount& count,
                                        Seconds limit, const TimeLimit& rest) const {
    if (!uncounted_) return limit;
    return learnt_.run_floors.longest(of.id.system, count, limit, rest.by_goals, rest.by_limits);
  }
  /// How long an iteration may take for the run to matter, which may take `limit` without failures;
  /// nothing: on no network is one so fast.
  std::optional<Seconds> may_take(const Candidate& of, const UsableCount& count, std::size_t at,
                                  Seconds limit, const TimeLimit& rest, BeyondCounts& known);
  /// A smaller cluster that was ruled out, whose uses matter no more here.
  [[nodiscard]] std::int64_t ruled_out(const Candidate& of) const {
    return runs() == 1 ? of.groups.ruled_out(of.id.gpus) : 0;
  }
  /// What each run takes at least on the best of networks, as expected and in the cases in which
  /// the limits hold; nothing: together they are beyond what matters.
  struct Least {
    std::vector<Seconds> expected, confident;
  };
  std::optional<Least> least_of(const Candidate& of);
  Seconds least_of(const Candidate& of, std::size_t run, bool confident, Seconds limit);
  template <class Visit>
  void each_held(const Candidate& of, std::size_t run, const Visit& visit) const {
    each_held(of, run, ruled_out(of), visit);
  }
  /// @param beyond  GPUs of a smaller cluster, of whose uses none is asked for; 0: there is none
  template <class Visit>
  void each_held(const Candidate& of, std::size_t run, std::int64_t beyond,
                 const Visit& visit) const;
  /// Whether what is ruled out is so for this too, as far as it holds no more.
  [[nodiscard]] bool holds_for(const RuledOutUpTo& ruled, const Candidate& of,
                               const TimeLimit& all) const;
  [[nodiscard]] RuledOutUpTo ruled_out_up_to(const Candidate& of, const TimeLimit& all) const;
  /// Of one run, whether any use that `ruled` does not rule out is one that matters.
  template <class Any>
  bool any_but(RuledOutUpTo& ruled, const Candidate& of, const TimeLimit& all, const Any& any);
  template <class Visit>
  void each_use(const Candidate& of, const Bought& cluster, const NetworkOfRun& network,
                std::size_t run, const Least& least, const Visit& visit);
  void offer(const Candidate& of, const Bought& cluster, const NetworkOfRun& network,
             const Least& least, std::vector<Use>& chosen);
  bool any_on_own_network(const Candidate& of, const NetworkSpeed& own, std::int64_t beyond);
  void look_ahead(const Candidate& of, std::size_t run, std::size_t at, const TimeLimit& rest);
  void look_ahead(const Candidate& of, const NetworkOfRun& network, const Least& least);

  const Space& space_;
  Times& times_;
  Learnt& learnt_;
  const Judge& judge_;
  Archive& archive_;
  bool uncounted_;       ///< see Question
  Seconds longest_run_;  ///< that the limits leave
  /// Of each system and run, as expected and in the cases in which the limits hold.
  std::map<std::tuple<std::uint32_t, std::size_t, bool>, LeastOfClusters> least_;
  // Of each system, where there is one run.
  std::map<std::uint32_t, FastestUses> fastest_;
  std::map<std::uint32_t, RuledOutUpTo> on_full_network_;
  std::map<std::pair<std::uint32_t, const NetworkSpeed*>, RuledOutUpTo> on_own_network_;
};

}  // namespace planner::design
