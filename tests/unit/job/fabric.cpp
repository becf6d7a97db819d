// A network as somebody asks for it.
#include "planner/job/fabric.hpp"

#include <doctest/doctest.h>

using namespace planner;
using namespace planner::job;

TEST_CASE("what is not said is the topology's own") {
  std::vector<std::string> warnings;
  const FabricDesign design = design_of(
      {.topology = Topology::rail_only, .gpus = 4096, .inputs = {{"rails", std::int64_t{64}}}},
      warnings);
  CHECK(design.gpus == 4096);
  CHECK(std::get<RailOnly>(design.topology).rails == 64);
  CHECK(design.radix == 64);
  CHECK(warnings.empty());
}

TEST_CASE(
    "a figure that the topology does not have is refused; one of the machine is remarked on") {
  std::vector<std::string> warnings;
  CHECK_THROWS_WITH_AS(
      design_of({.topology = Topology::fat_tree, .inputs = {{"planes", std::int64_t{2}}}},
                warnings),
      "--planes has no meaning for fat-tree", UsageError);
  CHECK_THROWS_WITH_AS(design_of({}, warnings), "--topology is missing", UsageError);
  design_of({.topology = Topology::fat_tree, .hb_domain = 8}, warnings);
  CHECK(warnings.size() == 1);
}
