#include "planner/calibration/calibrate.hpp"

#include <fmt/format.h>

#include <memory>

#include "planner/api/commands.hpp"
#include "planner/api/measured.hpp"
#include "planner/api/options.hpp"
#include "planner/calibration/direct_constants.hpp"
#include "planner/catalog/measured/microbenchmarks.hpp"
#include "planner/json/text_file.hpp"

namespace planner {

namespace {

constexpr const char* kOwnName = "mine";

void take(const DirectConstant& found, const std::string& file, CalibrationData& data) {
  if (!found.problem.empty()) {
    throw InputError(Diagnostic{
        .code = "no-constant", .message = found.problem, .file = json::source_name(file)});
  }
  data.measured[found.constant] = found.value;
}

/// Constants that --nccl-tests and --gemms measure by themselves.
void take_benchmarks(const Request& request, const catalog::Catalog& catalog,
                     const Calibration& expected, CalibrationData& data) {
  if (request.nccl_tests) {
    if (!request.system) {
      usage_error("--nccl-tests needs --system", "its links are what the bandwidths are held to");
    }
    const System system = catalog.load_system(*request.system);
    take(from_collectives(catalog::parse_nccl_tests(json::read_text_file(*request.nccl_tests),
                                                    json::source_name(*request.nccl_tests)),
                          system),
         *request.nccl_tests, data);
  } else if (request.system) {
    usage_error("--system is an option of --nccl-tests here");
  }
  if (request.gemms.has_value() != request.accelerator.has_value()) {
    usage_error("--gemms and --accelerator go together",
                "the GPU's peak is what the rates are held to");
  }
  if (request.gemms) {
    const auto gemms = catalog::parse_gemms(json::read_text_file(*request.gemms),
                                            json::source_name(*request.gemms));
    const Accelerator part = catalog.load_accelerator(*request.accelerator);
    for (const DirectConstant& found : from_gemms(gemms, part, expected)) {
      take(found, *request.gemms, data);
    }
  }
}

std::vector<std::string> files_of(const Request& request) {
  std::vector<std::string> files;
  const auto add = [&](const char* option, const std::optional<std::string>& file) {
    if (file) files.push_back(fmt::format("{} {}", option, *file));
  };
  add("--data", request.data);
  add("--memory-data", request.memory_data);
  add("--nccl-tests", request.nccl_tests);
  add("--gemms", request.gemms);
  return files;
}

void name_sources(Calibration& calibration, const CalibrateResult& result) {
  calibration.sources.clear();
  SourceNote note{.keys = {"constants", "residuals"}};
  if (calibration.residuals.empty()) note.keys.pop_back();
  if (result.data.empty()) {
    note.source =
        "planner calibrate over the rows of catalog/measured/runs.jsonl and "
        "catalog/measured/memory.jsonl, each of which names its source";
    note.as_of = "2026";
  } else {
    note.source = fmt::format("planner calibrate from calibration {} with", result.expected);
    for (const std::string& file : result.data) note.source += " " + file;
  }
  calibration.sources = {note};
}

/// Rows that make no run are left out; a file of nothing else is an error.
void need_rows(const std::vector<MeasuredRow>& rows, Validated what, const std::string& file) {
  if (!rows_with(rows, what).empty()) return;
  const bool memory = what == Validated::memory;
  throw InputError(Diagnostic{
      .code = "no-rows",
      .message = fmt::format("no row has a run with its {}", memory ? "peak memory" : "time"),
      .hint = "planner validate measured --data FILE says what each row lacks",
      .file = json::source_name(file)});
}

ErrorSummary errors_of(const std::vector<MeasuredRow>& rows, Validated what,
                       const CalibrationPtr& calibration) {
  return validate_measured(rows, what, calibration).total;
}

}  // namespace

Response calibrate(const Request& request, const catalog::Catalog& catalog,
                   const Control& control) {
  CalibrateResult result{.data = files_of(request)};
  const bool ours = result.data.empty();
  // Our own rows are all that our constants rest on: nothing may be left of an earlier fit.
  result.before = ours && !request.calibration
                      ? prior_calibration()
                      : catalog.load_calibration(
                            request.calibration.value_or(std::string{defaults::kCalibration}));
  result.expected = result.before.name;
  CalibrationData data;
  if (ours) {
    data.times = catalog.load_shipped_measured("runs");
    data.memories = catalog.load_shipped_measured("memory");
  }
  if (request.data) {
    data.times = catalog.load_measured(*request.data);
    need_rows(data.times, Validated::time, *request.data);
  }
  if (request.memory_data) {
    data.memories = catalog.load_measured(*request.memory_data);
    need_rows(data.memories, Validated::memory, *request.memory_data);
  }
  take_benchmarks(request, catalog, result.before, data);
  result.fit = calibrate(data, std::make_shared<const Calibration>(result.before),
                         fit_options(request, control));
  if (control.stop != nullptr && control.stop->load()) throw Interrupted();
  Calibration& made = result.fit.calibration;
  made.name = request.name.value_or(kOwnName);
  made.title = request.title.value_or(made.name);
  name_sources(made, result);
  const auto constants = std::make_shared<const Calibration>(made);
  result.time = errors_of(data.times, Validated::time, constants);
  result.memory = errors_of(data.memories, Validated::memory, constants);
  return {.command = Command::calibrate, .result = std::move(result)};
}

}  // namespace planner
