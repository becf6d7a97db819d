#pragma once

#include <string>

#include "planner/present/document.hpp"

namespace planner::present {

/// The document as one page that needs nothing else: light and dark, on paper and at 390 px. No
/// script runs but ours, which draws the charts and sorts comparisons.
std::string to_html(const Document& document);

}  // namespace planner::present
