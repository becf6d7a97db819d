#include <cstdio>
#include <exception>

#include "planner/cli/run.hpp"

int main(int argc, char** argv) {
  try {
    return static_cast<int>(planner::run_command_line({argv + 1, argv + argc}).code);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: this is a bug in planner: %s\n", error.what());
    return static_cast<int>(planner::ExitCode::bug);
  }
}
