#include "planner/job/verdict.hpp"

#include <doctest/doctest.h>

using namespace planner;
using namespace planner::job;

namespace {

CategoryCost costing(PartCategory category, std::int64_t dollars, std::int64_t missing = 0) {
  const auto amount = Estimate<Money>::exactly(Money::cents(100 * dollars));
  return {.category = category, .total = {.amount = amount, .missing = missing}};
}

std::string whole_dollars(Money amount) {
  return "$" + std::to_string(amount.in_cents() / 100);
}

Verdict verdict(const std::vector<ClusterReport>& clusters) {
  return job::verdict(clusters, whole_dollars);
}

ClusterTraining training(double seconds) {
  ClusterTraining made;
  made.workload.model.name = "gpt";
  made.plan.time.last_stage_compute = seconds * units::second;
  return made;
}

/// Compute for $1,000, and switches.
ClusterReport cluster(std::string title, std::int64_t switches, double iteration) {
  ClusterReport report;
  report.cluster.title = std::move(title);
  report.cost.categories = {costing(PartCategory::compute, 1000),
                            costing(PartCategory::switches, switches)};
  report.training = training(iteration);
  return report;
}

Estimate<Money> dollars_of(double dollars) {
  return Estimate<Money>::exactly(*Money::from_dollars(dollars));
}

/// Over two years.
ClusterReport owned(std::string title, double total) {
  ClusterReport report = cluster(std::move(title), 100, 4);
  report.cost.ownership = Ownership{.horizon_years = 2, .total = dollars_of(total)};
  return report;
}

Financed financed_at(double rate, double present_cost) {
  return {.cost_of_capital = rate, .present_cost = dollars_of(present_cost)};
}

}  // namespace

TEST_CASE("the verdict compares network cost and iteration time with the first cluster's") {
  const std::vector<ClusterReport> clusters{cluster("A", 200, 4), cluster("B", 125, 4),
                                            cluster("C", 250, 5)};
  CHECK(verdict(clusters).sentence ==
        "B costs 37.5 % less for the network and trains as fast; C costs 25.0 % more for the "
        "network and takes 25.0 % longer per iteration, against A.");
}

TEST_CASE("what costs ten times as much is not told in percent") {
  CHECK(verdict({cluster("A", 100, 4), cluster("B", 999, 4), cluster("C", 1160, 4)}).sentence ==
        "B costs 899.0 % more for the network and trains as fast; C costs 11.6 times as much for "
        "the network and trains as fast, against A.");
}

TEST_CASE("less than a twentieth of a percent is no difference") {
  CHECK(verdict({cluster("A", 10'000, 4), cluster("B", 10'004, 4.001)}).sentence ==
        "B costs as much for the network and trains as fast, against A.");
}

// $100 today against $60 a year for two years: $120 as paid, but at 20 % a year worth
// 60/1.2 + 60/1.44 = $91.67 today.
TEST_CASE("where money costs something, clusters compare by what they cost today") {
  ClusterReport own = owned("own", 100), rent = owned("rent", 120);
  CHECK(verdict({own, rent}).sentence.find("rent costs 20.0 % more over 2 years and") == 0);
  own.cost.financed = financed_at(0.2, 100);
  CHECK(verdict({own, rent})
            .sentence.find(
                "rent costs 20.0 % more over 2 years (before the cost of capital and taxes, which "
                "differ) and") == 0);
  rent.cost.financed = financed_at(0.2, 91.67);
  CHECK(verdict({own, rent})
            .sentence.find(
                "rent costs 8.3 % less over 2 years (net present cost, at 20 % a year) and") == 0);
}

TEST_CASE("totals that leave out other things do not compare") {
  ClusterReport us = owned("A", 100), norway = owned("B", 80);
  us.cost.left_out = {OpexItem::staff};
  norway.cost.left_out = {OpexItem::staff, OpexItem::insurance};
  CHECK(verdict({us, norway})
            .sentence.find("B has no total cost to compare (nobody gave insurance of B)") == 0);
  norway.cost.left_out = {OpexItem::colocation, OpexItem::staff};
  us.cost.capex.amount = norway.cost.capex.amount = dollars_of(70);
  CHECK(verdict({us, norway})
            .sentence.find("B costs as much to buy, has no total cost to compare (nobody gave "
                           "colocation of B)") == 0);
  us.cost.left_out = norway.cost.left_out;
  CHECK(verdict({us, norway}).sentence.find("B costs 20.0 % less over 2 years and") == 0);
}

