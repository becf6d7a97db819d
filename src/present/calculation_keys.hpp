#pragma once

// What formulas of a calculation name besides its own rows and the bill's sums (document.hpp).
namespace planner::present {

inline constexpr const char* kBillNodes = "bill_nodes";  ///< quantity of the bill's first line

}  // namespace planner::present
