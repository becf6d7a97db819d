#include "planner/design/each_system.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <mutex>
#include <optional>
#include <sstream>
#include <string>
#include <utility>

#include "planner/core/divisors.hpp"
#include "planner/core/real.hpp"
#include "planner/design/exchange.hpp"
#include "planner/search/for_each_index.hpp"

namespace planner::design {

namespace {

/// Between the parts of a problem, none of which has it.
constexpr char kPart = '\x1f';

/// One for each thing that several threads must not do at once.
struct Turns {
  std::mutex asking, between;
};

/// What several threads may call, one call at a time. What is done between steps may take long:
/// the other threads go on meanwhile.
/// @param together  with other processes: the time is that of this one
Control in_turn(const Control& control, bool together, Turns& turns) {
  Control all;
  if (control.progress) {
    all.progress = [&](const DesignProgress& progress) {
      const std::lock_guard lock(turns.asking);
      control.progress(progress);
    };
  }
  if (const auto& over = together ? control.out_of_time_here : control.out_of_time) {
    all.out_of_time = [&] {
      const std::lock_guard lock(turns.asking);
      return over();
    };
  }
  if (control.between) {
    all.between = [&] {
      const std::unique_lock lock(turns.between, std::try_to_lock);
      if (lock) control.between();
    };
  }
  return all;
}

/// What is wrong with a system, in parts.
std::string told(const std::pair<const std::uint32_t, InputError>& problems) {
  const auto& [system, error] = problems;
  std::string text = std::to_string(system) + kPart;
  for (const Diagnostic& problem : error.diagnostics()) {
    for (const std::string& part :
         {problem.code, problem.message, problem.hint, problem.file, std::to_string(problem.line),
          std::to_string(problem.column), std::string(problem.closest ? "closest" : "")}) {
      text += part + kPart;
    }
  }
  return text;
}

/// And back.
std::pair<std::uint32_t, std::vector<Diagnostic>> problems_in(const std::string& text) {
  std::istringstream parts(text);
  const auto next = [&parts] {
    std::string part;
    std::getline(parts, part, kPart);
    return part;
  };
  const auto number = [&next] { return static_cast<int>(number_in(next())); };
  const auto system = static_cast<std::uint32_t>(number_in(next()));
  std::vector<Diagnostic> all;
  while (parts.peek() != std::istringstream::traits_type::eof()) {
    all.push_back({.code = next(),
                   .message = next(),
                   .hint = next(),
                   .file = next(),
                   .line = number(),
                   .column = number(),
                   .closest = !next().empty()});
  }
  return {system, std::move(all)};
}

/// Whether it is so in any process.
bool anywhere(bool here, const Team* team) {
  if (team == nullptr) return here;
  const std::vector<std::string> all = team->tell(here ? "y" : "n");
  return std::find(all.begin(), all.end(), "y") != all.end();
}

/// The places of parts of work, for several threads.
class Parts {
 public:
  /// @param team  that deals them out; null: all are for this process
  Parts(std::size_t parts, const Team* team) : parts_(parts), team_(team) {}

  /// Nothing: none is left.
  std::optional<std::size_t> next() {
    const std::lock_guard lock(mutex_);
    if (over_) return std::nullopt;
    const std::size_t part = team_ == nullptr ? next_++ : team_->deal(parts_);
    over_ = part >= parts_;
    return over_ ? std::nullopt : std::optional(part);
  }

