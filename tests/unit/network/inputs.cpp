#include "planner/network/clos/inputs.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string_view>

#include "planner/network/count.hpp"
#include "planner/network/topologies/topologies.hpp"
#include "support/fabrics.hpp"

namespace {

using namespace planner;
using namespace planner::testing;

TEST_CASE("keys and options of a topology's inputs are its own, and defaults are in range") {
  for (const TopologyOptions& defaults : all_topologies()) {
    CHECK_FALSE(check_inputs(defaults));
    const auto unlike = [](const auto& options) {
      std::set<std::string_view> keys, flags;
      std::size_t all_keys = 0, all_flags = 0;
      for (const auto& input : facts_of(options).inputs) {
        keys.insert(input.key);
        ++all_keys;
        for (const std::string_view flag : input.options) {
          if (flag.empty()) continue;
          flags.insert(flag);
          ++all_flags;
        }
      }
      return keys.size() == all_keys && flags.size() == all_flags;
    };
    CHECK(std::visit(unlike, defaults));
  }
}

TEST_CASE("an option of the command line sets the input that answers to it") {
  FabricDesign design{.topology = Hpn{}};
  TopologyOptions& options = design.topology;
  CHECK(takes_option(options, "rails"));
  CHECK(takes_option(options, "planes"));
  CHECK_FALSE(takes_option(options, "inter-zone-links"));
  CHECK_FALSE(requires_option(options, "rails"));
  CHECK(requires_option(RailOnly{}, "rails"));
  set_option(design, "hb-domain", 4);
  set_option(design, "max-pods", 3);
  CHECK(options == TopologyOptions{Hpn{.rails = 4, .max_pods = 3}});
  options = FatTree{};
  set_option(design, "pod-aligned", true);
  set_option(design, "oversubscription", Ratio{.down = 7, .up = 1});
  CHECK(options ==
        TopologyOptions{FatTree{.oversubscription = {.down = 7, .up = 1}, .pod_aligned = true}});
  options = TwoZoneFatTree{};
  set_option(design, "inter-zone-links", 8);
  CHECK(options == TopologyOptions{TwoZoneFatTree{.inter_zone_links = 8}});
}

TEST_CASE("leaves whose uplinks are counted are oversubscribed by having fewer of them") {
  const auto of = [](Topology topology, Ratio ratio, std::int64_t port_gbps) {
    FabricDesign design = default_design(topology);
    design.port_gbps = port_gbps;
    REQUIRE(takes_option(design.topology, "oversubscription"));
    set_option(design, "oversubscription", ratio);
    return design;
  };
  // 16 ports of 200 Gb/s below a ToR; in C4's testbed (Fig. 10b) half of the spine switches are off
  // for 2:1.
  const auto dcn_plus = [&](Ratio ratio, std::int64_t port_gbps = 400) {
    return std::get<DcnPlus>(of(Topology::dcn_plus, ratio, port_gbps).topology);
  };
  CHECK(dcn_plus({1, 1}) == DcnPlus{});
  CHECK(dcn_plus({2, 1}) == DcnPlus{.tor_uplinks = 4, .aggs_per_pod = 4});
  CHECK(dcn_plus({4, 2}) == dcn_plus({2, 1}));
  CHECK(dcn_plus({2, 1}, 800) == DcnPlus{.tor_uplinks = 2, .aggs_per_pod = 2});
  CHECK(dcn_plus({3, 1}) == DcnPlus{.tor_uplinks = 3, .aggs_per_pod = 3});  // 16 : 6
  CHECK(dcn_plus({1000, 1}) == DcnPlus{.tor_uplinks = 1, .aggs_per_pod = 1});
  // 128 ports of 200 Gb/s below a ToR of HPN, 60 uplinks as published.
  const auto hpn = [&](Ratio ratio) {
    return std::get<Hpn>(of(Topology::hpn, ratio, 400).topology);
  };
  CHECK(hpn({16, 15}) == Hpn{});
  CHECK(hpn({2, 1}) == Hpn{.tor_uplinks = 32});
  for (const Topology topology : {Topology::dcn_plus, Topology::hpn}) {
    for (const Ratio ratio : {Ratio{2, 1}, Ratio{4, 1}, Ratio{8, 1}}) {
      const CountResult counted = count_fabric(of(topology, ratio, 400));
      REQUIRE(std::holds_alternative<FabricCount>(counted));
      CHECK(std::get<FabricCount>(counted).switches.front().oversubscription == ratio);
    }
  }
  CHECK_FALSE(takes_option(Torus{}, "oversubscription"));
  CHECK_FALSE(takes_option(TwoZoneFatTree{}, "oversubscription"));
}

TEST_CASE("an input out of its range is named as on the command line") {
  const auto wrong = [](const TopologyOptions& options) {
    const auto problem = check_inputs(options);
    REQUIRE(problem);
    CHECK(problem->bad_value());
    return problem->subject;
  };
  CHECK(wrong(Hpn{.tors_per_rail = 0}) == "tors-per-rail");
  CHECK(wrong(FatTree{.max_tiers = 4}) == "max-tiers");
  CHECK(wrong(Dragonfly{.groups = 0}) == "groups");
  CHECK(wrong(MetaAiZone{.rtsw_oversubscription = {0, 1}}) == "rtsw-oversubscription");
  CHECK_FALSE(check_inputs(TwoZoneFatTree{.zone_switches = 0}));
}

}  // namespace
