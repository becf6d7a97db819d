#pragma once

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "planner/commands/reply.hpp"
#include "support/shipped.hpp"

// What is said of all commands is tested with the calls of tests/answers/commands.txt, a line each.
namespace planner::testing {

/// A line of that file, and what is answered to it.
struct Example {
  std::string line;
  const commands::Command* command = nullptr;
  std::shared_ptr<const void> answer;
};

inline bool is_switch(const commands::Command& command, const std::string& name) {
  for (const commands::Command::Option& option : command.options) {
    if (option.info.name == name) return option.info.is_switch();
  }
  for (const commands::OptionInfo* option : commands::handed_on()) {
    if (option->name == name) return option->is_switch();
  }
  return false;
}

inline commands::Call call_of(const commands::Command& command, std::istringstream words) {
  commands::Call call{.command = command.name};
  for (std::string word; words >> word;) {
    if (!word.starts_with("--")) {
      call.arguments.push_back(word);
      continue;
    }
    const std::string name = word.substr(2);
    std::string text;
    if (!is_switch(command, name)) words >> text;
    call.options.emplace_back(name, text);
  }
  return call;
}

/// Nothing for a line that is refused.
inline void add_example(const std::string& line, std::vector<Example>& examples) {
  std::istringstream words(line);
  std::string name;
  words >> name;
  const commands::Command* const command = commands::command_named(name);
  if (command == nullptr || command->replays) return;
  commands::Context context{.catalog = shipped()};
  try {
    auto answer = command->answer(call_of(*command, std::move(words)), context);
    if (command->has_result(answer.get())) examples.push_back({line, command, std::move(answer)});
  } catch (const InputError&) {
  }
}

/// Two answers of one command that differ, as files, for `diff`.
inline void add_difference(std::vector<Example>& examples) {
  std::string line = "diff";
  for (const Example& example : std::vector<Example>(examples)) {
    if (example.command->name != "network") continue;
    const auto path =
        std::filesystem::temp_directory_path() / ("planner-example-" + std::to_string(::getpid()) +
                                                  "-" + std::to_string(line.size()) + ".json");
    const commands::Answered answered{example.command, example.answer};
    std::ofstream(path) << commands::reply_json({.command = example.command, .answer = answered});
    line += ' ' + path.string();
    if (std::count(line.begin(), line.end(), ' ') == 2) break;
  }
  add_example(line, examples);
  std::istringstream words(line.substr(4));
  for (std::string path; words >> path;) std::filesystem::remove(path);
}

/// Of every command of the registry whose answers are its own.
inline const std::vector<Example>& examples() {
  static const std::vector<Example> kExamples = [] {
    const std::filesystem::path tests = PLANNER_SOURCE_DIR "/tests";
    std::filesystem::current_path(tests / "golden");  // where the file's own files are
    std::vector<Example> all;
    std::ifstream file(tests / "answers/commands.txt");
    for (std::string line; std::getline(file, line);) {
      if (!line.starts_with('#')) add_example(line, all);
    }
    add_difference(all);
    return all;
  }();
  return kExamples;
}

}  // namespace planner::testing
