#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

namespace planner::testing {

/// A data file that planner ships.
struct ShippedFile {
  std::string folder;  ///< "catalog/systems"
  std::string name;
  std::string text;
};

/// All of them but the measured runs.
inline std::vector<ShippedFile> shipped_files() {
  std::vector<ShippedFile> files;
  const std::filesystem::path root = PLANNER_SOURCE_DIR;
  for (const char* folder : {"models", "catalog", "examples"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      const std::filesystem::path parent = entry.path().parent_path();
      if (entry.path().extension() != ".json" || parent.filename() == "measured") continue;
      std::ifstream file(entry.path());
      files.push_back({.folder = std::filesystem::relative(parent, root).string(),
                       .name = entry.path().stem().string(),
                       .text = {std::istreambuf_iterator<char>(file), {}}});
    }
  }
  return files;
}

/// One to four random edits: a byte changed, dropped or doubled, a piece cut out or moved, a number
/// made absurd.
inline std::string mutated(std::string text, std::mt19937& random) {
  const auto below = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
  };
  const std::vector<std::string> absurd{"-1",   "0",       "1e400", "1e308", "null",
                                        "NaN",  "\"\"",    "[]",    "{}",    "9223372036854775808",
                                        "true", "\\u0000", "<b>"};
  for (std::size_t edits = 1 + below(4); edits > 0 && !text.empty(); --edits) {
    const std::size_t at = below(text.size()), length = 1 + below(20);
    switch (below(5)) {
      case 0:
        text[at] = static_cast<char>(below(256));
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(at, text.substr(below(text.size()), length));
        break;
      case 3:
        text.insert(at, absurd[below(absurd.size())]);
        break;
      default: {
        const std::size_t digit = text.find_first_of("0123456789", at);
        if (digit != std::string::npos) text.replace(digit, 1, absurd[below(absurd.size())]);
      }
    }
  }
  return text;
}

}  // namespace planner::testing
