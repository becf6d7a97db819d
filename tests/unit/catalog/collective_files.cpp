// Files of a collective library: read, written, and what is wrong with them.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "planner/catalog/catalog.hpp"
#include "planner/catalog/documents.hpp"
#include "support/shipped.hpp"

using namespace planner;
using namespace planner::testing;
using namespace planner::catalog;

namespace {

std::vector<std::string> codes(const nlohmann::ordered_json& file) {
  try {
    parse_collectives(file.dump(), "mine.json");
  } catch (const InputError& error) {
    std::vector<std::string> found;
    for (const Diagnostic& diagnostic : error.diagnostics()) found.push_back(diagnostic.code);
    return found;
  }
  return {};
}

}  // namespace

TEST_CASE("every library of the catalog comes back as it was") {
  for (const std::string& name : shipped().names(kinds::collectives)) {
    CAPTURE(name);
    const CollectiveLibrary library = shipped().load_collectives(name);
    CHECK(parse_collectives(to_json(library).dump(), "again") == library);
    CHECK_FALSE(library.sources.empty());
  }
}

TEST_CASE("nccl: of an H100's links 369 GB/s inside a domain and 48 GB/s between") {
  const CollectiveLibrary nccl = shipped().load_collectives("nccl");
  CHECK(nccl.hb_efficiency * 450 == doctest::Approx(369));
  CHECK(nccl.network_efficiency * 50 == doctest::Approx(48));
  CHECK(nccl.methods.size() == 11);
}

TEST_CASE("an efficiency above 1 and a library without methods are refused") {
  auto file = to_json(shipped().load_collectives("nccl"));
  CHECK(codes(file).empty());
  auto fast = file;
  fast["hb_efficiency"] = 1.2;
  CHECK(codes(fast) == std::vector<std::string>{"out-of-range"});
  auto empty = file;
  empty["methods"] = nlohmann::ordered_json::array();
  CHECK(codes(empty).size() == 1);
  auto limits = file;
  limits["methods"][0]["most_GBps"] = {1, 2, 3, 4};
  CHECK(codes(limits).size() == 1);
  auto misspelt = file;
  misspelt["hb_eficiency"] = 1;
  CHECK(codes(misspelt) == std::vector<std::string>{"unknown-key"});
}