TEST_CASE("the cluster that is not priced is the one that is named") {
  ClusterReport unpriced = cluster("B", 100, 4);
  unpriced.cost.categories.front() = costing(PartCategory::compute, 0, 1);
  unpriced.cost.capex = {.amount = dollars_of(100), .missing = 1, .unbounded = true};
  CHECK(verdict({unpriced, cluster("A", 200, 4)})
            .sentence.find("A has no total cost to compare (compute of B not priced), costs") == 0);
  CHECK(verdict({unpriced, unpriced})
            .sentence.find("B has no total cost to compare (compute not priced), costs") == 0);
}

TEST_CASE("a run that both pay for is named with its days and its cost") {
  const auto paying = [](const char* title, double total, double days, double dollars) {
    ClusterReport report = owned(title, total);
    report.training = training(4);
    report.training->totals = TrainingTotals{.time = days * units::day};
    report.cost.run = RunCost{.cost = dollars_of(dollars)};
    return report;
  };
  ClusterReport a = paying("A", 100, 57.1, 39), b = paying("B", 80, 52, 23);
  CHECK(verdict({a, b}).sentence ==
        "B costs 20.0 % less over 2 years and trains as fast, its run 52.0 days instead of 57.1 "
        "for $23 instead of $39, against A.");
  b.cost.opex_per_year.missing = a.cost.opex_per_year.missing = 1;
  CHECK(
      verdict({a, b}).sentence ==
      "B costs, of what is priced, 20.0 % less over 2 years and trains as fast, its run 52.0 days "
      "instead of 57.1 for at least $23 instead of at least $39, against A.");
  // What an hour costs holds what money costs: two rates do not go unsaid.
  a.cost.financed = financed_at(0.2, 90);
  CHECK(verdict({a, b}).sentence.find(" for at least $23 (no cost of capital) instead of at least "
                                      "$39 (at 20 % a year), against A.") != std::string::npos);
  b.cost.financed = financed_at(0.2, 70);
  CHECK(verdict({a, b}).sentence.find(" for at least $23 instead of at least $39, against A.") !=
        std::string::npos);
}

TEST_CASE("where the nodes have no price that is said before the money of the network") {
  ClusterReport unpriced = cluster("B", 100, 4);
  unpriced.cost.categories.front() = costing(PartCategory::compute, 0, 1);
  unpriced.cost.capex = {.amount = dollars_of(100), .missing = 1, .unbounded = true};
  CHECK(
      verdict({cluster("A", 200, 4), unpriced}).sentence ==
      "B has no total cost to compare (compute not priced), costs 50.0 % less for the network and "
      "trains as fast, against A.");
}

TEST_CASE("what is not known is not compared") {
  ClusterReport unpriced = cluster("B", 100, 4);
  unpriced.cost.categories.push_back(costing(PartCategory::cables, 0, 1));
  unpriced.training.reset();
  CHECK(verdict({cluster("A", 200, 4), unpriced}).sentence ==
        "B has a network whose cost is not known in full and has no training time to compare, "
        "against A.");
  CHECK(verdict({cluster("A", 200, 4), unpriced}).turns.empty());

  ClusterReport relative = cluster("B", 100, 4);
  relative.cost.currency = Currency::relative;
  relative.training->workload.model.name = "other";
  CHECK(verdict({cluster("A", 200, 4), relative}).sentence ==
        "B is priced in another unit and trains something else, against A.");
}

TEST_CASE("a cheaper network says at which prices it stops being cheaper") {
  const Verdict found = verdict({cluster("A", 200, 4), cluster("B", 125, 4)});
  REQUIRE(found.turns.size() == 1);
  CHECK(found.turns.front().find("1.60 times") != std::string::npos);  // 200 / 125
}

