#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "planner/commands/design/design.hpp"
#include "planner/design/times.hpp"

// What the search of a brief has learnt, in a file that is written as it goes: a run that was ended
// goes on where it was.
namespace planner::commands {

/// A search as a line of text, and back. Nothing: the line is not one of ours.
std::string line_of(const design::SearchedWay& searched);
std::optional<design::SearchedWay> searched_in(std::string_view line);

/// What tells the searches of a brief from those of others: the brief, and all that it names.
std::string fingerprint(const Brief& brief, const OpenSpace& open);

class StateFile {
 public:
  /// @param question  fingerprint() of the brief
  StateFile(std::string path, std::string question, std::string name);

  /// The file's text; empty: there is none.
  [[nodiscard]] std::string text() const;
  /// Adds what a text of it has. Its findings are checked by the timing model.
  /// @throws InputError  it is not the state of this question
  void add(const std::string& text, design::Times& times) const;

  /// Writes what is new, now and then.
  void keep_now_and_then(const design::KnownSearches& searches);
  /// Writes all. Returns what went wrong; the file is then as it was.
  std::optional<Diagnostic> keep(const design::KnownSearches& searches);

 private:
  using Clock = std::chrono::steady_clock;

  std::string path_, question_, name_;
  std::size_t kept_ = 0;  ///< searches that the file has
  Clock::time_point next_{};
};

}  // namespace planner::commands
