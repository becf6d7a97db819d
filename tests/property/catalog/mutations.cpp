// Every random mutation of a shipped file is either read or refused with an InputError: nothing
// else is thrown, nothing crashes (run under the sanitizers by tools/test --long).
#include "support/mutations.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "support/parse_anything.hpp"

using namespace planner;
using namespace planner::testing;

TEST_CASE("every shipped file is read by a parser") {
  for (const ShippedFile& file : shipped_files()) {
    CAPTURE(file.folder);
    CAPTURE(file.name);
    // A system names its accelerator, which is not looked up here.
    const bool system = file.text.find("\"hb_domain\"") != std::string::npos;
    CHECK((parse_as_everything(file.text) > 0) == !system);
  }
}

TEST_CASE("mutated files are read or refused, never worse") {
  std::mt19937 random(20261120);
  const std::vector<ShippedFile> files = shipped_files();
  REQUIRE(files.size() > 50);
  int refused = 0;
  constexpr int kMutations = 10'000;
  for (int i = 0; i < kMutations; ++i) {
    const ShippedFile& file = files[static_cast<std::size_t>(i) % files.size()];
    refused += parse_as_everything(mutated(file.text, random)) == 0 ? 1 : 0;
  }
  CHECK(refused > kMutations / 2);
  CHECK(refused < kMutations);
}
