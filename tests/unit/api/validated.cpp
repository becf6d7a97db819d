#include <doctest/doctest.h>

#include "planner/api/measured.hpp"

using namespace planner;

namespace {

published::Check row(published::Kind kind, double ours, std::string note) {
  return {.id = "row",
          .source = "paper",
          .quantity = "switches",
          .kind = kind,
          .published = 100,
          .ours = ours,
          .tolerance = 1,
          .note = std::move(note)};
}

ExitCode exit_of(const published::Check& check) {
  return validated({check}).exit_code;
}

}  // namespace

TEST_CASE("a figure outside its tolerance is a bug, whatever else is reproduced") {
  CHECK(exit_of(row(published::Kind::computed, 101, "")) == ExitCode::done);
  const Response missed =
      validated({row(published::Kind::computed, 100, ""), row(published::Kind::computed, 102, "")});
  CHECK(missed.exit_code == ExitCode::bug);
  REQUIRE(missed.errors.size() == 1);
  CHECK(missed.errors.front().message == "paper, switches: 100 is published, ours is 102");
  CHECK(std::get<ValidateResult>(missed.result).rows.size() == 2);
}

TEST_CASE("only a figure that is at odds with its source is excused, not one that has a note") {
  published::Check check = row(published::Kind::computed, 102, "why");
  CHECK(exit_of(check) == ExitCode::bug);
  check.at_odds = true;
  CHECK(exit_of(check) == ExitCode::done);
  CHECK_FALSE(check.reproduced());
}

TEST_CASE("a ceiling is held to by what was measured, and by nothing else") {
  published::Check check = row(published::Kind::computed, 150, "measured");
  check.ceiling = true;
  CHECK(exit_of(check) == ExitCode::done);
  check.ours = 98;
  CHECK(exit_of(check) == ExitCode::bug);
}
