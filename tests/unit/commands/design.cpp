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
#include "support/documents.hpp"
#include "support/shipped.hpp"

using namespace planner;
using namespace planner::commands;
namespace fs = std::filesystem;

namespace {

/// A file that goes with the test.
class TemporaryFile {
 public:
  TemporaryFile(const std::string& name, const std::string& text)
      : path_(fs::temp_directory_path() /
              ("planner-design-" + std::to_string(::getpid()) + "-" + name)) {
    std::ofstream(path_) << text;
  }
  ~TemporaryFile() { fs::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  fs::path path_;
};

std::string price(const std::string& part, double low, double expected, double high) {
  return R"({"part": ")" + part + R"(", "price": {"low": )" + std::to_string(low) +
         R"(, "expected": )" + std::to_string(expected) + R"(, "high": )" + std::to_string(high) +
         R"(}, "source": "a test"},)";
}

const std::string& prices() {
  static const TemporaryFile kBook(
      "prices.json", R"({"name": "test", "currency": "USD", "prices": [)" +
                         price("dgx-h100", 270000, 310000, 480000) +
                         price("gb200-nvl72", 3000000, 3200000, 3400000) +
                         price("qm9700", 35000, 36000, 50000) +
                         price("mma4z00-ns", 700, 880, 1400) +
                         R"({"part": "om4-fibre", "price": 85, "source": "a test"}]})");
  static const std::string kPath = kBook.path();
  return kPath;
}

std::string network(const std::string& topology, const std::string& inputs) {
  return R"({"topology": ")" + topology + R"(", "radix": 64, "port_gbps": 400, )" + inputs +
         R"("cabling": {"ports_per_switch_module": 2, "ports_per_nic_module": 2},
            "parts": {"switch": "qm9700", "switch_module": "mma4z00-ns",
                      "nic_module": "mma4z00-ns", "fibre": "om4-fibre"}})";
}

Brief brief(const std::string& more) {
  const std::string networks =
      network("fat-tree", "") + "," +
      network("fat-tree", R"("oversubscription": {"down": 3, "up": 1}, )") + "," +
      network("multi-plane", R"("planes": 2, "ports_per_gpu": 2, )");
  return catalog::parse_brief(
      R"({"run": {"model": "gpt22b", "tokens": 1e11, "global_batch": [256, 480]},
          "choices": {"systems": ["dgx-h100", "gb200-nvl72"], "gpus": {"to": 432},
                      "networks": [)" +
          networks + R"(]}, "front": ["tco", "days"], "prices": ")" + prices() + "\"" + more + "}",
      "brief.json");
}

DesignAnswer answer_to(const Brief& asked, DesignRequest request = {}) {
  const TemporaryFile file("brief.json", catalog::to_json(asked).dump());
  request.files = {file.path()};
  request.threads = 1;
  Context context{.catalog = shipped()};
  return design_clusters(request, context);
}

/// What is expected is the same; prices that all move together reach farther than those that do
/// not.
void check_range(const Estimate<Money>& of_cost, const Estimate<Money>& of_design) {
  CHECK(of_cost.expected == of_design.expected);
  CHECK(of_design.low <= of_cost.low);
  CHECK(of_cost.high <= of_design.high);
}

void check_cost(const DesignSummary& design) {
  const TemporaryFile file("cluster.json", catalog::to_json(design.cluster).dump());
  Context context{.catalog = shipped()};
  const ClusterSummary cost = cost_of_cluster({.files = {file.path()}}, context).cluster;
  check_range(cost.capex.amount, design.capex);
  CHECK(cost.capex.missing == 0);
  check_range(*cost.tco, design.tco);
  CHECK(cost.power.it == design.it);
  CHECK(cost.power.facility->expected == *design.facility);
  REQUIRE(cost.training.has_value());
  CHECK(cost.training->use.gpus == design.used_gpus);
  CHECK(cost.training->plan == design.plan);
  CHECK(*cost.training->time == design.without_failures);
  if (!design.cluster.rates) {
    CHECK(design.time == design.without_failures);
    CHECK(cost.training->cost->expected == design.run_cost);
    CHECK(*cost.training->energy == design.energy);
    CHECK(cost.training->co2_kg == design.co2_kg);
    return;
  }
  REQUIRE(cost.expected.has_value());
  CHECK(cost.expected->days->mean == design.time);
  // Their spares are among the GPUs that are bought, and stand idle: nothing is paid twice.
  CHECK(std::llround(100 * cost.expected->cost->mean.si()) == design.run_cost.in_cents());
  const double longer = design.time / design.without_failures;
  CHECK(design.energy.si() == doctest::Approx(longer * cost.training->energy->si()).epsilon(1e-12));
}

}  // namespace

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

