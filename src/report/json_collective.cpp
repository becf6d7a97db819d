#include "planner/report/json_collective.hpp"

#include <nlohmann/json.hpp>

#include "planner/report/table_collective.hpp"

namespace planner {

namespace {

using Json = nlohmann::ordered_json;

/// No bandwidth where nothing takes time.
Json gigabytes_per_second(BytesPerSecond bandwidth, Seconds time) {
  return time > Seconds{} ? Json(bandwidth.in(units::GBps)) : Json(nullptr);
}

void add_bandwidths(const CollectiveResult& result, Bytes size, Seconds time, Json& json) {
  json["algorithm_bandwidth_GBps"] = gigabytes_per_second(algorithm_bandwidth(size, time), time);
  json["bus_bandwidth_GBps"] =
      gigabytes_per_second(bus_bandwidth(result.kind, size, result.group().ranks(), time), time);
}

Json terms(const CollectiveTime& time) {
  return {{"launch", time.launch.si()},
          {"hb_latency", time.hb_latency.si()},
          {"network_latency", time.net_latency.si()},
          {"hb_transfer", time.hb_transfer.si()},
          {"network_transfer", time.net_transfer.si()},
          {"latency", time.latency().si()},
          {"transfer", time.transfer().si()}};
}

Json option_json(const CollectiveResult& result, Bytes size, const CollectiveOption& option) {
  const CollectiveFormula formula = collective_formula(result.kind, option.algorithm);
  Json json{{"algorithm", name_of(option.algorithm)},
            {"protocol", option.protocol},
            {"time_s", option.time.total().si()}};
  add_bandwidths(result, size, option.time.total(), json);
  json["terms_s"] = terms(option.time);
  json["transfers_overlap"] = option.time.overlapped;
  json["formula"] = {
      {"latency", formula.latency}, {"transfer", formula.transfer}, {"source", formula.source}};
  return json;
}

Json size_json(const CollectiveResult& result, const CollectiveSize& timed) {
  const CollectiveTime time = timed.time();
  const bool none = timed.options.empty();
  Json json{
      {"bytes", timed.size.si()},
      {"algorithm", none ? Json(nullptr) : Json(name_of(timed.options[timed.chosen].algorithm))},
      {"protocol", none ? Json(nullptr) : Json(timed.options[timed.chosen].protocol)},
      {"time_s", time.total().si()}};
  add_bandwidths(result, timed.size, time.total(), json);
  json["terms_s"] = terms(time);
  json["transfers_overlap"] = time.overlapped;
  json["bound_time_s"] = timed.bound ? Json(timed.bound->si()) : Json(nullptr);
  const bool comparable = timed.bound && *timed.bound > Seconds{};
  json["time_over_bound"] = comparable ? Json(time.total() / *timed.bound) : Json(nullptr);
  json["algorithms"] = Json::array();
  for (const CollectiveOption& option : timed.options) {
    json["algorithms"].push_back(option_json(result, timed.size, option));
  }
  return json;
}

}  // namespace

Json inputs_json(const CollectiveResult& result) {
  const System& system = result.system;
  return {{"kind", name_of(result.kind)},
          {"gpus", result.gpus},
          {"system", system.name},
          {"hb_domain", system.hb_domain},
          {"hb_bandwidth_GBps", system.hb_bandwidth.in(units::GBps)},
          {"network_bandwidth_GBps", system.network_bandwidth.in(units::GBps)},
          {"network_reach", result.reach == NetworkReach::rail_only ? "rail-only" : "any-to-any"},
          {"in_switch_reduction", where_switches_reduce(result.in_switch)},
          {"library", result.library.name},
          {"algorithm", result.by_size ? "auto" : "given"},
          {"assumed", result.assumed}};
}

/// One size is the result itself; a range is a list of such results.
Json to_json(const CollectiveResult& result) {
  Json json{{"kind", name_of(result.kind)},
            {"gpus", result.gpus},
            {"gpus_per_hb_domain", result.per_domain},
            {"hb_domains", result.domains}};
  if (result.sizes.size() == 1) {
    json.update(size_json(result, result.sizes.front()));
    return json;
  }
  json["sizes"] = Json::array();
  for (const CollectiveSize& size : result.sizes) json["sizes"].push_back(size_json(result, size));
  return json;
}

}  // namespace planner
