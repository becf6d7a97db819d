// `design` and `cost` are one model with two doors: what a design is said to cost and take is what
// `cost` says of its file.
#include "planner/commands/design/design.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "planner/catalog/briefs.hpp"
#include "planner/commands/build/build.hpp"
#include "planner/commands/cost/cost.hpp"
#include "support/designs.hpp"
#include "support/documents.hpp"
#include "support/shipped.hpp"

using namespace planner;
using namespace planner::commands;
using namespace planner::testing;

TEST_CASE("every figure of a design is what cost says of its file") {
  const DesignAnswer answer = answer_to(brief(""));
  REQUIRE(answer.best.has_value());
  CHECK(answer.front.size() > 5);
  check_cost(*answer.best);
  for (const DesignSummary& design : answer.front) check_cost(design);
  for (const SystemBest& system : answer.by_system) {
    CAPTURE(system.system);
    REQUIRE(system.best.has_value());
    check_cost(*system.best);
  }
  CHECK(answer.search.proved());
}

TEST_CASE("with failures too, spares and all") {
  const DesignAnswer answer = answer_to(
      brief(R"(, "rates": "c4-2023-06", "recovery": {"stall_s": 5, "repair_h": 24, "tor": "dual",
                        "degraded_speed": 0.9})"));
  REQUIRE(answer.best.has_value());
  REQUIRE(answer.best->expected.has_value());
  CHECK(answer.front.size() > 5);
  check_cost(*answer.best);
  bool spares = false;
  for (const DesignSummary& design : answer.front) {
    check_cost(design);
    CHECK(design.time > design.without_failures);
    CHECK(design.time_range.low <= design.time);
    CHECK(design.time <= design.time_range.high);
    CHECK(design.at_confidence.time >= design.time);
    spares = spares || *design.cluster.recovery->spares > 0;
  }
  CHECK(spares);
  // So many and no others.
  const DesignAnswer two =
      answer_to(brief(R"(, "rates": "c4-2023-06", "recovery": {"stall_s": 5, "repair_h": 24})"),
                {.failures = {.how = {.spares = 2}}});
  REQUIRE(two.best.has_value());
  check_cost(*two.best);
  CHECK(two.best->cluster.recovery->spares == 2);
  CHECK(two.best->standing_by >= 16);
}

TEST_CASE("in a building, lengths and all") {
  const char* const kBuilding = R"(, "build": {"rack_kW": 22, "tray_height_m": 12, "feeds": 2,
                                              "facility_MW": 0.01},
                                    "rates": ")";
  const TemporaryFile rates("rates.json", R"({"name": "feeds", "components": [
      {"component": "GPU", "unit": "gpu", "rate_per_hour": 1e-5, "basis": "part_calendar",
       "action": "crash", "detect_s": 60, "diagnose_s": 600, "repair_h": 24, "needs_spare": true,
       "source": "a test"},
      {"component": "busway feed", "unit": "feed", "rate_per_hour": 1e-4,
       "basis": "part_calendar", "action": "crash", "detect_s": 60, "diagnose_s": 600, "repair_h": 4, "source": "a test"}],
      "restart_s": 300, "checkpoint_stall_s": 5})");
  const DesignAnswer answer = answer_to(brief(kBuilding + rates.path() + "\""));
  REQUIRE(answer.best.has_value());
  REQUIRE(answer.best->purchase.has_value());
  CHECK(*answer.best->purchase->racks > 0);
  CHECK(*answer.best->purchase->longest_cable_m > 20);  // up to the trays and down again
  bool lengths = false;
  for (const BillLine& line : answer.best->purchase->bill.lines) {
    lengths = lengths || line.part.length_m.has_value();
  }
  CHECK(lengths);
  // The rules that it breaks are those that `build` of its file says, remedies and all.
  const TemporaryFile file("built.json", catalog::to_json(answer.best->cluster).dump());
  Context context{.catalog = shipped()};
  const BuildAnswer built = build_cluster({.files = {file.path()}}, context);
  CHECK(answer.best->purchase->broken == built.broken);
  CHECK(std::any_of(built.broken.begin(), built.broken.end(), [](const site::Broken& one) {
    return one.rule == "facility-power" && one.given;
  }));
  CHECK(answer.front.size() > 5);
  check_cost(*answer.best);
  for (const DesignSummary& design : answer.front) check_cost(design);
  CHECK(answer.search.proved());
  // Racks that no node fits.
  const DesignAnswer none = answer_to(brief(R"(, "build": {"rack_kW": 5})"));
  CHECK_FALSE(none.best.has_value());
  CHECK(none.search.no_network > 0);
}