TEST_CASE(
    "of several runs each is what cost says of its file with that run, and all are their sum") {
  Brief asked = brief(R"(, "limits": {"days": 120}, "lead_weeks": {"gb200-nvl72": 2})");
  asked.runs.push_back(
      {.name = "small", .model = "llama3.1-8b", .tokens = 1e11, .global_batch = {64, 96, 128}});
  for (const bool failing : {false, true}) {
    CAPTURE(failing);
    if (failing) {
      asked.rates = "c4-2023-06";
      asked.recovery = ReliabilitySettings{.repair = 24 * units::hour};
      asked.choices.systems = {"dgx-h100"};
    }
    const DesignAnswer answer = answer_to(asked);
    REQUIRE(answer.best.has_value());
    CHECK(answer.rent.empty());
    std::vector<DesignSummary> designs = answer.front;
    designs.push_back(*answer.best);
    CHECK(designs.size() > 5);
    int apart = 0;
    for (const DesignSummary& design : designs) {
      REQUIRE(design.runs.size() == 2);
      apart += design.runs[0].used_gpus != design.runs[1].used_gpus ? 1 : 0;
      Seconds time{}, late{};
      std::int64_t cents = 0;
      double joules = 0;
      for (const RunSummary& run : design.runs) {
        const bool small = run.name == "small";
        DesignSummary alone = design;
        alone.runs.clear();
        alone.cluster.run = ClusterRun{.model = small ? "llama3.1-8b" : "gpt22b",
                                       .global_batch = run.global_batch,
                                       .tokens = 1e11,
                                       .gpus = run.used_gpus,
                                       .gpus_exact = true};
        alone.plan = run.plan;
        alone.used_gpus = run.used_gpus;
        alone.time = run.time;
        alone.without_failures = run.without_failures;
        alone.run_cost = run.cost;
        alone.energy = run.energy;
        alone.co2_kg = run.co2_kg;
        if (failing) {
          const std::int64_t nodes = run.used_gpus / 8;
          alone.cluster.recovery->spares = std::min(design.nodes - nodes, nodes);
        }
        if (!failing || run.used_gpus % 8 == 0) check_cost(alone);
        time += run.time;
        late += run.confident_time;
        cents += run.cost.in_cents();
        joules += run.energy.si();
      }
      CHECK(design.time == time);
      CHECK(design.at_confidence.time == late);
      CHECK(design.run_cost.in_cents() == cents);
      CHECK(design.energy.si() == joules);
      CHECK((design.lead + late).in(units::day) <= 120);
      // The longest is the one that is told, and the one in its file.
      const RunSummary& longest =
          design.runs[0].time < design.runs[1].time ? design.runs[1] : design.runs[0];
      CHECK(design.plan == longest.plan);
      CHECK(design.cluster.run->global_batch == longest.global_batch);
      CHECK(design.cluster.run->gpus == longest.used_gpus);
      CHECK(design.cluster.notes.size() == 1);
    }
    CHECK(apart > 0);
  }
}

TEST_CASE("with failures too, spares and all") {
  const DesignAnswer answer =
      answer_to(brief(R"(, "rates": "c4-2023-06", "recovery": {"repair_h": 24, "tor": "dual",
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
      answer_to(brief(R"(, "rates": "c4-2023-06", "recovery": {"repair_h": 24})"),
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

  const DesignAnswer failing = answer_to(
      brief(std::string(kRouting) + R"(, "rates": "c4-2023-06", "recovery": {"repair_h": 24,
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
    if (owned.kept_gpus == 0) {
      check_cost(design);
      continue;
    }
    // All but the price of the nodes that are kept is what cost says of the file.
    const TemporaryFile file("owned.json", catalog::to_json(design.cluster).dump());
    Context context{.catalog = shipped()};
    const ClusterSummary cost = cost_of_cluster({.files = {file.path()}}, context).cluster;
    CHECK(cost.capex.amount.expected.dollars() - design.capex.expected.dollars() ==
          doctest::Approx(static_cast<double>(owned.kept_gpus) / 8 * (310000 - 100000)));
    CHECK(cost.power.it == design.it);
    CHECK(*cost.training->time == design.time);
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
  asked.choices.systems = {"dgx-b200", "gb300-nvl72", "gh200-256", "dgx-a100"};
  const DesignAnswer answer = answer_to(asked);
  CHECK_FALSE(answer.best.has_value());
  std::vector<std::string> reasons;
  for (const LeftOut& one : answer.left_out) {
    if (one.kind == "system") reasons.push_back(one.name + ": " + one.reason);
  }
  CHECK(reasons ==
        std::vector<std::string>{"dgx-b200: price of NVIDIA DGX B200 is not known",
                                 "gb300-nvl72: price of NVIDIA GB300 NVL72 rack is not known",
                                 "gh200-256: its file names no node: what is bought is not known",
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
  const Brief asked = brief_of(request, shipped());
  CHECK(asked.runs.front().model == "gpt1t");
  CHECK(asked.limits.days == 90);
  CHECK(asked.limits.capex == Money::from_dollars(6e8));
  CHECK(asked.limits.power == 30e6 * units::W);
  CHECK(asked.limits.gpus == 4096);
  CHECK(asked.confidence == 0.95);
  CHECK(problems_of([] { brief_of({.model = "gpt1t"}, shipped()); }).size() == 1);
  // They are of one run.
  const DesignRequest several{.files = {"pretrain-then-long-context"}, .tokens = 1e12};
  CHECK(problems_of([&] { brief_of(several, shipped()); }).size() == 1);
}
