#include "planner/api/options.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace planner;

namespace {

const Option& option(const std::string& name) {
  for (const Option& one : options()) {
    if (one.name == name) return one;
  }
  FAIL("no option " << name);
  return options().front();
}

}  // namespace

TEST_CASE("every command has a name of its own and every option a text of help") {
  std::set<std::string> names;
  for (const CommandInfo& info : command_table()) {
    CHECK(names.insert(info.name).second);
    CHECK(name_of(info.command) == info.name);
    CHECK(!info.summary.empty());
  }
  for (const Option& one : options()) {
    CAPTURE(one.name);
    CHECK(!one.help.empty());
    CHECK(!one.commands.empty());
  }
}

TEST_CASE("no command has two options of one name") {
  for (const CommandInfo& info : command_table()) {
    std::set<std::string> names;
    for (const Option& one : options()) {
      if (one.applies_to(info.command)) CHECK(names.insert(one.name).second);
    }
  }
}

TEST_CASE("an option reads its value or says what is wrong and leaves the request alone") {
  Request request;
  CHECK(!option("gpus").read("32768", request));
  CHECK(request.gpus == 32768);
  CHECK(option("gpus").read("0", request));
  CHECK(request.gpus == 32768);
}
