#include "planner/report/json_cluster.hpp"

#include <nlohmann/json.hpp>

#include "planner/catalog/documents.hpp"
#include "planner/commands/parts/bill.hpp"
#include "planner/commands/parts/fabric_fields.hpp"
#include "planner/commands/parts/forecast.hpp"
#include "planner/commands/plans/plans.hpp"
#include "planner/domain/names.hpp"
#include "planner/report/json_parts.hpp"

namespace planner {

namespace {

using Json = nlohmann::ordered_json;

/// Keys that end in _usd, or in _relative for a book of relative units.
std::string money_key(const std::string& name, Currency currency) {
  return name + (currency == Currency::relative ? "_relative" : "_usd");
}

Json categories(const CostBreakdown& cost) {
  Json json = Json::object();
  for (const CategoryCost& sum : cost.categories) {
    json[std::string{name_of(sum.category)}] = {{"amount", dollars(sum.total.amount)},
                                                {"unpriced_lines", sum.total.missing}};
  }
  return json;
}

Json opex_lines(const CostBreakdown& cost) {
  Json json = Json::object();
  for (const OpexLine& line : cost.opex) {
    json[std::string{name_of(line.item)}] = line.per_year ? dollars(*line.per_year) : Json(nullptr);
  }
  return json;
}

Json power(const PowerDraw& draw) {
  return {{"it", draw.it.in(units::W)},
          {"facility", draw.facility ? Json(draw.facility->expected.in(units::W)) : Json(nullptr)},
          {"lines_without_power", draw.lines_without_power}};
}

/// Days, null where buying never costs less; low is the soonest.
Json break_even(const CostBreakdown& cost) {
  if (!cost.break_even) return nullptr;
  const BreakEven& found = *cost.break_even;
  const auto days = [](const std::optional<Seconds>& after) {
    return after ? Json(after->in(units::day)) : Json(nullptr);
  };
  return {{"rent_usd_per_year", dollars(found.rent_per_year)},
          {"after_days",
           {{"low", days(found.after.low)},
            {"expected", days(found.after.expected)},
            {"high", days(found.after.high)}}},
          {"utilisation",
           {{"low", found.utilisation.low},
            {"expected", found.utilisation.expected},
            {"high", found.utilisation.high}}},
          {"at_least", cost.at_least()}};
}

Json source_notes(const std::vector<SourceNote>& notes) {
  Json list = Json::array();
  for (const SourceNote& note : notes) {
    list.push_back({{"keys", note.keys},
                    {"source", note.source},
                    {"as_of", note.as_of},
                    {"verified", note.verified}});
  }
  return list;
}

Json workload_json(const Workload& workload) {
  return {{"model", workload.model.name},
          {"model_title", workload.model.title},
          {"global_batch", workload.run.global_batch},
          {"sequence", workload.run.sequence},
          {"precision", name_of(workload.run.precision)},
          {"bytes_per_parameter", workload.run.bytes_per_parameter},
          {"tokens", or_null(workload.run.tokens)}};
}

Json training(const ClusterReport& report) {
  if (!report.training) return nullptr;
  const ClusterTraining& training = *report.training;
  Json plan;
  json::write_object(commands::plan_fields(), training.plan, plan);
  Json json{{"iteration_time_s", training.plan.time.total().si()},
            {"timing", name_of(training.plan.timing)},
            {"days", nullptr},
            {"cost_per_run_usd", nullptr},
            {"cost_per_million_tokens_usd", nullptr},
            {"at_least", report.cost.at_least()},
            {"energy_MWh", nullptr},
            {"co2_kg", nullptr},
            {"strategies", training.strategies},
            {"feasible", training.feasible},
            {"workload", workload_json(training.workload)},
            {"plan", plan}};
  if (training.totals) json["days"] = training.totals->time.in(units::day);
  if (!report.cost.run) return json;
  const RunCost& run = *report.cost.run;
  if (run.cost) json["cost_per_run_usd"] = run.cost->expected.dollars();
  if (run.per_million_tokens) {
    json["cost_per_million_tokens_usd"] = run.per_million_tokens->expected.in(units::usd);
  }
  if (run.energy) json["energy_MWh"] = run.energy->expected.in(1000 * units::kWh);
  if (run.co2_kg) json["co2_kg"] = run.co2_kg->expected;
  return json;
}

}  // namespace

Json to_json(const ClusterReport& report) {
  const CostBreakdown& cost = report.cost;
  const Currency currency = cost.currency;
  Json out{{"name", report.cluster.name},
           {"title", report.cluster.title},
           {"gpus", report.cluster.gpus},
           {"relative_performance", or_null(report.cluster.relative_performance)},
           {"system", report.system.name},
           {"node", report.node ? Json(report.node->name) : Json(nullptr)},
           {"price_book", report.price_book},
           {"price_book_notes", report.price_book_notes},
           {"currency", name_of(currency)}};
  commands::bill_lines().write(report.bill, out);
  out[money_key("capex", currency)] = cost.capex.amount.expected.dollars();
  out[money_key("capex_range", currency)] = dollars(cost.capex.amount);
  out["capex_by_category"] = categories(cost);
  out["opex_usd_per_year"] =
      cost.opex.empty() ? Json(nullptr) : Json(cost.opex_per_year.amount.expected.dollars());
  out["opex_by_item_usd_per_year"] = opex_lines(cost);
  out["opex_left_out"] = Json::array();
  for (const OpexItem item : cost.left_out) out["opex_left_out"].push_back(name_of(item));
  out["tco_usd"] = cost.ownership ? Json(cost.ownership->total.expected.dollars()) : Json(nullptr);
  out["tco_years"] = cost.ownership ? Json(cost.ownership->horizon_years) : Json(nullptr);
  out["cost_per_gpu_hour_usd"] =
      cost.per_gpu_hour ? Json(cost.per_gpu_hour->expected.in(units::usd)) : Json(nullptr);
  out["break_even"] = break_even(cost);
  out["unpriced_lines"] = cost.capex.missing;
  out["at_least"] = cost.at_least();
  out["power_w"] = power(cost.power);
  out["training"] = training(report);
  if (report.forecast) {
    json::write_object(commands::forecast_fields(), commands::summary_of(*report.forecast),
                       out["expected"]);
  }
  json::write_object(commands::fabric_fields(), report.fabric, out["fabric"]);
  out["system_spec"] = catalog::to_json(report.system);
  out["economics"] = report.economics ? catalog::to_json(*report.economics) : Json(nullptr);
  out["notes"] = report.cluster.notes;
  out["sources"] = source_notes(report.cluster.sources);
  out["warnings"] = report.warnings;
  return out;
}

Json to_json(const CompareResult& result) {
  Json json{{"verdict", result.verdict.sentence},
            {"what_would_change_it", Json::array()},
            {"clusters", Json::array()}};
  for (const std::string& turn : result.verdict.turns) {
    json["what_would_change_it"].push_back(turn);
  }
  for (const ClusterReport& cluster : result.clusters) json["clusters"].push_back(to_json(cluster));
  return json;
}

}  // namespace planner