TEST_CASE("with flows routed as the brief says, failures and all") {
  const char* const kRouting = R"(, "limits": {"days": 90}, "routing": {"scheme": "ecmp"})";
  const DesignAnswer even = answer_to(brief(R"(, "limits": {"days": 90})"));
  const DesignAnswer routed = answer_to(brief(kRouting));
  REQUIRE(routed.best.has_value());
  REQUIRE(routed.best->expected.has_value());
  CHECK(routed.best->cluster.routing->scheme == RoutingScheme::ecmp);
  CHECK(routed.front.size() > 5);
  check_cost(*routed.best);
  for (const DesignSummary& design : routed.front) check_cost(design);
  // Collisions of hashed flows cost time: what evenly loaded links reach they do not.
  const auto fastest = [](const DesignAnswer& answer) {
    Seconds least = answer.front.front().time;
    for (const DesignSummary& design : answer.front) least = std::min(least, design.time);
    return least;
  };
  CHECK(fastest(routed) > fastest(even));
  CHECK(routed.best->tco.expected >= even.best->tco.expected);

  const DesignAnswer failing = answer_to(brief(
      std::string(kRouting) + R"(, "rates": "c4-2023-06", "recovery": {"stall_s": 5, "repair_h": 24,
                                                                        "tor": "dual"})"));
  REQUIRE(failing.best.has_value());
  check_cost(*failing.best);
  for (const DesignSummary& design : failing.front) check_cost(design);

  const DesignAnswer every = answer_to(brief(kRouting), {.no_bounds = true});
  REQUIRE(every.front.size() == routed.front.size());
  for (std::size_t i = 0; i < every.front.size(); ++i) {
    CHECK(every.front[i].cluster == routed.front[i].cluster);
    CHECK(every.front[i].plan == routed.front[i].plan);
  }

  // What cannot be routed is refused before anything is searched.
  Brief plane = brief(kRouting);
  plane.routing->fail = Fault{.kind = FaultKind::plane};
  CHECK(told([&] { answer_to(plane); }) ==
        std::vector<std::string>{"usage 0:0 \"routing\", on fat-tree on qm9700: --fail plane: the "
                                 "network has one plane, without which nothing is sent"});
}

TEST_CASE("on networks whose ports are slower than the cards, routed or not") {
  const auto aoc = R"("cabling": {"host": "active-optical", "first": "active-optical"})";
  for (const char* const routing : {"", R"(, "routing": {"scheme": "ecmp"})"}) {
    const TemporaryFile file("brief.json", R"({"run": {"model": "gpt22b", "tokens": 1e11},
        "choices": {"systems": ["dgx-h100"], "gpus": {"from": 256, "to": 256}, "networks": [)" +
                                               testing::network("fat-tree", "") +
                                               R"(, {"topology": "fat-tree", "radix": 40,
            "port_gbps": 200, )" + aoc + R"(, "parts": {"switch": "qm8700",
            "active_optical": "hdr-aoc"}}]}, "front": ["tco", "days"],
        "prices": "street-2026", "economics": "us-2026")" +
                                               routing + "}");
    Context context{.catalog = shipped()};
    const DesignAnswer answer = design_clusters({.files = {file.path()}, .threads = 1}, context);
    REQUIRE(answer.front.size() == 2);  // the cheaper one is slower
    for (const DesignSummary& design : answer.front) check_cost(design);
    CHECK(answer.front[0].cluster.fabric.port_gbps == 200);
    CHECK(answer.front[0].time > answer.front[1].time);
    const std::string slow =
        "the network's ports carry 200 Gb/s of the 400 that a GPU's cards send";
    CHECK(std::count(context.warnings.begin(), context.warnings.end(), slow) == 1);
  }
}

TEST_CASE("days count from the order") {
  const DesignAnswer now = answer_to(brief(R"(, "limits": {"days": 60})"));
  const DesignAnswer later = answer_to(
      brief(R"(, "limits": {"days": 60}, "lead_weeks": {"dgx-h100": 2, "gb200-nvl72": 5})"));
  REQUIRE(now.best.has_value());
  REQUIRE(later.best.has_value());
  CHECK(later.best->tco.expected >= now.best->tco.expected);
  for (const DesignSummary& design : later.front) {
    check_cost(design);  // whose days are those of the run
    const double weeks = design.cluster.system == "dgx-h100" ? 2 : 5;
    CHECK(design.lead == 7 * weeks * units::day);
    CHECK((design.lead + design.at_confidence.time).in(units::day) <= 60);
  }
}

