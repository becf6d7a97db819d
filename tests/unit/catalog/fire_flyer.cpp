// The node and the storage that tests without a catalog use are those of the catalog.
#include "support/fire_flyer.hpp"

#include <doctest/doctest.h>

#include "planner/catalog/catalog.hpp"
#include "support/shipped.hpp"

using namespace planner;
using namespace planner::testing;

namespace {}  // namespace

TEST_CASE("Fire-Flyer 2's node: every figure of the fixture stands in its file") {
  const Node file = shipped().load_node("fire-flyer-2");
  Node fixture = fire_flyer_node();
  fixture.title = file.title;
  fixture.accelerator = file.accelerator;
  fixture.measured_reduce = file.measured_reduce;
  fixture.storage = file.storage;
  fixture.power = file.power;
  fixture.sources = file.sources;
  CHECK(fixture == file);
}

TEST_CASE("3FS: every figure of the fixture stands in its file") {
  const StorageSystem file = shipped().load_storage("fire-flyer-3fs");
  StorageSystem fixture = fire_flyer_storage();
  fixture.name = file.name;
  fixture.title = file.title;
  fixture.sources = file.sources;
  CHECK(fixture == file);
}
