// `planner hfreduce`: its what-ifs name options that do what they say; what it refuses.
#include "planner/commands/hfreduce/hfreduce.hpp"

#include <doctest/doctest.h>

#include <string>

#include "support/examples.hpp"
#include "support/near.hpp"

using namespace planner;
using namespace planner::commands;
using namespace planner::testing;

namespace {

/// A call with options as they are typed: "--nics 2".
Call call(const std::vector<std::string>& flags) {
  Call call{.command = "hfreduce"};
  for (const std::string& flag : flags) {
    const std::size_t space = flag.find(' ');
    call.options.emplace_back(flag.substr(2, space - 2),
                              space == std::string::npos ? "" : flag.substr(space + 1));
  }
  return call;
}

HfReduceAnswer reduced(const std::vector<std::string>& flags) {
  Context context{.catalog = shipped()};
  const Command command = hfreduce();
  const auto answer = command.answer(call(flags), context);
  return *static_cast<const HfReduceAnswer*>(answer.get());
}

/// Every what-if of a request, asked for, gives the bounds that it promises.
void check_what_ifs(const std::vector<std::string>& flags) {
  for (const ReduceWhatIf& what_if : reduced(flags).what_ifs) {
    CAPTURE(what_if.flag);
    std::vector<std::string> with = flags;
    with.push_back(what_if.flag);
    const HfReduceAnswer answer = reduced(with);
    CHECK(answer.bounds.bandwidth == what_if.bandwidth);
    CHECK(answer.bounds.bottleneck == what_if.bottleneck);
    CHECK(answer.bounds.operations.total() == what_if.memory_operations);
    CHECK(answer.nccl == what_if.nccl);
  }
}

}  // namespace

TEST_CASE("a what-if's flag is accepted and gives its bounds, from any start") {
  check_what_ifs({});
  for (const char* flag : {"--pcie 7", "--nics 1000", "--genoa-memory", "--host-memory 50",
                           "--pcie-switch 4", "--nvlink-pairs"}) {
    CAPTURE(flag);
    check_what_ifs({flag, "--host-bridge 1000"});
  }
}

TEST_CASE("the stages of a pipeline share the link between zones, NCCL's rings too") {
  const HfReduceAnswer alone = reduced({"--gpus 1440", "--zone-bandwidth 6"});
  CHECK(alone.bounds.bandwidth.in(units::GBps) == near(6));
  CHECK(alone.nccl->in(units::GBps) == near(6 / (2 * 1439.0 / 1440)));
  const HfReduceAnswer staged = reduced({"--gpus 1440", "--zone-bandwidth 6", "--pp 4"});
  CHECK(staged.bounds.bandwidth.in(units::GBps) == near(1.5));
}

TEST_CASE("the closest number of GPUs is the nearest one") {
  try {
    reduced({"--gpus 64", "--pp 3"});
    FAIL("64 GPUs are no multiple of 24");
  } catch (const InfeasibleError& error) {
    CHECK(error.diagnostics().front().hint == "closest: 72 GPUs");
  }
}
