#include "planner/report/document.hpp"

namespace planner {

namespace {

DataTable stage_table(const Json& routed) {
  DataTable table{.title = "Links that flows are spread over",
                  .header = {"stage", "flows", "links", "failed", "load", "gcd", "groups",
                             "max/mean", "max/mean quantile", "S"}};
  for (const Json& stage : needed_array(routed, {"stages"})) {
    table.rows.push_back({at(stage, {"name"}), at(stage, {"F"}), at(stage, {"L"}),
                          at(stage, {"failed"}), at(stage, {"rho"}), at(stage, {"gcd"}),
                          at(stage, {"groups"}), at(stage, {"mmr_mean"}), at(stage, {"mmr_q"}),
                          at(stage, {"S_mean"})});
  }
  return table;
}

}  // namespace

DataTable collective_table(const Json& routed) {
  DataTable table{.title = "What collectives get",
                  .header = {"collective", "scope", "GPUs", "S", "S quantile", "effective (GB/s)",
                             "bottleneck"}};
  for (const Json& one : needed_array(routed, {"collectives"})) {
    const Json& rate =
        at(routed, {"effective_GBps", text(one, {"collective"}), text(one, {"scope"})});
    table.rows.push_back({at(one, {"collective"}), at(one, {"scope"}), at(one, {"gpus"}),
                          at(one, {"S_mean"}), at(one, {"S_q"}), rate,
                          at(one, {"bottleneck_stage"})});
  }
  return table;
}

Document routing_document(const Json& answer) {
  const Json& routed = needed(answer, {"result"});
  Document document{.title = "Routing by " + text(routed, {"scheme"})};
  document.tables.push_back(stage_table(routed));
  DataTable collectives = collective_table(routed);
  if (!collectives.rows.empty()) document.tables.push_back(std::move(collectives));
  for (const Json& note : needed_array(routed, {"assumptions"})) {
    document.notes.push_back(note.get<std::string>());
  }
  return document;
}

DataTable routing_data(const Json& answer) {
  const Json& routed = needed(answer, {"result"});
  DataTable collectives = collective_table(routed);
  return collectives.rows.empty() ? stage_table(routed) : collectives;
}

}  // namespace planner
