#pragma once

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "planner/core/diagnostic.hpp"

namespace planner::testing {

/// The diagnostics that `action` throws; none if it succeeds.
template <class Action>
std::vector<Diagnostic> problems_of(Action&& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.diagnostics();
  }
  return {};
}

/// "code line:column message", one string per diagnostic: what a test compares.
template <class Action>
std::vector<std::string> told(Action&& action) {
  std::vector<std::string> lines;
  for (const Diagnostic& d : problems_of(std::forward<Action>(action))) {
    lines.push_back(d.code + " " + std::to_string(d.line) + ":" + std::to_string(d.column) + " " +
                    d.message);
  }
  return lines;
}

/// `text` with the first `what` replaced.
inline std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const std::size_t at = text.find(what);
  if (at == std::string::npos) throw std::logic_error("not in the text: " + what);
  return text.replace(at, what.size(), with);
}

using Lines = std::vector<std::string>;

}  // namespace planner::testing

/// Failed checks show the lines.
template <>
struct doctest::StringMaker<planner::testing::Lines> {
  static doctest::String convert(const planner::testing::Lines& lines) {
    std::string text;
    for (const std::string& line : lines) text += "\n  " + line;
    return text.c_str();
  }
};
