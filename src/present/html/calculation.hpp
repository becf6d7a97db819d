#pragma once

#include <string>

#include "planner/present/document.hpp"

namespace planner::present {

/// A form: a field for each figure that may be changed, the bill's prices and quantities among
/// them, and what follows from them, which the page's script keeps up.
std::string html_calculation(const Calculation& calculation, const Bill& bill);

}  // namespace planner::present