TEST_CASE("cost-performance is said where performance was measured (Fire-Flyer, Table II)") {
  ClusterReport theirs = cluster("DGX", 200, 4), ours = cluster("PCIe", 200, 4);
  theirs.cluster.gpus = ours.cluster.gpus = 8;
  theirs.cluster.relative_performance = 1;
  ours.cluster.relative_performance = 0.83;
  ours.cost.categories.front() = costing(PartCategory::compute, 600);
  CHECK(verdict({theirs, ours}).sentence ==
        "PCIe costs as much for the network and trains as fast, with 83.0 % of the performance (as "
        "their files say) for 60.0 % of the nodes' cost per GPU (cost-performance 1.38), against "
        "DGX.");
  ours.cost.categories.front() = costing(PartCategory::compute, 600, 1);
  CHECK(verdict({theirs, ours}).sentence.find("performance") == std::string::npos);
}

TEST_CASE("performance is computed where all train the same, and goes before what files say") {
  std::vector<ClusterReport> clusters{cluster("DGX", 200, 4), cluster("PCIe", 200, 5)};
  clusters[0].training->plan.tokens_per_second = 8000;
  clusters[1].training->plan.tokens_per_second = 6320;
  for (ClusterReport& one : clusters) one.cluster.gpus = 8;
  clusters[1].cluster.relative_performance = 0.83;
  CHECK_FALSE(cost_performance_of(clusters[1], clusters[0]));  // one file says nothing
  clusters[1].cost.categories.front() = costing(PartCategory::compute, 600);
  compute_performance(clusters);
  CHECK(clusters[0].performance() == 1);
  CHECK(clusters[1].performance() == 0.79);
  const auto value = cost_performance_of(clusters[1], clusters[0]);
  REQUIRE(value);
  CHECK(value->computed);
  CHECK(value->ratio == doctest::Approx(0.79 / 0.6));
  const std::string sentence = verdict(clusters).sentence;
  CHECK(sentence.find("79.0 % of the performance (computed)") != std::string::npos);
  CHECK(sentence.find("83") == std::string::npos);

  clusters[1].computed_performance.reset();
  clusters[1].training->workload.model.name = "other";
  clusters[0].computed_performance.reset();
  compute_performance(clusters);
  CHECK(clusters[1].performance() == 0.83);
}

TEST_CASE("GPUs that stand idle lower the performance of one, as they are paid for") {
  std::vector<ClusterReport> clusters{cluster("full", 200, 4), cluster("half idle", 200, 4)};
  for (ClusterReport& one : clusters) one.training->plan.tokens_per_second = 8000;
  clusters[0].cluster.gpus = 8;
  clusters[1].cluster.gpus = 16;
  clusters[1].cost.categories.front() = costing(PartCategory::compute, 2000);
  compute_performance(clusters);
  CHECK(clusters[1].performance() == 0.5);
  CHECK(cost_performance_of(clusters[1], clusters[0])->ratio == doctest::Approx(0.5));
}

TEST_CASE("a longer run of the same iterations is compared by them, and its days are only said") {
  std::vector<ClusterReport> clusters{cluster("A", 200, 4), cluster("B", 200, 4)};
  const double tokens[] = {1e12, 2e12};
  const double days[] = {40, 80};
  for (std::size_t i = 0; i < 2; ++i) {
    clusters[i].cluster.gpus = 8;
    clusters[i].training->workload.run.tokens = tokens[i];
    clusters[i].training->plan.tokens_per_second = 8000;
    clusters[i].forecast = Forecast{.run = ExpectedRun{.mean = days[i] * units::day}};
  }
  CHECK(verdict(clusters).sentence ==
        "B costs as much for the network and trains as fast (a run of 2e+12 tokens, not 1e+12), "
        "its run, routing and failures counted, 80.0 days instead of 40.0, against A.");
  compute_performance(clusters);
  CHECK(clusters[1].computed_performance == 1.0);
  clusters[1].training->workload.run.global_batch = 512;
  CHECK(verdict(clusters).sentence.find("trains something else") != std::string::npos);
}

TEST_CASE("what rail-only charges a mixture is what its plan's time has in it") {
  ClusterReport rails = cluster("B", 100, 4);
  rails.cluster.fabric.topology = RailOnly{};
  rails.cluster.gpus = 64;
  rails.system.hb_domain = 8;
  rails.system.hb_bandwidth = 450 * units::GBps;
  rails.system.network_bandwidth = 50 * units::GBps;
  const auto note = [&] { return verdict({cluster("A", 200, 4), rails}).turns.back(); };
  CHECK(note().find("pay it") != std::string::npos);
  rails.training->workload.model.moe = MoeSpec{};
  CHECK(note().find("stay inside HB domains") != std::string::npos);
  rails.training->plan.strategy.ep = {.hb = 8, .net = 4};
  CHECK(note().find("a token once to each domain") != std::string::npos);
  rails.training->workload.software.dispatcher = Dispatcher::alltoall;
  CHECK(note().find("by itself, and the training time has that") != std::string::npos);
  // HPN's second tier with each rail in planes of its own joins none, either.
  rails.cluster.fabric.topology = Hpn{.rail_only_tier2 = true};
  CHECK(note().find("by itself, and the training time has that") != std::string::npos);
  rails.cluster.fabric.topology = Hpn{};
  CHECK(verdict({cluster("A", 200, 4), rails}).turns.size() == 1);
}

