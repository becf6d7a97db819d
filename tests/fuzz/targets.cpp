#include "fuzz/targets.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string>

#include "planner/api/json_request.hpp"
#include "planner/api/saved_answer.hpp"
#include "planner/calibration/validation.hpp"
#include "planner/io/calibration_documents.hpp"
#include "planner/io/catalog.hpp"
#include "planner/io/huggingface.hpp"
#include "planner/io/measured_runs.hpp"
#include "planner/io/microbenchmarks.hpp"
#include "planner/planner.h"
#include "planner/report/format.hpp"
#include "support/parse_anything.hpp"

namespace planner::fuzz {

namespace {

constexpr std::string_view kSource = "fuzz";

/// Reads a file type and writes it again; a text of ours that cannot be read back is a bug.
template <auto parse>
void written_again(std::string_view text) {
  const std::string written = io::to_json(parse(text, kSource)).dump();
  try {
    parse(written, "written by planner");
  } catch (const InputError& error) {
    throw std::logic_error(error.diagnostics().front().message);
  }
}

TransformerSpec model_of(std::string_view text, std::string_view source) {
  return io::parse_model(text, source).spec;
}

void huggingface(std::string_view text) {
  io::to_json(io::parse_huggingface(text, kSource).spec);
}

System system_of(std::string_view text, std::string_view source) {
  return io::parse_system(text, source, [](const std::string&) -> Accelerator {
    throw InputError(Diagnostic{.code = "unknown-name", .message = "no catalog"});
  });
}

const io::Catalog& catalog() {
  static const io::Catalog kCatalog({PLANNER_SOURCE_DIR});
  return kCatalog;
}

/// Rows are predicted too, as `validate measured` and `calibrate` do.
void measured_rows(std::string_view text) {
  static const std::vector<Accelerator> kKnown = [] {
    std::vector<Accelerator> known;
    for (const std::string& name : catalog().names(io::kinds::accelerator)) {
      known.push_back(catalog().load_accelerator(name));
    }
    return known;
  }();
  static const auto kConstants =
      std::make_shared<const Calibration>(catalog().load_calibration("default"));
  const std::vector<MeasuredRow> rows = io::parse_measured_runs(text, kSource, kKnown);
  for (const Validated what : {Validated::time, Validated::memory}) {
    validate_measured(rows, what, kConstants);
  }
}

void nccl_tests(std::string_view text) {
  io::parse_nccl_tests(text, kSource);
}

void gemms(std::string_view text) {
  io::parse_gemms(text, kSource);
}

/// A saved answer is read, then shown in every format that needs no temporary file.
void saved_answer(std::string_view text) {
  const auto answer = parse_answer(text, kSource);
  for (const Format format : {Format::csv, Format::markdown, Format::html}) {
    try {
      render(answer, format);
    } catch (const InputError&) {
    }
  }
}

void request(std::string_view text) {
  read_json_request(text);
}

/// Through the C interface. Not what takes seconds by its nature: fits, and all measured runs.
void call(std::string_view text) {
  const Request asked = read_json_request(text).request;
  const bool swept = asked.command == Command::sweep && !asked.arguments.empty();
  const auto slow = [](std::string_view name) { return name == "calibrate" || name == "validate"; };
  if (asked.command == Command::calibrate || asked.command == Command::validate ||
      (swept && slow(asked.arguments.front()))) {
    return;
  }
  char* const answer = planner_call(std::string(text).c_str());
  const auto json = nlohmann::ordered_json::parse(answer);
  planner_free(answer);
  if (json.contains("errors") && json["errors"][0]["code"] == "bug") {
    throw std::logic_error(json["errors"][0]["message"].get<std::string>());
  }
}

/// Every file type in turn, the parts of a system too.
void parsers(std::string_view text) {
  parse_as_everything(text);
}

constexpr auto kTargets = std::to_array<std::pair<std::string_view, Target>>({
    {"model", written_again<model_of>},
    {"huggingface", huggingface},
    {"accelerator", written_again<io::parse_accelerator>},
    {"node", written_again<io::parse_node>},
    {"system", written_again<system_of>},
    {"storage", written_again<io::parse_storage>},
    {"switch", written_again<io::parse_switch>},
    {"optic", written_again<io::parse_optic>},
    {"nic", written_again<io::parse_nic>},
    {"price_book", written_again<io::parse_price_book>},
    {"economics", written_again<io::parse_economics>},
    {"collectives", written_again<io::parse_collectives>},
    {"rates", written_again<io::parse_rates>},
    {"calibration", written_again<io::parse_calibration>},
    {"cluster", written_again<io::parse_cluster>},
    {"measured_rows", measured_rows},
    {"nccl_tests", nccl_tests},
    {"gemms", gemms},
    {"saved_answer", saved_answer},
    {"request", request},
    {"call", call},
    {"parsers", parsers},
});

}  // namespace

std::vector<std::string_view> target_names() {
  std::vector<std::string_view> names;
  for (const auto& target : kTargets) names.push_back(target.first);
  return names;
}

Target target_named(std::string_view name) {
  const auto* const found = std::find_if(kTargets.begin(), kTargets.end(),
                                         [&](const auto& target) { return target.first == name; });
  return found == kTargets.end() ? nullptr : found->second;
}

}  // namespace planner::fuzz
