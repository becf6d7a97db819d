#include "planner/present/text.hpp"
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
          at(timed, {"latency_s"}),
          at(timed, {"transfer_s"})};
}

}  // namespace

/// Every algorithm of one size, or the one used for every size of a range.
DataTable collective_data(const Json& answer) {
  const Json& sizes = needed_array(needed(answer, {"result"}), {"sizes"});
  DataTable table{.title = "Times", .header = kHeader};
  for (const Json& size : sizes) {
    if (sizes.size() > 1) {
      table.rows.push_back(row(at(size, {"bytes"}), size));
      continue;
    }
    for (const Json& one : needed_array(size, {"algorithms"})) {
      table.rows.push_back(row(at(size, {"bytes"}), one));
    }
  }
  return table;
}

Document collective_document(const Json& answer) {
  const Json& result = needed(answer, {"result"});
  Document document{.title = text(result, {"kind"}) + " over " + needed(result, {"gpus"}).dump() +
                             " GPUs of " + text(answer, {"inputs", "system"}),
                    .tables = {collective_data(answer)}};
  document.notes.push_back(
      text(answer, {"inputs", "algorithm"}) == "auto"
          ? "The fastest algorithm is listed first; latencies and efficiencies "
            "of library " +
                text(answer, {"inputs", "library"}) + "."
          : "Asked for: " + text(answer, {"inputs", "algorithm"}) +
                "; latencies and efficiencies of library " + text(answer, {"inputs", "library"}) +
                ".");
  for (const Json& size : needed_array(result, {"sizes"})) {
    const auto bytes = number(size, {"bytes"}), bound = number(size, {"bound_time_s"});
    if (!bytes || !bound) continue;
    document.notes.push_back(
        "Least time of any algorithm at the links' full bandwidth (rail-only paper, Appendix A), " +
        size_text(Bytes{*bytes}) + ": " + duration(Seconds{*bound}) + ".");
  }
  for (const Json& formula : needed_array(result, {"formulas"})) {
    std::string where;
    for (const auto& [symbol, value] : needed(formula, {"definitions"}).items()) {
      where += ", " + symbol + " = " + value.get<std::string>();
    }
    document.notes.push_back(
        text(formula, {"algorithm"}) + ": latency " + text(formula, {"latency"}) + "; transfer " +
        text(formula, {"transfer"}) + where + " (" + text(formula, {"source"}) + ").");
  }
  return document;
}

}  // namespace planner
