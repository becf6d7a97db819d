// `planner collective`: sizes as people write them, the machine's group, what it refuses.
#include "planner/commands/collective/collective.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "planner/present/charts/charts.hpp"
#include "support/examples.hpp"

using namespace planner;
using namespace planner::commands;
using namespace planner::testing;

namespace {

std::vector<double> sizes(std::string_view text) {
  std::vector<double> bytes;
  const auto parsed = parse_sizes(text);
  if (!parsed.value) return bytes;
  for (const Bytes size : *parsed.value) bytes.push_back(size.si());
  return bytes;
}

using Sizes = std::vector<double>;

CollectiveAnswer answer_to(const CollectiveRequest& request) {
  Context context{.catalog = shipped()};
  return time_collective(request, context);
}

CollectiveRequest asked(CollectiveKind kind, std::int64_t gpus) {
  return {.kind = kind, .sizes = {1 * units::GB}, .gpus = gpus};
}

present::Json charts(const CollectiveRequest& request) {
  return present::charts_of(collective_view(answer_to(request)));
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
  const CollectiveAnswer cluster = answer_to(asked(CollectiveKind::all_gather, 64));
  CHECK(cluster.group.hb == 8);
  CHECK(cluster.group.net == 8);
  REQUIRE(cluster.sizes.size() == 1);
  CHECK(cluster.sizes.front().over_bound().value_or(0) >= 1);
  CHECK(cluster.sizes.front().used.algorithm == cluster.sizes.front().algorithms.front().algorithm);

  const CollectiveAnswer alone = answer_to(asked(CollectiveKind::all_gather, 1));
  CHECK(alone.sizes.front().used.time.total() == Seconds{});
  CHECK_FALSE(alone.sizes.front().used.algorithm);
}

TEST_CASE("in-switch reduction is refused where the HB domain's switches do not add") {
  CollectiveRequest request = asked(CollectiveKind::all_reduce, 64);
  request.in_switch = {.hb = true};
  request.machine.system = "dgx-a100";
  CHECK_THROWS_AS(answer_to(request), UsageError);
  request.machine.system = "dgx-h100";
  CHECK_NOTHROW(answer_to(request));
  // Asked for by name, it takes the switches that there are, and says so.
  request.machine.system = "dgx-a100";
  request.in_switch = {};
  request.algorithm = CollectiveAlgorithm::in_switch;
  const CollectiveAnswer answer = answer_to(request);
  CHECK(answer.inputs.in_switch == InSwitchReduction{.network = true});
  CHECK(answer.inputs.assumed.back() == "in-switch-reduction");
}

TEST_CASE("one GPU per HB domain: rails only join any two of them") {
  CollectiveRequest request = asked(CollectiveKind::all_to_all, 64);
  request.algorithm = CollectiveAlgorithm::direct;
  request.reach = NetworkReach::rail_only;
  request.machine.hb_domain = 1;
  CHECK_NOTHROW(answer_to(request));
  request.machine.hb_domain = 8;
  CHECK_THROWS_AS(answer_to(request), UsageError);
}

TEST_CASE("a term of the explanation has the value of its formula, the last one the time") {
  CollectiveRequest request = asked(CollectiveKind::all_reduce, 20);
  request.explain = true;
  const CollectiveAnswer answer = answer_to(request);
  const auto& algorithms = answer.sizes.front().algorithms;
  REQUIRE(answer.formulas.size() == algorithms.size());
  for (std::size_t i = 0; i < algorithms.size(); ++i) {
    CHECK(answer.formulas[i].terms.back().value ==
          doctest::Approx(algorithms[i].time.total().si()).epsilon(1e-9));
  }
}

TEST_CASE("bandwidth is drawn over the sizes, not for one") {
  CollectiveRequest request = asked(CollectiveKind::all_reduce, 64);
  CHECK(charts(request).empty());
  request.sizes = {1024 * units::byte, 0x1p30 * units::byte};
  const present::Json list = charts(request);
  REQUIRE(list.size() == 1);
  CHECK(list[0]["name"] == "bandwidth_by_size");
  CHECK(list[0]["title"].get<std::string>().ends_with("of bus bandwidth, at 1 GiB"));
  CHECK(list[0]["spec"]["data"]["values"].size() == 2);
}
