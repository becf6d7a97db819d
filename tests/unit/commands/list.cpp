// `planner list` and files that cannot be read.
#include "planner/commands/list/list.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

using namespace planner;
using namespace planner::commands;
namespace fs = std::filesystem;

namespace {

/// A data directory of its own, gone at the end.
struct DataFolder {
  fs::path path = fs::temp_directory_path() / "planner-list-test";

  DataFolder() { fs::create_directories(path / "models"); }
  ~DataFolder() { fs::remove_all(path); }
  DataFolder(const DataFolder&) = delete;
  DataFolder& operator=(const DataFolder&) = delete;

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path / "models" / name) << text;
  }
};

}  // namespace

TEST_CASE("a broken file is a warning with its place, and left out of the list") {
  const DataFolder data;
  data.write("broken.json", "{\n  \"name\": oops\n}");
  const catalog::Catalog catalog({data.path, PLANNER_SOURCE_DIR});
  Context context{.catalog = catalog};
  const ListAnswer answer = list_files({.kinds = {"models"}}, context);
  CHECK(answer.entries.size() > 10);
  REQUIRE(context.warnings.size() == 1);
  CHECK(context.warnings.front().find("broken.json:2:11") != std::string::npos);
}

TEST_CASE("where nothing can be read, the list is an error") {
  const DataFolder data;
  data.write("broken.json", "{");
  const catalog::Catalog catalog({data.path});
  Context context{.catalog = catalog};
  CHECK_THROWS_AS(list_files({.kinds = {"models"}}, context), InputError);
}

TEST_CASE("an unknown kind is an error that names those there are") {
  const catalog::Catalog catalog({PLANNER_SOURCE_DIR});
  Context context{.catalog = catalog};
  CHECK_THROWS_WITH_AS(list_files({.kinds = {"modles"}}, context), "there is no list of \"modles\"",
                       InputError);
  CHECK_THROWS_AS(list_files({}, context), UsageError);
}
