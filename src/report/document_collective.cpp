#include "planner/report/document.hpp"

namespace planner {

namespace {

const std::vector<std::string> kHeader{"bytes",
                                       "algorithm",
                                       "protocol",
                                       "time (s)",
                                       "algorithm bandwidth (GB/s)",
                                       "bus bandwidth (GB/s)",
                                       "latency (s)",
                                       "transfer (s)"};

std::vector<Json> row(const Json& bytes, const Json& timed) {
  return {bytes,
          at(timed, {"algorithm"}),
          at(timed, {"protocol"}),
          at(timed, {"time_s"}),
          at(timed, {"algorithm_bandwidth_GBps"}),
          at(timed, {"bus_bandwidth_GBps"}),
          at(timed, {"terms_s", "latency"}),
          at(timed, {"terms_s", "transfer"})};
}

}  // namespace

/// Every algorithm of one size, or the one used for every size of a range.
DataTable collective_data(const Json& answer) {
  const Json& result = needed(answer, {"result"});
  DataTable table{.title = "Times", .header = kHeader};
  if (at(result, {"sizes"}).is_array()) {
    for (const Json& size : result.at("sizes")) {
      table.rows.push_back(row(at(size, {"bytes"}), size));
    }
    return table;
  }
  for (const Json& option : needed_array(result, {"algorithms"})) {
    table.rows.push_back(row(at(result, {"bytes"}), option));
  }
  return table;
}

Document collective_document(const Json& answer) {
  const Json& result = needed(answer, {"result"});
  Document document{.title = text(result, {"kind"}) + " over " + needed(result, {"gpus"}).dump() +
                             " GPUs of " + text(answer, {"inputs", "system"}),
                    .tables = {collective_data(answer)}};
  if (const Json& bound = at(result, {"bound_time_s"}); bound.is_number()) {
    document.notes.push_back(
        "Least time of any algorithm at the links' full bandwidth (rail-only "
        "paper, Appendix A): " +
        bound.dump() + " s.");
  }
  return document;
}

}  // namespace planner