TEST_CASE("a time with routing beside one without is said to be that, in the sentence too") {
  ClusterReport plain = cluster("A", 200, 4), narrow = cluster("N", 200, 5),
                routed = cluster("R", 200, 4.4);
  narrow.training->workload.network_tiers = {{.gpus = 48, .bandwidth_share = 0.25}};
  routed.training->workload.routing.emplace();
  const auto told = [](const ClusterReport& reference, const ClusterReport& one) {
    return verdict({reference, one});
  };
  const std::string at_once = told(narrow, routed).sentence;
  CHECK(at_once ==
        "R costs as much for the network and takes 12.0 % less per iteration (as routed, the other "
        "with all GPUs sending at once), against N.");
  CHECK(
      told(routed, plain).sentence ==
      "A costs as much for the network and takes 9.1 % less per iteration (on balanced links, the "
      "other as routed), against R.");
  CHECK(told(plain, narrow).sentence.find(" (") == std::string::npos);
  CHECK(told(routed, routed).sentence.find(" (") == std::string::npos);
  CHECK(told(routed, plain).turns.front() ==
        "R is timed with routing, where flows meet each other on their links, and A without, where "
        "every link is perfectly balanced: ask both with the same --routing before comparing their "
        "times");
  CHECK(told(narrow, routed).turns.front().find("where all of them pay its in full") !=
        std::string::npos);
}

TEST_CASE(
    "what GPUs do for their cost says that failures, which the days beside it have, are not "
    "in it") {
  const auto failing = [](const char* title, double speed, double days) {
    ClusterReport report = cluster(title, 200, 4);
    report.cluster.gpus = 8;
    report.training->plan.tokens_per_second = speed;
    report.cost.categories.front() = costing(PartCategory::compute, speed > 8000 ? 2000 : 1000);
    report.forecast = Forecast{.run = ExpectedRun{.mean = days * units::day}};
    return report;
  };
  std::vector<ClusterReport> clusters{failing("A", 8000, 16.4), failing("B", 9000, 10.8)};
  compute_performance(clusters);
  CHECK(verdict(clusters).sentence.find(
            "10.8 days instead of 16.4 (-34.1 %), with 112.5 % of the performance (computed, "
            "without failures) for 200.0 %") != std::string::npos);
  for (ClusterReport& one : clusters) one.forecast.reset();
  CHECK(verdict(clusters).sentence.find("(computed) for 200.0 %") != std::string::npos);
}

TEST_CASE("oversubscription is said with the share that is left") {
  ClusterReport narrow = cluster("B", 200, 4);
  narrow.training->workload.network_tiers = {{.gpus = 48, .bandwidth_share = 0.25}};
  const Verdict found = verdict({cluster("A", 200, 4), narrow});
  REQUIRE(found.turns.size() == 1);
  CHECK(found.turns.front() ==
        "B: groups of more than 48 GPUs get 25 % of the network cards' bandwidth in the training "
        "time, as if all GPUs sent there at once; --routing charges what the job's traffic meets");
}

TEST_CASE("rail-only pays for an all-to-all across rails, by Appendix D") {
  ClusterReport rails = cluster("B", 100, 4);
  rails.cluster.fabric.topology = RailOnly{};
  rails.cluster.gpus = 32768;
  rails.system.hb_domain = 256;
  rails.system.hb_bandwidth = 450 * units::GBps;
  rails.system.network_bandwidth = 50 * units::GBps;
  const Verdict found = verdict({cluster("A", 200, 4), rails});
  REQUIRE(found.turns.size() == 2);
  CHECK(found.turns.back().starts_with("B: an all-to-all over all GPUs takes "));
}
