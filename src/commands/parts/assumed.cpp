#include "planner/commands/parts/assumed.hpp"

#include <algorithm>
#include <utility>

namespace planner::commands {

void add_assumed(const std::vector<std::string>& options, present::Document& document,
                 std::string lead, bool apart) {
  std::string words;
  for (const std::string& option : options) words += (words.empty() ? "--" : " --") + option;
  if (words.empty()) return;
  document.add(present::Text{.text = std::move(words),
                             .indent = 0,
                             .lead = std::move(lead),
                             .emphasis = present::Emphasis::quiet,
                             .apart = apart});
}

std::string assumed_note(const std::vector<std::string>& options, std::string_view option) {
  return is_assumed(options, option) ? ", assumed: --" + std::string{option} : std::string{};
}

bool is_assumed(const std::vector<std::string>& options, std::string_view option) {
  return std::find(options.begin(), options.end(), option) != options.end();
}

}  // namespace planner::commands
