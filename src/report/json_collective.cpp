#include "planner/report/json_collective.hpp"

#include <nlohmann/json.hpp>

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
      gigabytes_per_second(bus_bandwidth(result.kind, size, result.group.ranks(), time), time);
}

/// A time, what it consists of, and the bandwidths that it means.
void add_time(const CollectiveResult& result, Bytes size, const CollectiveTime& time, Json& json) {
  json["time_s"] = time.total().si();
  add_bandwidths(result, size, time.total(), json);
  json["terms_s"] = {{"launch", time.launch.si()},
                     {"hb_latency", time.hb_latency.si()},
                     {"network_latency", time.net_latency.si()},
                     {"hb_transfer", time.hb_transfer.si()},
                     {"network_transfer", time.net_transfer.si()},
                     {"pipeline_latency", time.pipeline_latency.si()},
                     {"pipeline_transfer", time.pipeline_transfer.si()}};
  json["latency_s"] = time.latency().si();
  json["transfer_s"] = time.transfer().si();
  json["transfers_overlap"] = time.overlapped;
}

Json algorithm_json(const CollectiveResult& result, Bytes size, const TimedAlgorithm& one) {
  Json json{{"algorithm", name_of(one.method.algorithm)},
            {"protocol", one.method.protocol},
            {"of_library", one.of_library}};
  add_time(result, size, one.time, json);
  return json;
}

Json size_json(const CollectiveResult& result, const CollectiveSize& timed) {
  const bool none = timed.algorithms.empty();
  const Seconds total = timed.time().total();
  Json json{
      {"bytes", timed.size.si()},
      {"algorithm",
       none ? Json(nullptr) : Json(name_of(timed.algorithms[timed.chosen].method.algorithm))},
      {"protocol", none ? Json(nullptr) : Json(timed.algorithms[timed.chosen].method.protocol)}};
  add_time(result, timed.size, timed.time(), json);
  json["bound_time_s"] = timed.bound ? Json(timed.bound->si()) : Json(nullptr);
  const bool comparable = timed.bound && *timed.bound > Seconds{};
  json["time_over_bound"] = comparable ? Json(total / *timed.bound) : Json(nullptr);
  json["algorithms"] = Json::array();
  for (const TimedAlgorithm& one : timed.algorithms) {
    json["algorithms"].push_back(algorithm_json(result, timed.size, one));
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
          {"network_reach", name_of(result.reach)},
          {"in_switch_reduction", name_of(result.in_switch)},
          {"library", result.library.name},
          {"algorithm", result.asked ? name_of(*result.asked) : "auto"},
          {"assumed", result.assumed}};
}

Json to_json(const CollectiveResult& result) {
  Json json{{"kind", name_of(result.kind)},
            {"gpus", result.gpus},
            {"gpus_per_hb_domain", result.group.hb},
            {"hb_domains", static_cast<std::int64_t>(result.group.net)},
            {"sizes", Json::array()},
            {"formulas", Json::array()}};
  for (const CollectiveSize& size : result.sizes) json["sizes"].push_back(size_json(result, size));
  for (const auto& [formula, values] : result.formulas) {
    Json numbers = Json::object();
    for (const Symbol& symbol : values) numbers[symbol.name] = symbol.value;
    Json definitions = Json::object();
    for (const auto& [symbol, value] : formula.definitions) definitions[symbol] = value;
    json["formulas"].push_back({{"algorithm", name_of(formula.algorithm)},
                                {"definitions", std::move(definitions)},
                                {"latency", formula.latency},
                                {"transfer", formula.transfer},
                                {"values", std::move(numbers)},
                                {"source", formula.source}});
  }
  return json;
}

}  // namespace planner