 private:
  std::size_t parts_;
  const Team* team_;
  std::mutex mutex_;
  std::size_t next_ = 0;
  bool over_ = false;
};

/// How long a system's searches take beside those of others, by judgement: the more ways there are
/// to use an HB domain, the more strategies do not fit, and the more GPUs it takes.
double work_of(const System& system) {
  return real(std::ssize(divisors(system.hb_domain))) / std::pow(system.accelerator.memory.si(), 2);
}

}  // namespace

std::vector<std::uint32_t> systems_with_networks(const Space& space) {
  std::vector<std::uint32_t> all;
  for (std::uint32_t system = 0; system < space.systems.size(); ++system) {
    if (!space.systems[system].networks.empty()) all.push_back(system);
  }
  return all;
}

std::vector<std::uint32_t> most_work_first(const Space& space, std::vector<std::uint32_t> systems) {
  std::stable_sort(systems.begin(), systems.end(), [&](std::uint32_t a, std::uint32_t b) {
    return work_of(space.systems[a].system()) > work_of(space.systems[b].system());
  });
  return systems;
}

std::vector<std::uint32_t> in_order_of_first(std::vector<std::uint32_t> systems, const Team* team) {
  if (team == nullptr) return systems;
  std::istringstream first(team->tell(fmt::format("{}", fmt::join(systems, " "))).front());
  return {std::istream_iterator<std::uint32_t>(first), {}};
}

bool enough_systems(const Space& space, const Times& times) {
  return systems_with_networks(space).size() >= times.side_by_side();
}

std::vector<std::uint32_t> own_of(const std::vector<std::uint32_t>& most_first, const Team* team) {
  if (team == nullptr) return most_first;
  std::vector<std::uint32_t> own;
  for (std::size_t i = 0; i < most_first.size(); ++i) {
    const std::size_t turn = i / team->size, place = i % team->size;
    if ((turn % 2 == 0 ? place : team->size - 1 - place) == team->rank) {
      own.push_back(most_first[i]);
    }
  }
  return own;
}

void throw_first(const std::map<std::uint32_t, InputError>& own, const Team* team) {
  if (team == nullptr) {
    if (!own.empty()) throw InputError(own.begin()->second);
    return;
  }
  std::map<std::uint32_t, std::vector<Diagnostic>> all;
  for (const std::string& text : team->tell(own.empty() ? "" : told(*own.begin()))) {
    if (!text.empty()) all.insert(problems_in(text));
  }
  if (!all.empty()) throw InputError(all.begin()->second);
}

void search_apart(Times& times) {
  static_cast<void>(times.made().take_new());  // every process has made them
}

void share_searches(Times& times) {
  if (times.team() == nullptr) return;
  for (const auto& [way, found] : times.team()->share(times.made().take_new())) {
    times.made().add(way, found);
  }
  search_apart(times);
}

bool ask_side_by_side(const std::vector<std::uint32_t>& systems, WhoseSystems whose, Times& times,
                      const Control& control,
                      const std::function<void(std::uint32_t, const Control&)>& ask_one) {
  search_apart(times);
  Turns turns;
  const Control of_one = in_turn(control, times.team() != nullptr, turns);
  std::mutex ending;
  std::map<std::uint32_t, InputError> problems;
  bool cut = false;
  {
    const While one_by_one(times, &Times::set_one_by_one);
    Parts parts(systems.size(), whose == WhoseSystems::all ? times.team() : nullptr);
    const std::size_t threads = std::clamp<std::size_t>(
        systems.size(), 1, thread_count(static_cast<std::size_t>(times.threads())));
    for_each_index(threads, threads, [&](std::size_t /*thread*/) {
      while (const auto part = parts.next()) {
        const std::uint32_t system = systems[*part];
        try {
          ask_one(system, of_one);
        } catch (const Interrupted&) {
          const std::lock_guard lock(ending);
          cut = true;
        } catch (const InputError& error) {
          const std::lock_guard lock(ending);
          problems.emplace(system, error);
        }
      }
    });
  }
  throw_first(problems, times.team());
  return anywhere(cut, times.team());
}

bool ask_in_turn(std::size_t questions, Times& times, const Control& control,
                 const std::function<void(std::size_t, const Control&)>& ask_one) {
  search_apart(times);
  const Team& team = *times.team();
  Control of_one = control;
  of_one.out_of_time = control.out_of_time_here;
  std::map<std::uint32_t, InputError> problems;
  bool cut = false;
  {
    Parts parts(questions, &team);
    const While alone(times, &Times::set_alone);
    while (const auto question = parts.next()) {
      if (cut || !problems.empty()) continue;  // all end: what is left is for nobody
      try {
        ask_one(*question, of_one);
      } catch (const Interrupted&) {
        cut = true;
      } catch (const InputError& error) {
        problems.emplace(static_cast<std::uint32_t>(*question), error);
      }
    }
  }
  throw_first(problems, &team);
  return anywhere(cut, &team);
}

}  // namespace planner::design
