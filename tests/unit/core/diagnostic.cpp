#include "planner/core/diagnostic.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace planner;

TEST_CASE("a diagnostic prints as compilers print theirs") {
  Diagnostic found{.code = "unknown-key", .message = "unknown key \"x\"", .hint = "did you mean y"};
  CHECK(to_string(found) == "unknown key \"x\"");
  found.file = "models/a.json";
  CHECK(to_string(found) == "models/a.json: unknown key \"x\"");
  found.line = 7;
  found.column = 3;
  CHECK(to_string(found) == "models/a.json:7:3: unknown key \"x\"");
}

TEST_CASE("one error carries every finding") {
  const Diagnostic first{.code = "a", .message = "first"}, second{.code = "b", .message = "second"};
  const InputError error({first, second});
  CHECK(error.diagnostics() == std::vector{first, second});
  CHECK(std::string{error.what()} == "first\nsecond");
  CHECK(InputError(first).diagnostics().size() == 1);
}

TEST_CASE("a usage error is an input error with another exit code") {
  CHECK_THROWS_AS(throw UsageError(Diagnostic{.message = "--gpus: 0"}), InputError);
}
