#include "planner/commands/options/asked_by.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "planner/commands/options/machine.hpp"

namespace planner::commands {

namespace {

constexpr const char* kAskedBy = "asked-by";
constexpr std::size_t kLongest = 120;  // a line of a page

std::optional<std::string> problem_of(std::string_view text) {
  if (text.empty()) return "must not be empty";
  if (text.size() > kLongest) return fmt::format("must be at most {} characters", kLongest);
  return std::nullopt;
}

}  // namespace

Command::Option asked_by_option() {
  return {{.name = kAskedBy,
           .value = "NAME",
           .help = "who asked, as a line of the answer",
           .group = kAnswer},
          problem_of};
}

std::optional<std::string> asked_by(const Call& call) {
  const auto found = std::find_if(call.options.rbegin(), call.options.rend(),
                                  [](const auto& option) { return option.first == kAskedBy; });
  if (found == call.options.rend()) return std::nullopt;
  if (const auto wrong = problem_of(found->second)) {
    usage_error(fmt::format("--{}: {}", kAskedBy, *wrong));
  }
  return found->second;
}

}  // namespace planner::commands
