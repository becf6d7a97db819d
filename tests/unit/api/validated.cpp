#include <doctest/doctest.h>

#include "planner/api/published.hpp"

using namespace planner;

namespace {

PublishedCheck row(PublishedKind kind, double ours, std::string note) {
  return {.id = "row",
          .source = "paper",
          .quantity = "switches",
          .kind = kind,
          .published = 100,
          .ours = ours,
          .tolerance = 1,
          .note = std::move(note)};
}

ExitCode exit_of(const PublishedCheck& check) {
  return validated({check}).exit_code;
}

}  // namespace

TEST_CASE("a figure outside its tolerance is a bug, whatever else is reproduced") {
  CHECK(exit_of(row(PublishedKind::computed, 101, "")) == ExitCode::done);
  const Response missed =
      validated({row(PublishedKind::computed, 100, ""), row(PublishedKind::computed, 102, "")});
  CHECK(missed.exit_code == ExitCode::bug);
  REQUIRE(missed.errors.size() == 1);
  CHECK(missed.errors.front().message == "paper, switches: 100 is published, ours is 102");
  CHECK(std::get<ValidateResult>(missed.result).rows.size() == 2);
}

TEST_CASE("a network figure that its source's own inputs do not give is explained, not missed") {
  CHECK(exit_of(row(PublishedKind::computed, 102, "why")) == ExitCode::done);
  CHECK(exit_of(row(PublishedKind::arithmetic, 102, "why")) == ExitCode::done);
}

TEST_CASE("the note of a timing excuses nothing") {
  CHECK(exit_of(row(PublishedKind::timing, 101, "assumed inputs")) == ExitCode::done);
  CHECK(exit_of(row(PublishedKind::timing, 102, "assumed inputs")) == ExitCode::bug);
}
