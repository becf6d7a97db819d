#include "planner/api/collective_options.hpp"

#include <doctest/doctest.h>

#include "planner/api/api.hpp"

using namespace planner;

namespace {

std::vector<double> sizes(std::string_view text) {
  std::vector<double> bytes;
  const auto parsed = parse_sizes(text);
  if (!parsed.value) return bytes;
  for (const Bytes size : *parsed.value) bytes.push_back(size.si());
  return bytes;
}

using Sizes = std::vector<double>;

Response answer_to(CollectiveKind kind, std::int64_t gpus) {
  Request request{.command = Command::collective, .gpus = gpus};
  request.collective.kind = kind;
  request.collective.sizes = {1 * units::GB};
  request.data_dir = PLANNER_SOURCE_DIR;
  return answer(request);
}

}  // namespace

TEST_CASE("sizes: decimal and binary units, plain numbers, ranges") {
  CHECK(sizes("1GiB") == Sizes{0x1p30});
  CHECK(sizes("256MB") == Sizes{256e6});
  CHECK(sizes("1e9") == Sizes{1e9});
  CHECK(sizes("4096") == Sizes{4096});
  CHECK(sizes("1.5KiB") == Sizes{1536});
  CHECK(sizes("8B") == Sizes{8});
  CHECK(sizes("1KiB:64KiB:x4") == Sizes{1024, 4096, 16384, 65536});
  CHECK(sizes("1KB:5KB:x2") == Sizes{1e3, 2e3, 4e3});
}

TEST_CASE("sizes that mean nothing are refused") {
  for (const char* text : {"",           "0",          "-1",        "nan",          "inf",
                           "1e19",       "0.5",        "1GiBs",     "GiB",          "2G",
                           "1.5",        "1.0001KB",   "1 GiB",     "1KB:",         "1KB:2KB",
                           "2KB:1KB:x2", "1KB:2KB:x1", "1KB:2KB:2", "1:1e18:x1.02", "1KB:2KB:x2:x2",
                           "1:2:xnan",   "1:2:x"}) {
    CAPTURE(text);
    CHECK(sizes(text).empty());
    CHECK_FALSE(parse_sizes(text).error.empty());
  }
}

TEST_CASE("the group is that of the machine; a single GPU takes no time") {
  const Response cluster = answer_to(CollectiveKind::all_gather, 64);
  REQUIRE(cluster.errors.empty());
  const auto& result = std::get<CollectiveResult>(cluster.result);
  CHECK(result.group.hb == 8);
  CHECK(result.group.net == 8);
  REQUIRE(result.sizes.size() == 1);
  CHECK(result.sizes.front().time().total() >= *result.sizes.front().bound);

  const Response alone = answer_to(CollectiveKind::all_gather, 1);
  REQUIRE(alone.errors.empty());
  CHECK(std::get<CollectiveResult>(alone.result).sizes.front().time().total() == Seconds{});
}

TEST_CASE("in-switch reduction is refused where the HB domain's switches do not add") {
  Request request{.command = Command::collective, .system = "dgx-a100", .gpus = 64};
  request.collective = {
      .kind = CollectiveKind::all_reduce, .sizes = {1 * units::GB}, .in_switch = {.hb = true}};
  request.data_dir = PLANNER_SOURCE_DIR;
  CHECK(answer(request).exit_code == ExitCode::usage);
  request.system = "dgx-h100";
  CHECK(answer(request).exit_code == ExitCode::done);
  // Asked for by name, it takes the switches that there are, and says so.
  request.system = "dgx-a100";
  request.collective.in_switch = {};
  request.collective.algorithm = CollectiveAlgorithm::in_switch;
  const Response response = answer(request);
  REQUIRE(response.errors.empty());
  const auto& result = std::get<CollectiveResult>(response.result);
  CHECK(result.in_switch == InSwitchReduction{.network = true});
  CHECK(result.assumed.back() == "in-switch-reduction");
}

TEST_CASE("one GPU per HB domain: rails only join any two of them") {
  Request request{.command = Command::collective, .gpus = 64, .hb_domain = 1};
  request.collective = {.kind = CollectiveKind::all_to_all,
                        .sizes = {1 * units::GB},
                        .algorithm = CollectiveAlgorithm::direct,
                        .reach = NetworkReach::rail_only};
  request.data_dir = PLANNER_SOURCE_DIR;
  CHECK(answer(request).exit_code == ExitCode::done);
  request.hb_domain = 8;
  CHECK(answer(request).exit_code == ExitCode::usage);
}
