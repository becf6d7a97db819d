#include "planner/cli/command_help.hpp"

#include <algorithm>

#include "planner/api/commands.hpp"
#include "planner/commands/list/files.hpp"
#include "planner/commands/values/value_parsers.hpp"

namespace planner {

std::vector<std::string> words_of(const Option& option) {
  if (!option.choices.empty()) return option.choices;
  constexpr std::string_view kBefore = "must be one of ", kAfter = ", not \"";
  Request scratch;
  const std::string problem = option.is_switch() ? "" : option.read("?", scratch).value_or("");
  const std::size_t end = problem.rfind(kAfter);
  if (!problem.starts_with(kBefore) || end == std::string::npos) return {};
  std::vector<std::string> words =
      split_list(std::string_view{problem}.substr(kBefore.size(), end - kBefore.size()));
  for (std::string& word : words) word.erase(0, word.find_first_not_of(' '));
  return words;
}

std::vector<std::string> words_of(const CommandInfo& info) {
  std::vector<std::string> words;
  if (info.arguments == "KIND") return commands::list_kinds();
  if (info.arguments == "TYPE") return schema_types();
  if (info.command == Command::sweep) {
    for (const CommandInfo& other : command_table()) {
      if (other.swept) words.push_back(other.name);
    }
    return words;
  }
  // A word to be given as it stands is in lower case: "measured|published".
  const bool literal =
      info.arguments.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") == std::string::npos;
  std::string rest = literal ? info.arguments : "";
  while (!rest.empty()) {
    const std::size_t bar = std::min(rest.find('|'), rest.size());
    words.push_back(rest.substr(0, bar));
    rest.erase(0, bar + 1);
  }
  return words;
}

}  // namespace planner
