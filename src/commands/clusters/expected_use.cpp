#include "planner/commands/clusters/clusters.hpp"
#include "planner/commands/parts/younger_field.hpp"
#include "planner/json/answer_fields.hpp"

// What is told of a run without failures, once more with them.
namespace planner::commands {

namespace {

using namespace present;

struct ExpectedUse {
  std::optional<Usd> per_million_tokens{};
  std::optional<double> energy_MWh{};
  std::optional<double> co2_kg{};
};

ExpectedUse expected_use(const ClusterSummary& cluster) {
  ExpectedUse use;
  const auto& training = cluster.training;
  if (!training || !training->time || !cluster.expected || !cluster.expected->days) return use;
  // And drawn as much; in the units of answers, so that a saved one says the same.
  const double longer =
      cluster.expected->days->mean.in(units::day) / training->time->in(units::day);
  if (cluster.outlook && cluster.outlook->cost && training->run.tokens) {
    use.per_million_tokens = cluster.outlook->cost->range.expected / (*training->run.tokens / 1e6);
  }
  if (training->energy) use.energy_MWh = longer * training->energy->in(1000 * units::kWh);
  if (training->co2_kg) use.co2_kg = longer * *training->co2_kg;
  return use;
}

}  // namespace

std::vector<json::Field<ClusterSummary>> expected_use_fields() {
  using namespace json;
  using S = ClusterSummary;
  return {younger(shown<S>(
              "expected_cost_per_million_tokens_usd",
              [](const S& s) { return expected_use(s).per_million_tokens; },
              or_null(measure(units::usd)), "with failures; null: not counted or not known")),
          younger(shown<S>(
              "expected_energy_MWh", [](const S& s) { return expected_use(s).energy_MWh; },
              or_null(figure()), "of the run with failures, at the meter")),
          younger(shown<S>(
              "expected_co2_kg", [](const S& s) { return expected_use(s).co2_kg; },
              or_null(figure()), "of that energy"))};
}

void add_expected_use(const ClusterSummary& cluster, Document& document) {
  const ExpectedUse use = expected_use(cluster);
  Facts facts;
  if (use.per_million_tokens) {
    facts.facts.push_back(
        {"cost per million tokens",
         at_least(cluster.at_least(), usd(Estimate<Usd>::exactly(*use.per_million_tokens)))});
  }
  const auto drawn = [&](const char* name, double amount, const char* unit) {
    facts.facts.push_back({name, at_least(cluster.power_at_least(), number(amount, unit))});
  };
  if (use.energy_MWh) drawn("energy", *use.energy_MWh, "MWh");
  if (use.co2_kg) drawn("CO₂", *use.co2_kg / 1000, "t");
  if (facts.facts.empty()) return;
  document.add(Text{.text = "The same as it is to be expected, failures counted:", .apart = true});
  document.add(std::move(facts));
}

}  // namespace planner::commands
