#include "planner/catalog/catalog.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "support/documents.hpp"

using namespace planner;
using namespace planner::catalog;
using namespace planner::testing;
namespace fs = std::filesystem;

namespace {

/// A data directory that is gone after the test.
struct DataDirectory {
  fs::path path;
  explicit DataDirectory(const std::string& name)
      : path(fs::temp_directory_path() / ("planner_catalog_" + std::to_string(getpid()) + name)) {
    fs::create_directories(path);
  }
  ~DataDirectory() { fs::remove_all(path); }
  void put(const std::string& file, const std::string& text) const {
    fs::create_directories((path / file).parent_path());
    std::ofstream(path / file) << text;
  }
};

std::string model(const std::string& name, int layers) {
  return "{\"name\": \"" + name + "\", \"layers\": " + std::to_string(layers) +
         ", \"hidden\": 64, \"heads\": 8, \"ffn_hidden\": 256, \"vocab\": 1000}";
}

const std::string kAccelerator = R"({"name": "x100", "vendor": "X", "generation": "hopper",
  "datasheet_tflops": {"bf16": 100}, "hbm_GB": 80, "hbm_bandwidth_GBps": 3000})";
std::string system_with(const std::string& accelerator) {
  return R"({"name": "sx", "accelerator": ")" + accelerator + R"(", "hb_domain": 8,
    "hb_bandwidth_GBps": 450, "network_bandwidth_GBps": 50, "hb_latency_us": 1,
    "network_latency_us": 5})";
}

/// Sets an environment variable for one test.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* const old = std::getenv(name)) old_ = old;
    if (value != nullptr) {
      setenv(name, value, 1);
    } else {
      unsetenv(name);
    }
  }
  ~Variable() {
    if (old_) {
      setenv(name_, old_->c_str(), 1);
    } else {
      unsetenv(name_);
    }
  }

 private:
  const char* name_;
  std::optional<std::string> old_;
};

}  // namespace

TEST_CASE("what is a name and what is a path") {
  CHECK(is_catalog_name("gpt1t"));
  CHECK(is_catalog_name("llama3-8b.v2"));
  CHECK(is_catalog_name(".."));
  CHECK_FALSE(is_catalog_name("./gpt1t"));
  CHECK_FALSE(is_catalog_name("gpt1t.json"));
  CHECK_FALSE(is_catalog_name("-"));
}

TEST_CASE("names come from all directories, the first one wins") {
  const DataDirectory first("first"), second("second");
  first.put("models/b.json", model("b", 1));
  second.put("models/b.json", model("b", 2));
  second.put("models/a.json", model("a", 3));
  second.put("models/notes.txt", "no model");
  const Catalog catalog({first.path, first.path / "not-there", second.path});
  CHECK(catalog.names(kinds::model) == Lines{"a", "b"});
  CHECK(catalog.names(kinds::system).empty());
  CHECK(catalog.load_model("b").spec.layers == 1);
  CHECK(catalog.load_model("a").spec.layers == 3);
}

TEST_CASE("a folder called as a data file is none") {
  const DataDirectory data("folder");
  data.put("models/dir.json/a.json", model("a", 1));
  data.put("models/a.json", model("a", 1));
  const Catalog catalog({data.path});
  CHECK(catalog.names(kinds::model) == Lines{"a"});
  const auto found = problems_of([&] { static_cast<void>(catalog.load_model("dir")); });
  CHECK(found.at(0).hint == "planner list models");
}

TEST_CASE("an unknown name comes with the one that was meant") {
  const DataDirectory data("unknown");
  data.put("models/gpt1t.json", model("gpt1t", 1));
  const Catalog catalog({data.path});
  const auto found = problems_of([&] { static_cast<void>(catalog.load_model("gpt1tt")); });
  REQUIRE(found.size() == 1);
  CHECK(found[0] == Diagnostic{.code = "unknown-name",
                               .message = "no model is called \"gpt1tt\"",
                               .hint = "did you mean \"gpt1t\"?   (planner list models)"});
  const auto far = problems_of([&] { static_cast<void>(catalog.load_system("zzz")); });
  CHECK(far.at(0).message == "no system is called \"zzz\"");
  CHECK(far.at(0).hint == "planner list systems");
}

