#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "planner/calibration/direct_constants.hpp"
#include "planner/calibration/validation.hpp"
#include "planner/catalog/measured/microbenchmarks.hpp"
#include "planner/commands/calibrate/calibrate.hpp"
#include "planner/core/real.hpp"
#include "planner/domain/names.hpp"
#include "planner/domain/own_factor.hpp"
#include "planner/json/text_file.hpp"
#include "planner/perf/metrics.hpp"

namespace planner::commands {

namespace {

constexpr const char* kOwnName = "mine";

void take(const DirectConstant& found, const std::string& file, CalibrationData& data) {
  if (!found.problem.empty()) {
    throw InputError(Diagnostic{
        .code = "no-constant", .message = found.problem, .file = json::source_name(file)});
  }
  data.measured[found.constant] = found.value;
}

/// That a file of kernels does not say what they ran on.
template <class Benchmark>
void warn_unless_named(const std::vector<Benchmark>& measured, const std::string& file,
                       std::vector<std::string>& warnings) {
  const bool named = std::none_of(measured.begin(), measured.end(),
                                  [](const Benchmark& one) { return one.device.empty(); });
  if (named) return;
  warnings.push_back(
      fmt::format("{} has no column \"gpu\", as tools/measure writes it: whether it "
                  "is of --accelerator was not checked",
                  file));
}

/// Constants that --nccl-tests, --gemms and --attention measure by themselves.
void take_benchmarks(const CalibrateRequest& request, const catalog::Catalog& catalog,
                     const Calibration& expected, CalibrationData& data,
                     std::vector<std::string>& warnings) {
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
  const bool rates = request.gemms || request.attention;
  if (rates != request.accelerator.has_value()) {
    usage_error("--gemms or --attention, and --accelerator, go together",
                "the GPU's peak is what the rates are held to");
  }
  if (request.attention) {
    const auto measured = catalog::parse_attention(json::read_text_file(*request.attention),
                                                   json::source_name(*request.attention));
    const Accelerator part = catalog.load_accelerator(*request.accelerator);
    warn_unless_named(measured, *request.attention, warnings);
    for (const DirectConstant& found : from_attention(measured, part, expected)) {
      take(found, *request.attention, data);
    }
  }
  if (request.gemms) {
    const auto gemms = catalog::parse_gemms(json::read_text_file(*request.gemms),
                                            json::source_name(*request.gemms));
    const Accelerator part = catalog.load_accelerator(*request.accelerator);
    warn_unless_named(gemms, *request.gemms, warnings);
    for (const DirectConstant& found : from_gemms(gemms, part, expected)) {
      take(found, *request.gemms, data);
    }
  }
}

std::vector<std::string> files_of(const CalibrateRequest& request) {
  std::vector<std::string> files;
  const auto add = [&](const char* option, const std::optional<std::string>& file) {
    if (file) files.push_back(fmt::format("{} {}", option, *file));
  };
  add("--data", request.fit.data);
  add("--memory-data", request.memory_data);
  add("--nccl-tests", request.nccl_tests);
  add("--gemms", request.gemms);
  add("--attention", request.attention);
  return files;
}

SourceNote source_of(const CalibrateAnswer& answer, bool intervals) {
  SourceNote note{.keys = {"constants"}};
  if (intervals) note.keys.emplace_back("residuals");
  if (!answer.calibration.measured.empty()) note.keys.emplace_back("measured");
  if (!answer.calibration.outside.empty()) note.keys.emplace_back("outside");
  if (!answer.calibration.own.empty()) note.keys.emplace_back("own");
  if (answer.data.empty()) {
    note.source =
        "planner calibrate over the rows of catalog/measured/runs.jsonl and "
        "catalog/measured/memory.jsonl, each of which names its source";
    note.as_of = "2026";
  } else {
    note.source = fmt::format("planner calibrate from calibration {} with {}", answer.expected,
                              fmt::join(answer.data, " "));
  }
  return note;
}

/// Why a row of a file cannot be used for what it was given for; empty: it can.
std::string problem_of(const MeasuredRow& row, Validated what) {
  if (!row.run) return row.marked ? std::string{} : row.skipped;
  if (measured(*row.run, Validated::time) || measured(*row.run, Validated::memory)) return {};
  return what == Validated::time ? "derived_iteration_time_s is missing"
                                 : "measured_peak_gb is missing";
}

/// The rows of a file, all of which count, each once: who gives a row means it to count, and a run
/// that is told twice says no more than told once.
std::vector<MeasuredRow> rows_of(const std::string& file, Validated what,
                                 const catalog::Catalog& catalog) {
  std::vector<MeasuredRow> rows = catalog.load_measured(file);
  std::vector<Diagnostic> wrong;
  std::map<std::string, int> lines;
  for (const MeasuredRow& row : rows) {
    if (const std::string problem = problem_of(row, what); !problem.empty()) {
      wrong.push_back({.code = "bad-value",
                       .message = fmt::format("row {}: {}", row.id, problem),
                       .hint = R"("usable": false under "software" leaves a row out)",
                       .file = json::source_name(file),
                       .line = row.line});
    }
    if (const auto [first, is_new] = lines.emplace(row.id, row.line); !is_new) {
      wrong.push_back(
          {.code = "inconsistent",
           .message = fmt::format("row {}: its id is that of line {}", row.id, first->second),
           .hint = "each run counts once; give repeats of a run an id each",
           .file = json::source_name(file),
           .line = row.line});
    }
  }
  if (!wrong.empty()) throw InputError(std::move(wrong));
  if (!rows_with(rows, what).empty()) return rows;
  throw InputError(
      Diagnostic{.code = "no-rows",
                 .message = fmt::format("no row has a run with its {}",
                                        what == Validated::memory ? "peak memory" : "time"),
                 .hint = "planner validate measured --data FILE says what each row lacks",
                 .file = json::source_name(file)});
}

/// Share of the accelerators' peak that a run's FLOPs take at least: attention of the causal half,
/// which is that over sequences half as long.
double least_utilisation(const MeasuredRun& run) {
  Workload causal = run.workload;
  if (causal.run.sequence > 1) {
    causal.run.global_batch *= 2;
    causal.run.sequence /= 2;
  }
  const Accelerator& part = causal.system.accelerator;
  const Precision precision = causal.run.precision;
  const auto peak =
      part.datasheet.at(precision) ? part.datasheet.at(precision) : part.silicon.at(precision);
  return model_flops(causal) / (real(causal.gpus) * *peak * *run.iteration_time);
}

/// No machine does more than its peak: such a row is a mistake, and so would be a fit to it.
void refuse_impossible(const std::vector<MeasuredRow>& rows, const std::string& file) {
  for (const MeasuredRow* row : rows_with(rows, Validated::time)) {
    const double share = least_utilisation(*row->run);
    if (share <= 1) continue;
    const Workload& of = row->run->workload;
    throw InputError(Diagnostic{
        .code = "out-of-range",
        .message =
            fmt::format("row {}: an iteration of {:.4g} s would take {:.0f} % of the peak of "
                        "{} {}",
                        row->id, row->run->iteration_time->si(), 100 * share, of.gpus,
                        of.system.accelerator.title),
        .hint = "derived_iteration_time_s is of the whole global batch",
        .file = json::source_name(file)});
  }
}

std::int64_t sources_of(const std::vector<MeasuredRow>& rows) {
  std::set<std::string> sources;
  for (const MeasuredRow* row : rows_with(rows, Validated::time)) sources.insert(row->source_key);
  return std::ssize(sources);
}

/// Whether rows are runs of one's own, of which no constant is taken. What a source or two do in
/// their own way cannot be told from what a constant does, nor what one machine and software do,
/// whatever names their sources have; and of fewer rows than a class of intervals needs a fit would
/// know nothing of its errors.
bool are_own(const std::vector<MeasuredRow>& rows) {
  const std::vector<const MeasuredRow*> times = rows_with(rows, Validated::time);
  std::set<std::pair<std::string, SoftwareClass>> kinds;
  for (const MeasuredRow* row : times) {
    const Workload& of = row->run->workload;
    kinds.emplace(of.system.accelerator.name, of.software.stack);
  }
  return sources_of(rows) < kFewestIntervalSources || kinds.size() == 1 ||
         times.size() < kSmallestClass;
}

/// Of own runs so far off that something else is wrong.
void refuse_factors(const std::vector<OwnFit>& own, const std::string& file) {
  for (const OwnFit& each : own) {
    const OwnRuns& runs = each.runs;
    if (runs.factor >= kLeastOwnFactor && runs.factor <= kMostOwnFactor) continue;
    throw InputError(
        Diagnostic{.code = "out-of-range",
                   .message = fmt::format("own runs on {} with {} would put a factor of {:.4g} on "
                                          "predicted times, outside of {:g} to {:g}",
                                          runs.accelerator, name_of(runs.stack), runs.factor,
                                          kLeastOwnFactor, kMostOwnFactor),
                   .hint = "derived_iteration_time_s is in seconds, of the whole global batch",
                   .file = json::source_name(file)});
  }
}

CalibrationData data_of(const CalibrateRequest& request, const Calibration& expected,
                        const catalog::Catalog& catalog, std::vector<std::string>& warnings) {
  CalibrationData data;
  if (files_of(request).empty()) {
    data.times = catalog.load_shipped_measured("runs");
    data.memories = catalog.load_shipped_measured("memory");
  }
  if (request.fit.data) {
    std::vector<MeasuredRow> rows = rows_of(*request.fit.data, Validated::time, catalog);
    refuse_impossible(rows, *request.fit.data);
    (are_own(rows) ? data.own : data.times) = std::move(rows);
  }
  if (request.memory_data) {
    data.memories = rows_of(*request.memory_data, Validated::memory, catalog);
  }
  take_benchmarks(request, catalog, expected, data, warnings);
  return data;
}

std::vector<NewConstant> new_constants(const CalibrationFit& fit, const Calibration& before) {
  std::vector<NewConstant> found;
  for (std::size_t i = 0; i < kConstants; ++i) {
    const auto constant = static_cast<Constant>(i);
    const bool measured = fit.measured.contains(constant);
    if (!measured && !fit.fitted.contains(constant)) continue;
    found.push_back({std::string{constant_specs()[i].name}, before.values[i], measured});
  }
  return found;
}

std::optional<double> held(double share) {
  return share > 0 ? std::optional{share} : std::nullopt;
}

std::vector<OptionOf<CalibrateRequest>> options() {
  using R = CalibrateRequest;
  constexpr const char* kMeasured = "Measured runs";
  return joined<R>(
      {in(&R::fit, fit_options()),
       {text({"memory-data", "FILE", "measured runs with their peak memory", kMeasured},
             &R::memory_data),
        text({"nccl-tests", "FILE", "output of nccl-tests on --system", kMeasured}, &R::nccl_tests),
        text({"system", "NAME|FILE", "machine of --nccl-tests: planner list systems", kMeasured},
             &R::system),
        text({"gemms", "FILE", "CSV of matrix products on --accelerator", kMeasured}, &R::gemms),
        text({"attention", "FILE", "CSV of fused attention on --accelerator", kMeasured},
             &R::attention),
        text({"accelerator", "NAME|FILE", "GPU of --gemms, --attention: planner list accelerators",
              kMeasured},
             &R::accelerator),
        text({"name", "NAME", "of the new calibration (default mine)", kMeasured}, &R::name),
        text({"title", "TEXT", "of the new calibration (default: the name)", kMeasured},
             &R::title)}});
}

}  // namespace

CalibrateAnswer calibrate_constants(const CalibrateRequest& request, Context& context) {
  CalibrateAnswer answer{.data = files_of(request)};
  // Our own rows are all that our constants rest on: nothing may be left of an earlier fit.
  const bool anew = answer.data.empty() && !request.fit.calibration;
  const Calibration before =
      anew
          ? prior_calibration()
          : context.catalog.load_calibration(request.fit.calibration.value_or(kShippedCalibration));
  answer.expected = before.name;
  const CalibrationData data = data_of(request, before, context.catalog, context.warnings);
  CalibrationFit fit = planner::calibrate(data, std::make_shared<const Calibration>(before),
                                          fit_settings(request.fit, context));
  need_all_of_it(context);
  if (request.fit.data) refuse_factors(fit.own, *request.fit.data);
  answer.constants = new_constants(fit, before);
  answer.held_dense = held(fit.held_dense);
  answer.held_moe = held(fit.held_moe);
  answer.own = std::move(fit.own);
  answer.calibration = std::move(fit.calibration);
  Calibration& made = answer.calibration;
  made.name = request.name.value_or(kOwnName);
  made.title = request.title.value_or(made.name);
  made.sources = {source_of(answer, !made.residuals.empty())};
  const auto constants = std::make_shared<const Calibration>(made);
  const std::vector<MeasuredRow>& times = data.own.empty() ? data.times : data.own;
  answer.time = {std::ssize(rows_with(times, Validated::time)), sources_of(times),
                 validate_measured(times, Validated::time, constants).total};
  answer.memory = {fit.memory_rows, fit.memory_sources,
                   validate_measured(data.memories, Validated::memory, constants).total};
  return answer;
}

Command calibrate() {
  return erased(CommandOf<CalibrateRequest, CalibrateAnswer>{
      .name = "calibrate",
      .summary = "constants of the calibrated model from measurements",
      .to_the_letter = true,
      .options = options(),
      .run = calibrate_constants,
      .fields = calibrate_fields,
      .view = calibrate_view,
      .file = calibration_file});
}

}  // namespace planner::commands
