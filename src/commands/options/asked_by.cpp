#include "planner/commands/options/asked_by.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "planner/commands/options/machine.hpp"
#include "planner/core/printable.hpp"
#include "planner/present/text.hpp"

namespace planner::commands {

namespace {

constexpr std::size_t kLongest = 120;  // columns: a line of a page

}  // namespace

std::optional<std::string> asked_by_problem(std::string_view text) {
  if (has_control(text)) return "must not have control characters";
  if (text.find_first_not_of(' ') == std::string_view::npos) return "must not be empty";
  if (display_width(text) > kLongest) return fmt::format("must be at most {} columns", kLongest);
  return std::nullopt;
}

Command::Option asked_by_option() {
  return {{.name = kAskedBy,
           .value = "NAME",
           .help = "who asked, as a line of the answer",
           .group = kAnswer},
          asked_by_problem};
}

std::optional<std::string> asked_by(const Call& call) {
  const auto found = std::find_if(call.options.rbegin(), call.options.rend(),
                                  [](const auto& option) { return option.first == kAskedBy; });
  if (found == call.options.rend()) return std::nullopt;
  if (const auto wrong = asked_by_problem(found->second)) {
    usage_error(fmt::format("--{}: {}", kAskedBy, *wrong));
  }
  return found->second;
}

}  // namespace planner::commands
