#pragma once

#include "planner/job/fabric.hpp"
#include "planner/job/forecast.hpp"
#include "planner/job/sharing.hpp"

namespace planner {
using namespace job;  // NOLINT(google-build-using-namespace): of the commands that are still here
}
