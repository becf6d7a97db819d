// A sweep's rows are what the command itself answers, whatever the number of threads.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <nlohmann/json.hpp>

#include "planner/commands/format.hpp"

using namespace planner;
using namespace planner::commands;
using json::Json;

namespace {

/// hb-domain 1, 8 and gpus 512, 1000 (for which there is no strategy) and 1024 of GPT-22B.
Call sweep_call() {
  return {.command = "sweep",
          .arguments = {"optimize"},
          .options = {{"vary", "hb-domain=1,8"},
                      {"vary", "gpus=512,1000,1024"},
                      {"model", "gpt22b"},
                      {"data-dir", PLANNER_SOURCE_DIR}}};
}

Json answer_of(const Call& call) {
  return reply_json(reply_to(call));
}

/// The table of a sweep.
present::Table table_of(const Call& call) {
  for (const present::Block& block : reply_to(call).answer->document().blocks) {
    if (const auto* const table = std::get_if<present::Table>(&block.content)) return *table;
  }
  FAIL("no table");
  return {};
}

}  // namespace

TEST_CASE("a row is the command's own answer") {
  const Json sweep = answer_of(sweep_call());
  CHECK(sweep["ok"] == true);
  const Json& rows = sweep["result"]["rows"];
  REQUIRE(rows.size() == 6);
  std::size_t i = 0;
  for (const std::int64_t hb_domain : {1, 8}) {
    for (const std::int64_t gpus : {512, 1000, 1024}) {
      const Json& row = rows[i++];
      CHECK(row["hb_domain"] == hb_domain);
      CHECK(row["gpus"] == gpus);
      const Json alone = answer_of({.command = "optimize",
                                    .options = {{"model", "gpt22b"},
                                                {"gpus", std::to_string(gpus)},
                                                {"hb-domain", std::to_string(hb_domain)},
                                                {"data-dir", PLANNER_SOURCE_DIR}}});
      CHECK(row["ok"] == (gpus != 1000));
      for (const char* key : {"ok", "inputs", "result", "warnings", "errors"}) {
        CAPTURE(key);
        CHECK(row.contains(key) == alone.contains(key));
        if (alone.contains(key)) CHECK(row[key] == alone[key]);
      }
    }
  }
}

TEST_CASE("what 95 of 100 runs take, and what one costs, count all that the answer itself counts") {
  const Call sweep{.command = "sweep",
                   .arguments = {"optimize"},
                   .options = {{"vary", "gpus=512,1024"},
                               {"model", "gpt22b"},
                               {"tokens", "1T"},
                               {"rates", "llama-3"},
                               {"stall", "5"},
                               {"gpu-hour-price", "2"},
                               {"data-dir", PLANNER_SOURCE_DIR}}};
  const Json rows = answer_of(sweep)["result"]["rows"];
  const present::Table table = table_of(sweep);
  const auto column = [&](const std::string& header) {
    const auto found = std::find(table.header.begin(), table.header.end(), header);
    REQUIRE(found != table.header.end());
    return static_cast<std::size_t>(found - table.header.begin());
  };
  const std::size_t days = column("days in 95 of 100 runs"), run = column("run (USD)");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Json& result = rows[i]["result"];
    CHECK(*table.rows[i].cells[days].number() >
          result["expected"]["days"]["p95"].get<double>());  // which is the luck of failures alone
    CHECK(*table.rows[i].cells[run].number() ==
          doctest::Approx(result["cost_per_run_range_usd"]["expected"].get<double>()));
    CHECK(result["cost_per_run_range_usd"]["expected"] > result["cost"]["per_run_usd"]);
  }
}

TEST_CASE("the number of threads changes no byte") {
  const std::string expected = rendered(reply_to(sweep_call()), json_format());
  for (const char* threads : {"1", "2", "5", "16"}) {
    Call call = sweep_call();
    call.options.emplace_back("threads", threads);
    CHECK(rendered(reply_to(call), json_format()) == expected);
  }
}

