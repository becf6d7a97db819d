// One list of error codes: it is what the source uses and what the documentation says.
#include "planner/core/error_codes.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

using namespace planner;

namespace {

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// All of the source but the list itself.
std::string source() {
  std::string text;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(PLANNER_SOURCE_DIR "/src")) {
    const std::string ending = entry.path().extension().string();
    if (ending != ".cpp" && ending != ".hpp") continue;
    if (entry.path().filename() != "error_codes.hpp") text += text_of(entry.path());
  }
  return text;
}

}  // namespace

TEST_CASE("the list of codes is in order, and every code of it is used") {
  CHECK(std::is_sorted(kErrorCodes.begin(), kErrorCodes.end(),
                       [](const ErrorCode& a, const ErrorCode& b) { return a.code < b.code; }));
  const std::string all = source();
  for (const ErrorCode& error : kErrorCodes) {
    CAPTURE(error.code);
    CHECK(all.find('"' + std::string{error.code} + '"') != std::string::npos);
  }
}

TEST_CASE("every code that the source names is in the list") {
  std::set<std::string> known;
  for (const ErrorCode& error : kErrorCodes) known.emplace(error.code);
  const std::string all = source();
  const std::regex named(
      R"re((?:\.code =|report\([a-z_>*().]+,|diagnose\([a-z_.>-]+,|problems\.add\([a-z_.>\[\]0-9-]+,)\s*"([a-z-]+)")re");
  std::size_t found = 0;
  for (std::sregex_iterator match(all.begin(), all.end(), named), end; match != end; ++match) {
    CAPTURE((*match)[1].str());
    CHECK(known.contains((*match)[1].str()));
    ++found;
  }
  CHECK(found > 50);
}

TEST_CASE("docs/errors.md says of every code what the list says") {
  const std::string page = text_of(PLANNER_SOURCE_DIR "/docs/errors.md");
  for (const ErrorCode& error : kErrorCodes) {
    const std::string row = "| `" + std::string{error.code} + "` | " + std::string{error.meaning} +
                            " | " + std::string{error.exit_codes} + " |";
    CAPTURE(row);
    CHECK(page.find(row) != std::string::npos);
  }
}
