#include "planner/report/json_routing.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "planner/report/json_parts.hpp"

namespace planner {

namespace {

using Json = nlohmann::ordered_json;

Json finite_or_null(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json to_json(const RoutedStage& one) {
  const LinkStage& stage = one.stage;
  return {{"name", stage.name},         {"F", stage.flows},          {"L", stage.links},
          {"rho", stage.rho},           {"gcd", stage.polarization}, {"groups", stage.groups},
          {"failed", stage.failed},     {"mmr_mean", one.mmr_mean},  {"mmr_q", one.mmr_quantile},
          {"S_mean", one.slowdown_mean}};
}

Json to_json(const RoutedCollective& one) {
  return {{"collective", name_of(one.pattern)},
          {"scope", name_of(one.scope)},
          {"gpus", one.gpus},
          {"S_mean", one.slowdown.mean},
          {"S_q", one.slowdown.quantile},
          {"bottleneck_stage", text_or_null(one.binding)}};
}

/// By collective and scope; of plain numbers {"flows": …}.
Json effective(const RoutingResult& result) {
  if (!result.nominal) return nullptr;
  if (result.collectives.empty()) return {{"flows", effective_GBps(result, result.slowdown.mean)}};
  Json json = Json::object();
  for (const RoutedCollective& one : result.collectives) {
    json[std::string{name_of(one.pattern)}][std::string{name_of(one.scope)}] =
        effective_GBps(result, one.slowdown.mean);
  }
  return json;
}

}  // namespace

double effective_GBps(const RoutingResult& result, double slowdown) {
  const double shared = result.sharing ? result.sharing->slowdown_mean : 1;
  return result.nominal->in(units::GBps) / (shared * slowdown);
}

Json to_json(const SharingImpact& impact) {
  return {{"storage_share", impact.storage_share},
          {"reads_share", impact.reads_share},
          {"write_time_s", finite_or_null(impact.write_time.si())},
          {"writing_share", finite_or_null(impact.writing_share)},
          {"S_writing", finite_or_null(impact.slowdown_writing)},
          {"S_mean", finite_or_null(impact.slowdown_mean)},
          {"S_guaranteed", or_null(impact.guaranteed)}};
}

Json to_json(const RoutingResult& result) {
  const Routing& routing = result.routing;
  Json json{
      {"cluster", text_or_null(result.cluster)},
      {"scheme", name_of(routing.scheme)},
      {"qps", routing.qps},
      {"distinct_paths", routing.distinct_paths()},
      {"striping", name_of(routing.striping)},
      {"placement", name_of(result.placement)},
      {"taken_gpus", result.taken.empty() ? Json(nullptr) : Json(result.taken)},
      {"stage_limit_gpus", or_null(result.stage_limit)},
      {"quantile", routing.quantile},
      {"traffic", result.traffic},
      {"stages", Json::array()},
      {"rx_port_S", result.receive_port_slowdown},
      {"S_mean", result.slowdown.mean},
      {"S_q", result.slowdown.quantile},
      {"nominal_GBps", result.nominal ? Json(result.nominal->in(units::GBps)) : Json(nullptr)},
      {"effective_GBps", effective(result)},
      {"bottleneck_stage", text_or_null(result.binding)},
      {"collectives", Json::array()},
      {"link_load", {{"stage", text_or_null(result.link_load_stage)}}}};
  for (const RoutedStage& stage : result.stages) json["stages"].push_back(to_json(stage));
  for (const RoutedCollective& one : result.collectives) {
    json["collectives"].push_back(to_json(one));
  }
  Json bins = Json::array();
  for (const LoadBin& bin : result.link_load) {
    bins.push_back({{"low_of_mean", bin.low}, {"high_of_mean", bin.high}, {"share", bin.share}});
  }
  json["link_load"]["bins"] = std::move(bins);
  json["qps_needed"] = Json::array();
  for (const auto& [most, qps] : result.qps_needed) {
    json["qps_needed"].push_back({{"mmr", most}, {"qps", or_null(qps)}});
  }
  json["sharing"] = result.sharing ? to_json(*result.sharing) : Json(nullptr);
  json["assumptions"] = result.assumptions;
  return json;
}

}  // namespace planner