TEST_CASE("progress counts rows, and a sweep that is stopped is no answer") {
  std::atomic<std::int64_t> last = 0;
  Reply reply = reply_to(sweep_call(), {.progress = [&](const SearchProgress& progress) {
                           CHECK(progress.total == 6);
                           last = progress.done;
                         }});
  CHECK(last == 6);
  const std::atomic<bool> stop = true;
  reply = reply_to(sweep_call(), {.stop = &stop});
  CHECK(reply.exit_code == ExitCode::interrupted);
  CHECK_FALSE(reply.answer);
}

TEST_CASE(
    "the chart has a point for each row that succeeded, a line for each of the fewer values") {
  const Json sweep = answer_of(sweep_call());
  REQUIRE(sweep["charts"].size() == 1);
  const Json& spec = sweep["charts"][0]["spec"];
  CHECK(spec["data"]["values"].size() == 4);
  CHECK(spec["encoding"]["x"]["field"] == "gpus");
  CHECK(spec["encoding"]["color"]["field"] == "hb_domain");
  CHECK(spec["data"]["values"][0]["value"] ==
        sweep["result"]["rows"][0]["result"]["best"]["iteration_time_s"]);
}

TEST_CASE("clusters side by side have a line each, in the table and in the chart") {
  const Call call{
      .command = "sweep",
      .arguments = {"compare", "hpn-dual-tor", "hpn-single-tor"},
      .options = {
          {"vary", "quantile=0.5,0.9"}, {"routing", "ecmp"}, {"data-dir", PLANNER_SOURCE_DIR}}};
  const Json sweep = answer_of(call);
  const present::Table table = table_of(call);
  REQUIRE(table.header.size() > 2);
  CHECK(table.header[1] == "cluster");
  CHECK(table.header[2] == "iteration (s)");
  REQUIRE(table.rows.size() == 4);
  CHECK(table.rows[0].cells[1] != table.rows[1].cells[1]);
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const Json& row = sweep["result"]["rows"][i / 2];
    const auto& cells = table.rows[i].cells;
    CHECK(cells[0].number() == row["quantile"].get<double>());
    CHECK(cells[2].number() ==
          row["result"]["clusters"][i % 2]["training"]["iteration_time_s"].get<double>());
  }
  const Json& spec = sweep["charts"][0]["spec"];
  CHECK(spec["data"]["values"].size() == 4);
  CHECK(spec["encoding"]["color"]["field"] == "cluster");
  CHECK_FALSE(spec["encoding"].contains("shape"));
}

TEST_CASE("a collective of several sizes has a line for each") {
  Call call{.command = "sweep",
            .arguments = {"collective"},
            .options = {{"kind", "all-reduce"},
                        {"bytes", "1MiB:4MiB:x4"},
                        {"data-dir", PLANNER_SOURCE_DIR},
                        {"vary", "gpus=64,128"}}};
  const present::Table several = table_of(call);
  CHECK(several.header ==
        std::vector<std::string>{"gpus", "bytes", "time (s)", "bus bandwidth (GB/s)"});
  CHECK(several.rows.size() == 4);
  call.options.emplace_back("vary", "network-bandwidth=25,50,100");
  const Json encoding = answer_of(call)["charts"][0]["spec"]["encoding"];
  CHECK(encoding["x"]["field"] == "network_bandwidth");
  CHECK(encoding["color"]["field"] == "gpus");
  CHECK(encoding["shape"]["field"] == "bytes");
  call.options.pop_back();
  call.options[1].second = "1MiB";
  const present::Table one = table_of(call);
  CHECK(one.header == std::vector<std::string>{"gpus", "time (s)", "bus bandwidth (GB/s)"});
  CHECK(one.rows[1].cells[1].number() ==
        answer_of(call)["result"]["rows"][1]["result"]["sizes"][0]["time_s"].get<double>());
}
