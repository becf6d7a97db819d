#pragma once

#include "planner/api/request.hpp"
#include "planner/api/response.hpp"

namespace planner {

/// Answers a request: the only door for the command line, the C library and the sweeps. Never
/// throws for anything the user can cause. Without global state; calls may run side by side.
Response answer(const Request& request, const Control& control = {});

}  // namespace planner
