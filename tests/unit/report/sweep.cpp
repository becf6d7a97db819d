// A sweep's rows are what the command itself answers, whatever the number of threads.
#include <doctest/doctest.h>

#include <atomic>
#include <nlohmann/json.hpp>

#include "planner/api/api.hpp"
#include "planner/report/answer_json.hpp"
#include "planner/report/report.hpp"
#include "planner/report/sweep_view.hpp"

using namespace planner;

namespace {

/// hb-domain 1, 8 and gpus 512, 1000 (for which there is no strategy) and 1024 of GPT-22B.
Request sweep_request() {
  return {.command = Command::sweep,
          .arguments = {"optimize"},
          .vary = {{.option = "hb-domain", .values = {"1", "8"}},
                   {.option = "gpus", .values = {"512", "1000", "1024"}}},
          .swept_options = {{"model", "gpt22b"}, {"data-dir", PLANNER_SOURCE_DIR}}};
}

Json answer_of(const Request& request) {
  return answer_json(answer(request));
}

}  // namespace

TEST_CASE("a row is the command's own answer") {
  const Json sweep = answer_of(sweep_request());
  CHECK(sweep["ok"] == true);
  const Json& rows = sweep["result"]["rows"];
  REQUIRE(rows.size() == 6);
  std::size_t i = 0;
  for (const std::int64_t hb_domain : {1, 8}) {
    for (const std::int64_t gpus : {512, 1000, 1024}) {
      const Json& row = rows[i++];
      CHECK(row["hb_domain"] == hb_domain);
      CHECK(row["gpus"] == gpus);
      const Json alone = answer_of({.command = Command::optimize,
                                    .given = {{"model", "gpt22b"},
                                              {"gpus", std::to_string(gpus)},
                                              {"hb-domain", std::to_string(hb_domain)}},
                                    .data_dir = PLANNER_SOURCE_DIR});
      CHECK(row["ok"] == (gpus != 1000));
      for (const char* key : {"ok", "inputs", "result", "warnings", "errors"}) {
        CAPTURE(key);
        CHECK(row.contains(key) == alone.contains(key));
        if (alone.contains(key)) CHECK(row[key] == alone[key]);
      }
    }
  }
}

TEST_CASE("the number of threads changes no byte") {
  Request request = sweep_request();
  const std::string expected = render_json(answer(request));
  for (const char* threads : {"1", "2", "5", "16"}) {
    request.swept_options.back() = {"threads", threads};
    request.swept_options.resize(2);
    request.swept_options.emplace_back("data-dir", PLANNER_SOURCE_DIR);
    CHECK(render_json(answer(request)) == expected);
  }
}

TEST_CASE("progress counts rows, and a sweep that is stopped is no answer") {
  std::atomic<std::int64_t> last = 0;
  Response response = answer(sweep_request(), {.progress = [&](const SearchProgress& progress) {
                               CHECK(progress.total == 6);
                               last = progress.done;
                             }});
  CHECK(last == 6);
  const std::atomic<bool> stop = true;
  response = answer(sweep_request(), {.stop = &stop});
  CHECK(response.exit_code == ExitCode::interrupted);
  CHECK(std::holds_alternative<std::monostate>(response.result));
}

TEST_CASE(
    "the chart has a point for each row that succeeded, a line for each of the fewer values") {
  const Json sweep = answer_of(sweep_request());
  REQUIRE(sweep["charts"].size() == 1);
  const Json& spec = sweep["charts"][0]["spec"];
  CHECK(spec["data"]["values"].size() == 4);
  CHECK(spec["encoding"]["x"]["field"] == "gpus");
  CHECK(spec["encoding"]["color"]["field"] == "hb_domain");
  CHECK(spec["data"]["values"][0]["value"] ==
        sweep["result"]["rows"][0]["result"]["best"]["iteration_time_s"]);
}

TEST_CASE("a command without known figures shows the numbers of its results") {
  const Json saved{{"command", "sweep"},
                   {"result",
                    {{"command", "new"},
                     {"parameters", {{"x", {1, 2}}}},
                     {"rows",
                      {{{"x", 1}, {"result", {{"x", 1}, {"lag_s", 0.5}, {"name", "a"}}}},
                       {{"x", 2}, {"result", {{"x", 2}, {"lag_s", 0.25}, {"more", 3}}}}}}}}};
  const DataTable table = sweep_data(saved);
  CHECK(table.header == std::vector<std::string>{"x", "lag_s", "more"});
  CHECK(table.rows[0] == std::vector<Json>{1, 0.5, nullptr});
  CHECK(table.rows[1] == std::vector<Json>{2, 0.25, 3});
}

TEST_CASE("clusters side by side have a line each, in the table and in the chart") {
  const Json sweep =
      answer_of({.command = Command::sweep,
                 .arguments = {"compare", "hpn-dual-tor", "hpn-single-tor"},
                 .vary = {{.option = "quantile", .values = {"0.5", "0.9"}}},
                 .swept_options = {{"routing", "ecmp"}, {"data-dir", PLANNER_SOURCE_DIR}}});
  const DataTable table = sweep_data(sweep);
  REQUIRE(table.header.size() > 2);
  CHECK(table.header[1] == "cluster");
  CHECK(table.header[2] == "iteration (s)");
  REQUIRE(table.rows.size() == 4);
  CHECK(table.rows[0][1] != table.rows[1][1]);
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const Json& row = sweep["result"]["rows"][i / 2];
    CHECK(table.rows[i][0] == row["quantile"]);
    CHECK(table.rows[i][2] == row["result"]["clusters"][i % 2]["training"]["iteration_time_s"]);
  }
  const Json& spec = sweep["charts"][0]["spec"];
  CHECK(spec["data"]["values"].size() == 4);
  CHECK(spec["encoding"]["color"]["field"] == "cluster");
  CHECK_FALSE(spec["encoding"].contains("shape"));
}

TEST_CASE("a collective of several sizes has a line for each") {
  Request request{
      .command = Command::sweep,
      .arguments = {"collective"},
      .vary = {{.option = "gpus", .values = {"64", "128"}}},
      .swept_options = {
          {"kind", "all-reduce"}, {"bytes", "1MiB:4MiB:x4"}, {"data-dir", PLANNER_SOURCE_DIR}}};
  const DataTable several = sweep_data(answer_of(request));
  CHECK(several.header ==
        std::vector<std::string>{"gpus", "bytes", "time (s)", "bus bandwidth (GB/s)"});
  CHECK(several.rows.size() == 4);
  request.vary.push_back({.option = "network-bandwidth", .values = {"25", "50", "100"}});
  const Json encoding = answer_of(request)["charts"][0]["spec"]["encoding"];
  CHECK(encoding["x"]["field"] == "network_bandwidth");
  CHECK(encoding["color"]["field"] == "gpus");
  CHECK(encoding["shape"]["field"] == "bytes");
  request.vary.pop_back();
  request.swept_options[1].second = "1MiB";
  const Json one = answer_of(request);
  CHECK(sweep_data(one).header ==
        std::vector<std::string>{"gpus", "time (s)", "bus bandwidth (GB/s)"});
  CHECK(sweep_data(one).rows[1][1] == one["result"]["rows"][1]["result"]["sizes"][0]["time_s"]);
}
