#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "planner/core/printable.hpp"
#include "planner/present/terminal/writer.hpp"
#include "planner/present/text.hpp"
#include "planner/report/report.hpp"

// What the tables of all commands are made of.
namespace planner {

using present::TerminalWriter;

/// ANSI emphasis, or the text as it is.
std::string bold(std::string_view text, const present::TerminalStyle& style);
std::string dim(std::string_view text, const present::TerminalStyle& style);

void write_cost(const Response& response, TerminalWriter& out);
void write_compare(const Response& response, TerminalWriter& out);
void write_sweep(const Response& response, TerminalWriter& out);
void write_diff(const Response& response, TerminalWriter& out);

}  // namespace planner
