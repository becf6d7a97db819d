// A system without a measured run never wins, or only appears, silently: every command that tells
// times of plans, in every format.
#include <doctest/doctest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "planner/calibration/measured_prediction.hpp"
#include "planner/calibration/own.hpp"
#include "planner/commands/format.hpp"
#include "planner/perf/calibrated/certainty.hpp"
#include "planner/perf/calibrated/own_runs.hpp"
#include "support/examples.hpp"
#include "support/workbook.hpp"

using namespace planner;
using namespace planner::commands;
using namespace planner::testing;

namespace {

constexpr const char* kNotMeasured = "no run measured on";
constexpr const char* kPart = "AMD Instinct MI300X";
/// A system without a measured run costs what one with some does, and is faster.
constexpr const char* kDesign =
    "design --model llama3.1-8b --tokens 1T --systems own/amd.json,dgx-h100 "
    "--max-gpus 16 --prices own/design-prices.json";

Reply replied(const std::string& line) {
  std::filesystem::current_path(PLANNER_SOURCE_DIR "/tests/golden");
  std::istringstream words(line);
  std::string name;
  words >> name;
  const Command* const command = command_named(name);
  REQUIRE(command != nullptr);
  return reply_to(call_of(*command, std::move(words)));
}

/// Without line breaks, escapes and what archives pack, in one line.
std::string plain(const Format& format, const std::string& shown) {
  std::string text = shown;
  if (format.name == "xlsx") {
    text.clear();
    for (const auto& [name, xml] : unzipped(shown)) text += xml;
  }
  std::string flat;
  for (const char c : text) {
    const bool space = c == '\n' || c == ' ' || c == '\r';
    if (space && !flat.empty() && flat.back() == ' ') continue;
    flat += space ? ' ' : c;
  }
  return flat;
}

bool says(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

/// Where runs were measured that no constant is fitted to, it says how far off the model was on
/// them.
bool says_unmeasured(const std::string& text) {
  return says(text, kNotMeasured) || says(text, "slower than predicted, and no constant is fitted");
}

/// The commands that tell the time of a plan on a system.
const std::vector<std::string>& unmeasured_calls() {
  static const std::vector<std::string> kCalls{
      "estimate --model llama3.1-8b --gpus 8 --system mi300x-8 --zero 1",
      "estimate --model llama3.1-8b --gpus 8 --system mi300x-8 --zero 1 --tokens 1T --explain",
      "estimate --model llama3.1-8b --gpus 8 --system dgx-h100 --zero 1 --software eager",
      "estimate --model llama3.1-8b --gpus 64 --system trn1 --zero 3",
      "optimize --model llama3.1-8b --gpus 8 --system mi300x-8 --top 2 --tokens 1T",
      "traffic --model llama3.1-8b --gpus 8 --system mi300x-8 --zero 1",
      "cost own/mi300x-64.json",
      "compare own/h100-64.json own/mi300x-64.json",
      "compare own/mi300x-64.json own/h100-64.json",
      kDesign};
  return kCalls;
}

}  // namespace

TEST_CASE("every format of every command that times a plan says that nothing was measured") {
  for (const std::string& line : unmeasured_calls()) {
    CAPTURE(line);
    const Reply reply = replied(line);
    REQUIRE(reply.has_result());
    for (const Format& format : formats()) {
      if (format.to_the_letter && !format.is_text) continue;
      CAPTURE(format.name);
      const std::string text = plain(format, rendered(reply, format));
      CHECK(says_unmeasured(text));
      CHECK(says(text, "one training step of your own"));
    }
  }
}

TEST_CASE("it stands in the first lines, ahead of the plan") {
  for (const std::string& line : unmeasured_calls()) {
    if (line.starts_with("compare")) continue;
    CAPTURE(line);
    const std::string text = plain(table_format(), rendered(replied(line), table_format()));
    const std::size_t said = std::min(text.find(kNotMeasured), text.find("no constant is fitted"));
    CHECK(said < 700);
    CHECK(said < text.find("per iteration"));
  }
}

TEST_CASE("a comparison says it beside the winner, whichever comes first") {
  for (const char* line : {"compare own/h100-64.json own/mi300x-64.json",
                           "compare own/mi300x-64.json own/h100-64.json"}) {
    CAPTURE(line);
    const nlohmann::ordered_json answer = reply_json(replied(line));
    const std::string verdict = answer["result"]["verdict"];
    CHECK(says(verdict, kNotMeasured));
    CHECK(says(verdict, kPart));
    int measured = 0;
    for (const auto& cluster : answer["result"]["clusters"]) {
      const auto& evidence = cluster["training"]["plan"]["evidence"];
      measured += evidence["measured"].get<bool>() ? 1 : 0;
      CHECK(evidence["measured"] == (evidence["runs"] > 0));
    }
    CHECK(measured == 1);
    CHECK(says(plain(table_format(), rendered(replied(line), table_format())),
               "measured runs of its"));  // "kind" on a line of its own
  }
}

TEST_CASE("what is best to buy is not measured: it is said before what it is, and beside it") {
  const Reply reply = replied(kDesign);
  const nlohmann::ordered_json best = reply_json(reply)["result"]["best"];
  CHECK(best["plan"]["evidence"]["measured"] == false);
  const std::string text = plain(table_format(), rendered(reply, table_format()));
  CHECK(text.find(kNotMeasured) < text.find("What to buy"));
  CHECK(says(text, "own/amd.json, not measured"));
  CHECK(!says(text, "dgx-h100, not measured"));
}

TEST_CASE("a sweep over systems has a column for it, and only then") {
  const std::string sweep =
      "sweep --vary system=dgx-h100,mi300x-8 estimate --model llama3.1-8b --gpus 8 --zero 1";
  for (const Format& format : formats()) {
    if (format.to_the_letter && !format.is_text) continue;
    CAPTURE(format.name);
    const std::string text = plain(format, rendered(replied(sweep), format));
    CHECK(says(text, format.name == "json" ? kNotMeasured : "run measured"));
  }
  const std::string known =
      "sweep --vary system=dgx-h100,dgx-h200 estimate --model llama3.1-8b --gpus 8 --zero 1";
  CHECK(!says(plain(table_format(), rendered(replied(known), table_format())), "run measured"));
}

TEST_CASE("saved answers, their differences and settings say it too") {
  const auto folder = std::filesystem::temp_directory_path();
  const auto path = [&](const char* name) {
    return (folder / ("planner-unmeasured-" + std::to_string(::getpid()) + name)).string();
  };
  const std::string a = path("a.json"), b = path("b.json");
  std::ofstream(a) << reply_json(
      replied("estimate --model llama3.1-8b --gpus 8 --system dgx-h100 --zero 1"));
  std::ofstream(b) << reply_json(replied(unmeasured_calls().front()));
  for (const Format& format : formats()) {
    if (format.to_the_letter && !format.is_text) continue;
    CAPTURE(format.name);
    CHECK(says(plain(format, rendered(replied("report " + b), format)), kNotMeasured));
    CHECK(says(plain(format, rendered(replied("diff " + a + " " + b), format)), kNotMeasured));
  }
  std::filesystem::remove(a);
  std::filesystem::remove(b);
  const Reply emitted = replied(unmeasured_calls().front() + " --emit megatron");
  CHECK(says(plain(table_format(), rendered(emitted, table_format())), kNotMeasured));
}

TEST_CASE("a measured system says nothing of the kind") {
  const Reply reply = replied("estimate --model llama3.1-8b --gpus 8 --system dgx-h100 --zero 1");
  CHECK(!says(plain(table_format(), rendered(reply, table_format())), kNotMeasured));
  CHECK(reply_json(reply)["result"]["evidence"]["statement"].is_null());
}

TEST_CASE("the shipped calibration says of each system what the shipped rows say") {
  const catalog::Catalog& catalog = shipped();
  const auto rows = catalog.load_shipped_measured("runs");
  CHECK(catalog.load_calibration("default").measured ==
        measured_runs(rows_with(rows, Validated::time)));
}

TEST_CASE(
    "the interval of what no fit has seen follows from the rows that it has not, and holds them") {
  const auto constants = std::make_shared<const Calibration>(shipped().load_calibration("default"));
  const auto rows = shipped().load_shipped_measured("runs");
  const auto beside = rows_beside(rows, Validated::time);
  CHECK(constants->outside == outside_runs(beside, constants));
  int unseen = 0, held = 0;
  for (const MeasuredRow* row : beside) {
    Workload workload = row->run->workload;
    workload.timing = constants;
    if (evidence_of(workload)->measured()) continue;
    const double predicted = MeasuredPrediction(*row->run, constants)(Validated::time, constants);
    ++unseen;
    held += time_interval(workload, Seconds{predicted})->holds(*row->run->iteration_time) ? 1 : 0;
  }
  CHECK(unseen >= 36);
  CHECK(held >= 0.8 * unseen);
}

TEST_CASE("half of all runs stay within what the runs outside the fit showed in the middle") {
  const auto result = reply_json(replied("cost own/mi300x-64.json"))["result"];
  const auto& interval = result["training"]["plan"]["iteration_time_interval_s"];
  const double time = result["training"]["plan"]["iteration_time_s"];
  const auto& days = result["outlook"]["days"];
  const double expected = days["range"]["expected"];
  const auto as_far = [&](const nlohmann::ordered_json& figure, double off) {
    return figure.get<double>() / expected == doctest::Approx(off).epsilon(2e-3);
  };
  CHECK(as_far(days["range"]["low"], interval["low"].get<double>() / time));
  CHECK(as_far(days["range"]["high"], interval["high"].get<double>() / time));
  const MissedRuns outside = [] {
    Workload like;
    like.timing = std::make_shared<const Calibration>(shipped().load_calibration("default"));
    return *evidence_of(like)->outside;
  }();
  CHECK(as_far(days["median"], std::exp((outside.low + outside.high) / 2)));
}

TEST_CASE("own runs on a machine that no fit has seen hold most of its others") {
  const auto constants = std::make_shared<const Calibration>(shipped().load_calibration("default"));
  const auto rows = shipped().load_shipped_measured("runs");
  std::vector<double> residuals;
  std::optional<MissedRuns> outside;
  for (const MeasuredRow* row : rows_beside(rows, Validated::time)) {
    Workload workload = row->run->workload;
    if (workload.system.accelerator.name != "trn1") continue;
    workload.timing = constants;
    outside = evidence_of(workload)->outside;
    const double predicted = MeasuredPrediction(*row->run, constants)(Validated::time, constants);
    residuals.push_back(std::log(row->run->iteration_time->si() / predicted));
  }
  REQUIRE(residuals.size() >= 27);
  for (const std::size_t own : {1, 3}) {
    CAPTURE(own);
    std::size_t held = 0, others = 0;
    for (std::size_t first = 0; first < residuals.size(); ++first) {
      std::vector<double> chosen, left;
      for (std::size_t i = 0; i < residuals.size(); ++i) {
        const std::size_t at = (i + residuals.size() - first) % residuals.size();
        (at % 9 == 0 && at / 9 < own ? chosen : left).push_back(residuals[i]);
      }
      const OwnLevel level = own_level(chosen, usual_level(*outside));
      for (const double r : left) {
        const double beyond = r - std::log(level.factor);
        held += level.low <= beyond && beyond <= level.high ? 1 : 0;
        ++others;
      }
    }
    MESSAGE(held, " of ", others);
    CHECK(static_cast<double>(held) >= 0.75 * static_cast<double>(others));
  }
}

TEST_CASE("no run on TPUs that ran is refused, with what its recipe keeps in host memory") {
  const auto constants = std::make_shared<const Calibration>(shipped().load_calibration("default"));
  const auto rows = shipped().load_shipped_measured("runs");
  int runs = 0;
  for (const MeasuredRow* row : rows_with(rows, Validated::time)) {
    MeasuredRun run = *row->run;
    if (run.workload.system.accelerator.generation != Generation::tpu || run.workload.model.moe) {
      continue;
    }
    CAPTURE(row->id);
    run.workload.software.offloaded_layers = run.workload.model.layers;
    CHECK(MeasuredPrediction(run, constants).fits(constants));
    ++runs;
  }
  CHECK(runs >= 29);
}

TEST_CASE("a system with runs outside the fit says how many, and how far off they were") {
  const std::string text =
      plain(table_format(),
            rendered(replied("estimate --model llama3.1-8b --gpus 64 --system trn1 --zero 3"),
                     table_format()));
  CHECK(says(text, "Outside the fit: 27 runs were measured on AWS Trainium with jax, "));
  CHECK(!says(text, kNotMeasured));
}

TEST_CASE("a format that was not measured on a part is not taken as measured") {
  const auto text = [](const char* precision) {
    return plain(table_format(), rendered(replied(std::string("estimate --model llama3.1-8b --gpus "
                                                              "64 --system tpu-v5p --zero 3 "
                                                              "--precision ") +
                                                  precision),
                                          table_format()));
  };
  CHECK(!says(text("bf16"), kNotMeasured));
  CHECK(says(text("fp8"), "no run measured on Google TPU v5p with jax in fp8"));
}

TEST_CASE("the closed form says that it is fitted to no run, of whatever system") {
  for (const char* line :
       {"estimate --model llama3.1-8b --gpus 8 --system mi300x-8 --timing closed-form",
        "optimize --model llama3.1-8b --gpus 8 --timing closed-form",
        "traffic --model llama3.1-8b --gpus 8 --system tpu-v5p --timing closed-form",
        "sweep --vary system=dgx-h100,mi300x-8 optimize --model llama3.1-8b --gpus 8 "
        "--timing closed-form"}) {
    CAPTURE(line);
    const Reply reply = replied(line);
    REQUIRE(reply.has_result());
    for (const Format& format : formats()) {
      if (format.to_the_letter && !format.is_text) continue;
      CAPTURE(format.name);
      const bool table = format.name == "table" || format.name == "csv";  // beside it, on stderr
      const std::string text = plain(format, rendered(reply, format));
      const auto& warnings = reply.warnings;
      CHECK(std::any_of(warnings.begin(), warnings.end(), [](const std::string& warning) {
        return says(warning, "the closed-form model is fitted to no measured run");
      }));
      if (!table) CHECK(says(text, "the closed-form model is fitted to no measured run"));
    }
  }
}
