#include "planner/report/json_reliability.hpp"

#include <nlohmann/json.hpp>

#include "planner/catalog/documents.hpp"
#include "planner/report/json_parts.hpp"

namespace planner {

namespace {

using Json = nlohmann::ordered_json;

constexpr Seconds kMonth = 30 * units::day;

Json time_or_null(const std::optional<Seconds>& time, Seconds unit) {
  return time ? Json(time->in(unit)) : Json(nullptr);
}

Json dollars_or_null(const std::optional<Usd>& amount) {
  return amount ? Json(amount->in(units::usd)) : Json(nullptr);
}

/// Mean time between failures at a rate; null for none.
Json hours_between(PerSecond rate) {
  return rate > PerSecond{} ? Json(1 / (rate * units::hour)) : Json(nullptr);
}

Json by_component(const ReliabilityResult& result) {
  Json list = Json::array();
  for (std::size_t i = 0; i < result.exposed.size(); ++i) {
    const Exposure& exposure = result.exposed[i];
    const PerSecond rate = result.load.rates[i];
    list.push_back({{"component", exposure.component},
                    {"action", name_of(exposure.action)},
                    {"mttf_h", hours_between(rate)},
                    {"failures_per_30_days", rate * kMonth / result.load.wall_per_active},
                    {"share_of_crashes",
                     exposure.action == FailureAction::crash && result.load.rate > PerSecond{}
                         ? Json(rate / result.load.rate)
                         : Json(nullptr)}});
  }
  return list;
}

Json waste_json(const Waste& waste) {
  Json json = Json::object();
  for (const WasteCause& cause : kWasteCauses) json[std::string{cause.name}] = waste.*cause.share;
  return json;
}

Json days_json(const RunDays& days) {
  Json json{{"ideal", days.ideal.in(units::day)},
            {"mean", days.mean.in(units::day)},
            {"p50", days.p50.in(units::day)},
            {"p95", days.p95.in(units::day)},
            {"distribution", Json::array()}};
  constexpr int kSteps = 50;
  for (int i = 0; i <= kSteps; ++i) {
    const double p = 0.001 + 0.998 * i / kSteps;
    json["distribution"].push_back({{"days", days.quantile(p).in(units::day)}, {"probability", p}});
  }
  return json;
}

Json improve_json(const ReliabilityResult& result) {
  Json steps = Json::array();
  for (const Improvement& step : result.improve) {
    steps.push_back({{"step", name_of(step.step)},
                     {"takes_s", step.takes.si()},
                     {"availability_per_second", step.per_second},
                     {"availability_of_a_tenth_less", step.a_tenth}});
  }
  Json failures = Json::array();
  for (std::size_t i = 0; i < result.fewer_failures.size(); ++i) {
    failures.push_back({{"component", result.job.rates.components[i].component},
                        {"availability_of_a_tenth_fewer", result.fewer_failures[i]}});
  }
  return {{"steps", steps}, {"failures", failures}};
}

}  // namespace

Json reliability_inputs(const ReliabilityResult& result) {
  const JobReliability& job = result.job;
  Json spares = nullptr;
  if (job.spares) {
    spares = {{"spares", job.spares->spares},
              {"pools", job.spares->pools},
              {"repair_h", time_or_null(job.spares->repair, units::hour)},
              {"crews", or_null(job.spares->crews)},
              {"repair_visits_days", time_or_null(job.spares->visits, units::day)}};
  }
  return {{"rates", catalog::to_json(job.rates)},
          {"counts",
           {{"gpus", job.counts.gpus},
            {"nodes", job.counts.nodes},
            {"nics", job.counts.nics},
            {"links", job.counts.links},
            {"switches", job.counts.switches}}},
          {"tor", name_of(job.access)},
          {"checkpoint_stall_s", job.checkpoint.stall.si()},
          {"checkpoint_durable_s", job.checkpoint.durable.si()},
          {"restart_s", job.restart.si()},
          {"recovery_can_fail", job.recovery_can_fail},
          {"spares", spares},
          {"assumed", result.assumed}};
}

Json to_json(const ReliabilityResult& result) {
  const FailureLoad& load = result.load;
  const double running = 1 / load.wall_per_active;
  Json json{{"mttf_h", hours_between(load.rate)},
            {"wall_between_failures_h", hours_between(load.rate * running)},
            {"by_component", by_component(result)},
            {"checkpoint_interval_s", time_or_null(result.goodput.interval, units::second)},
            {"advised_intervals_s", nullptr},
            {"recovery_s", load.recovery().si()},
            {"availability", result.goodput.availability},
            {"waste", waste_json(result.goodput.waste)},
            {"failures_per_30_days", load.rate * kMonth * running},
            {"failures_expected", result.days ? Json(result.days->failures) : Json(nullptr)},
            {"days", result.days ? days_json(*result.days) : Json(nullptr)},
            {"p_spares_ok", or_null(load.p_spares_ok)},
            {"spares_for_99_percent", or_null(result.spares_for_99)},
            {"improve_next", improve_json(result)},
            {"availability_by_interval", Json::array()}};
  if (result.advised) {
    json["advised_intervals_s"] = {{"optimal", result.advised->optimal.si()},
                                   {"young", result.advised->young.si()},
                                   {"daly", result.advised->daly.si()}};
  }
  for (const IntervalPoint& point : result.by_interval) {
    json["availability_by_interval"].push_back(
        {{"interval_s", point.interval.si()}, {"availability", point.availability}});
  }
  if (result.money) {
    json["cost"] = {{"per_failure_usd", result.money->per_failure.in(units::usd)},
                    {"ideal_run_usd", dollars_or_null(result.money->ideal)},
                    {"mean_run_usd", dollars_or_null(result.money->mean)},
                    {"p95_run_usd", dollars_or_null(result.money->p95)}};
  }
  return json;
}

}  // namespace planner
