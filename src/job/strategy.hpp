#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "planner/domain/plan.hpp"
#include "planner/search/search.hpp"

namespace planner::job {

/// What somebody asks of the search, or of the one strategy; an empty list leaves an axis open.
struct StrategyChoice {
  Pins pins{};
  std::vector<std::int64_t> zero{};
  std::vector<Recompute> recompute{};
  std::optional<RecomputeModules> recompute_modules{};  ///< of selective recomputation
  std::optional<double> recomputed_layers{};            ///< share, of full recomputation
  std::optional<Schedule> schedule{};
  std::optional<bool> sequence_parallel{};
  bool all_axes = false;  ///< of the closed form, whose search leaves some closed

  bool operator==(const StrategyChoice&) const = default;
};

/// The share of another time that one must be below to be less: what rounding cannot make of
/// equals.
inline constexpr double kFaster = 1 - 1e-9;

/// The space that is searched for a workload.
/// @throws UsageError for choices that contradict each other
SearchSpace search_space(const StrategyChoice& choice, const Workload& workload);

/// The one strategy that is asked for, but its placement; an absent dp follows from the others
/// where it can, and is 1 elsewhere.
/// @throws UsageError for more than one value of an axis
Strategy asked_strategy(const StrategyChoice& choice, const Workload& workload);

/// rank_strategies(), but throws Interrupted where the user has ended it: a part of a search is no
/// answer.
SearchResult search_all(const Workload& workload, const SearchSpace& space,
                        const SearchOptions& options);

/// The same, free to use fewer GPUs of each HB domain as one: a strategy must fill what is used,
/// and filling a large domain can cost more than it gains. Where a part of the domain is faster,
/// that part becomes the workload's; of equals the largest is taken. Its ranking value is never
/// greater than with a smaller domain, nor is the time of the fastest.
SearchResult search_domains(Workload& workload, const SearchSpace& space,
                            const SearchOptions& options);

/// The least ranking value of a workload, free to use fewer GPUs of each HB domain as one as
/// search_domains() is, where it is below one that is known: that of the same job on another
/// network, say. Nothing: it is not, which is quickly seen.
/// @param options  of a search by time that neither counts nor has a front
/// @throws Interrupted where the user has ended it
std::optional<Seconds> value_below(Seconds known, const Workload& workload,
                                   const SearchSpace& space, const SearchOptions& options);

/// The fastest strategy that fits with a probability of kSurely.
/// @param found  what search_domains() found with these options
/// @param least  of the workload and space, with messages
std::optional<Ranked> fastest_that_surely_fits(const Workload& workload, const SearchSpace& space,
                                               SearchOptions options, const SearchResult& found,
                                               LeastTimes& least);

/// The placement of a strategy, with the same freedom. Ranks that the space holds inside a domain
/// may fill a part of it only.
std::optional<Strategy> place_in_domains(Workload& workload, const SearchSpace& space,
                                         const Strategy& asked);

/// Says so where a plan uses a part of each HB domain.
/// @param planned  the workload after the search
void warn_about_domain_use(const Workload& workload, const Workload& planned,
                           std::vector<std::string>& warnings);

}  // namespace planner::job
