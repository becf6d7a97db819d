// Every random mutation of a shipped file is either read or refused with an InputError: nothing
// else is thrown, nothing crashes (run under the sanitizers by tools/test --long).
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "support/parse_anything.hpp"

using namespace planner;

namespace {

std::vector<std::string> shipped_files() {
  std::vector<std::string> texts;
  const std::filesystem::path root = PLANNER_SOURCE_DIR;
  for (const char* folder : {"models", "catalog", "examples"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      const bool measured = entry.path().parent_path().filename() == "measured";
      if (entry.path().extension() != ".json" || measured) continue;
      std::ifstream file(entry.path());
      texts.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
  }
  return texts;
}

/// One to four random edits: a byte changed, dropped or doubled, a piece cut out or moved, a number
/// made absurd.
std::string mutated(std::string text, std::mt19937& random) {
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

}  // namespace

TEST_CASE("every shipped file is read by a parser") {
  for (const std::string& text : shipped_files()) {
    CAPTURE(text.substr(0, 80));
    // A system names its accelerator, which is not looked up here.
    const bool system = text.find("\"hb_domain\"") != std::string::npos;
    CHECK((parse_as_everything(text) > 0) == !system);
  }
}

TEST_CASE("mutated files are read or refused, never worse") {
  std::mt19937 random(20261120);
  const std::vector<std::string> files = shipped_files();
  REQUIRE(files.size() > 50);
  int refused = 0;
  constexpr int kMutations = 10'000;
  for (int i = 0; i < kMutations; ++i) {
    refused +=
        parse_as_everything(mutated(files[static_cast<std::size_t>(i) % files.size()], random)) == 0
            ? 1
            : 0;
  }
  CHECK(refused > kMutations / 2);
  CHECK(refused < kMutations);
}