TEST_CASE("what is owned is kept at what it would sell for, or sold") {
  const char* const kOwned = R"(, "limits": {"days": 60},
      "owned": [{"system": "dgx-h100", "gpus": 64, "resale_usd": 800000}])";
  const DesignAnswer none = answer_to(brief(R"(, "limits": {"days": 60})"));
  const DesignAnswer owning = answer_to(brief(kOwned));
  REQUIRE(owning.best.has_value());
  CHECK(owning.best->tco.expected < none.best->tco.expected);
  REQUIRE(owning.best->owned.has_value());
  CHECK(owning.best->owned->kept_gpus == std::min<std::int64_t>(64, owning.best->gpus));
  for (const DesignSummary& design : owning.front) {
    const DesignSummary::Owned& owned = *design.owned;
    CHECK(owned.kept.dollars() + owned.sold.dollars() == 800'000);
    CHECK(owned.kept == Money::cents(owned.kept_gpus * 1'250'000));
    CHECK(owned.to_pay.in_cents() == design.capex.expected.in_cents() - 80'000'000);
    check_cost(design);
  }
  // The limit on the purchase is one on what is left to pay.
  Brief tight = brief(kOwned);
  tight.limits.capex = Money::cents(100);
  const DesignAnswer keeping = answer_to(tight);
  if (keeping.best) CHECK(keeping.best->owned->to_pay <= Money::cents(100));
  Brief odd = brief(kOwned);
  odd.owned.front().gpus = 63;
  CHECK(problems_of([&] { answer_to(odd); }).size() == 1);
  odd.owned.front() = {.system = "dgx-h1000", .gpus = 64, .resale = Money::cents(100)};
  CHECK(problems_of([&] { answer_to(odd); }).size() == 1);
}

TEST_CASE("looking at every design says the same") {
  const Brief asked =
      brief(R"(, "limits": {"days": 30, "capex_usd": 3e7}, "minimise": "run-cost")");
  const DesignAnswer bounded = answer_to(asked);
  const DesignAnswer every = answer_to(asked, {.no_bounds = true});
  REQUIRE(bounded.best.has_value());
  CHECK(bounded.best->cluster == every.best->cluster);
  CHECK(bounded.best->plan == every.best->plan);
  REQUIRE(bounded.front.size() == every.front.size());
  for (std::size_t i = 0; i < every.front.size(); ++i) {
    CHECK(bounded.front[i].cluster == every.front[i].cluster);
    CHECK(bounded.front[i].plan == every.front[i].plan);
  }
  CHECK(every.search.searched + every.search.no_network == every.search.designs);
  CHECK(bounded.search.designs == every.search.designs);
  CHECK(bounded.search.searched < every.search.searched);
}

TEST_CASE("where nothing fits, each limit alone is given up as far as it takes") {
  Brief asked = brief(R"(, "limits": {"days": 5, "capex_usd": 2e6})");
  asked.front.clear();
  const DesignAnswer none = answer_to(asked);
  CHECK_FALSE(none.best.has_value());
  REQUIRE(none.relax.size() == 2);
  for (const RelaxedLimit& relaxed : none.relax) {
    CAPTURE(name_of(relaxed.limit));
    REQUIRE(relaxed.needed.has_value());
    CHECK(*relaxed.needed > relaxed.limited_to);
    // With as much there is one; with a little less there is none.
    for (const double share : {1 + 1e-9, 1 - 1e-6}) {
      Brief given = asked;
      const double allowed = share * *relaxed.needed;
      if (relaxed.limit == Measure::days) given.limits.days = allowed;
      if (relaxed.limit == Measure::capex) {
        given.limits.capex = Money::cents(std::llround(100 * allowed));
      }
      CHECK(answer_to(given).best.has_value() == (share > 1));
    }
  }
}

TEST_CASE("what cannot be bought is left out, with the reason") {
  Brief asked = brief("");
  asked.choices.networks.clear();
  asked.choices.systems = {"dgx-b200", "gb300-nvl72", "tpu-v4", "dgx-a100"};
  const DesignAnswer answer = answer_to(asked);
  CHECK_FALSE(answer.best.has_value());
  std::vector<std::string> reasons;
  for (const LeftOut& one : answer.left_out) {
    if (one.kind == "system") reasons.push_back(one.name + ": " + one.reason);
  }
  CHECK(reasons ==
        std::vector<std::string>{"dgx-b200: price of NVIDIA DGX B200 is not known",
                                 "gb300-nvl72: price of NVIDIA GB300 NVL72 rack is not known",
                                 "tpu-v4: its file names no node: what is bought is not known",
                                 "dgx-a100: price of NVIDIA DGX A100 640 GB is not known"});
}

TEST_CASE("options go before the brief") {
  const DesignRequest request{.model = "gpt1t",
                              .tokens = 1e12,
                              .within_days = 90,
                              .budget = 6e8,
                              .power = 30e6 * units::W,
                              .max_gpus = 4096,
                              .confidence = 0.95};
  const Brief asked = brief_of(request, {}, shipped());
  CHECK(asked.runs.front().model == "gpt1t");
  CHECK(asked.limits.days == 90);
  CHECK(asked.limits.capex == Money::from_dollars(6e8));
  CHECK(asked.limits.power == 30e6 * units::W);
  CHECK(asked.limits.gpus == 4096);
  CHECK(asked.confidence == 0.95);
  CHECK(problems_of([] { brief_of({.model = "gpt1t"}, {}, shipped()); }).size() == 1);
  // They are of one run.
  const DesignRequest several{.files = {"pretrain-then-long-context"}, .tokens = 1e12};
  const auto file = brief_file(several, shipped());
  CHECK(problems_of([&] { brief_of(several, file, shipped()); }).size() == 1);
}
