// `planner validate`: what is held to its tolerance, and what is drawn of measured runs.
#include "planner/commands/validate/validate.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "planner/present/charts/charts.hpp"
#include "support/shipped.hpp"

using namespace planner;
using namespace planner::commands;

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
  Context context{.catalog = shipped()};
  held_to({check}, context);
  return context.exit_code;
}

}  // namespace

TEST_CASE("a figure outside its tolerance is a bug, whatever else is reproduced") {
  CHECK(exit_of(row(published::Kind::computed, 101, "")) == ExitCode::done);
  Context context{.catalog = shipped()};
  const ValidateAnswer answer = held_to(
      {row(published::Kind::computed, 100, ""), row(published::Kind::computed, 102, "")}, context);
  CHECK(context.exit_code == ExitCode::bug);
  REQUIRE(context.errors.size() == 1);
  CHECK(context.errors.front().message == "paper, switches: 100 is published, ours is 102");
  CHECK(std::get<PublishedAnswer>(answer.result).rows.size() == 2);
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

TEST_CASE("predictions are drawn against measurements, rows without one left out") {
  MeasuredAnswer answer{.calibration = "default"};
  answer.validation.total.median = 0.1;
  answer.validation.rows = {{.id = "a", .measured = 2, .predicted = 2.2, .error = 0.1},
                            {.id = "b", .skipped = "no time"}};
  const present::Json list = present::charts_of(measured_view(answer));
  REQUIRE(list.size() == 1);
  CHECK(list[0]["title"] == "Half of the 1 predictions are within 10.0 % of what was measured");
  CHECK(list[0]["spec"]["layer"][1]["data"]["values"].size() == 1);
  CHECK(list[0]["spec"]["layer"][1]["data"]["values"][0]["row"] == "a");
}
