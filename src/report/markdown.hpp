#pragma once

#include <string>
#include <string_view>

#include "planner/report/document.hpp"

namespace planner {

/// The report as Markdown with GitHub's tables. Numbers are for reading: grouped, at most two
/// decimals from 1 on.
std::string to_markdown(const Document& document);

/// As people read it: grouped, at most two decimals from 1 on, three digits below.
std::string readable(double value);

/// Text that stays what it is inside a table cell: Markdown's and HTML's own characters are
/// escaped, line breaks become spaces.
std::string markdown_escaped(std::string_view text);

}  // namespace planner
