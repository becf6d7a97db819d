#pragma once

#include <string>

#include "planner/api/response.hpp"
#include "planner/present/terminal/terminal.hpp"

namespace planner {

/// The answer for a person, without its errors and warnings.
std::string render_table(const Response& response, const present::TerminalStyle& style);

/// The errors or warnings of an answer for a person, one paragraph each, as they go to stderr.
std::string render_errors(const Response& response, const present::TerminalStyle& style);
std::string render_warnings(const Response& response, const present::TerminalStyle& style);

/// The whole answer as JSON, errors and warnings included. The same answer gives the same bytes.
std::string render_json(const Response& response);

}  // namespace planner
