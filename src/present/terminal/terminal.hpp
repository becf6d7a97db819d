#pragma once

#include <cstddef>
#include <string>

#include "planner/present/document.hpp"

namespace planner::present {

/// How a document looks on a terminal.
struct TerminalStyle {
  bool color = false;      ///< ANSI colours
  std::size_t width = 80;  ///< columns
};

/// The document for a person at a terminal. Names from files cannot move its cursor: control
/// characters are replaced.
std::string to_terminal(const Document& document, const TerminalStyle& style);

}  // namespace planner::present
