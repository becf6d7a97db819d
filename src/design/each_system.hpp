#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "planner/core/diagnostic.hpp"
#include "planner/design/search.hpp"

// Questions that have nothing to do with each other, as those to each system by itself: side by
// side on threads and processes.
namespace planner::design {

/// Systems that can be bought at all, by their places in the space.
std::vector<std::uint32_t> systems_with_networks(const Space& space);

/// Whether they are enough for all threads of all processes to ask systems of their own.
bool enough_systems(const Space& space, const Times& times);

/// The systems that this process asks: ranks take turns, there and back, so that each has as much
/// to do.
/// @param most_first  those that take most work come first
/// @param team  null: it is alone
std::vector<std::uint32_t> own_of(const std::vector<std::uint32_t>& most_first, const Team* team);

/// Where there are problems with systems, of any process: ends all with the first system's.
/// @param own  problems of this process, by system
/// @throws InputError
void throw_first(const std::map<std::uint32_t, InputError>& own, const Team* team);

/// What this process searches from now on the others do not: see share_searches().
void search_apart(Times& times);
/// What one process has searched the others need not search for the questions behind this one.
void share_searches(Times& times);

/// Systems in the order in which they are best dealt out: what takes long does not come last.
std::vector<std::uint32_t> most_work_first(const Space& space, std::vector<std::uint32_t> systems);

/// Systems in the order of the first process: what is dealt out are places among them, and the last
/// bits of costs, by which they are sorted, may be others on another machine. All call it at once.
std::vector<std::uint32_t> in_order_of_first(std::vector<std::uint32_t> systems, const Team* team);

/// Of systems that are asked about: this process asks all, or all processes do, each those that no
/// other has begun.
enum class WhoseSystems { own, all };

/// One system after the other on each thread; what follows is told to other processes by the
/// caller.
/// @param whose  has these systems
/// @param ask_one  throws Interrupted where the time runs out
/// @return  whether it did, in any process
/// @throws InputError  the first system's, of any process
bool ask_side_by_side(const std::vector<std::uint32_t>& systems, WhoseSystems whose, Times& times,
                      const Control& control,
                      const std::function<void(std::uint32_t, const Control&)>& ask_one);

/// Of several processes: one question after the other, each on all threads of one, likewise.
/// @param questions  how many; a process takes the first that no other has begun
/// @param ask_one  given the place of one; throws Interrupted where the time runs out
/// @return  whether it did, in any process
/// @throws InputError  of the first question with a problem, of any process
bool ask_in_turn(std::size_t questions, Times& times, const Control& control,
                 const std::function<void(std::size_t, const Control&)>& ask_one);

}  // namespace planner::design