TEST_CASE("odd names find nothing, quietly") {
  const DataDirectory data("odd");
  data.put("models/a.json", model("a", 1));
  data.put("secret.json", model("secret", 1));
  const Catalog catalog({data.path});
  for (const std::string& name :
       {std::string(), std::string(".."), std::string("a\0b", 3), std::string(100'000, 'x')}) {
    CHECK(problems_of([&] { static_cast<void>(catalog.load_model(name)); }).at(0).code ==
          "unknown-name");
  }
}

TEST_CASE("a path is read as it is, and messages name it") {
  const DataDirectory data("paths");
  data.put("mine.json", model("mine", 7));
  data.put("bad.json", "{\n  \"name\": }");
  const Catalog catalog({});
  CHECK(catalog.load_model((data.path / "mine.json").string()).spec.layers == 7);
  const std::string bad = (data.path / "bad.json").string();
  const auto found = problems_of([&] { static_cast<void>(catalog.load_model(bad)); });
  REQUIRE(found.size() == 1);
  CHECK(found[0].file == bad);
  CHECK(found[0].line == 2);
  CHECK(problems_of([&] { static_cast<void>(catalog.load_model("./none")); }).at(0).code ==
        "no-such-file");
}

TEST_CASE("a system finds its accelerator in the catalog") {
  const DataDirectory data("systems");
  data.put("catalog/accelerators/x100.json", kAccelerator);
  data.put("catalog/systems/sx.json", system_with("x100"));
  data.put("catalog/systems/lost.json", system_with("x10"));
  data.put("catalog/systems/path.json", system_with("../x100"));
  const Catalog catalog({data.path});
  CHECK(catalog.load_system("sx").accelerator == catalog.load_accelerator("x100"));
  const auto lost = problems_of([&] { static_cast<void>(catalog.load_system("lost")); });
  REQUIRE(lost.size() == 1);
  CHECK(lost[0].message == "\"accelerator\": no accelerator is called \"x10\"");
  CHECK(lost[0].hint == "did you mean \"x100\"?   (planner list accelerators)");
  CHECK(lost[0].file == (data.path / "catalog/systems/lost.json").string());
  CHECK(lost[0].line == 1);
  const auto path = problems_of([&] { static_cast<void>(catalog.load_system("path")); });
  CHECK(path.at(0).code == "unknown-name");
}

TEST_CASE("a broken file of the catalog is named by its path") {
  const DataDirectory data("broken");
  data.put("catalog/nodes/n.json", "{\"name\": \"n\"}");
  const Catalog catalog({data.path});
  const auto found = problems_of([&] { static_cast<void>(catalog.load_node("n")); });
  REQUIRE_FALSE(found.empty());
  CHECK(found[0].file == (data.path / "catalog/nodes/n.json").string());
}

TEST_CASE("the order of the data directories") {
  const DataDirectory flag("flag"), named("named");
  const Variable planner("PLANNER_DATA_DIR", named.path.c_str());
  const Variable xdg("XDG_DATA_HOME", "/somewhere/share");
  const auto directories = data_directories(flag.path);
  REQUIRE(directories.size() == 5);
  CHECK(directories[0] == flag.path);
  CHECK(directories[1] == named.path);
  CHECK(directories[2] == "/somewhere/share/planner");
  CHECK(directories[3] ==
        fs::read_symlink("/proc/self/exe").parent_path().parent_path() / "share" / "planner");
  CHECK(directories[4] == PLANNER_SOURCE_DIR);
}

TEST_CASE("without variables the user's folder is the default one of XDG") {
  const Variable planner("PLANNER_DATA_DIR", "");
  const Variable xdg("XDG_DATA_HOME", nullptr);
  const Variable home("HOME", "/home/someone");
  const auto directories = data_directories(std::nullopt);
  REQUIRE(directories.size() == 3);
  CHECK(directories[0] == "/home/someone/.local/share/planner");
}

TEST_CASE("a data directory that the user named must be there") {
  const auto flag = problems_of([] { data_directories("/no/such/folder"); });
  REQUIRE(flag.size() == 1);
  CHECK(flag[0].code == "no-such-directory");
  CHECK(flag[0].message == "--data-dir: there is no directory \"/no/such/folder\"");
  const Variable planner("PLANNER_DATA_DIR", "/no/such/folder");
  CHECK(problems_of([] { data_directories(std::nullopt); }).at(0).code == "no-such-directory");
}
