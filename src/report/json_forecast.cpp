#include "planner/report/json_forecast.hpp"

#include <nlohmann/json.hpp>

#include "planner/report/json_parts.hpp"
#include "planner/report/json_reliability.hpp"
#include "planner/report/json_routing.hpp"

namespace planner {

namespace {

using Json = nlohmann::ordered_json;

Json lost_days(const ExpectedRun& run) {
  Json json = Json::object();
  for (const LostTime& lost : run.lost) {
    json[std::string{lost.cause}] = lost.time.in(units::day);
  }
  return json;
}

Json cost_json(const ExpectedCost& cost) {
  return {{"ideal", cost.ideal.expected.in(units::usd)},
          {"mean", cost.mean.expected.in(units::usd)},
          {"p95", cost.p95.expected.in(units::usd)},
          {"guaranteed",
           cost.guaranteed ? Json(cost.guaranteed->expected.in(units::usd)) : Json(nullptr)},
          {"mean_range", dollars(cost.mean)},
          {"at_least", cost.at_least}};
}

Json reliability_json(const ReliabilityResult& result) {
  Json json = to_json(result);
  json["inputs"] = reliability_inputs(result);
  return json;
}

}  // namespace

Json to_json(const Forecast& forecast) {
  Json json{{"iteration_time_s", nullptr},
            {"days", nullptr},
            {"p95_varies", nullptr},
            {"lost_days", nullptr},
            {"cost_per_run_usd", nullptr}};
  if (forecast.iteration) {
    const IterationTimes& times = *forecast.iteration;
    json["iteration_time_s"] = {
        {"ideal", times.ideal.si()},
        {"routed", times.expected.si()},
        {"guaranteed", times.guaranteed ? Json(times.guaranteed->si()) : Json(nullptr)}};
  }
  if (forecast.run) {
    const ExpectedRun& run = *forecast.run;
    json["days"] = {
        {"ideal", run.ideal.in(units::day)},
        {"without_failures", run.routed.in(units::day)},
        {"mean", run.mean.in(units::day)},
        {"p50", run.p50.in(units::day)},
        {"p95", run.p95.in(units::day)},
        {"guaranteed", run.guaranteed ? Json(run.guaranteed->in(units::day)) : Json(nullptr)}};
    json["p95_varies"] = Json::array();
    if (run.failures_vary) json["p95_varies"].push_back("failures");
    if (run.paths_vary) json["p95_varies"].push_back("hashed_paths");
    json["lost_days"] = lost_days(run);
  }
  if (forecast.cost) json["cost_per_run_usd"] = cost_json(*forecast.cost);
  json["routing"] = forecast.routing ? to_json(*forecast.routing) : Json(nullptr);
  json["sharing"] = forecast.sharing ? to_json(*forecast.sharing) : Json(nullptr);
  json["reliability"] =
      forecast.reliability ? reliability_json(*forecast.reliability) : Json(nullptr);
  return json;
}

}  // namespace planner
