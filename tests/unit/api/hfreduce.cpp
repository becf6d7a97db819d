// `planner hfreduce`: its what-ifs name options that do what they say; what it refuses.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "planner/api/api.hpp"
#include "planner/api/options.hpp"
#include "support/near.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

Request asked() {
  Request request{.command = Command::hfreduce};
  request.data_dir = PLANNER_SOURCE_DIR;
  return request;
}

/// Gives "--nics 2" as the command line does.
void give(const std::string& flag, Request& request) {
  const std::size_t space = flag.find(' ');
  const std::string name = flag.substr(2, space - 2);
  const std::string value = space == std::string::npos ? "" : flag.substr(space + 1);
  const auto& table = options();
  const auto row = std::find_if(table.begin(), table.end(), [&](const Option& option) {
    return option.name == name && option.applies_to(Command::hfreduce);
  });
  REQUIRE(row != table.end());
  CHECK(row->is_switch() == value.empty());
  CHECK(row->read(value, request) == std::nullopt);
}

HfReduceResult result_of(const Request& request) {
  const Response response = answer(request);
  REQUIRE(response.errors.empty());
  return std::get<HfReduceResult>(response.result);
}

/// Every what-if of a request, asked for, gives the bounds that it promises.
void check_what_ifs(const Request& request) {
  for (const WhatIf& what_if : result_of(request).what_ifs) {
    CAPTURE(what_if.flag);
    Request with = request;
    give(what_if.flag, with);
    const HfReduceResult result = result_of(with);
    CHECK(result.bounds.bandwidth == what_if.bounds.bandwidth);
    CHECK(result.bounds.bottleneck == what_if.bounds.bottleneck);
    CHECK(result.bounds.operations == what_if.bounds.operations);
    CHECK(result.nccl == what_if.nccl);
  }
}

}  // namespace

TEST_CASE("a what-if's flag is accepted and gives its bounds, from any start") {
  check_what_ifs(asked());
  for (const char* flag : {"--pcie 7", "--nics 1000", "--genoa-memory", "--host-memory 50",
                           "--pcie-switch 4", "--nvlink-pairs"}) {
    CAPTURE(flag);
    Request request = asked();
    give(flag, request);
    give("--host-bridge 1000", request);
    check_what_ifs(request);
  }
}

TEST_CASE("the stages of a pipeline share the link between zones, NCCL's rings too") {
  Request request = asked();
  request.gpus = 1440;
  give("--zone-bandwidth 6", request);
  const HfReduceResult alone = result_of(request);
  CHECK(alone.bounds.bandwidth.in(units::GBps) == near(6));
  CHECK(alone.nccl->in(units::GBps) == near(6 / (2 * 1439.0 / 1440)));
  request.pp = {4};
  CHECK(result_of(request).bounds.bandwidth.in(units::GBps) == near(1.5));
}

TEST_CASE("the closest number of GPUs is the nearest one") {
  Request request = asked();
  request.gpus = 64;
  request.pp = {3};
  const Response response = answer(request);
  REQUIRE(response.errors.size() == 1);
  CHECK(response.errors.front().hint == "closest: 72 GPUs");
}
