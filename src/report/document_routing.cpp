#include "planner/report/document.hpp"

namespace planner {

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

}  // namespace planner
