#pragma once

#include <string>
#include <string_view>

#include "planner/present/document.hpp"

namespace planner::present {

/// Text that Markdown shows as it is: nothing in it is markup, control characters are blanks.
std::string markdown_escaped(std::string_view text);

/// The document in GitHub's Markdown.
std::string to_markdown(const Document& document);

}  // namespace planner::present
