#include "planner/design/each_system.hpp"

#include <algorithm>
#include <mutex>
#include <sstream>
#include <string>
#include <utility>

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

/// Whether it is so in any process.
bool anywhere(bool here, const Team* team) {
  if (team == nullptr) return here;
  const std::vector<std::string> all = team->tell(here ? "y" : "n");
  return std::find(all.begin(), all.end(), "y") != all.end();
}

}  // namespace

std::vector<std::uint32_t> systems_with_networks(const Space& space) {
  std::vector<std::uint32_t> all;
  for (std::uint32_t system = 0; system < space.systems.size(); ++system) {
    if (!space.systems[system].networks.empty()) all.push_back(system);
  }
  return all;
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
  std::string told;
  if (!own.empty()) {
    const auto& [system, error] = *own.begin();
    const Diagnostic& problem = error.diagnostics().front();
    for (const std::string& part :
         {std::to_string(system), problem.code, problem.message, problem.hint, problem.file,
          std::to_string(problem.line), std::to_string(problem.column),
          std::string(problem.closest ? "closest" : "")}) {
      told += part + kPart;
    }
  }
  std::map<double, Diagnostic> all;
  for (const std::string& text : team->tell(told)) {
    if (text.empty()) continue;
    std::istringstream parts(text);
    std::string system, line, column, closest;
    Diagnostic problem;
    for (std::string* part : {&system, &problem.code, &problem.message, &problem.hint,
                              &problem.file, &line, &column, &closest}) {
      std::getline(parts, *part, kPart);
    }
    problem.line = static_cast<int>(number_in(line));
    problem.column = static_cast<int>(number_in(column));
    problem.closest = !closest.empty();
    all.emplace(number_in(system), std::move(problem));
  }
  if (!all.empty()) throw InputError(all.begin()->second);
}

void share_searches(Times& times) {
  if (times.team() == nullptr) return;
  for (const auto& [way, found] : times.team()->share(times.made().take_new())) {
    times.made().add(way, found);
  }
  static_cast<void>(times.made().take_new());
}

bool ask_side_by_side(const std::vector<std::uint32_t>& own, Times& times, const Control& control,
                      const std::function<void(std::uint32_t, const Control&)>& ask_one) {
  Turns turns;
  const Control of_one = in_turn(control, times.team() != nullptr, turns);
  std::mutex ending;
  std::map<std::uint32_t, InputError> problems;
  bool cut = false;
  {
    const OneByOne one_by_one(times);
    const std::size_t threads = thread_count(static_cast<std::size_t>(times.threads()));
    for_each_index(own.size(), threads, [&](std::size_t i) {
      try {
        ask_one(own[i], of_one);
      } catch (const Interrupted&) {
        const std::lock_guard lock(ending);
        cut = true;
      } catch (const InputError& error) {
        const std::lock_guard lock(ending);
        problems.emplace(own[i], error);
      }
    });
  }
  throw_first(problems, times.team());
  return anywhere(cut, times.team());
}

}  // namespace planner::design
