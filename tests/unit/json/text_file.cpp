#include "planner/json/text_file.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <thread>

#include "support/documents.hpp"

using namespace planner;
using namespace planner::json;
using namespace planner::testing;
namespace fs = std::filesystem;

namespace {

struct Folder {
  fs::path path = fs::temp_directory_path() / ("planner_text_file_" + std::to_string(getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
  [[nodiscard]] std::string at(const char* name) const { return (path / name).string(); }
};

std::string code(const std::string& path) {
  return problems_of([&] { read_text_file(path); }).at(0).code;
}

}  // namespace

TEST_CASE("the whole file, byte for byte") {
  const Folder folder;
  const std::string text("a\r\n\0b", 5);
  std::ofstream(folder.at("a.json"), std::ios::binary) << text;
  CHECK(read_text_file(folder.at("a.json")) == text);
}

TEST_CASE("a missing file is named as the user named it, with the caller's hint") {
  const auto found = problems_of([] { read_text_file("no/such.json", "look elsewhere"); });
  REQUIRE(found.size() == 1);
  CHECK(found[0].code == "no-such-file");
  CHECK(found[0].file == "no/such.json");
  CHECK(found[0].message == "there is no such file");
  CHECK(found[0].hint == "look elsewhere");
}

TEST_CASE("a folder, an unreadable file and too large ones are refused") {
  const Folder folder;
  CHECK(code(folder.path.string()) == "is-a-directory");
  std::ofstream(folder.at("large")).close();
  fs::resize_file(folder.at("large"), kLargestText + 1);
  CHECK(code(folder.at("large")) == "too-large");
  CHECK(code("/dev/zero") == "too-large");  // endless: the reading itself is bounded
  if (geteuid() != 0) {
    std::ofstream(folder.at("secret")) << "{}";
    fs::permissions(folder.at("secret"), fs::perms::none);
    CHECK(code(folder.at("secret")) == "unreadable");
  }
}

TEST_CASE("a pipe is read to its end") {
  const Folder folder;
  const std::string pipe = folder.at("pipe");
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  const std::string text(100'000, 'x');
  std::thread writer([&] { std::ofstream(pipe, std::ios::binary) << text; });
  CHECK(read_text_file(pipe) == text);
  writer.join();
}

TEST_CASE("- is standard input") {
  std::istringstream input("{}");
  std::streambuf* const before = std::cin.rdbuf(input.rdbuf());
  CHECK(read_text_file("-") == "{}");
  std::cin.rdbuf(before);
  std::cin.clear();
  CHECK(source_name("-") == "<stdin>");
  CHECK(source_name("a.json") == "a.json");
}
