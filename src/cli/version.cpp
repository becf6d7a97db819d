#include "planner/cli/command_help.hpp"
#include "planner_commit.hpp"

namespace planner {

std::string version_text() {
  const std::string commit = PLANNER_COMMIT;
  return "planner " PLANNER_VERSION + (commit.empty() ? "" : " (" + commit + ")");
}

}  // namespace planner
